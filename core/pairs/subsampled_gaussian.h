#pragma once

#include "core/pairs/pair.h"

/// One step of Poisson-subsampled Gaussian noise. Cite: [HP24, sec. 3], [AP24, Prop 9], [ZDW22].
namespace honest_epsilon::pairs {

/// ((1-q) N(0) + q N(mu), N(0)) in units of the noise: the remove direction.
///   loss(z) = log(1 + q expm1(mu z - mu^2/2)), rising in z.
/// Domain: 0 < q <= 1, mu = sensitivity / noise standard deviation > 0.
class SubsampledGaussian : public Pair {
 public:
  SubsampledGaussian(double q, double mu) : q_(q), mu_(mu) {}
  Point at(double z) const override;
  double loss(double z) const override;
  double slope(double z) const override;
  double position(double loss) const override;
  double log_density_q(double z) const override;
  double reach() const override { return 38 + mu_; }
  double lowest_loss() const override;
  double highest_loss() const override;
  double feature() const override;
  double relative_error(double z) const override;

 private:
  double q_;
  double mu_;
};

}  // namespace honest_epsilon::pairs
