#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/pairs/pair.h"
#include "core/pairs/shift_mixture.h"

namespace honest_epsilon::pairs {

/// Laplace noise of scale one on a random shift: P = sum_j p_j Lap(j a), Q = sum_j q_j Lap(j b),
/// a >= 0 >= b. The loss is constant below all shifts and above them (an atom each), and in between
/// rises along a Moebius transform of e^{2z} from shift to shift.
/// Domain: any weights; steps from 1e-6 to 1e3 in size.
class LaplaceMixture : public Pair {
 public:
  LaplaceMixture(const ShiftWeights& p, const ShiftWeights& q);
  Cell cell(double low, double high) const override;
  double loss(double z) const override;
  double slope(double z) const override;
  double position(double loss) const override;
  double log_density_q(double z) const override;
  double lowest_loss() const override { return loss_at_.front(); }
  double highest_loss() const override { return loss_at_.back(); }
  double reach() const override;
  double feature() const override;
  double misplacement(double z, double loss) const override;
  std::vector<double> atoms() const override { return {lowest_loss(), highest_loss()}; }
  std::vector<double> kinks() const override { return shift_; }

 private:
  /// Between two neighbouring shifts both densities are  (rising e^{z - right} + falling e^{left -
  /// z}) / 2.  `change` are the coefficients of P - Q, and `change_sum` their sum, which keeps
  /// digits when the shifts are close.
  struct Piece {
    double left;
    double right;
    double log_rising_p, log_falling_p;
    double log_rising_q, log_falling_q;
    double change_rising, change_falling, change_sum;
  };
  struct Ratio {
    double loss;
    double error;
  };
  std::size_t piece_of(double z) const;
  Ratio ratio(const Piece& piece, double low, double high) const;
  Cell cell_within(const Piece& piece, double low, double high) const;

  std::vector<double> shift_;
  std::vector<Piece> piece_;  ///< below the first shift, between shifts, above the last
  std::vector<double> loss_at_;
};

/// One step of Poisson-subsampled Laplace noise, ((1-q) Lap(0) + q Lap(mu), Lap(0)).
/// Cite: [AP24, sec. 5].   Domain: 0 < q <= 1, 1e-6 <= mu = sensitivity / scale <= 1e3.
class SubsampledLaplace : public LaplaceMixture {
 public:
  SubsampledLaplace(double q, double mu);
};

/// A subsampled record that is replaced by its opposite:
/// ((1-q) Lap(0) + q Lap(mu), (1-q) Lap(0) + q Lap(-mu)). Both directions are the same.
/// Cite: [AP24, Prop 13].
class SubstitutedLaplace : public LaplaceMixture {
 public:
  SubstitutedLaplace(double q, double mu);
};

/// As group_gaussian and substituted_group_gaussian. Domain: as above, records >= 1.
LaplaceMixture group_laplace(double q, double mu, std::int64_t records);
LaplaceMixture substituted_group_laplace(double q, double mu, std::int64_t records);

}  // namespace honest_epsilon::pairs
