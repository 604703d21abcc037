#pragma once

#include <memory>
#include <vector>

#include "core/pairs/pair.h"

namespace honest_epsilon::pairs {

/// One step's dominating pair when a batch is drawn without replacement and a record is
/// substituted. Made from R = (A, B), the subsampled pair at distance two: on positive losses of R
/// it has its masses (P-mass A, Q-mass B), on negative losses their mirror image, and the rest is
/// an atom at loss 0. So its curve is that of R in direction remove for every eps >= 0, whichever
/// way round, and for eps < 0 what that forces. Cite: [AP24, Thm 14 and sec. 8], [ZDW22, Prop 30].
/// Domain: A(L > 0) + B(L > 0) <= 1, as for every subsampled pair here.
///
/// The coordinate puts the atom on [-1, 1] and the base's positive losses above it.
class Glued : public Pair {
 public:
  explicit Glued(std::shared_ptr<const Pair> base);
  Cell cell(double low, double high) const override;
  double loss(double z) const override;
  double slope(double z) const override;
  double position(double loss) const override;
  double log_density_q(double z) const override;
  double lowest_loss() const override { return -base_->highest_loss(); }
  double highest_loss() const override { return base_->highest_loss(); }
  double reach() const override;
  double feature() const override { return base_->feature(); }
  bool symmetric() const override { return true; }
  double misplacement(double z, double loss) const override;
  std::vector<double> atoms() const override;
  std::vector<double> kinks() const override;

 private:
  double in_base(double z) const { return (z - 1) + junction_; }
  Cell positive_cell(double low, double high) const;

  std::shared_ptr<const Pair> base_;
  double junction_;        ///< where the base's loss is 0
  double junction_error_;  ///< how far it may be from that
  Mass atom_;
};

}  // namespace honest_epsilon::pairs
