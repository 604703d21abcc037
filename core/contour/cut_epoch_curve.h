#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/contour/cut_bins.h"
#include "core/contour/moments.h"
#include "core/contour/own_epsilon.h"
#include "core/contour/ratio_laplace.h"

namespace honest_epsilon::contour {

/// delta and epsilon of one epoch of balls-and-bins in direction remove, with so much noise that no
/// single ratio decides, be the bins few or many.
///
/// As in CutBins, U = (X_1 + ... + X_T) / T, a bin may jump, and E stands for E[... kept; A]. With
/// k = e^eps and any sigma > 0,
///   E (U - k)_+ = 1/(2 pi i) integral_{Re s = sigma} N(s) e^{-sk} s^-2 ds,   N(s) = E e^{sU},
/// which has all digits at the place where e^{-rk} r^-2 N(r) is least along r > 0. With the whole
/// law there is no such N. **What is left out** is between 0 and E[U; a jump or not A], P's mass of
/// jumps and CutBins::left_out: the cut lies so far that it is next to nothing.
///
/// **Aliases.** The trapezoid rule of step h in Im s, V = 2 pi / h, sums over them exactly:
///   sum_m E (U - k + mV)_+ e^{-sigma m V}.
/// By x_+ <= e^{rx} / (e r), with r < sigma for m > 0 and r > sigma for m < 0, what m != 0 adds is
/// at most e^{-rk} N(r) / (e r (e^{|sigma - r| V} - 1)) on either side.
///
/// **Its end.** |s|^-2 falls along the line, so that with |N| at most N_y beyond a height y the
/// terms there are at most N_y e^{-sigma k} atan(sigma / y) / (pi sigma). With the path of
/// nu(s/T) = E e^{sX/T} moved by any eta, 0 <= mu eta <= pi/2, s_c the cut's softness and
/// r = sigma cos(mu eta) - y sin(mu eta),
///   |nu(s/T)| <= e^{(1 + 1/s_c^2) eta^2 / 2} (E e^{rX/T} + H)   for all Im s >= y,
/// as |kept(t + i eta)| <= e^{eta^2 / (2 s_c^2)} kept(t). Its last part, at t_c, adds at most
/// H = eta n(t_c) kept(t_c) e^{sigma X(t_c) / T}.
class CutEpochCurve : public OwnCurve {
 public:
  /// Domain: T >= 2 bins; 0 < mu <= kLargestShift, known to one unit in its last place.
  CutEpochCurve(double bins, double mu) : bins_(bins), mu_(mu), ratio_(mu) {}
  /// Of ratios that vary more a single one may decide, and N has no place before the cut's.
  static constexpr double kLargestShift = 0.3;

  std::optional<Interval> delta(double epsilon, double width) override;
  std::optional<Interval> epsilon(double target, double width) override;

 private:
  /// N along Re s = sigma, and what bounds its aliases: places r, and log N(r) from above.
  struct CutLine {
    std::shared_ptr<const CutBins> bins;
    double left_out = 0;  ///< of P's mass, jumps included
    double sigma = 0, spacing = 0;
    std::vector<ComplexEstimate> log_transform = {};
    std::vector<std::pair<double, double>> beside = {};
    double log_beyond = kInfinity;    ///< log |N| after the last sample, at most
    double width = 0, log_delta = 0;  ///< that it was made for
  };
  std::optional<OwnDelta> asked(double epsilon, double width);
  static OwnDelta sum(const CutLine& line, double epsilon);
  /// A line for an epsilon, and a delta that is about this.
  std::optional<CutLine> line(double epsilon, double log_delta, double width) const;

  /// log |N(sigma + iy')| for y' >= y, at most.
  double log_transform_beyond(const CutLine& line, double y) const;

  double bins_, mu_;
  RatioLaplace ratio_;
  std::optional<CutLine> last_;
};

}  // namespace honest_epsilon::contour
