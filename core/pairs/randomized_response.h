#pragma once

#include <cstdint>
#include <vector>

#include "core/base/interval.h"
#include "core/pairs/pair.h"

namespace honest_epsilon::pairs {

/// The two answers' probabilities under either law, and their losses, each to kError relative.
struct ResponseBit {
  static constexpr double kError = 8 * kUnit;

  ResponseBit(double q, double epsilon0);

  double one_p, one_q, zero_p, zero_q;
  double loss_one, loss_zero;
};

/// One step of subsampled randomised response on a bit. With keep = e^eps0 / (1 + e^eps0),
/// R0 = (keep, 1 - keep), R1 = (1 - keep, keep):  P = (1-q) R0 + q R1,  Q = R0.
/// The coordinate spreads the answer 0 over (-1, 0) and the answer 1 over (0, 1).
/// Cite: [AP24, sec. 5].   Domain: 0 < q <= 1, 0 < eps0 <= 700.
class RandomizedResponse : public Pair {
 public:
  RandomizedResponse(double q, double epsilon0) : bit_(q, epsilon0) {}
  Cell cell(double low, double high) const override;
  double loss(double z) const override { return z < 0 ? bit_.loss_zero : bit_.loss_one; }
  double slope(double) const override { return 0; }
  double position(double loss) const override;
  double log_density_q(double z) const override;
  double lowest_loss() const override { return bit_.loss_zero; }
  double highest_loss() const override { return bit_.loss_one; }
  double reach() const override { return 1; }
  double feature() const override { return 1; }
  double misplacement(double z, double loss) const override;
  std::vector<double> atoms() const override { return {bit_.loss_zero, bit_.loss_one}; }
  std::vector<double> kinks() const override { return {0}; }

 private:
  ResponseBit bit_;
};

}  // namespace honest_epsilon::pairs

namespace honest_epsilon::randomized_response {

/// The privacy profile of any number of steps of pairs::RandomizedResponse, as the sum over the
/// number of ones, whose law is binomial:
///   remove: sum_n Bin(steps, b)(n) (1 - e^{eps - L_n})+,
///   add:    sum_n Bin(steps, a)(n) (1 - e^{eps + L_n})+,
///   L_n = n log(b/a) + (steps - n) log((1-b)/(1-a)),
/// with b and a the probabilities of a one under P and Q.
/// Domain: 0 < q <= 1, 0 < epsilon0 <= 700, 1 <= steps <= 1e9, epsilon >= 0.
/// Error: certified; upper/lower <= 1 + 4e-14 for a few steps, 1 + 1e-8 for 1e7. Work O(sqrt
/// steps).
Interval delta(double q, double epsilon0, std::int64_t steps, Direction direction, double epsilon);

}  // namespace honest_epsilon::randomized_response
