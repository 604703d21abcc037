#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/base/interval.h"
#include "core/runs/run.h"
#include "core/wire/assumption.h"
#include "core/wire/warning.h"

/// The wire types and, for each, ONE list of its fields. The bindings, the generated TypeScript
/// types, the page's form and the command's flags all read these lists; no name is listed twice.
/// Names are snake_case here, camelCase in JS and JSON, kebab-case as flag, attribute and URL key.
namespace honest_epsilon::wire {

/// What may stand in an input field.
enum class FieldType { number, count, choice, flag, numbers, ranks, texts };

/// A question's field: where it is stored and what a person may type into it.
/// `least` and `most` are the supported domain (`open_least`: the lower end itself is excluded).
template <class Owner, class Value>
struct InputField {
  const char* name;
  Value Owner::* member;
  FieldType type;
  const char* label;    ///< two or three words, as a form shows it
  const char* meaning;  ///< one sentence
  double least = 0;
  double most = 0;
  bool open_least = false;
  const char* choices = "";  ///< space-separated, for FieldType::choice; first is the default
  const char* symbol = "";   ///< the field's letter in the papers, if it has one
};
template <class Owner, class Value, class... Rest>
InputField(const char*, Value Owner::*, Rest...) -> InputField<Owner, Value>;

/// The same field, of a type that has everything `Base` has.
template <class Owner, class Base, class Value>
constexpr InputField<Owner, Value> inherited(const InputField<Base, Value>& field) {
  return {field.name,  field.member, field.type,       field.label,   field.meaning,
          field.least, field.most,   field.open_least, field.choices, field.symbol};
}

template <class Owner, class Base>
constexpr auto inherited_fields() {
  return std::apply(
      [](const auto&... field) { return std::make_tuple(inherited<Owner>(field)...); },
      fields(static_cast<const Base*>(nullptr)));
}

/// An answer's field: a name and where it is stored.
template <class Owner, class Value>
struct OutputField {
  const char* name;
  Value Owner::* member;
};
template <class Owner, class Value>
OutputField(const char*, Value Owner::*) -> OutputField<Owner, Value>;

/// How the compiler spells a member: `... kMember = &honest_epsilon::wire::Work::milliseconds]`, or
/// with a semicolon and more behind it.
template <auto kMember>
constexpr std::string_view spelling_of() {
  return __PRETTY_FUNCTION__;
}

/// A member's own name, with a zero behind it.
template <auto kMember>
constexpr auto name_of_member() {
  constexpr std::string_view all = spelling_of<kMember>();
  constexpr std::string_view from = all.substr(all.find('&'));
  constexpr std::string_view path = from.substr(0, from.find_first_of("];"));
  constexpr std::string_view name = path.substr(path.rfind(':') + 1);
  std::array<char, name.size() + 1> text{};
  std::copy(name.begin(), name.end(), text.begin());
  return text;
}

/// A text that is in the engine once, however many members have it for a name.
template <auto kText>
inline constexpr auto kOnce = kText;

/// An answer's fields, called as its members are.
template <auto... kMembers>
constexpr auto outputs() {
  return std::make_tuple(OutputField{kOnce<name_of_member<kMembers>()>.data(), kMembers}...);
}

using Number = std::optional<double>;
using Choice = std::optional<std::string>;
using Flag = std::optional<bool>;
using Numbers = std::vector<double>;  ///< an empty list counts as absent
using Texts = std::vector<std::string>;

/// Ranks of sorted coordinates, 1 the largest: given one by one, or for the core to choose.
struct RankList {
  bool automatic = false;
  Numbers list;  ///< when not automatic
  bool operator==(const RankList&) const = default;
};
using Ranks = std::optional<RankList>;

/// One stretch of training with one sampler and one noise level.
struct Phase {
  Choice sampler;
  Choice mechanism;
  Number noise_multiplier;
  Number dataset_size, batch_size, accumulation_steps, devices;
  Flag drop_last;
  Number epochs;
  Number steps_per_epoch, sampling_probability, steps;
  Choice adjacency;
  Choice reshuffle;
  Number participations, max_batch_size, records_per_user;
  Number bands, count_noise, sampling_workers;
  Flag replacement;
  Flag drawn_divisor;
  Flag swapped;
  Choice matrix;
  Numbers matrix_column;
  Numbers buffer_weights, buffer_decays;
  Number noise_end;
  Choice noise_schedule;
  Choice noise_unit;
  Number noise_stddev, clipping_norm;
  Choice privacy_unit;
  Number local_epochs;
  Number part_of_data;
};

/// The domain where every bound is proved and fuzzed. At less noise nothing is private: a single
/// step's epsilon exceeds 10^11.
inline constexpr double kLeastNoise = 1e-6;
inline constexpr double kMostNoise = 1e6;
inline constexpr double kMostSteps = 1e9;
inline constexpr double kMostNorm = 1e12;
inline constexpr double kMostRecords = 1e12;
inline constexpr double kMostDevices = 1e6;
inline constexpr double kMostRecordsPerUser = 1000;
inline constexpr double kMostRuns = 1e6;
/// So many are answered within seconds; more are a mistake.
inline constexpr std::size_t kMostPhases = 1000;
inline constexpr double kLeastGamma = 1e-6;
inline constexpr double kMostEta = 100;
inline constexpr double kMostShift = 1e3;
/// Of the first column of a matrix; those after the first may be 0.
inline constexpr double kLeastEntry = 1e-6;
inline constexpr double kMostEntry = 1e3;
inline constexpr double kMostCanaries = 1e6;
inline constexpr double kMostGuesses = 1e5;
inline constexpr double kMostTrials = 1e6;

inline constexpr const char* kPartMeaning =
    "Which of several disjoint parts of the records is used, by number. A record is in one part, "
    "so that only the most expensive part counts. Without a number, all records are used.";

constexpr auto fields(const Phase*) {
  using P = Phase;
  return std::make_tuple(
      InputField{"sampler", &P::sampler, FieldType::choice, "Batch sampler",
                 "How your batches were sampled.", 0, 0, false,
                 "poisson shuffle balls-and-bins without-replacement deterministic"},
      InputField{"mechanism", &P::mechanism, FieldType::choice, "Mechanism",
                 "The noise added in each step.", 0, 0, false,
                 "gaussian laplace randomized-response"},
      InputField{"noise_multiplier", &P::noise_multiplier, FieldType::number, "Noise multiplier",
                 "Standard deviation of the noise on a step's sum of gradients, before the sum is "
                 "divided by the batch size, over the clipping norm (Laplace: its scale; "
                 "randomised response: 1 / epsilon).",
                 kLeastNoise, kMostNoise, false, "", "σ"},
      InputField{"dataset_size", &P::dataset_size, FieldType::count, "Dataset size",
                 "Number of training records.", 1, kMostRecords, false, "", "n"},
      InputField{"batch_size", &P::batch_size, FieldType::count, "Batch size",
                 "Records per batch on one device (the average, if batch sizes vary).", 1,
                 kMostRecords, false, "", "b"},
      InputField{
          "accumulation_steps", &P::accumulation_steps, FieldType::count, "Accumulation steps",
          "Batches summed on one device before noise is added once (default: 1).", 1, kMostDevices},
      InputField{"devices", &P::devices, FieldType::count, "Devices",
                 "Devices whose batches are summed before noise is added once (default: 1).", 1,
                 kMostDevices},
      InputField{"drop_last", &P::drop_last, FieldType::flag, "Drop last batch",
                 "Leave out the incomplete last batch of each epoch (drop_last=True). "
                 "Otherwise it is used as a smaller batch."},
      InputField{"epochs", &P::epochs, FieldType::count, "Epochs",
                 "Passes over the dataset (default: 1).", 0, kMostSteps, false, "", "k"},
      InputField{"steps_per_epoch", &P::steps_per_epoch, FieldType::count, "Steps per epoch",
                 "Batches in one pass over the dataset.", 1, kMostSteps, false, "", "T"},
      InputField{"sampling_probability", &P::sampling_probability, FieldType::number,
                 "Sampling probability", "Probability that a given record is in a given batch.", 0,
                 1, true, "", "q"},
      InputField{"steps", &P::steps, FieldType::count, "Steps", "Gradient steps in the whole run.",
                 0, kMostSteps},
      InputField{"adjacency", &P::adjacency, FieldType::choice, "Neighbours",
                 "How neighbouring datasets differ: one gradient zeroed, one record added "
                 "or removed, or one record replaced by another.",
                 0, 0, false, "zero-out add-remove substitution"},
      InputField{"reshuffle", &P::reshuffle, FieldType::choice, "Reshuffle",
                 "Shuffled batches and balls-and-bins: new batches every epoch, or the same "
                 "ones in all epochs.",
                 0, 0, false, "each-epoch once"},
      InputField{"participations", &P::participations, FieldType::count, "Participations",
                 "Balls-and-bins: steps per epoch that use each record (default: 1).", 1,
                 kMostSteps},
      InputField{"max_batch_size", &P::max_batch_size, FieldType::count, "Maximum batch size",
                 "Batches with more records than this, over all devices, are randomly "
                 "reduced to this size.",
                 1, kMostRecords, false, "", "B"},
      InputField{"records_per_user", &P::records_per_user, FieldType::count, "Records per user",
                 "At most this many records belong to one person (default: 1).", 1,
                 kMostRecordsPerUser, false, "", "g"},
      InputField{"bands", &P::bands, FieldType::count, "Bands",
                 "Banded matrix factorisation: the number of bands. Poisson batches: the records "
                 "form as many groups, used in turn (cyclic Poisson sampling), and the sampling "
                 "probability is per group.",
                 1, kMostSteps},
      InputField{"count_noise", &P::count_noise, FieldType::number, "Count noise",
                 "Adaptive clipping: noise standard deviation of the count of unclipped "
                 "gradients. For several counts, divide it by √(their number).",
                 kLeastNoise, kMostNoise},
      InputField{"sampling_workers", &P::sampling_workers, FieldType::count, "Sampling workers",
                 "Workers that each sample their own batch from the whole dataset (default: 1).", 1,
                 kMostRecordsPerUser},
      InputField{"replacement", &P::replacement, FieldType::flag, "With replacement",
                 "Sample each batch with replacement: a record can appear more than once."},
      InputField{"drawn_divisor", &P::drawn_divisor, FieldType::flag,
                 "Divides by actual batch size",
                 "Tick this if gradients are averaged over the actual batch size. That case is "
                 "not covered."},
      InputField{"swapped", &P::swapped, FieldType::flag, "Datasets swapped",
                 "The two neighbouring datasets are exchanged: this phase lacks the record "
                 "where the others have it."},
      InputField{"matrix", &P::matrix, FieldType::choice, "Noise matrix",
                 "Correlated noise (DP-FTRL, matrix factorisation): the matrix C of C x + z. The "
                 "noise multiplier is that of z, not divided by the norm of C's columns.",
                 0, 0, false, "identity square-root column buffers"},
      InputField<Phase, Numbers>{"matrix_column", &P::matrix_column, FieldType::numbers,
                                 "First column of C",
                                 "Correlated noise: the first column of a lower triangular "
                                 "Toeplitz matrix C, all entries at least 0.",
                                 0, kMostEntry},
      InputField<Phase, Numbers>{"buffer_weights", &P::buffer_weights, FieldType::numbers,
                                 "Weights of buffers",
                                 "Correlated noise by a buffered linear Toeplitz matrix (BLT): C's "
                                 "first column is 1, then sum_i w_i d_i^(j - 1) for j = 1, 2, ... "
                                 "These are the w_i.",
                                 0, kMostEntry},
      InputField<Phase, Numbers>{"buffer_decays", &P::buffer_decays, FieldType::numbers,
                                 "Decays of buffers",
                                 "The d_i of such a matrix, as many as there are weights.", 0, 1},
      InputField{"noise_end", &P::noise_end, FieldType::number, "Noise multiplier, last epoch",
                 "Noise schedule: the noise changes from epoch to epoch, from the noise multiplier "
                 "to this one. A single epoch has the smaller of the two.",
                 kLeastNoise, kMostNoise},
      InputField{"noise_schedule", &P::noise_schedule, FieldType::choice, "Noise schedule",
                 "From one epoch to the next the noise multiplier changes by the same factor or "
                 "by the same amount.",
                 0, 0, false, "geometric linear"},
      InputField{"noise_unit", &P::noise_unit, FieldType::choice, "Noise stated as",
                 "How the noise is stated: by its multiplier, or by its standard deviation on a "
                 "step's sum of clipped gradients or on their average, which takes the clipping "
                 "norm, too. If microbatches of several records are clipped as one, halve it.",
                 0, 0, false, "multiplier sum average"},
      InputField{"noise_stddev", &P::noise_stddev, FieldType::number, "Noise standard deviation",
                 "Standard deviation of the noise on a step's sum, or average, of gradients.", 0,
                 kMostNorm, true},
      InputField{"clipping_norm", &P::clipping_norm, FieldType::number, "Clipping norm",
                 "Largest norm of a clipped gradient.", 0, kMostNorm, true, "", "C"},
      InputField{"privacy_unit", &P::privacy_unit, FieldType::choice, "What is a record?",
                 "An example, or, in federated learning, a client (user) with all its examples: "
                 "then the dataset size counts clients, the batch size is the clients per round, "
                 "and a step is a round.",
                 0, 0, false, "example client"},
      InputField{"local_epochs", &P::local_epochs, FieldType::count, "Local epochs",
                 "A client's own passes over its examples in a round. They do not change epsilon: "
                 "the client's whole update is clipped, and noise is added to that.",
                 1, kMostSteps},
      InputField{"part_of_data", &P::part_of_data, FieldType::count, "Part of the data",
                 kPartMeaning, 1, kMostPhases});
}

/// Another release that draws on the same budget, known through its guarantee alone: (epsilon,
/// delta), mu-GDP, rho-zCDP or bounded range.
struct Release {
  Number epsilon, delta, mu, rho;
  Number bounded_range = {};
  Number part_of_data = {};
};

constexpr auto fields(const Release*) {
  using R = Release;
  return std::make_tuple(
      InputField{"epsilon", &R::epsilon, FieldType::number, "Epsilon",
                 "The release is (epsilon, delta)-DP.", 0, 700, false, "", "ε"},
      InputField{"delta", &R::delta, FieldType::number, "Delta",
                 "The delta of that guarantee (default: 0).", 0, 1, false, "", "δ"},
      InputField{"mu", &R::mu, FieldType::number, "Mu",
                 "The release is mu-GDP: at least as private as one Gaussian of this shift.", 0,
                 kMostShift, false, "", "μ"},
      InputField{"rho", &R::rho, FieldType::number, "Rho",
                 "The release is rho-zCDP: its Rényi divergence is at most rho times the order.", 0,
                 1e6, false, "", "ρ"},
      InputField{"bounded_range", &R::bounded_range, FieldType::number, "Range",
                 "The release is an exponential mechanism with this epsilon, or another one whose "
                 "losses differ by at most so much (bounded range).",
                 0, 700, false, "", "η"},
      InputField{"part_of_data", &R::part_of_data, FieldType::count, "Part of the data",
                 kPartMeaning, 1, kMostPhases});
}

/// One entry of a run: a stretch of training, or another release beside it.
using Entry = std::variant<Phase, Release>;

/// What is read off a trade-off curve, for any question that draws one; the usual rates and a prior
/// of 1/2 when these are left out.
struct Readings {
  Numbers false_positive_rates, priors;
};

template <class Owner>
constexpr auto reading_fields() {
  return std::make_tuple(
      InputField<Owner, Numbers>{
          "false_positive_rates", &Owner::false_positive_rates, FieldType::numbers,
          "False positive rates",
          "False positive rates at which to report the best attack's true positive rate.", 0, 1},
      InputField<Owner, Numbers>{"priors", &Owner::priors, FieldType::numbers, "Priors",
                                 "Prior probabilities that the record is present, for the best "
                                 "guess.",
                                 0, 1});
}

/// A question about a run of one or more phases. Of `epsilon` and `delta`, the one that is not
/// asked for is given; calibration takes both, and finds what `solve_for` names.
struct Query : Readings {
  Choice question;
  std::vector<Entry> phases;
  Number delta;
  Number epsilon;
  Choice solve_for;
  Number cap_delta;
  Choice accountant;
  Choice proofs;
  Number width;
  Choice tuning;
  Number runs, gamma, eta;
  Choice target;
  Number target_value, target_at;
  Number canaries, guesses, correct, confidence;
  Number members, non_members;
  Numbers true_positives, false_positives;
};

/// The fields of a query beside `phases`.
constexpr auto fields(const Query*) {
  using Q = Query;
  return std::tuple_cat(
      std::make_tuple(
          InputField{"question", &Q::question, FieldType::choice, "Question", "What to compute.", 0,
                     0, false, "epsilon delta compare calibrate tradeoff audit"},
          InputField{"delta", &Q::delta, FieldType::number, "Delta",
                     "The delta of the (epsilon, delta) guarantee. Usually well below 1/n.", 0, 1,
                     true, "", "δ"},
          InputField{"epsilon", &Q::epsilon, FieldType::number, "Epsilon",
                     "The epsilon of the (epsilon, delta) guarantee.", 0, 1e6, false, "", "ε"},
          InputField{"solve_for", &Q::solve_for, FieldType::choice, "Solve for",
                     "The quantity to solve for.", 0, 0, false,
                     "noise epochs steps batch-size sampling-probability delta cap"},
          InputField{"cap_delta", &Q::cap_delta, FieldType::number, "Delta of the cap",
                     "Solving for the maximum batch size: the delta that it may add.", 0, 1, true},
          InputField{"accountant", &Q::accountant, FieldType::choice, "Accountant",
                     "PLD: both ends proved. RDP: an upper bound. GDP: an estimate. Best: PLD, or "
                     "RDP if its "
                     "upper end is smaller, with the others for comparison.",
                     0, 0, false, "best pld rdp gdp"},
          InputField{"proofs", &Q::proofs, FieldType::choice, "Proofs",
                     "Which theorems upper ends may use: all, including ours that are not yet "
                     "peer-reviewed, or published ones only.",
                     0, 0, false, "all published"},
          InputField{"width", &Q::width, FieldType::number, "Width",
                     "Requested relative width of the interval (default: 1e-4; 1e-3 for curves).",
                     1e-9, 1, false},
          InputField{
              "tuning", &Q::tuning, FieldType::choice, "Runs tried",
              "How many training runs you tried before publishing the best one: one, a fixed "
              "number, or a random number chosen beforehand.",
              0, 0, false, "none poisson geometric logarithmic negative-binomial fixed"},
          InputField{"runs", &Q::runs, FieldType::number, "Number of runs",
                     "Tuning: runs tried (the mean, if their number is random).", 0, kMostRuns,
                     true, "", "K"},
          InputField{"gamma", &Q::gamma, FieldType::number, "Gamma",
                     "Tuning: the parameter of the distribution, instead of its mean; Pr[K = 1] if "
                     "geometric.",
                     kLeastGamma, 1, false, "", "γ"},
          InputField{"eta", &Q::eta, FieldType::number, "Shape",
                     "Tuning: shape of the negative binomial distribution; 1 is "
                     "geometric, 0 logarithmic.",
                     -1, kMostEta, true, "", "η"},
          InputField{
              "target", &Q::target, FieldType::choice, "Target",
              "The target to meet: epsilon at delta, the best attack's advantage, its true "
              "positive "
              "rate at a false positive rate, its accuracy at a prior, mu-GDP, or the success of "
              "attribute inference and reconstruction from a baseline.",
              0, 0, false, "epsilon advantage true-positive-rate accuracy gdp inference"},
          InputField{"target_value", &Q::target_value, FieldType::number, "Target value",
                     "The largest value that the target may have.", 0, kMostShift, true},
          InputField{"target_at", &Q::target_at, FieldType::number, "Target at",
                     "The false positive rate, the prior, or the success of the best guess without "
                     "the model (the baseline).",
                     0, 1},
          InputField{"canaries", &Q::canaries, FieldType::count, "Canaries",
                     "Audit: records that were each included in training with probability 1/2.", 1,
                     kMostCanaries, false, "", "m"},
          InputField{"guesses", &Q::guesses, FieldType::count, "Guesses",
                     "Audit: number of guesses, fixed before looking.", 1, kMostGuesses, false, "",
                     "r"},
          InputField{"correct", &Q::correct, FieldType::count, "Correct guesses",
                     "Audit: guesses that were correct.", 0, kMostGuesses, false, "", "v"},
          InputField{"confidence", &Q::confidence, FieldType::number, "Confidence",
                     "Audit: confidence level (default: 0.95).", 0, 1, true},
          InputField{"members", &Q::members, FieldType::count, "Members",
                     "Audit over many runs: runs trained with the record.", 1, kMostTrials},
          InputField{"non_members", &Q::non_members, FieldType::count, "Non-members",
                     "Audit over many runs: runs trained without it.", 1, kMostTrials},
          InputField<Q, Numbers>{
              "true_positives", &Q::true_positives, FieldType::numbers, "True positives",
              "Audit over many runs: of the members, those that the attack calls members; for "
              "several thresholds a list.",
              0, kMostTrials},
          InputField<Q, Numbers>{
              "false_positives", &Q::false_positives, FieldType::numbers, "False positives",
              "Audit over many runs: of the non-members, those that it calls members, in the "
              "order of the true positives.",
              0, kMostTrials}),
      reading_fields<Q>());
}

constexpr auto fields(const Directions*) {
  using D = Directions;
  return outputs<&D::remove, &D::add>();
}

/// What the schedule comes to; all but the steps only where there is a single phase.
struct Derived {
  double steps = 0;
  Number sampling_probability;
  Number steps_per_epoch;
  Number epochs;
  Number batch_size;  ///< of a step: all that is summed before noise is added, where it was given
  Number noise_multiplier;  ///< where the noise was stated by its standard deviation
};
constexpr auto fields(const Derived*) {
  using D = Derived;
  return outputs<&D::steps, &D::sampling_probability, &D::steps_per_epoch, &D::epochs,
                 &D::batch_size, &D::noise_multiplier>();
}

constexpr auto fields(const Warning*) {
  return outputs<&Warning::code, &Warning::text>();
}

constexpr auto fields(const Issue*) {
  return outputs<&Issue::code, &Issue::field, &Issue::text, &Issue::entry, &Issue::nearest>();
}

struct Work {
  double grid_points = 0;
  double milliseconds = 0;  ///< filled in by the caller: the core reads no clock
};
constexpr auto fields(const Work*) {
  return outputs<&Work::grid_points, &Work::milliseconds>();
}

/// What an answer rests on.
struct Grounds {
  std::vector<std::string> assumptions;       ///< for readers
  std::vector<std::string> assumption_codes;  ///< for programs, in the same order
  std::vector<Warning> warnings;
  std::vector<std::string> citations;  ///< BibTeX keys of core/REFERENCES.md

