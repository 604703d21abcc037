#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/interval.h"
#include "core/pairs/pair.h"
#include "core/pld/discretize.h"
#include "core/pld/lattice_law.h"

namespace honest_epsilon::pld {

/// A node of a quadrature rule for one step's loss: used to plan grids and tilts, never in a bound.
struct LossNode {
  double loss;
  double log_weight;
};

/// The same by rising loss.
std::vector<LossNode> sorted(std::vector<LossNode> nodes);

/// Likewise, with nearly equal losses merged: plans ask them many times.
std::vector<LossNode> merged(std::vector<LossNode> nodes);

/// The source of one kind of step's lattice laws.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::vector<LossNode> nodes(Direction direction) const = 0;
  LatticeLaw upper(Direction direction, double spacing, Range range) const {
    return law(direction, spacing, range, true, 0);
  }
  LatticeLaw lower(Direction direction, double spacing, Range range, double tilt) const {
    return law(direction, spacing, range, false, tilt);
  }
  /// up: whether the upper law is asked for.   tilt: of a lower law, as in lump_losses
  virtual LatticeLaw law(Direction direction, double spacing, Range range, bool up,
                         double tilt) const = 0;
  /// The largest and the smallest point of the direction's law; may be infinite.
  virtual double highest(Direction direction) const = 0;
  virtual double lowest(Direction direction) const { return -highest(opposite(direction)); }
  /// The direction's largest losses in one cell, drawn from P and with the loss log P / Q, where
  /// they are an atom; else a cell without mass.
  virtual pairs::Cell top(Direction) const { return {}; }
  /// The distance of neighbouring atoms of the law, which a lattice should divide; 0 without any.
  virtual double grain() const { return 0; }
};

/// The steps of a pair with monotone likelihood ratio. A symmetric pair's are the same in both
/// directions.
class PairSource : public Source {
 public:
  /// The pair must outlive the source.
  explicit PairSource(const pairs::Pair& pair)
      : pair_(std::shared_ptr<const pairs::Pair>(), &pair) {}
  explicit PairSource(std::shared_ptr<const pairs::Pair> pair) : pair_(std::move(pair)) {}
  std::vector<LossNode> nodes(Direction direction) const override;
  LatticeLaw law(Direction direction, double spacing, Range range, bool up,
                 double tilt) const override;
  double highest(Direction direction) const override {
    return direction == Direction::remove ? pair_->highest_loss() : -pair_->lowest_loss();
  }
  pairs::Cell top(Direction direction) const override;
  double grain() const override;

 private:
  std::shared_ptr<const pairs::Pair> pair_;
};

/// One term of an average of likelihood ratios, U = dP/dQ under Q. Direction remove sums U
/// restricted to U <= limit (a call on the average; larger ratios are the caller's); direction add
/// sums -min(U, limit) (a put).
class RatioSource : public Source {
 public:
  RatioSource(const pairs::Pair& pair, double limit) : pair_(&pair), limit_(limit) {}
  std::vector<LossNode> nodes(Direction direction) const override;
  LatticeLaw law(Direction direction, double spacing, Range range, bool up,
                 double tilt) const override;
  double highest(Direction direction) const override {
    return direction == Direction::remove ? limit_ : 0;
  }
  double limit() const { return limit_; }

 private:
  const pairs::Pair* pair_;
  double limit_;
};

/// A source that is made when its laws are first asked for. Its losses have no known ends.
class LateSource : public Source {
 public:
  std::vector<LossNode> nodes(Direction direction) const override {
    return source().nodes(direction);
  }
  LatticeLaw law(Direction direction, double spacing, Range range, bool up,
                 double tilt) const override {
    return source().law(direction, spacing, range, up, tilt);
  }
  double highest(Direction) const override { return kInfinity; }

 protected:
  /// What was made, or makes it.
  virtual const Source& source() const = 0;
};

/// One kind of step and how often it is taken.
struct SourceSteps {
  const Source* source;
  std::int64_t copies;
  bool exchanged = false;  ///< P and Q

  Direction own(Direction direction) const { return own_direction(direction, exchanged); }
};

}  // namespace honest_epsilon::pld
