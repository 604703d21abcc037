#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/error.h"
#include "core/base/interval.h"

/// The wire types and, for each, ONE list of its fields. The bindings, the generated TypeScript
/// types, the page's form and the command's flags all read these lists; no name is listed twice.
/// Names are snake_case here, camelCase in JS and JSON, kebab-case as flag, attribute and URL key.
namespace honest_epsilon::api {

/// What may stand in an input field.
enum class FieldType { number, count, choice, flag };

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

/// An answer's field: a name and where it is stored.
template <class Owner, class Value>
struct OutputField {
  const char* name;
  Value Owner::* member;
};

using Number = std::optional<double>;
using Choice = std::optional<std::string>;

/// One stretch of training with one sampler and one noise level.
struct Phase {
  Choice sampler;
  Number noise_multiplier;
  Number dataset_size, batch_size, epochs;
  Number steps_per_epoch, sampling_probability, steps;
  Choice reshuffle;
};

inline constexpr double kMostSteps = 1e9;
inline constexpr double kMostRecords = 1e12;

inline auto fields(const Phase*) {
  using P = Phase;
  return std::make_tuple(
      InputField<P, Choice>{"sampler", &P::sampler, FieldType::choice, "Batch sampler",
                            "How the records of each batch are drawn.", 0, 0, false,
                            "poisson shuffle balls-and-bins without-replacement deterministic"},
      InputField<P, Number>{
          "noise_multiplier", &P::noise_multiplier, FieldType::number, "Noise multiplier",
          "Standard deviation of the noise divided by the clipping norm.", 0, 1e6, true, "", "σ"},
      InputField<P, Number>{"dataset_size", &P::dataset_size, FieldType::count, "Dataset size",
                            "Number of training records.", 1, kMostRecords, false, "", "n"},
      InputField<P, Number>{"batch_size", &P::batch_size, FieldType::count, "Batch size",
                            "Expected number of records in one batch, over all devices.", 1,
                            kMostRecords, false, "", "b"},
      InputField<P, Number>{"epochs", &P::epochs, FieldType::count, "Epochs",
                            "Passes over the dataset.", 1, kMostSteps, false, "", "k"},
      InputField<P, Number>{"steps_per_epoch", &P::steps_per_epoch, FieldType::count,
                            "Steps per epoch", "Batches in one pass over the dataset.", 1,
                            kMostSteps, false, "", "T"},
      InputField<P, Number>{"sampling_probability", &P::sampling_probability, FieldType::number,
                            "Sampling probability",
                            "Probability that a given record is in a given batch.", 0, 1, true, "",
                            "q"},
      InputField<P, Number>{"steps", &P::steps, FieldType::count, "Steps",
                            "Gradient steps over the whole run.", 1, kMostSteps},
      InputField<P, Choice>{"reshuffle", &P::reshuffle, FieldType::choice, "Batches drawn",
                            "Shuffle and balls-and-bins: a fresh draw each epoch, or one draw kept "
                            "for all epochs.",
                            0, 0, false, "each-epoch once"});
}

/// A question about a run of one or more phases. Of `epsilon` and `delta`, the one that is not
/// asked for is given.
struct Query {
  Choice question;
  std::vector<Phase> phases;
  Number delta;
  Number epsilon;
  Number width;
};

/// The fields of a query beside `phases`.
inline auto fields(const Query*) {
  using Q = Query;
  return std::make_tuple(
      InputField<Q, Choice>{"question", &Q::question, FieldType::choice, "Question",
                            "What is asked.", 0, 0, false, "epsilon delta compare"},
      InputField<Q, Number>{"delta", &Q::delta, FieldType::number, "Delta",
                            "Probability of failure at which epsilon is asked.", 0, 1, true, "",
                            "δ"},
      InputField<Q, Number>{"epsilon", &Q::epsilon, FieldType::number, "Epsilon",
                            "Privacy loss at which delta is asked.", 0, 1e6, false, "", "ε"},
      InputField<Q, Number>{"width", &Q::width, FieldType::number, "Width",
                            "Relative width asked of the interval.", 1e-9, 1, false});
}

struct DirectionsOut {
  Interval remove;
  Interval add;
};
inline auto fields(const DirectionsOut*) {
  using D = DirectionsOut;
  return std::make_tuple(OutputField<D, Interval>{"remove", &D::remove},
                         OutputField<D, Interval>{"add", &D::add});
}

struct Derived {
  double steps = 0;
  double sampling_probability = 0;
  double steps_per_epoch = 0;
  double epochs = 0;
};
inline auto fields(const Derived*) {
  using D = Derived;
  return std::make_tuple(OutputField<D, double>{"steps", &D::steps},
                         OutputField<D, double>{"sampling_probability", &D::sampling_probability},
                         OutputField<D, double>{"steps_per_epoch", &D::steps_per_epoch},
                         OutputField<D, double>{"epochs", &D::epochs});
}

inline auto fields(const Warning*) {
  return std::make_tuple(OutputField<Warning, std::string>{"code", &Warning::code},
                         OutputField<Warning, std::string>{"text", &Warning::text});
}

inline auto fields(const Issue*) {
  return std::make_tuple(OutputField<Issue, std::string>{"code", &Issue::code},
                         OutputField<Issue, std::string>{"field", &Issue::field},
                         OutputField<Issue, std::string>{"text", &Issue::text});
}

struct Work {
  double grid_points = 0;
  double milliseconds = 0;  ///< filled in by the caller: the core reads no clock
};
inline auto fields(const Work*) {
  return std::make_tuple(OutputField<Work, double>{"grid_points", &Work::grid_points},
                         OutputField<Work, double>{"milliseconds", &Work::milliseconds});
}

/// The answer for one sampler. Of epsilon and delta, the given one has lower = upper = what was
/// given.
struct Answer {
  std::string sampler;
  Interval epsilon;
  Interval delta;
  DirectionsOut directions;  ///< of the quantity asked for
  std::optional<Interval> conjecture;
  std::string method;
  Derived derived;
  std::vector<std::string> assumptions;
  std::vector<Warning> warnings;
  std::vector<std::string> citations;  ///< BibTeX keys of core/REFERENCES.md
  Work work;
};
inline auto fields(const Answer*) {
  using A = Answer;
  return std::make_tuple(OutputField<A, std::string>{"sampler", &A::sampler},
                         OutputField<A, Interval>{"epsilon", &A::epsilon},
                         OutputField<A, Interval>{"delta", &A::delta},
                         OutputField<A, DirectionsOut>{"directions", &A::directions},
                         OutputField<A, std::optional<Interval>>{"conjecture", &A::conjecture},
                         OutputField<A, std::string>{"method", &A::method},
                         OutputField<A, Derived>{"derived", &A::derived},
                         OutputField<A, std::vector<std::string>>{"assumptions", &A::assumptions},
                         OutputField<A, std::vector<Warning>>{"warnings", &A::warnings},
                         OutputField<A, std::vector<std::string>>{"citations", &A::citations},
                         OutputField<A, Work>{"work", &A::work});
}

}  // namespace honest_epsilon::api
