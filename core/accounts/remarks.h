#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/accounts/programme.h"
#include "core/base/effort.h"
#include "core/wire/schema.h"

namespace honest_epsilon::accounts {

/// A question about epsilon at a given delta, or the other way round.
struct Question {
  bool asks_epsilon = true;
  double given = 0;
  double width = 1e-3;
  int log2_grid_limit = Effort{}.log2_grid_limit;  ///< how much work the answer is worth
  bool compares = true;  ///< whether other accountants' figures go with it
};

/// What an answer rests on.   own_proofs: whether its upper end rests on a theorem of this
/// project's own.
std::vector<wire::Assumption> assumptions_of(const Programme& programme, bool own_proofs);

/// What a reader of the answer should know.
///   value: the answered quantity.   own_proofs: as above.   failure: with what probability
///   everything is revealed, where no epsilon is finite for that reason.
std::vector<wire::Warning> warnings_of(const Programme& programme, const Question& question,
                                       const Interval& value, bool own_proofs,
                                       const std::optional<double>& failure = std::nullopt);

/// The same of a trade-off curve.   advantage: the largest gain of an attack over guessing;
/// limited: a work limit left the curve wider than asked somewhere.   own_proofs: as above.
std::vector<wire::Warning> tradeoff_warnings_of(const Programme& programme,
                                                const Interval& advantage, double width,
                                                bool limited, bool own_proofs);

/// Whether no theorem closes the gap between the programme's two ends, however much is computed.
bool open_by_theory(const Programme& programme);

/// BibTeX keys of core/REFERENCES.md.   own_proofs: as above.
std::vector<std::string> citations_of(const Programme& programme, Method method, bool own_proofs);

}  // namespace honest_epsilon::accounts
