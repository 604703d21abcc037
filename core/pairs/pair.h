#pragma once

#include <vector>

#include "core/base/direction.h"
#include "core/base/rounding.h"

/// Dominating pairs (P, Q) on the real line, ordered so that the likelihood ratio dP/dQ never
/// falls.
namespace honest_epsilon::pairs {

/// A mass and a bound on its absolute error.
using Mass = Charged;

/// Both laws' masses of an interval of the coordinate, and the interval's mean likelihood ratio
/// P / Q as a loss, which is known better than its parts.
struct Cell {
  Mass p;
  Mass q;
  double loss = 0;  ///< log(P / Q)
  double loss_error = 0;
};

/// A pair whose loss never falls along a coordinate z.
class Pair {
 public:
  virtual ~Pair() = default;
  virtual Cell cell(double low, double high) const = 0;  ///< low <= high, infinities included
  virtual double loss(double z) const = 0;               ///< log dP/dQ(z)
  virtual double slope(double z) const = 0;              ///< d loss / dz
  virtual double position(double loss) const = 0;  ///< z of a loss; -inf or +inf outside the range
  virtual double log_density_q(double z) const = 0;
  virtual double lowest_loss() const = 0;   ///< may be -inf
  virtual double highest_loss() const = 0;  ///< may be +inf
  virtual double reach() const = 0;    ///< outside [-reach, reach] no event has 1e-300 of both laws
  virtual double feature() const = 0;  ///< z-length over which loss and densities bend

  /// Whether exchanging P and Q changes nothing: both directions are then one.
  virtual bool symmetric() const { return false; }
  /// How far the true loss at z = position(loss) may be from `loss`, at an infinite one how far the
  /// end of the losses; 0 where the loss jumps over it.
  virtual double misplacement(double z, double loss) const;
  /// Losses that have mass of their own, rising and equally far apart. Each is spread over a
  /// stretch of z, so that a cut may divide it.
  virtual std::vector<double> atoms() const { return {}; }
  /// Where loss or densities have a kink, rising; the ends of the atoms' stretches are among them.
  virtual std::vector<double> kinks() const { return {}; }
};

/// A cell whose mean loss is known from its masses alone.
Cell of_masses(const Mass& p, const Mass& q);

/// The union of two cells that do not overlap. Its mean loss is as well known as theirs.
Cell joined(const Cell& a, const Cell& b);

/// A random share of a cell: both masses times `share`, the same loss.
Cell portion(Cell cell, double share);

/// The cell with P and Q exchanged.
Cell exchanged(const Cell& cell);

}  // namespace honest_epsilon::pairs
