#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/math/variates.h"
#include "core/monte_carlo/order_statistics.h"
#include "core/monte_carlo/ratio_table.h"
#include "core/monte_carlo/request.h"

namespace honest_epsilon::monte_carlo {

/// The likelihood ratio of one coordinate, in units of the noise and at shift mu = 1 / noise
/// multiplier: U(z) = N(mu, 1) / N(0, 1) at z = exp(mu z - mu^2 / 2), and the z of a ratio.
double ratio(double mu, double z);
double position(double mu, double ratio);

/// log(sum + e^exponent), also where e^exponent overflows.
double log_of_sum(double sum, double exponent);

/// What a set of coordinates adds up to.
struct Drawn {
  double upper = 0;    ///< at least sum_t U(z_t)
  double lower = 0;    ///< at most that; the same when every coordinate was drawn
  double largest = 0;  ///< the first rank's coordinate; -inf when there is none
};

/// `count` independent standard normal coordinates' ratios: drawn one by one, or by some of their
/// order statistics. Scratch is allocated once.
class Coordinates {
 public:
  Coordinates(const SampleRequest& request, std::int64_t count);

  /// Given that no coordinate lies above the point with upper tail `cut`; 0: no condition.
  Drawn draw(variates::Generator& source, double cut = 0);

  /// Relative error of the sums: roundings of the ratios' exponents and of adding up.
  double roundoff() const;

  /// Absolute error of a sum's logarithm less log_steps, a normal among its exponents included.
  double log_roundoff(double log_steps) const;

 private:
  Drawn draw_each(variates::Generator& source, double cut);
  Drawn draw_ordered(variates::Generator& source, double cut);

  double mu_;
  std::int64_t count_;
  RatioTable table_;
  std::optional<OrderStatistics> ordered_;
  bool bounded_above_ = true;  ///< the first rank is 1
  std::vector<double> tail_;
  std::vector<double> ratio_;
};

}  // namespace honest_epsilon::monte_carlo
