#pragma once

#include <cstddef>
#include <vector>

#include "core/pairs/pair.h"
#include "core/pairs/records.h"

namespace honest_epsilon::pairs {

/// Weights of the shifts 0, step, 2 step, ..., log-concave and of sum one.
struct ShiftWeights {
  double step = 0;
  std::vector<double> log_weight;
  std::vector<double> error;  ///< bound on the error of each log weight

  double shift(std::size_t j) const { return static_cast<double>(j) * step; }
};

/// Whether a is b reflected at 0.
bool mirrored(const ShiftWeights& a, const ShiftWeights& b);

/// The records' number on the shifts 0, step, 2 step, ...
ShiftWeights shifts_of(const Records& records, double step);

/// A user with several records, j of them in the batch with probability p_j, each of which moves a
/// step by mu: P = sum_j p_j N(j mu), Q = N(0), N the noise. Of Gaussian noise: with less weight on
/// the larger shifts an event {z > c} has less of P, one {z < c} more, and the best events are
/// such: the pair's curves are no higher, in either direction. Cite: [GA24].
template <class Mixture>
Mixture group(const Records& records, double mu) {
  return {shifts_of(records, mu), {0, {0}, {0}}};
}

/// The same user's records replaced by their opposites: shifts j mu against -j mu, the same in both
/// directions. For one record and Gaussian noise no other replacement is worse [AP24, Prop 13].
template <class Mixture>
Mixture replaced_group(const Records& records, double mu) {
  return {shifts_of(records, mu), shifts_of(records, -mu)};
}

/// One unit of Gaussian noise on a random shift: P = sum_j p_j N(j a), Q = sum_j q_j N(j b), with
/// a >= 0 >= b.
///   loss(z) = F_P(z) - F_Q(z),
///   F(z) = log sum_j w_j exp(s_j z - s_j^2/2):
/// rising, since F_P rises and F_Q falls. Losses are good to some units of 1, whatever their size.
/// Domain: any weights and shifts. Useful where losses up to about 700 matter: an event on which
/// the other law is below 1e-300 counts as an infinite loss in an upper law, and as a finite one in
/// a lower law.
class GaussianMixture : public Pair {
 public:
  /// log of a law over that of N(0), a bound on its error, and its slope along z.
  struct Log {
    double value;
    double error;
    double slope;
  };

  GaussianMixture(ShiftWeights p, ShiftWeights q);
  Cell cell(double low, double high) const override;
  double loss(double z) const override;
  double slope(double z) const override;
  double position(double loss) const override;
  double log_density_q(double z) const override;
  double lowest_loss() const override;
  double highest_loss() const override;
  double reach() const override { return 39; }  ///< Q has no mass above it, P none below
  double feature() const override;
  bool symmetric() const override { return symmetric_; }
  double misplacement(double z, double loss) const override;

 private:
  static Cell narrow_cell(double centre, double half, const Log& p, const Log& q);

  ShiftWeights p_;
  ShiftWeights q_;
  bool symmetric_;
  std::vector<double> table_;  ///< losses on a grid over [-reach, reach], to start root finding
};

}  // namespace honest_epsilon::pairs
