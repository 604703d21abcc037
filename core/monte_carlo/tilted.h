#pragma once

#include <memory>

#include "core/monte_carlo/request.h"
#include "core/monte_carlo/summands.h"

namespace honest_epsilon::monte_carlo {

/// Balls-and-bins, one epoch, direction add: delta = E_Q[(1 - s/a)+], s = sum_t U_t, a = T
/// e^-epsilon. The event s < a is made by all coordinates together, none of them decides. So each
/// is drawn with its density tilted by e^(-theta U) / M(theta), M(theta) = E_Q[e^(-theta U)], of
/// which samples are had by rejection: a U under Q is kept with probability e^(-theta U). The
/// weight of a sample, M^T e^(theta s), is at most M^T e^(theta a) where it counts: Chernoff's
/// bound on Pr[s < a].
///
/// Each epsilon chooses the theta at which sup_s (1 - s/a)+ M^T e^(theta s) is least, and many
/// epsilons share a sample as in core/monte_carlo/importance.h: a sample takes one of the n tilts
/// at random, its weight is 1 / ((1/n) sum_i e^(-theta_i s) / M_i^T), at most n M_i^T e^(theta_i s)
/// for every i.
std::unique_ptr<Summands> tilted_summands(const SampleRequest& request);

/// M(theta) = E[e^(-theta U)], U = exp(mu z - mu^2/2), z standard normal, by the trapezoidal rule.
/// Error: absolute, 1e-15. The integrand e^(-theta U(z)) phi(z) is analytic and at most
/// e^(d^2/2) phi(Re z) where |Im z| <= d = min(2, pi/(2 mu)), for Re U >= 0 there; the rule with
/// step h is then off by at most 2 e^(d^2/2) / (e^(2 pi d/h) - 1), below 1e-18 with h = 2 pi d /
/// 45, and |z| > 9 holds 3e-19. Cite: [TW14, Thm 5.1].
class RatioTransform {
 public:
  explicit RatioTransform(double mu);
  double operator()(double theta) const;

 private:
  std::vector<double> weight_;  ///< h phi(z)
  std::vector<double> ratio_;
  mutable std::vector<double> scratch_;
};

}  // namespace honest_epsilon::monte_carlo
