#pragma once

#include <vector>

#include "core/pairs/pair.h"
#include "core/pld/source.h"

namespace honest_epsilon::pld {

/// The steps of a pair known only through finitely many events: a partition whose cells' P- and
/// Q-masses are given with their errors. Both laws are those of the partitioned pair, so that only
/// lower bounds carry over to the pair behind it. Rounding to the lattice is first order: for few
/// copies. Events too rare to matter are left out, which a lower bound allows.
class TableSource : public Source {
 public:
  explicit TableSource(const std::vector<pairs::Cell>& cells);
  std::vector<LossNode> nodes(Direction direction) const override;
  LatticeLaw law(Direction direction, double spacing, Range range, bool up,
                 double tilt) const override;
  double lowest(Direction direction) const override;
  double highest(Direction direction) const override;

  /// delta of a single step, from below: sum over the cells of (P - e^eps Q)+.
  double delta_lower(Direction direction, double epsilon) const;

 private:
  /// A cell in one direction: its mass there, and its loss rounded down and up.
  struct LossMass {
    double mass;
    double low;
    double high;
  };
  const std::vector<LossMass>& events(Direction direction) const {
    return direction == Direction::remove ? remove_ : add_;
  }

  std::vector<LossMass> remove_;
  std::vector<LossMass> add_;
};

}  // namespace honest_epsilon::pld
