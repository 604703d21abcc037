#pragma once

#include <cstddef>
#include <vector>

namespace honest_epsilon::contour {

/// Whole powers of S, the average of T independent lognormals X of mean one, log X ~ N(-mu^2/2,
/// mu^2): the likelihood ratio of one epoch of balls-and-bins. All sums have positive terms.
///
///   c_j = E[(X - 1)^j] >= 0:  c_0 = 1, c_1 = 0, and with r = e^{mu^2}, since E[X f(X)] = E[f(r X)]
///   and r X - 1 = r (X - 1) + (r - 1),
///     c_j = sum_{i <= j-2} C(j-1, i) r^i (r-1)^{j-1-i} c_i + (r^{j-1} - 1) c_{j-1}
///   E[(S - 1)^n] = n! T^-n [x^n] (sum_j c_j x^j / j!)^T
///   E[S^a] - 1 = sum_{n >= 2} C(a, n) E[(S - 1)^n]
///
/// Coefficients are of x in a unit of about as much as keeps them within doubles.
class EpochPowers {
 public:
  /// Domain: a whole number of bins >= 1, mu > 0.
  EpochPowers(double bins, double mu) : bins_(bins), mu_(mu) {}

  /// log(E[S^power] - 1), rounded up; +inf for higher powers than most().   Domain: power >= 2
  double log_excess_upper(std::size_t power);

  /// The highest power: the work grows with its square, and E X^n is e^{mu^2 n (n-1) / 2}.
  double most() const;

 private:
  void prepare(std::size_t power);
  std::vector<double> single(std::size_t power) const;
  std::vector<double> recurrence(const std::vector<double>& base) const;
  std::vector<double> to_the_bins(const std::vector<double>& base);

  double bins_;
  double mu_;
  double log_unit_ = 0;
  double multiplications_ = 0;
  std::vector<double> log_moments_, log_factorials_;  ///< E[(S - 1)^n] / n!, from above, and n!
};

}  // namespace honest_epsilon::contour