  void assume(const std::vector<Assumption>& list) {
    for (const Assumption& one : list) {
      assumptions.push_back(one.text);
      assumption_codes.push_back(one.code);
    }
  }
};

constexpr auto grounds_fields() {
  using G = Grounds;
  return outputs<&G::assumptions, &G::assumption_codes, &G::warnings, &G::citations>();
}

/// The same for an answer with numbers, and what found them at what cost.
struct Explanation : Grounds {
  std::string method;       ///< for readers
  std::string method_code;  ///< for programs
  Work work;

  void found_by(Method found) {
    method = info_of(found).sentence;
    method_code = info_of(found).code;
  }
};

/// The fields of an answer, its own and those of its explanation.
template <auto... kOwn>
constexpr auto explained_fields() {
  using E = Explanation;
  return std::tuple_cat(outputs<kOwn..., &E::method, &E::method_code>(), grounds_fields(),
                        outputs<&E::work>());
}

/// How large batches get where their size is random: Bin(datasetSize, samplingProbability).
struct BatchSizes {
  double mean = 0;
  double p99 = 0;              ///< no more than one batch in a hundred is larger
  double largest = 0;          ///< no batch of the whole run is larger, in 999 runs of 1000
  double cap_probability = 0;  ///< that some batch of the run exceeds the cap, at most
};
constexpr auto fields(const BatchSizes*) {
  using B = BatchSizes;
  return outputs<&B::mean, &B::p99, &B::largest, &B::cap_probability>();
}

/// What calibration found: the value of a field that meets the target, on the safe side.
struct Solution {
  std::string field;
  double value = 0;
  Numbers entries = {};  ///< the entries of the run that it was found for, counted from 0
  Texts displaced = {};  ///< their fields whose place it takes: left out where it is put in
};
constexpr auto fields(const Solution*) {
  using S = Solution;
  return outputs<&S::field, &S::value, &S::entries, &S::displaced>();
}

/// What a calibration comes to that was given another target than epsilon: Query::target.
struct TargetMet {
  std::string name;         ///< as `target` has it
  double limit = 0;         ///< what it may be at most
  Number at;                ///< at which rate, prior or baseline
  Interval value;           ///< what it is at the value found
  Number gap;               ///< mu-GDP: GaussianBelow::misfit
  Number resolution;        ///< mu-GDP: where it holds, as GaussianBelow::resolution
  bool own_proofs = false;  ///< as in TradeOffAnswer
};
constexpr auto fields(const TargetMet*) {
  using T = TargetMet;
  return outputs<&T::name, &T::limit, &T::at, &T::value, &T::gap, &T::resolution, &T::own_proofs>();
}

/// What a search comes to that publishes the best of several runs.
struct TuningCost {
  double runs = 1;  ///< their number, or its mean
  Number gamma;     ///< of a truncated negative binomial
  Number eta;
  Interval one_run;  ///< the quantity asked for, of one run by itself
};
constexpr auto fields(const TuningCost*) {
  using T = TuningCost;
  return outputs<&T::runs, &T::gamma, &T::eta, &T::one_run>();
}

/// The answer for one sampler. Of epsilon and delta, the given one has lower = upper = what was
/// given.
struct Answer : Explanation {
  std::string sampler;
  Interval epsilon;
  Interval delta;
  /// The neighbouring datasets that the numbers hold for: zero-out, add-remove or substitution, and
  /// "mixed" where the phases have none in common.
  std::string adjacency;
  Choice privacy_unit;    ///< "client" where a record is one
  Directions directions;  ///< of the quantity asked for
  /// The quantity asked for by published theorems alone, where `proofs` is all and the upper end
  /// rests on a theorem of this project's own.
  std::optional<Interval> published;
  std::optional<Interval> rdp;  ///< the same quantity by Rényi accounting: an upper bound
  std::optional<Interval> gdp;  ///< and by the central limit theorem: an estimate
  std::optional<Solution> solution;
  std::optional<TargetMet> target;
  std::optional<TuningCost> tuning;  ///< where the numbers are those of a whole search
  Derived derived;
  std::optional<BatchSizes> batch_sizes;
};
constexpr auto fields(const Answer*) {
  using A = Answer;
  return explained_fields<&A::sampler, &A::epsilon, &A::delta, &A::adjacency, &A::privacy_unit,
                          &A::directions, &A::published, &A::rdp, &A::gdp, &A::solution, &A::target,
                          &A::tuning, &A::derived, &A::batch_sizes>();
}

}  // namespace honest_epsilon::wire
