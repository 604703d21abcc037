#include "tests/fuzz/targets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/accounts/answer.h"
#include "core/accounts/initialisation.h"
#include "core/accounts/mixtures.h"
#include "core/accounts/monte_carlo.h"
#include "core/accounts/programme.h"
#include "core/accounts/shuffle_model.h"
#include "core/accounts/tradeoff.h"
#include "core/accounts/two_batches.h"
#include "core/monte_carlo/tally.h"
#include "core/pairs/gaussian.h"
#include "core/runs/releases.h"
#include "core/wire/schema.h"
#include "tests/core/accounts/laws.h"
#include "tests/core/chance.h"
#include "tests/core/counts.h"

namespace honest_epsilon::fuzz {
namespace {

using testing::Chance;
using wire::Choice;
using wire::fields;
using wire::Number;

/// Choices read from bytes, two for each choice; zeros when they have run out.
class Reader : public Chance {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  double unit() override {
    const unsigned high = byte();
    return (high * 256 + byte()) * 0x1p-16;
  }
  unsigned byte() { return at_ < bytes_.size() ? bytes_[at_++] : 0; }
  bool done() const { return at_ >= bytes_.size(); }
  /// Any double, the unwelcome ones among them.
  double raw() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8U | byte();
    double value = 0;  // std::bit_cast is not in every library that compiles this
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  std::string text() {
    std::string text(byte() % 12, ' ');
    for (char& letter : text) letter = static_cast<char>(byte());
    return text;
  }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
};

// ---------------------------------------------------------------------------------------------
// A question from bytes.

template <class Owner>
void set(const wire::InputField<Owner, Choice>& field, Owner& owner, Reader& reader) {
  std::vector<std::string> values(1);
  for (const char* letter = field.choices; *letter != '\0'; ++letter) {
    if (*letter == ' ') {
      values.emplace_back();
    } else {
      values.back() += *letter;
    }
  }
  const unsigned which = reader.byte();
  if (which == 255) {
    owner.*field.member = reader.text();
  } else {
    owner.*field.member = values[which % values.size()];
  }
}

/// Ordinary values stay small, so that an ordinary question is answered in milliseconds.
template <class Owner>
void set(const wire::InputField<Owner, Number>& field, Owner& owner, Reader& reader) {
  const bool count = field.type == wire::FieldType::count;
  Number& value = owner.*field.member;
  switch (reader.byte() % 12) {
    case 0:
      value = field.least;
      return;
    case 1:
      value = field.most;
      return;
    case 2:
      value = std::nextafter(reader.happens(0.5) ? field.least : field.most, kInfinity);
      return;
    case 3:
      value = std::nextafter(reader.happens(0.5) ? field.least : field.most, -kInfinity);
      return;
    case 4:
      value = reader.raw();
      return;
    case 5:
      value = reader.log_uniform(1e-30, 1e15);
      return;
    case 6:
      value = std::floor(reader.log_uniform(1, 1e10));
      return;
    default:
      break;
  }
  const double least = std::max(field.least, count ? 1.0 : 1e-6);
  const double most = std::min(field.most, count ? 500.0 : 20.0);
  const double ordinary = reader.log_uniform(least, std::max(least, most));
  value = count ? std::round(ordinary) : ordinary;
}

template <class Owner>
void set(const wire::InputField<Owner, wire::Flag>& field, Owner& owner, Reader& reader) {
  owner.*field.member = reader.byte() % 2 == 1;
}

template <class Owner>
void set(const wire::InputField<Owner, wire::Numbers>& field, Owner& owner, Reader& reader) {
  wire::Numbers& list = owner.*field.member;
  list.resize(reader.byte() % 6);
  for (double& value : list) value = reader.byte() % 4 == 0 ? reader.raw() : reader.unit();
}

/// Sets, or clears, one field of the list.
template <class Owner>
void change(Owner& owner, Reader& reader) {
  const auto list = fields(static_cast<const Owner*>(nullptr));
  const std::size_t which = reader.byte() % std::tuple_size_v<std::remove_const_t<decltype(list)>>;
  std::size_t i = 0;
  std::apply(
      [&](const auto&... field) {
        const auto visit = [&](const auto& f) {
          if (i++ != which) return;
          if (reader.byte() % 4 == 0) {
            owner.*f.member = {};
          } else {
            set(f, owner, reader);
          }
        };
        (visit(field), ...);
      },
      list);
}

wire::Query question(Reader& reader) {
  wire::Query query;
  if (reader.byte() % 8 != 0) {
    query = testing::random_run(reader,
                                accounts::kSamplers.at(reader.byte() % accounts::kSamplers.size()));
  }
  constexpr std::array kQuestions = {"epsilon", "delta", "compare", "calibrate"};
  const std::string asked = kQuestions.at(reader.byte() % kQuestions.size());
  query.question = asked;
  if (asked != "delta") query.delta = reader.log_uniform(1e-15, 0.9);
  if (asked == "delta" || asked == "calibrate") query.epsilon = reader.log_uniform(1e-3, 30);
  if (asked == "calibrate") query.solve_for = "noise";
  while (!reader.done()) {
    switch (reader.byte() % 6) {
      case 0:
        change(query, reader);
        break;
      case 1:
        if (query.phases.size() < 4) query.phases.emplace_back(wire::Release{});
        break;
      case 2:
        if (query.phases.size() < 4)
          query.phases.push_back(query.phases.empty() ? wire::Phase{} : query.phases.front());
        break;
      default:
        if (query.phases.empty()) break;
        std::visit([&](auto& entry) { change(entry, reader); },
                   query.phases.at(reader.byte() % query.phases.size()));
    }
  }
  return query;
}

// ---------------------------------------------------------------------------------------------
// What came back.

std::string complaint_about(double value, const char*) {
  return std::isfinite(value) ? "" : "is not a finite number";
}

std::string complaint_about(const Interval& i, const char*) {
  if (std::isnan(i.lower) || std::isnan(i.upper)) return "has an end that is not a number";
  if (!(i.lower <= i.upper)) return "has its ends crossed";
  if (i.lower < 0 && i.lower != -kInfinity) return "has a lower end below 0";
  const bool proves = i.kind == IntervalKind::certified;
  return proves && i.lower < 0 ? "claims to be certified without a lower end" : "";
}

std::string complaint_about(const wire::RankList&, const char*) {
  return "";
}

std::string complaint_about(const std::string& text, const char* name) {
  return text.empty() && std::string(name) != "sampler" ? "is empty" : "";
}

template <class T>
  requires requires(const T& owner) { fields(&owner); }
std::string complaint_about(const T& owner, const char* name);

template <class T>
std::string complaint_about(const std::optional<T>& value, const char* name) {
  return value ? complaint_about(*value, name) : "";
}

template <class T>
std::string complaint_about(const std::vector<T>& list, const char* name) {
  for (const T& element : list) {
    const std::string text = complaint_about(element, name);
    if (!text.empty()) return text;
  }
  return "";
}

template <class T>
  requires requires(const T& owner) { fields(&owner); }
std::string complaint_about(const T& owner, const char*) {
  std::string found;
  std::apply(
      [&](const auto&... field) {
        const auto visit = [&](const auto& f) {
          if (!found.empty()) return;
          const std::string text = complaint_about(owner.*f.member, f.name);
          if (!text.empty()) found = std::string(f.name) + " " + text;
        };
        (visit(field), ...);
      },
      fields(&owner));
  return found;
}

/// Gaussian noise leaves a delta above 0 at every epsilon: a proof of 0 is none.
bool proves_nothing_lost(const wire::Query& query, const wire::Answer& answer) {
  const auto gaussian = [](const auto& entry) {
    const auto* phase = std::get_if<wire::Phase>(&entry);
    return phase != nullptr && phase->mechanism.value_or("gaussian") == "gaussian";
  };
  return std::all_of(query.phases.begin(), query.phases.end(), gaussian) &&
         answer.derived.steps > 0 && answer.delta.kind == IntervalKind::certified &&
         answer.delta.upper == 0;
}

/// Smaller epsilons are met as far as round-off allows.
constexpr double kRoundOff = 1e-8;

std::string complaint_about(const wire::Query& query, const accounts::Outcome& outcome) {
  if (const Issue* issue = std::get_if<Issue>(&outcome)) return complaint_about(*issue, "issue");
  const auto& answers = std::get<std::vector<wire::Answer>>(outcome);
  if (answers.empty()) return "no answer";
  ++testing::counts().answered;
  for (const wire::Answer& answer : answers) {
    const std::string text = complaint_about(answer, "answer");
    if (!text.empty()) return text;
    if (proves_nothing_lost(query, answer)) return "a delta of 0 under Gaussian noise";
    if (answer.delta.upper > 1 && answer.delta.kind != IntervalKind::estimate &&
        answer.delta.upper != kInfinity)
      return "a delta above 1";
    if (query.question == "calibrate" && answer.solution &&
        query.accountant.value_or("best") == "best" && query.solve_for != "delta" && query.delta &&
        // A target of epsilon 0 is met as a total variation, on a grid that need not show it here.
        *query.epsilon > 0 && !(answer.epsilon.upper <= *query.epsilon * (1 + 1e-9) + kRoundOff))
      return "a solution that misses its target";
  }
  return "";
}

// ---------------------------------------------------------------------------------------------
// The corners of the domain.

/// A positive number: often an end of its domain, else of any size.
double extreme(Reader& reader, double least, double most) {
  if (reader.happens(0.15)) return least;
  if (reader.happens(0.1)) return most;
  return reader.log_uniform(least, most);
}

double extreme_count(Reader& reader, double least, double most) {
  if (reader.happens(0.3)) return least + static_cast<double>(reader.below(3));
  return std::floor(extreme(reader, std::max(least, 1.0), most));
}

std::string one_of(Reader& reader, std::initializer_list<const char*> choices) {
  return *(choices.begin() + reader.below(choices.size()));
}

wire::Phase phase_at_the_corners(Reader& reader) {
  wire::Phase p;
  p.sampler = std::string(accounts::kSamplers.at(reader.below(accounts::kSamplers.size())).name);
  p.mechanism = one_of(reader, {"gaussian", "gaussian", "laplace", "randomized-response"});
  p.adjacency = one_of(reader, {"zero-out", "add-remove", "substitution"});
  p.noise_multiplier = reader.happens(0.5) ? extreme(reader, wire::kLeastNoise, 0.1)
                                           : extreme(reader, wire::kLeastNoise, wire::kMostNoise);
  const double most = reader.happens(0.2) ? wire::kMostSteps : reader.happens(0.5) ? 3000 : 30;
  const double batches = extreme_count(reader, 1, most);
  switch (reader.below(5)) {
    case 0:
      p.batch_size = extreme_count(reader, 1, 1000);
      p.dataset_size = *p.batch_size * batches + static_cast<double>(reader.below(3));
      if (reader.happens(0.3)) p.drop_last = reader.happens(0.5);
      if (reader.happens(0.3)) p.max_batch_size = extreme_count(reader, 1, *p.dataset_size);
      break;
    case 1:
      p.sampling_probability =
          reader.happens(0.1) ? 1 - extreme(reader, 1e-16, 0.1) : extreme(reader, 1e-9, 1);
      break;
    default:
      p.steps_per_epoch = batches;
  }
  if (reader.happens(0.5) || p.sampling_probability) {
    p.steps = reader.happens(0.1) ? 0 : extreme_count(reader, 1, most);
  } else {
    p.epochs = reader.happens(0.1) ? 0 : extreme_count(reader, 1, most / batches + 1);
  }
  const bool bins = p.sampler == "balls-and-bins";
  if (bins || p.sampler == "shuffle") p.reshuffle = one_of(reader, {"each-epoch", "once"});
  if (bins && reader.happens(0.2)) p.participations = extreme_count(reader, 1, batches);
  if (reader.happens(0.15)) p.records_per_user = extreme_count(reader, 1, 1000);
  if (p.sampler == "without-replacement" && p.batch_size && p.mechanism != "laplace" &&
      p.adjacency != "substitution" && *p.dataset_size > p.records_per_user.value_or(1))
    p.replacement = reader.happens(0.5);
  if (reader.happens(0.1)) p.swapped = true;
  return p;
}

wire::Release release_at_the_corners(Reader& reader) {
  wire::Release release;
  switch (reader.below(3)) {
    case 0:
      release.mu = extreme(reader, 1e-9, 1e3);
      break;
    case 1:
      release.rho = extreme(reader, 1e-12, 1e6);
      break;
    default:
      release.epsilon = extreme(reader, 1e-9, 700);
      if (reader.happens(0.5)) release.delta = extreme(reader, 1e-300, 1);
  }
  return release;
}

double delta_at_the_corners(Reader& reader) {
  return reader.happens(0.85) ? reader.log_uniform(1e-15, 0.9)
                              : std::min(extreme(reader, 1e-300, 1), 1 - 0x1p-53);
}

double epsilon_at_the_corners(Reader& reader) {
  if (reader.happens(0.15)) return 0;
  return reader.happens(0.6) ? reader.log_uniform(1e-3, 30) : extreme(reader, 1e-12, 1e6);
}

wire::Query question_at_the_corners(Reader& reader) {
  wire::Query query;
  query.question = reader.happens(0.97) ? one_of(reader, {"epsilon", "delta"})
                                        : one_of(reader, {"compare", "calibrate", "tradeoff"});
  const std::string& asked = *query.question;
  const bool both = asked == "calibrate";
  const bool by_delta = asked == "epsilon" || both || (asked == "compare" && reader.happens(0.5));
  if (by_delta) query.delta = delta_at_the_corners(reader);
  if (!by_delta || both) query.epsilon = epsilon_at_the_corners(reader);
  if (both) {
    query.solve_for = one_of(reader, {"noise", "noise", "epochs", "steps", "batch-size",
                                      "sampling-probability", "delta", "cap"});
    if (query.solve_for == "delta") query.delta.reset();
  }
  // Mostly wide, so that an answer takes milliseconds: what goes wrong here does so on any grid.
  if (reader.happens(0.95)) query.width = reader.happens(0.98) ? 1 : extreme(reader, 1e-6, 1);
  if (asked != "tradeoff" && reader.happens(0.2))
    query.accountant = one_of(reader, {"pld", "rdp", "gdp"});
  query.phases.emplace_back(phase_at_the_corners(reader));
  while (query.phases.size() < 4 && reader.happens(0.1)) {
    if (reader.happens(0.4)) {
      query.phases.emplace_back(release_at_the_corners(reader));
      continue;
    }
    wire::Phase more = phase_at_the_corners(reader);
    const auto& first = std::get<wire::Phase>(query.phases.front());
    more.adjacency = first.adjacency;
    more.records_per_user = first.records_per_user;
    query.phases.emplace_back(more);
  }
  return query;
}

/// What some attacks on a phase gain at an epsilon, at least, in direction remove and in direction
/// add: they look whether any step in which the record may be exceeds a threshold. They are in
/// closed form, and hold for every neighbour relation and any number of records.
struct Gains {
  double remove = 0;
  double add = 0;
};

/// One step's log Pr[output > c] without the record, c in units of the noise; at most 1e-3 too high
/// where the probability itself underflows.
double log_tail(Mechanism mechanism, double c) {
  if (mechanism == Mechanism::laplace)
    return c > 0 ? -std::log(2.0) - c : std::log1p(-0.5 * std::exp(c));
  if (c > 37) return -0.5 * c * c - std::log(c) - 0.9189385332046727;
  return std::log(0.5 * std::erfc(c / std::sqrt(2.0)));
}

/// One step's Pr[output > c] and the log of Pr[output <= c], each from the tail that keeps digits.
struct Tail {
  double log_found;
  double log_quiet;
};

Tail tail_at(Mechanism mechanism, double c) {
  const double log_found = log_tail(mechanism, c);
  // Both laws of noise are symmetric.
  return {log_found, c > 0 ? std::log1p(-std::exp(log_found)) : log_tail(mechanism, -c)};
}

struct Tails {
  Tail with;  ///< the record is in the batch
  Tail without;
};

Tails tails(const Run& run, double c) {
  const double mu = run.shift();
  if (run.mechanism == Mechanism::randomized_response) {
    const double log_truth = -std::log1p(std::exp(-mu));
    return {{log_truth, log_truth - mu}, {log_truth - mu, log_truth}};
  }
  Tails both{tail_at(run.mechanism, c - mu), tail_at(run.mechanism, c)};
  // Where the formula for far tails is a little too high, nothing is gained.
  if (c - mu > 37 && run.mechanism == Mechanism::gaussian) both.with = {-kInfinity, 0};
  return both;
}

/// The record is in the batch with probability q.
Tail mixed(const Tails& both, double q) {
  if (q == 1) return both.with;
  const auto mean = [q](double with, double without) {
    return std::log(q * std::exp(with) + (1 - q) * std::exp(without));
  };
  const double log_found = mean(both.with.log_found, both.without.log_found);
  return {log_found, log_found < -1 ? std::log1p(-std::exp(log_found))
                                    : mean(both.with.log_quiet, both.without.log_quiet)};
}

/// The relative error of either side of a gain, at most.
constexpr double kGainError = 1e-10;

Gains gains_of(const accounts::PhaseRun& phase, double epsilon) {
  const Run& run = phase.run;
  Gains best;
  if (run.steps == 0 || run.cap || run.used_share < 1) return best;
  const bool fresh = !phase.sampler->uses_epochs;
  // A pass that stopped may not have come to the record.
  if (!fresh && run.missing_steps > 0 && run.epochs == 1) return best;
  // Of a sampler that passes over the data, one pass is seen; of known batches, one.
  const double looked_at = fresh ? static_cast<double>(run.steps)
                           : phase.sampler->name == "deterministic"
                               ? 1
                               : static_cast<double>(run.steps_per_epoch);
  // log of the probability that some step looked at exceeds the threshold.
  const auto log_any = [&](double log_none, double log_each) {
    return log_none < -1e-250 ? std::log(-std::expm1(log_none)) : log_each + std::log(looked_at);
  };
  for (int i = 0; i <= 80; ++i) {
    const double place = i / 80.0;
    for (const double c : {-3 + 12 * place, run.shift() * place, run.shift() - 8 + 12 * place}) {
      const Tails at = tails(run, c);
      const Tail hit = mixed(at, fresh ? run.sampling_probability : 1);
      const double log_none_without = looked_at * at.without.log_quiet;
      const double log_none_with = fresh ? looked_at * hit.log_quiet
                                         : hit.log_quiet + (looked_at - 1) * at.without.log_quiet;
      // The tails' arguments round, which their squares magnify.
      const double error = kGainError + 1e-15 * c * c;
      const auto gain = [&](double of, double log_cost) {
        return of * (1 - error) - std::exp(epsilon + log_cost + error);
      };
      best.remove = std::max(best.remove, gain(-std::expm1(log_none_with),
                                               log_any(log_none_without, at.without.log_found)));
      best.add = std::max(best.add, gain(std::exp(log_none_without), log_none_with));
    }
  }
  if (phase.swapped()) std::swap(best.remove, best.add);
  return best;
}

Gains gains_of(const accounts::Programme& programme, double epsilon) {
  Gains best;
  for (const accounts::PhaseRun& phase : programme.phases) {
    const Gains one = gains_of(phase, epsilon);
    best = {std::max(best.remove, one.remove), std::max(best.add, one.add)};
  }
  return best;
}

std::string too_small(const accounts::Programme& programme, const wire::Answer& answer,
                      bool by_delta) {
  const auto exceeds = [&](double upper, double Gains::* which, const char* what) -> std::string {
    if (upper == kInfinity) return "";
    const double epsilon = by_delta ? upper : answer.epsilon.upper;
    const double delta = by_delta ? answer.delta.upper : upper;
    if (gains_of(programme, epsilon).*which <= delta) return "";
    return std::string("the upper end ") + what + " is refuted by an attack";
  };
  const Directions& d = answer.directions;
  if (d.remove.kind == IntervalKind::estimate) return "";
  std::string text = exceeds(d.remove.upper, &Gains::remove, "of direction remove");
  if (text.empty()) text = exceeds(d.add.upper, &Gains::add, "of direction add");
  if (text.empty() && answer.rdp) {
    text = exceeds(answer.rdp->upper, &Gains::remove, "of Renyi accounting");
    if (text.empty()) text = exceeds(answer.rdp->upper, &Gains::add, "of Renyi accounting");
  }
  return text;
}

/// What a programme reveals at most, whatever its batches, every record being in every step that
/// may hold it: mu of Gaussian differential privacy, and beside it a loss that the rest never
/// exceeds.
struct AnyBatches {
  double mu = 0;
  double loss = 0;

