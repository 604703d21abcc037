#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/contour/jump_cut.h"

namespace honest_epsilon::contour {

class CutBins;

/// How the moment function of an epoch of balls-and-bins without jumps (CutBins) falls along a
/// vertical line, where a single large ratio decides.
///
/// The transform by which CutBins has its values falls only as all ratios together do. What the
/// power w = p + iy of U = X/T + V feels, V the other bins' share, is the phase of one large X. Let
/// every bin be *large* with probability large(t) = Phi((t - b')/s'), by a coin of its own, b' far
/// below the cut b. Of K's expectation at the power p,
/// 1. what none is large in is at most (p/(er))^p N0(r) for any r > 0, as u^p <= (p/(er))^p e^{ru}.
///    N0(r) = nu0(r)^T, nu0(r) = E[e^x kept (1 - large)] <= 1 + r/T + E[(e^x - 1 - x)(1 - large)],
///    x = rX/T;
/// 2. the rest is a sum over the first of the large bins, of an integral over its t given V. It is
///    one of an entire function, and its path may leave the real line for t + i eta(t), mu eta <
///    pi/2, if it comes back where it ends, at t_c. There, with u = X/T,
///      |(u e^{i mu eta} + V)^w| <= (u + V)^p e^{-y alpha},
///      alpha = atan2(u sin(mu eta), u cos(mu eta) + V),
///    which falls with y and with V, and rises with u; |n| grows by e^{eta^2/2}, and large and kept
///    as jump_cut.h says. For any r > 0
///      E_V[(u + V)^p e^{-y alpha}; none or some other large]
///        <= (N0(r) or T L(r) N(r)) sup_V (u + V)^p e^{-y alpha - rV},
///    L(r) = E[e^x kept large], N(r) = E e^{rU} or 1, whichever is larger: bins are left out of it.
/// The supremum is taken over cells of V, on which alpha is least at the right and (u + V)^p
/// e^{-rV} is concave in its logarithm; the integral, over cells of t.
class LargeBinsDecay {
 public:
  /// power: p, at least 1.
  LargeBinsDecay(std::shared_ptr<const CutBins> bins, double power);
  /// log |K(p + iy')|, at most, for every y' >= y >= 0; y may be infinite.
  double log_bound_beyond(double y) const;

 private:
  /// A stretch of a path.
  struct TurnedCell {
    double log_weight;           ///< of densities, chances and the path's length
    double ratio;                ///< u at its right end
    std::vector<double> logs;    ///< log(u + V) at the ends of cells of V
    std::vector<double> angles;  ///< the least alpha on each of them
  };
  using TurnedCells = std::vector<TurnedCell>;
  /// One b', and what is known of the other bins for every r.
  struct Threshold {
    JumpCut cut;
    std::vector<double> log_none;  ///< log N0(r)
    std::vector<double> log_some;  ///< log T L(r) N(r)
    double log_none_large;         ///< of the first term
  };
  /// loss: of a large ratio beside the others' mean.   log_totals: log N(r), at least 0, for every
  /// r
  Threshold threshold(double loss, const std::vector<double>& log_totals) const;
  TurnedCells path(double eta) const;
  double log_turned(const TurnedCells& path, double y) const;
  /// log of the least over r of the weight times the supremum over V.   likely: about the best r
  double log_supremum(const TurnedCell& cell, double y, double likely,
                      const std::vector<double>& log_weights) const;

  std::shared_ptr<const CutBins> bins_;
  double power_;
  std::vector<double> shares_;                ///< the ends of cells of V, the first at 0
  std::vector<double> rates_;                 ///< r, rising
  std::optional<Threshold> large_;            ///< where the first term is least
  mutable std::map<int, TurnedCells> paths_;  ///< those that were asked for
};

}  // namespace honest_epsilon::contour
