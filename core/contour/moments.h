#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/ball.h"
#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/pairs/pair.h"

/// Privacy from moment functions: K(z) = E_P e^{zL} of a step's loss L, for complex z. The loss of
/// a run is a sum of independent losses, so the run's moment function is a product, and its privacy
/// curve is one contour integral of that product (line.h).
namespace honest_epsilon::contour {

/// log K(z), its imaginary part up to a multiple of 2 pi, with |K / e^value - 1| <= e^error - 1.
/// The same holds of powers, and of products of such numbers, with the sums of their errors. An
/// infinite error says that nothing is known.
struct LogMoment {
  std::complex<double> value;
  double error = 0;
};

/// Of a K that may be 0 nothing is known but how small it is: any such number, and any power of it,
/// is within 3 times the largest.
inline LogMoment no_more_than(double log_bound) {
  return {log_bound + 1e-12, std::log(3.0) + 1e-12};
}

/// log K of K - 1.
inline LogMoment log_moment_of(const Ball& excess) {
  const Ball moment = 1.0 + excess;
  if (!(moment.error < kInfinity)) return {0, kInfinity};
  if (!(moment.error < 0.5 * modulus(moment.value))) return no_more_than(std::log(moment.most()));
  const Ball log = log1p(excess);
  return {log.value, log.error};
}

/// log K(x + iy) on a vertical line, asked at y = 0, spacing, 2 spacing, ... in this order.
using Climb = std::function<LogMoment(double y)>;

/// K on the upper half of a vertical line, Re z = x.
class Column {
 public:
  virtual ~Column() = default;
  /// log K(x + iy) for y >= 0.
  virtual LogMoment log_moment(double y) const = 0;
  /// An upper bound on log |K(x + iy')| for every y' >= y >= 0; y may be infinite.
  virtual double log_bound_beyond(double y) const = 0;
  /// The column must outlive its climbs. spacing: so short a number that its multiples are exact.
  virtual Climb climb([[maybe_unused]] double spacing) const {
    return [this](double y) { return log_moment(y); };
  }
};

/// Which of a step's losses a moment function may leave out as jumps (jumps.h).
struct CutRequest {
  double loss = kInfinity;   ///< from about here on
  double power = 1;          ///< the a of the bound on their shortfall
  double log_mass = -60;     ///< log of the mass of P that hardly matters
  double steps = kInfinity;  ///< of the run
};

/// The jumps that K leaves out of a step (jumps.h).
struct Jumps {
  Charged under_p, under_q;          ///< their masses
  double power = 0;                  ///< a
  double log_shortfall = kInfinity;  ///< log E_Q[R^-a; jump], at most
};

/// The moment function of a step.
class Moments {
 public:
  virtual ~Moments() = default;

  /// K on Re z = x, each log K to about e^log_precision where that can be had: errors grow where it
  /// cannot, and always hold. None where no column is of use.
  virtual std::unique_ptr<const Column> column(Direction direction, double x,
                                               double log_precision) const = 0;

  /// log K(x), at most, where a column's digits are not needed; +inf where nothing is known.
  virtual double log_moment_upper(Direction direction, double x, double log_precision) const {
    const auto all = column(direction, x, log_precision);
    return all ? all->log_bound_beyond(0) : kInfinity;
  }

  /// log K(x) for real x, roughly: it serves plans and enters no bound. +inf where K is beyond use.
  virtual double log_moment_estimate(Direction direction, double x) const = 0;

  /// log delta of one step, roughly; -inf where nothing is known of it.
  virtual double log_delta_estimate(Direction, [[maybe_unused]] double epsilon) const {
    return -kInfinity;
  }

  /// The moment function of a step that does not jump, in one direction; none where none is known.
  virtual std::shared_ptr<const Moments> without_jumps(Direction, const CutRequest&) const {
    return nullptr;
  }

  /// The jumps that every rule leaves out.
  virtual std::optional<Jumps> jumps(Direction) const { return std::nullopt; }

  /// The total variation between the step's laws under P and Q, rounded up: delta at epsilon 0.
  virtual double total_variation() const { return 1; }

  /// The largest possible loss, rounded up; +inf where losses are unbounded.
  virtual double largest_loss(Direction direction) const = 0;

  /// Columns need Re z at least here; +inf where the direction has none.
  virtual double lowest_place(Direction) const { return -1; }

  /// Whether columns exist as far to the right as a line can use.
  virtual bool reaches_far(Direction) const { return true; }
};

}  // namespace honest_epsilon::contour
