#pragma once

#include <memory>

#include "core/wire/schema.h"
#include "tests/core/chance.h"

/// A second accountant, as naive as one can be, for runs of a few steps: it knows all the rules
/// (schedules, short batches, stops, caps, groups, relations, mechanisms, phases, releases,
/// failures, both directions) and shares nothing with the core but the wire types. What it cannot
/// tell it brackets: from below by an attack, from above by known batches.
namespace honest_epsilon::oracle {

/// delta at an epsilon lies between, to about three digits.
struct Between {
  double least = 0, most = 1;
};
struct Deltas {
  Between remove, add;
};

/// How far these may be off for round-off and cells of the line: of a delta, and at all.
inline constexpr double kTolerance = 1e-5, kFloor = 1e-10;

/// Answers for any number of epsilons, once it has read the question.
class Accountant {
 public:
  /// Domain: question epsilon or delta, every run of few steps, as `small_question` makes them.
  explicit Accountant(const wire::Query& query);
  ~Accountant();
  Deltas at(double epsilon) const;

 private:
  struct Laws;
  std::unique_ptr<Laws> laws_;
};

/// A question of few steps, over all fields; what is asked is left open.
wire::Query small_question(testing::Chance& chance);

}  // namespace honest_epsilon::oracle
