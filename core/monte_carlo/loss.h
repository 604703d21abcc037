#pragma once

#include <memory>

#include "core/math/variates.h"
#include "core/monte_carlo/request.h"

namespace honest_epsilon::monte_carlo {

/// A privacy loss log(P / Q) between bounds; both ends are the value where nothing is bounded.
struct Loss {
  double lower = 0;
  double upper = 0;
};

/// Draws the privacy loss of one epoch: log(P / Q) under P for direction remove, log(Q / P) under Q
/// for add.
class LossSampler {
 public:
  virtual ~LossSampler() = default;
  virtual Loss draw(variates::Generator& source) = 0;
  virtual double error() const = 0;  ///< absolute error of the loss through round-off
};

/// Balls-and-bins: with x_1 ~ N(1, s^2) the same mean comes out as with x ~ P, since the loss does
/// not see the order of the coordinates.
///   loss = +-log((1/T) sum_t U(x_t)). Cite: [BB25, (2), (3), sec. 4].
/// Several participations: with k of the x_t shifted likewise,
///   loss = +-log(e_k(U(x_1), ..., U(x_T)) / C(T, k)),   e_k the elementary symmetric polynomial.
/// That pair dominates every epoch that uses a record in S, k of its T steps: y_t = g_t x_t + v_t,
/// where |g_t| <= 1 may depend on y_1, ..., y_{t-1} and v_t is fresh noise of covariance
/// s^2 (I - g_t g_t'), is N(g_t, s^2 I) for t in S and N(0, s^2 I) else, whatever S is.
/// Correlated bins: with y = m_i / s + N, i uniform, or y = N,
///   loss = +-log((1/B) sum_l exp(<m_l, y> / s - |m_l|^2 / (2 s^2))),
/// where <m_l, y> is the sum over the epochs of <C e_t, y>, a correlation of y with the column.
/// Poisson: loss = +-sum_t log(1 - q + q U(x_t)).
/// Shuffle: loss = +-log(sum_t N(2 e_t) / sum_t N(e_t)) = +-log(e^(-mu^2) sum_t U^2 / sum_t U).
std::unique_ptr<LossSampler> loss_sampler(const SampleRequest& request);

}  // namespace honest_epsilon::monte_carlo
