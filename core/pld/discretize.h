#pragma once

#include "core/pairs/pair.h"
#include "core/pld/lattice_law.h"

/// Certified discretisations of one step. Cite: [CD22] for the split; the lump is its optimistic
/// twin.
///
/// With U = dP/dQ under Q, a mean-preserving spread of U dominates and a conditional mean of U is
/// dominated, and both survive products and averages. `split` spreads each cell onto its two ends;
/// `lump` replaces each cell by its mean, on cells chosen so that the means are lattice points.
namespace honest_epsilon::pld {

/// A stretch of the loss log dP/dQ that a discretisation should resolve.
struct Range {
  double low;
  double high;
};

/// Upper law of one step: in direction remove P-masses on losses log dP/dQ, in direction add
/// Q-masses on losses -log dP/dQ. Mass outside the range is moved to larger losses: to the nearest
/// end, or to `infinite`.
LatticeLaw split_losses(const pairs::Pair& pair, Direction direction, double spacing, Range range);

/// Lower law of one step, in the same terms. Mass outside the range is moved to smaller losses.
///   tilt: a cell whose mean misses its lattice point through rounding is moved alone or the whole
///   lattice is moved, whichever costs less under this tilt; it enters no bound.
LatticeLaw lump_losses(const pairs::Pair& pair, Direction direction, double spacing, Range range,
                       double tilt);

/// Which end of a lumped cell's rounding is safe: down where the payoff rises with U (a call), up
/// where it falls (a put).
enum class Rounding { down, up };

/// Q-masses of U = dP/dQ on the points j * spacing, restricted to U <= the smallest lattice point
/// not below `high`: each cell split onto its ends. An upper law for every convex payoff.
LatticeLaw split_ratios(const pairs::Pair& pair, double spacing, double high);

/// Q-masses of U restricted to U <= high, each cell at its mean, moved the safe way.
LatticeLaw lump_ratios(const pairs::Pair& pair, double spacing, double high, Rounding move,
                       double tilt);

}  // namespace honest_epsilon::pld
