#pragma once

/// Dominating pairs (P, Q) on the real line, ordered so that the likelihood ratio dP/dQ never falls.
namespace honest_epsilon::pairs {

/// The two directions of a pair: H(P || Q), the record is there or not, and H(Q || P).
enum class Direction { remove, add };

/// Mass on either side of a point. Each is accurate relative to itself, so a difference of two is
/// taken on the side where it does not cancel.
struct Tails {
  double below = 0;
  double above = 1;
};

/// A mass and a bound on its absolute error.
struct Mass {
  double value = 0;
  double error = 0;
};

/// Mass between two points, from whichever tail is smaller.
///   `relative`: the relative error of each tail.
Mass between(const Tails& low, const Tails& high, double relative);

/// Both laws' tails at one point of the coordinate, and the loss log dP/dQ there.
struct Point {
  double z = 0;
  double loss = 0;
  Tails p;
  Tails q;
};

/// A pair whose loss never falls along a coordinate z.
class Pair {
 public:
  virtual ~Pair() = default;
  virtual Point at(double z) const = 0;            ///< z may be -inf or +inf
  virtual double loss(double z) const = 0;         ///< log dP/dQ(z)
  virtual double slope(double z) const = 0;        ///< d loss / dz
  virtual double position(double loss) const = 0;  ///< z of a loss; -inf or +inf outside the range
  virtual double log_density_q(double z) const = 0;
  virtual double lowest_loss() const = 0;   ///< may be -inf
  virtual double highest_loss() const = 0;  ///< may be +inf
  virtual double reach() const = 0;    ///< both laws' mass outside [-reach, reach] is below 1e-300
  virtual double feature() const = 0;  ///< z-length over which loss and densities bend
  /// Relative error of the tails that at(z) returns.
  virtual double relative_error(double z) const = 0;
};

}  // namespace honest_epsilon::pairs
