#pragma once

#include <cstdint>
#include <vector>

#include "core/runs/parts.h"

/// Correlated noise: what is published is C x + z, x the clipped sums of the steps and z Gaussian
/// noise of the stated multiplier; C is lower triangular and Toeplitz, its entries are at least 0,
/// and it is cut after the run's last step. Publishing x + C^-1 z is publishing the same.
///
/// A record falls into one of B bins, the same in each of k epochs, and so takes part in steps
/// i, i + B, ...; m_i = sum_j C e_{i + jB} is what a gradient of norm 1 then adds. Known bins are
/// one Gaussian release of squared shift |m_i|^2 / s^2 at most, as the first bin's is largest.
///
/// Random bins (balls-and-bins) have the dominating pair [CGH24]
///   P = (1/B) sum_i N(m_i, s^2 I),   Q = N(0, s^2 I).
/// Under Q its ratio is U = (1/B) sum_i e^{g_i - E g_i^2 / 2}, g Gaussian with covariance
/// G_il = <m_i, m_l> / s^2 >= 0. By Kahane's inequality [RV14, Thm 2.1], E f(U) grows with every
/// entry of G for every convex f, and so does delta, f = (u - e^eps)+ or (1 - e^eps u)+, in both
/// directions.
///
/// **From above.** Tell the bin modulo r: delta is at most the mean over the residues, each a class
/// of floor(B / r) bins or one more. In a class put d = max G_ii on the diagonal and g, the largest
/// G_il of two of its bins, everywhere else: such a field is sqrt(g) z + sqrt(d - g) t_i with z and
/// t_i independent, so that U is a product of two independent ratios, those of a Gaussian release
/// of squared shift g and of an epoch of floor(B / r) bins at noise 1 / sqrt(d - g). r = B leaves
/// known bins.
/// **From below.** The same with the least G_ii and the least G_il of all bins; or the first b bins
/// with the least of their G_ii on the diagonal and 0 everywhere else: an epoch of b bins at noise
/// 1 / sqrt(d) that stopped before B - b more.
///
/// The pair is a published theorem, and so is the inequality; to put the two together is this
/// project's own [HE26].
namespace honest_epsilon {

/// A field that g is compared with, as a Gaussian release and an epoch of balls-and-bins: their
/// squared shifts at noise multiplier 1.
struct GaussianField {
  std::int64_t bins;   ///< that were seen
  std::int64_t blank;  ///< and that were not
  double shared;       ///< of the release
  double own;          ///< of a bin
};

/// The matrix of a run, with what follows from it for B bins and k epochs.
class Correlation {
 public:
  /// column: C's first, its entries at least 0, the first no smaller than 1e-6; each of them within
  ///   `relative_error`. Those beyond the last step are cut. Domain: bins, epochs >= 1; bins *
  ///   epochs <= kMostSteps.
  /// compares_bins: whether what bins have in common is worked out, which takes `work`. Otherwise
  ///   bins are known from above, and have nothing in common from below.
  Correlation(const std::vector<double>& column, std::int64_t bins, std::int64_t epochs,
              double relative_error, bool compares_bins = true);
  static std::int64_t work(std::int64_t steps);
  static constexpr std::int64_t kMostSteps = std::int64_t{1} << 20;

  /// Known bins' squared shift at noise multiplier 1, |m_0|^2.
  const Interval& known() const { return known_; }
  /// Fields that reveal at least as much as the run, known bins last, and at most as much.
  const std::vector<GaussianField>& above() const { return above_; }
  const std::vector<GaussianField>& below() const { return below_; }
  bool compares_bins() const { return compares_bins_; }

 private:
  Interval known_;
  std::vector<GaussianField> above_, below_;
  bool compares_bins_;
};

/// The first `count` entries of the first column of A^(1/2), A the matrix of partial sums:
/// c_0 = 1, c_j = c_{j-1} (2j - 1) / (2j), each within a relative `square_root_error(count)`.
/// Cite: [HUU23].
std::vector<double> square_root_column(std::size_t count);
double square_root_error(std::size_t count);

/// That of a buffered linear Toeplitz matrix: c_0 = 1, c_j = sum_i w_i d_i^(j-1), each within a
/// relative `buffered_error(count, weights)`. Domain: weights >= 0, as many decays in [0, 1].
/// Cite: [DMP24].
std::vector<double> buffered_column(const std::vector<double>& weights,
                                    const std::vector<double>& decays, std::size_t count);
double buffered_error(std::size_t count, std::size_t buffers);

namespace correlated {

/// Balls-and-bins, of a run with a Correlation.
Finding answer(const Run& run, Asked asked, double given, const Effort& effort);
Parts parts(const Run& run, const Demand& demand);

}  // namespace correlated
}  // namespace honest_epsilon
