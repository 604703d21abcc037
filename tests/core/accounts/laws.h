#pragma once

#include <span>
#include <string>

#include "core/accounts/answer.h"
#include "core/accounts/catalog.h"
#include "tests/core/chance.h"

/// Laws that the answers to any question must keep if every interval contains its truth, whatever
/// the sampler, mechanism, neighbours and schedule. Seeded tests and the fuzzer check the same
/// list.
namespace honest_epsilon::testing {

/// What a law found on one question.
struct Verdict {
  bool applies = true;  ///< false: the law says nothing about this question, or it is refused
  std::string broken;   ///< how the law is broken; empty when it holds
};

struct Law {
  const char* name;
  /// `question` has one phase, asks nothing yet, and is to be asked with `delta` or `epsilon`.
  Verdict (*check)(const wire::Query& question, Chance& chance);
  /// How many questions beside those of other laws: fewer where it costs more, more where it says
  /// nothing about most of them.
  double share = 1;
};

std::span<const Law> laws();

/// A run that somebody may have trained, by the named sampler: mechanism, neighbours, schedule and
/// the rest drawn from the schema's choices.
wire::Query random_run(Chance& chance, const accounts::Sampler& sampler);

/// The question as a failed law shows it.
std::string describe(const wire::Query& query);

}  // namespace honest_epsilon::testing
