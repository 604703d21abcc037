#pragma once

#include "core/pairs/pair.h"

namespace honest_epsilon::pairs {

/// One step of Poisson-subsampled Gaussian noise, ((1-q) N(0) + q N(mu), N(0)) in units of the
/// noise.
///   loss(z) = log(1 + q expm1(mu z - mu^2/2)), rising in z.
/// Cite: [HP24, sec. 3], [AP24, Prop 9].
/// Domain: 0 < q <= 1, mu = sensitivity / noise standard deviation > 0. With q = 1 it is the
/// Gaussian pair, whose likelihood ratio is the lognormal of balls-and-bins.
class SubsampledGaussian : public Pair {
 public:
  SubsampledGaussian(double q, double mu) : q_(q), mu_(mu) {}
  Cell cell(double low, double high) const override;
  double loss(double z) const override;
  double slope(double z) const override;
  double position(double loss) const override;
  double log_density_q(double z) const override;
  double lowest_loss() const override;
  double highest_loss() const override;
  double reach() const override { return 38 + mu_; }
  double feature() const override { return mu_ > 1 ? 1 / mu_ : 1; }

 private:
  Cell narrow_cell(double low, double high) const;
  Cell wide_cell(double low, double high) const;

  double q_;
  double mu_;
};

}  // namespace honest_epsilon::pairs
