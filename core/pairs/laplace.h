#pragma once

#include <cstddef>
#include <vector>

#include "core/pairs/pair.h"
#include "core/pairs/shift_mixture.h"

namespace honest_epsilon::pairs {

/// Laplace noise of scale one on a random shift: P = sum_j p_j Lap(j a), Q = sum_j q_j Lap(j b),
/// a >= 0 >= b. The loss is constant below all shifts and above them (an atom each), and in between
/// rises along a Moebius transform of e^{2z} from shift to shift.
/// Domain: any weights; steps from 1e-6 to 1e3 in size.
class LaplaceMixture : public Pair {
 public:
  LaplaceMixture(const ShiftWeights& p, const ShiftWeights& q);
  Cell cell(double low, double high) const override;
  double loss(double z) const override;
  double slope(double z) const override;
  double position(double loss) const override;
  double log_density_q(double z) const override;
  double lowest_loss() const override { return loss_at_.front(); }
  double highest_loss() const override { return loss_at_.back(); }
  double reach() const override;
  double feature() const override;
  bool symmetric() const override { return symmetric_; }
  double misplacement(double z, double loss) const override;
  std::vector<double> atoms() const override { return {lowest_loss(), highest_loss()}; }
  std::vector<double> kinks() const override { return shift_; }

 private:
  /// A positive number by its logarithm, and that one's error.
  struct Coefficient {
    double log;
    double error;

    Coefficient seen_from(double distance) const;
    Coefficient plus(double log_weight) const;
  };
  /// All shifts on one side of a place, as seen from the nearest of them, d_i away.
  struct ShiftSums {
    Coefficient p;  ///< sum_i p_i e^-d_i
    Coefficient q;  ///< sum_i q_i e^-d_i
  };
  /// A stretch without a shift: densities are (rising e^{z - right} + falling e^{left - z}) / 2.
  struct Piece {
    double left;
    double right;
    ShiftSums rising;
    ShiftSums falling;
  };
  struct LossPoint {
    double loss;
    double error;
    double slope;
  };
  void build(const std::vector<double>& log_p, const std::vector<double>& log_q);
  std::size_t piece_of(double z) const;
  LossPoint ratio(const Piece& piece, double low, double high) const;
  Cell cell_within(const Piece& piece, double low, double high) const;

  std::vector<double> shift_;
  std::vector<Piece> piece_;  ///< below the first shift, between shifts, above the last
  std::vector<double> loss_at_;
  double weight_error_ = 0;  ///< relative, of all weights
  bool symmetric_;
};

}  // namespace honest_epsilon::pairs
