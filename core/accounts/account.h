#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "core/accounts/programme.h"
#include "core/runs/charge.h"

namespace honest_epsilon::accounts {

/// What a programme's budget comes to, by privacy loss distributions: both ends proved.
using Account = Finding(const Programme& programme, Asked asked, double given,
                        const Effort& effort);
Finding account(const Programme& programme, Asked asked, double given, const Effort& effort);

/// The same; where that leaves the ends apart, the upper one of Rényi divergences if it is smaller.
Finding account_by_best(const Programme& programme, Asked asked, double given,
                        const Effort& effort);

/// The same, and both directions by published theorems alone where these prove a larger upper end:
/// then the number rests on a theorem of this project's own.
///   ask: account, or account_by_best
struct Proved {
  Finding finding;
  std::optional<Directions> published;  ///< upper ends; the lower ones rest on no such theorem
};
inline constexpr double kFirstShare = 0.7;  ///< of the work left, for the first of the two
Proved account_twice(const Programme& programme, Asked asked, double given, const Effort& effort,
                     Account* ask = account);

/// A programme's delta at any number of epsilons, which share their work.
struct PrivacyCurve {
  std::function<Finding(double epsilon)> delta;
  double highest = kInfinity;  ///< delta falls no further from here on, where that is known
  /// Whether upper ends may rest on swaps (Demand::swaps).
  bool by_swaps = false;
  /// Whether some delta asked so far has an upper end that rests on a theorem of our own.
  std::shared_ptr<const bool> own_proofs;
};

/// Where theory leaves tens of percents open between the ends, neither need be known any better.
inline constexpr double kOpenWidth = 3e-2;

/// negligible: a delta that need not be told from 0.
PrivacyCurve privacy_curve(const Programme& programme, const Effort& effort, double negligible);

/// The probability that releases reveal everything, at most, where it leaves nothing of a delta: no
/// epsilon is finite then.
std::optional<double> failure_beyond(const Programme& programme, double delta);

/// The same by Rényi divergences, an upper bound, in both directions at once. Nothing where no
/// bound on a phase's divergence is known.
std::optional<Finding> account_by_renyi(const Programme& programme, Asked asked, double given);

/// Takes those upper ends of Rényi accounting that are smaller.
void lower_by_renyi(Finding& finding, const std::optional<Finding>& rdp);

/// The same by the central limit theorem, an estimate. Nothing where it has no formula.
std::optional<Finding> estimate_by_limit(const Programme& programme, Asked asked, double given);

/// The same by the accountant of this name: best, pld, rdp or gdp.
std::optional<Finding> account_by(std::string_view accountant, const Programme& programme,
                                  Asked asked, double given, const Effort& effort);

}  // namespace honest_epsilon::accounts
