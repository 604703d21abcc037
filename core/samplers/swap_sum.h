#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/samplers/swap_law.h"

namespace honest_epsilon::shuffle {

/// The sum of the swap theorem (swaps.h), from above: E (x + r_1 W_1 + ... + r_n W_n)+ for
/// independent W of one law and factors r, each 1 or theta.
///
/// With Phi the moment function of x + the sum + an independent N(0, t), and G(v) = E (that - v)+,
/// Poisson's summation of e^(s v) G(v) over the multiples of L says, for any s > 0 and
/// z_j = s + 2 pi i j / L,
///   G(0) <= sum_m e^(s m L) G(m L) = (1 / L) sum_j Phi(z_j) / z_j^2,
/// as no term on the left is negative: a sum of moments at equally spaced points of a vertical line
/// is an upper bound, whatever the line and the spacing. E (x + ...)+ <= G(0), as the payoff is
/// convex, and the Gaussian factor e^(t z^2 / 2) ends the sum. L and t are multiples of 1 / s and
/// 1 / s^2, so that s alone is sought.
class SwapSum {
 public:
  struct SwapScale {
    double largest;  ///< by which x is divided
    double usual;    ///< the usual n
    double about;    ///< roughly the mean to be found, for each term
  };
  /// first: the law of x
  SwapSum(const GridLaw& law, const GridLaw& first, const SwapScale& scale, double theta);

  /// At most the mean over x and over the number of factors that are theta. They are `few` on
  /// average, may depend on x, and on no W.
  double mean_upper(double n, double few);

 private:
  /// Numbers along a line: logarithms of their moduli, from above, arguments, and by how much they
  /// may be off, relative to the modulus.
  struct LineNumbers {
    std::vector<double> log, turn, error;
  };
  /// The points of a line, for both signs of their height.
  struct SwapLine {
    double s;
    double log_rest;  ///< of the weights beyond the last point
    std::vector<double> height;
    LineNumbers weight;  ///< (1 / L) e^(t z^2 / 2) / z^2
    LineNumbers first, one, theta;
    LineNumbers raised;             ///< of a law above those of W and theta W
    std::vector<double> log_apart;  ///< how far the moments of W and theta W are apart, at most
  };
  /// What served best for the n before, over a range of the number of factors that are theta.
  enum class Way { in_place, raised, moduli };
  struct Usual {
    Way way;
    bool as_one;  ///< moduli served for the whole range
    std::size_t raised, moduli;
  };
  /// How many terms of the sum are W, theta W, and of the law above both.
  struct Counts {
    double one, theta, raised;
  };

  const SwapLine& line(std::size_t i);
  Charged sum_at(const SwapLine& line, const Counts& counts, std::optional<double> x) const;
  template <class Power>
  double moduli(const SwapLine& line, Power power_at, double most) const;
  double rise(const SwapLine& line, double n, double to) const;
  double modulus_at(const SwapLine& line, double n, double i) const;

  const GridLaw &law_, &first_;
  GridLaw raised_;
  double largest_, theta_, window_;
  double lowest_s_;
  std::vector<std::optional<SwapLine>> lines_;
  std::size_t usual_;  ///< the best for the n before
  std::array<Usual, 3> usual_in_;
  std::pair<std::size_t, std::size_t> worst_ = {0, 0};  ///< range, and cell
};

}  // namespace honest_epsilon::shuffle