  bool allow(double epsilon, double delta) const {
    if (loss == kInfinity) return true;
    const double rest = epsilon - loss;
    return mu > 0 ? gaussian::delta(mu, rest).upper >= delta * (1 - 1e-9) : rest <= 0;
  }
};

AnyBatches in_any_batches(const accounts::Programme& programme) {
  constexpr double kRounding = 1e-12;
  double square = 0, loss = 0;
  for (const accounts::PhaseRun& phase : programme.phases) {
    const Run& run = phase.run;
    if (run.cap) return {0, kInfinity};
    const auto rounds = static_cast<double>(
        phase.sampler->uses_epochs ? run.epochs * run.participations : run.steps);
    // Where records are added, another one may leave a batch of fixed size.
    const double exchanged = (phase.sampler->name == "without-replacement" ? 2 : 1) *
                             std::max(1.0, static_cast<double>(run.places));
    if (run.mechanism == Mechanism::gaussian) {
      square += rounds * std::pow(exchanged * run.whole_shift(), 2);
    } else if (run.mechanism == Mechanism::laplace) {
      loss += rounds * exchanged * run.whole_shift();
    } else {
      loss += rounds * exchanged * static_cast<double>(run.records_per_user) * run.shift();
    }
  }
  for (const wire::Release& release : programme.releases) {
    if (release.rho || release.delta.value_or(0) > 0) return {0, kInfinity};
    square += std::pow(release.mu.value_or(0), 2);
    loss += release.epsilon.value_or(0);
  }
  return {std::sqrt(square) * (1 + kRounding), loss * (1 + kRounding)};
}

std::string too_large(const accounts::Programme& programme, const wire::Answer& answer,
                      bool by_delta) {
  const AnyBatches most = in_any_batches(programme);
  for (const Interval& found : {answer.directions.remove, answer.directions.add}) {
    if (found.kind == IntervalKind::estimate || !(found.lower > 0)) continue;
    const double epsilon = by_delta ? found.lower : answer.epsilon.upper;
    const double delta = by_delta ? answer.delta.upper : found.lower;
    if (!most.allow(epsilon, delta))
      return "the lower end " + std::to_string(found.lower) + " is above what any batches allow";
  }
  return "";
}

/// What is wrong on any grid is wrong on a coarse one, whose answers take milliseconds.
constexpr int kCoarse = 11;
constexpr double kFineShare = 0.02;
constexpr double kInverseShare = 0.2;

/// An end put back as the question: delta falls with epsilon, and what comes back must not refute
/// it.
std::string refuted_by_its_inverse(const wire::Query& query, const wire::Answer& answer) {
  constexpr double kHair = 1e-9;
  constexpr double kLeast = 1e-300, kLargestEpsilon = 1e6;
  const bool by_delta = query.delta.has_value();
  const double given = by_delta ? *query.delta : *query.epsilon;
  for (auto which : {&Directions::remove, &Directions::add}) {
    const Interval& found = answer.directions.*which;
    if (found.kind == IntervalKind::estimate) return "";
    for (const bool upper : {true, false}) {
      const double end = upper ? found.upper : found.lower * (1 - kHair);
      const bool may_be_zero = upper && by_delta;
      if (!((may_be_zero || end > kLeast) && end < (by_delta ? kLargestEpsilon : 1))) continue;
      wire::Query back = query;
      back.question = by_delta ? "delta" : "epsilon";
      (by_delta ? back.epsilon : back.delta) = end;
      (by_delta ? back.delta : back.epsilon).reset();
      const auto outcome = accounts::answer_within(back, kCoarse);
      const auto* answers = std::get_if<std::vector<wire::Answer>>(&outcome);
      if (answers == nullptr) return "its inverse is refused";
      const Interval& other = answers->front().directions.*which;
      if (upper ? other.lower <= given * (1 + kHair) : other.upper >= given * (1 - kHair)) continue;
      std::array<char, 240> text{};
      std::snprintf(text.data(), text.size(),
                    "[%.17g, %.17g] in direction %s is refuted by [%.17g, %.17g] at %.17g",
                    found.lower, found.upper, which == &Directions::add ? "add" : "remove",
                    other.lower, other.upper, end);
      return text.data();
    }
  }
  return "";
}

std::string complaint_about_curve(const wire::Query& query) {
  const auto outcome = accounts::tradeoff(query);
  if (const Issue* issue = std::get_if<Issue>(&outcome)) return complaint_about(*issue, "issue");
  const auto& answer = std::get<accounts::TradeOffAnswer>(outcome);
  std::string text = complaint_about(answer, "answer");
  const auto read = accounts::read_programme(query);
  if (!text.empty() || !answer.delta) return text;
  const Gains gains = gains_of(std::get<accounts::Programme>(read), *query.epsilon);
  if (gains.remove > answer.delta->remove.upper || gains.add > answer.delta->add.upper)
    return "the curve's delta is refuted by an attack";
  return "";
}

std::string at_the_corners(const wire::Query& query, bool fine, bool inverse) {
  if (query.question == "tradeoff") return complaint_about_curve(query);
  const accounts::Outcome outcome =
      fine ? accounts::answer(query) : accounts::answer_within(query, kCoarse);
  const std::string text = complaint_about(query, outcome);
  const auto* answers = std::get_if<std::vector<wire::Answer>>(&outcome);
  if (!text.empty() || answers == nullptr || query.question == "calibrate") return text;
  for (std::size_t i = 0; i < answers->size(); ++i) {
    const bool compares = query.question == "compare";
    const auto read =
        accounts::read_programme(query, compares ? &accounts::kSamplers.at(i) : nullptr);
    const std::string refuted =
        too_small(std::get<accounts::Programme>(read), (*answers)[i], query.delta.has_value());
    if (!refuted.empty()) return (*answers)[i].sampler + ": " + refuted;
    const std::string excess =
        too_large(std::get<accounts::Programme>(read), (*answers)[i], query.delta.has_value());
    if (!excess.empty()) return (*answers)[i].sampler + ": " + excess;
  }
  const bool has_inverse = query.question != "compare" && query.accountant.value_or("pld") == "pld";
  return inverse && has_inverse ? refuted_by_its_inverse(query, answers->front()) : "";
}

/// The questions of their own: Monte Carlo, the shuffle model, random initialisation, mixtures, two
/// batches.
std::string other_question_at_the_corners(Reader& reader) {
  const auto complaint = [](const auto& outcome) -> std::string {
    if (const Issue* issue = std::get_if<Issue>(&outcome)) return complaint_about(*issue, "issue");
    return complaint_about(std::get<0>(outcome), "answer");
  };
  const auto numbers = [&](double least, double most) {
    wire::Numbers list(1 + reader.below(2));
    for (double& value : list) value = extreme(reader, least, most);
    return list;
  };
  std::string text;
  switch (reader.below(4)) {
    case 0: {
      accounts::ShuffleModelQuery query;
      query.local_epsilon = extreme(reader, 1e-3, 40);
      query.users = extreme_count(reader, 1, 1e9);
      query.rounds = extreme_count(reader, 1, 100);
      if (reader.happens(0.5)) query.epsilon = numbers(1e-9, 700);
      if (reader.happens(0.5)) query.delta = numbers(1e-15, 0.9);
      text = complaint(accounts::shuffle_model(query));
      break;
    }
    case 1: {
      accounts::InitialisationQuery query;
      query.offset = extreme(reader, 1e-6, 1e6);
      if (reader.happens(0.5)) query.clip = extreme(reader, 1e-6, 1e6);
      query.noise_multiplier = extreme(reader, 1e-3, 1e6);
      query.epsilon = numbers(1e-9, 700);
      if (reader.happens(0.5)) query.delta = numbers(1e-15, 0.9);
      text = complaint(accounts::initialisation(query));
      break;
    }
    case 2: {
      accounts::MixturesQuery query;
      query.weight = reader.unit();
      for (auto member : {&accounts::MixturesQuery::p1, &accounts::MixturesQuery::p2,
                          &accounts::MixturesQuery::q1, &accounts::MixturesQuery::q2})
        query.*member = (reader.happens(0.5) ? 1 : -1) * extreme(reader, 1e-9, 1e3);
      query.epsilon = numbers(1e-9, 700);
      text = complaint(accounts::mixtures(query));
      break;
    }
    case 3: {
      accounts::TwoBatchesQuery query;
      query.noise_multiplier = extreme(reader, 0.2, 1000);
      query.epsilon = extreme(reader, 1e-9, 10);
      text = complaint(accounts::two_batches(query));
      break;
    }
    default: {
      accounts::MonteCarloShard query;
      static_cast<wire::Phase&>(query) = phase_at_the_corners(reader);
      query.direction = one_of(reader, {"remove", "add"});
      if (reader.happens(0.5))
        query.method = one_of(reader, {"conditional", "plain", "importance"});
      query.epsilons = numbers(1e-9, 500);
      query.first_chunk = 0;
      query.chunk_count = 1;
      const auto plan = accounts::monte_carlo_plan(query);
      text = complaint(plan);
      const auto* planned = std::get_if<accounts::MonteCarloPlan>(&plan);
      // Samples of very many steps take their time.
      if (!text.empty() || planned == nullptr ||
          planned->query.steps.value_or(1) * planned->query.steps_per_epoch.value_or(1) *
                  planned->query.epochs.value_or(1) >
              1000)
        break;
      const auto drawn = accounts::monte_carlo_chunks(query);
      text = complaint(drawn);
      if (!text.empty()) break;
      accounts::MonteCarloSums sums;
      static_cast<accounts::MonteCarloQuery&>(sums) = query;
      sums.samples = std::get<accounts::MonteCarloDrawn>(drawn).samples;
      sums.sums = std::get<accounts::MonteCarloDrawn>(drawn).sums;
      const auto found = accounts::monte_carlo_estimates(sums);
      if (const Issue* issue = std::get_if<Issue>(&found)) {
        text = "its own samples are refused: " + issue->text;
      } else {
        text = complaint_about(std::get<0>(found), "estimates");
      }
    }
  }
  return text;
}

// ---------------------------------------------------------------------------------------------
// Shuffled batches.

wire::Query question_of_shuffled(Reader& reader) {
  wire::Query query;
  wire::Phase phase;
  phase.sampler = "shuffle";
  phase.noise_multiplier = reader.log_uniform(0.3, 6);
  phase.steps_per_epoch = reader.whole(2, 1e6);
  phase.epochs = reader.happens(0.5) ? 1 : reader.whole(2, 20);
  query.phases.emplace_back(phase);
  if (reader.happens(0.7)) {
    query.question = "epsilon";
    query.delta = reader.log_uniform(1e-10, 1e-2);
  } else {
    query.question = "delta";
    query.epsilon = reader.log_uniform(1e-2, 10);
  }
  return query;
}

/// Ends are cut to fit where a lower one exceeds an upper one: then they are equal.
template <class Ask>
std::string out_of_order(const wire::Query& query, Ask ask) {
  constexpr double kRounding = 1e-9;
  const auto end_of = [&query](const wire::Answer& answer) {
    return query.question == "epsilon" ? answer.epsilon : answer.delta;
  };
  const auto found = ask("shuffle"), spread = ask("balls-and-bins"), known = ask("deterministic");
  for (const auto* each : {&found, &spread, &known})
    if (const Issue* issue = std::get_if<Issue>(each)) return "is refused: " + issue->text;
  const wire::Answer& answer = std::get<0>(found).front();
  const Interval ends = end_of(answer);
  if (ends.lower > 1e-300 && ends.lower == ends.upper) return "the lower end was cut";
  if (end_of(std::get<0>(spread).front()).lower > ends.upper) return "below balls-and-bins";
  if (ends.upper > end_of(std::get<0>(known).front()).upper * (1 + kRounding))
    return "above known batches";
  return "";
}

// ---------------------------------------------------------------------------------------------
// Two engines.

/// Gaussian noise at a rate, of a length that leaves something to ask about or of any length.
wire::Phase phase_for_both(Reader& reader, const std::string& adjacency, double records) {
  wire::Phase p;
  p.sampler = one_of(reader, {"poisson", "poisson", "poisson", "without-replacement",
                              "without-replacement", "balls-and-bins", "shuffle"});
  p.adjacency = adjacency;
  p.noise_multiplier = reader.log_uniform(0.1, 100);
  const double batches = reader.happens(0.1) ? 1 : reader.log_uniform(1, 1e7);
  const double one_step = std::expm1(std::min(1 / (*p.noise_multiplier * *p.noise_multiplier), 9.));
  const double total = reader.log_uniform(1e-3, 20);
  const double steps = reader.happens(0.5) ? reader.log_uniform(1, 1e9)
                                           : total * total * batches * batches / one_step;
  if (accounts::sampler_named(*p.sampler).uses_epochs) {
    p.steps_per_epoch = std::round(batches);
    p.epochs = std::floor(std::clamp(steps / *p.steps_per_epoch, 1.0,
                                     std::min(1e6, wire::kMostSteps / *p.steps_per_epoch)));
    if (p.sampler == "balls-and-bins" && batches > 8 && reader.happens(0.1))
      p.participations = reader.whole(2, 4);
  } else {
    p.sampling_probability = 1 / batches;
    p.steps = std::round(std::clamp(steps, 1.0, wire::kMostSteps));
  }
  if (records > 1) p.records_per_user = records;
  if (reader.happens(0.1)) p.swapped = true;
  return p;
}

wire::Query question_for_both(Reader& reader) {
  wire::Query query;
  if (reader.happens(0.7)) {
    query.question = "epsilon";
    query.delta = reader.log_uniform(1e-15, 0.5);
  } else {
    query.question = "delta";
    query.epsilon = reader.log_uniform(1e-3, 30);
  }
  const std::string adjacency = one_of(reader, {"zero-out", "add-remove", "substitution"});
  const double records = reader.happens(0.7) ? 1 : reader.whole(2, 64);
  query.phases.emplace_back(phase_for_both(reader, adjacency, records));
  while (query.phases.size() < 4 && reader.happens(0.25)) {
    if (reader.happens(0.3)) {
      wire::Release release;
      (reader.happens(0.5) ? release.mu : release.epsilon) = reader.log_uniform(1e-3, 10);
      query.phases.emplace_back(release);
    } else {
      query.phases.emplace_back(phase_for_both(reader, adjacency, records));
    }
  }
  return query;
}

enum class Engine { contour, lattice };

constexpr Effort kContourEffort{1e-6}, kLatticeEffort{1e-2, 13};

/// One side of a programme, as one engine alone knows it; nothing for the lower one of two that are
/// the same. Followed further, a run may be bounded by other laws: the demand is the same for both.
Parts known_to(Engine engine, bool upper, const accounts::Programme& programme, double log_floor) {
  std::vector<Parts> all;
  for (const accounts::PhaseRun& phase : programme.phases) {
    Parts parts = phase.sampler->parts(phase.run, {log_floor, kLatticeEffort});
    all.push_back(phase.swapped() ? swapped(std::move(parts)) : std::move(parts));
  }
  for (const wire::Release& release : programme.releases)
    all.push_back(release.mu ? releases::gaussian(*release.mu)
                             : releases::approximate(*release.epsilon, 0));
  Parts parts = joined(all);
  if (!upper) parts.upper = parts.tight ? Side{} : parts.lower;
  for (Steps& steps : parts.upper.steps) {
    steps.curve = nullptr;
    (engine == Engine::contour ? static_cast<void>(steps.source = nullptr)
                               : static_cast<void>(steps.moments = nullptr));
  }
  parts.symmetric = parts.symmetric && parts.tight;
  parts.tight = true;
  parts.failure = {0, 0};
  return parts;
}

std::string disagreement(const accounts::Programme& programme, const wire::Query& query,
                         bool upper) {
  const bool by_delta = query.delta.has_value();
  const double log_floor = by_delta ? std::log(*query.delta) - 30 : -41;
  const auto found = [&](Engine engine, const Effort& effort) {
    const Parts parts = known_to(engine, upper, programme, log_floor);
    return compose([&](const Demand&) { return parts; }, 1,
                   by_delta ? Asked::epsilon : Asked::delta,
                   by_delta ? *query.delta : *query.epsilon, effort)
        .directions;
  };
  const Directions contour = found(Engine::contour, kContourEffort);
  const auto says_something = [&](const Interval& value) {
    return value.lower > 0 || (value.upper > 0 && value.upper < (by_delta ? kInfinity : 1));
  };
  if (!says_something(contour.remove) && !says_something(contour.add)) return "";
  const Directions lattice = found(Engine::lattice, kLatticeEffort);
  for (const auto& [one, other, name] : {std::tuple{contour.remove, lattice.remove, "remove"},
                                         std::tuple{contour.add, lattice.add, "add"}}) {
    if (!says_something(one) || !says_something(other)) continue;
    testing::counts().sides += 2;
    if (one.lower <= other.upper && other.lower <= one.upper) continue;
    std::array<char, 200> text{};
    std::snprintf(text.data(), text.size(),
                  "%s side, direction %s: [%.17g, %.17g] by contour, [%.17g, %.17g] by lattice",
                  upper ? "upper" : "lower", name, one.lower, one.upper, other.lower, other.upper);
    return text.data();
  }
  return "";
}

// ---------------------------------------------------------------------------------------------
// Tallies.

using monte_carlo::FixedSum;
using monte_carlo::Tally;

Tally some_tally(Reader& reader, std::size_t parts, bool two_sided) {
  Tally tally;
  tally.samples = static_cast<std::int64_t>(reader.byte());
  tally.upper.resize(parts);
  if (two_sided) tally.lower.resize(parts);
  for (auto* list : {&tally.upper, &tally.lower}) {
    for (monte_carlo::MomentSums& moments : *list) {
      const double x = reader.byte() % 2 == 0 ? reader.unit() : std::abs(reader.raw());
      moments.add(std::isnan(x) ? 1 : std::min(x, 1.0));
    }
  }
  return tally;
}

std::string merging(Reader& reader) {
  const std::size_t parts = reader.byte() % 4;
  const bool two_sided = reader.byte() % 2 == 1;
  const Tally a = some_tally(reader, parts, two_sided);
  const Tally b = some_tally(reader, parts, two_sided);
  const Tally c = some_tally(reader, parts, two_sided);
  Tally left = a;
  Tally right = c;
  if (!merge(left, b) || !merge(left, c)) return "tallies of one shape do not merge";
  if (!merge(right, b) || !merge(right, a)) return "tallies of one shape do not merge";
  if (!(left == right)) return "the order of merging matters";
  const Tally before = left;
  const Tally other = some_tally(reader, parts + 1, two_sided);
  if (merge(left, other)) return "tallies of two shapes merge";
  if (!(left == before)) return "a refused tally left its trace";
  for (const monte_carlo::MomentSums& moments : left.upper) {
    const auto back = FixedSum::parse(moments.sum.text());
    if (!back || !(*back == moments.sum)) return "a sum's text is another sum";
    const double value = moments.sum.value();
    if (!(value >= 0 && value <= 3)) return "three numbers in [0, 1] sum to something else";
  }
  return "";
}

/// How many questions at the corners are about sampling, shuffled users, random starts or mixtures.
constexpr double kOtherKind = 0.01;

/// What an exception says is a complaint: none may leave the core.
template <class Ask>
std::string without_exceptions(Ask ask) {
  try {
    return ask();
  } catch (const std::exception& trouble) {
    return std::string("throws ") + trouble.what();
  }
}

}  // namespace

std::string answer(Bytes bytes) {
  Reader reader(bytes);
  const wire::Query query = question(reader);
  const std::string text =
      without_exceptions([&] { return complaint_about(query, accounts::answer(query)); });
  return text.empty() ? text : text + ": " + testing::describe(query);
}

std::string corners(Bytes bytes) {
  Reader reader(bytes);
  if (reader.happens(kOtherKind)) {
    return without_exceptions([&] { return other_question_at_the_corners(reader); });
  }
  const wire::Query query = question_at_the_corners(reader);
  const bool fine = reader.happens(kFineShare);
  const bool inverse = reader.happens(kInverseShare);
  const std::string text = without_exceptions([&] { return at_the_corners(query, fine, inverse); });
  return text.empty() ? text : text + ": " + testing::describe(query);
}

std::string engines(Bytes bytes) {
  Reader reader(bytes);
  const wire::Query query = question_for_both(reader);
  const auto read = accounts::read_programme(query);
  const std::string text = without_exceptions([&]() -> std::string {
    if (const Issue* issue = std::get_if<Issue>(&read)) return "is refused: " + issue->text;
    const auto& programme = std::get<accounts::Programme>(read);
    const std::string upper = disagreement(programme, query, true);
    return upper.empty() ? disagreement(programme, query, false) : upper;
  });
  return text.empty() ? text : text + ": " + testing::describe(query);
}

std::string shuffled(Bytes bytes) {
  Reader reader(bytes);
  const wire::Query query = question_of_shuffled(reader);
  const auto ask = [&query](const char* sampler) {
    wire::Query asked = query;
    std::get<wire::Phase>(asked.phases.front()).sampler = sampler;
    return accounts::answer(asked);
  };
  const std::string text = without_exceptions([&] { return out_of_order(query, ask); });
  return text.empty() ? text : text + ": " + testing::describe(query);
}

std::string laws(Bytes bytes) {
  Reader reader(bytes);
  const auto all = testing::laws();
  const testing::Law& law = all[reader.byte() % all.size()];
  const wire::Query query = testing::random_run(
      reader, accounts::kSamplers.at(reader.byte() % accounts::kSamplers.size()));
  const testing::Verdict verdict = law.check(query, reader);
  if (verdict.broken.empty()) return "";
  return std::string(law.name) + ": " + verdict.broken + ": " + testing::describe(query);
}

std::string described(const Target& target, Bytes bytes) {
  Reader reader(bytes);
  if (target.run == answer) return testing::describe(question(reader));
  if (target.run == engines) return testing::describe(question_for_both(reader));
  if (target.run == shuffled) return testing::describe(question_of_shuffled(reader));
  if (target.run != corners || reader.happens(kOtherKind)) return "";
  return testing::describe(question_at_the_corners(reader));
}

std::string tally(Bytes bytes) {
  Reader reader(bytes);
  const std::string complaint = merging(reader);
  if (!complaint.empty()) return complaint;
  const std::string text(bytes.begin(), bytes.end());
  const auto sum = FixedSum::parse(text);
  return sum && sum->text() != text ? "text that is not a sum's was read" : "";
}

}  // namespace honest_epsilon::fuzz
