#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/base/rounding.h"
#include "core/contour/moments.h"
#include "core/contour/shift_ratio.h"
#include "core/math/complex_functions.h"

namespace honest_epsilon::contour {

/// A soft cut above which a step counts as a *jump*: a step at t does with probability
/// Phi((t - b) / s), by a coin of its own, under P and under Q alike.
///
/// High moments of few but large losses are those of a single huge one, which decides nothing; no
/// line has a good place then. With J the event that some step of a run is a jump, S the run's
/// loss,
///   delta = E_P[(1 - e^{eps-S})_+; not J] + P(J) - e^eps Q(J) + E_P[(e^{eps-S} - 1)_+; J],
/// since (1 - x)_+ = 1 - x + (x - 1)_+ and E_P[e^{-S}; J] = Q(J).
/// 1. The first term is a line's (line.h): the moment function of steps that are no jumps,
///    K(z) = E_Q[kept (dP/dQ)^{1+z}], kept(t) = Phi((b - t) / s), is as smooth as that of all
///    steps.
/// 2. Of one step, P and Q have jumps of masses sum_j p_j Phi((j mu - b) / sqrt(1 + s^2)) and
///    Phi(-b / sqrt(1 + s^2)): t + s N > b. Of replaced records Q is P's mirror image: -j for j.
/// 3. The last term, the shortfall, is e^eps E_Q[(1 - e^{S-eps})_+; J]: what J adds to delta of Q
///    against P at -eps. Another line has it, whose moment function is that of J,
///      K_J(z) = prod_i K_i^{T_i} - prod_i (K_i - B_i)^{T_i},   K_i = E_Q R_i^-z,
///      B_i = E_Q[jump R_i^-z],   jump = 1 - kept,   R_i = dP/dQ.
///    Far losses make it small there, so that a cut may be wherever both lines are short. Where B_i
///    has no columns it is next to nothing if jumps exceed eps by more than the other steps may
///    lack: by Chernoff's bound with K_J(a) <= sum_i T_i B_i(a) / K_i(a) prod_k K_k(a)^{T_k}.
class JumpCut {
 public:
  /// Over a softness in units of 1 / mu the ratio grows by e to that power. The harder the cut, the
  /// more nodes; the softer, the larger the losses that are kept, and the fewer the digits.
  static constexpr double kSoftness = 0.05;
  /// With a lot of noise: a softer one would call steps jumps that are hardly unusual.
  static constexpr double kLargestSoftness = 0.5;

  /// shift: mu.   last: the t of which half the steps are jumps, but for so many softnesses more.
  /// softness: in units of 1 / mu, at most.
  JumpCut(double shift, double last, double more = 0, double softness = kSoftness);
  /// The same for a loss, that of log R or, of replaced records, of log R(t) - log R(-t). R >= 1
  /// from the cut on.   smooth: whether a softness is a few times as large; hard: whether it is no
  /// larger where the loss is large.
  JumpCut(const ShiftRatio& ratio, double loss, bool replaced = false, bool smooth = false,
          bool hard = false);

  double place() const { return place_; }        ///< b
  double softness() const { return softness_; }  ///< s
  /// Beyond kEnd softnesses the normal tail underflows. From `end` on kept may count as 0: that
  /// moves less than 3e-316 of a step's mass.
  static constexpr double kEnd = 38;
  double end() const { return place_ + kEnd * softness_; }

  /// log kept(t) on the real line, give or take kLogError.
  double log_kept(double t) const;
  static constexpr double kLogError = 1e-11;

  /// log jump(t), likewise.
  double log_jump(double t) const { return log_kept(2 * place_ - t); }

  /// log |kept(t + is)| for low <= t <= high, s <= height there, from above: at most
  /// kept(low) e^{(height / softness)^2 / 2}, and at most 1 and as much of jump(high).
  double log_kept_upper(double low, double high, double height) const {
    return log_upper(log_kept(low), log_jump(high), height);
  }
  /// log |jump(t + is)|, likewise.
  double log_jump_upper(double low, double high, double height) const {
    return log_upper(log_jump(high), log_kept(low), height);
  }
  /// The same from what is known at either end.
  struct LogShares {
    double kept, jump;
  };
  LogShares log_shares(double t) const { return {log_kept(t), log_jump(t)}; }
  double log_kept_upper(const LogShares& low, const LogShares& high, double height) const {
    return log_upper(low.kept, high.jump, height);
  }
  double log_jump_upper(const LogShares& low, const LogShares& high, double height) const {
    return log_upper(high.jump, low.kept, height);
  }

  /// The jumps' mass where t ~ N(shift, 1).
  Charged mass(double shift) const;
  /// Their mass where t has the law of a step with the records, or, with sign -1, with their
  /// opposites.
  Charged mass_of_records(const ShiftRatio& ratio, double sign) const;

  /// log E[f(t); jump] for t ~ N(0, 1), at most, f > 0 falling from e^log_greatest.
  double log_expectation(double log_greatest, const std::function<double(double)>& log_f) const;

  /// kept(t + i eta) at t = first + j step, and how far off it may be.
  ///   |kept(t + i eta)| <= e^{eta^2 / (2 s^2)} kept(t), as n(x + iy) has modulus n(x) e^{y^2/2}.
  /// Far to the left it is 1; from the right it is the integral of n over panels no longer than 1,
  /// by Gauss's rule (quadrature.h): on the ellipse rho = 8, which lies within 2.1 of the panel,
  /// |n| <= e^{(eta/s + 2.1)^2 / 2}. Places are multiples of a number of few bits.
  struct KeptShare {
    Complex value;
    double error;
  };
  std::vector<KeptShare> kept(double first, double step, std::size_t count, double eta) const;
  /// jump at the same places: jump(t + i eta) is conjugate to kept(2 b - t + i eta).
  std::vector<KeptShare> jumps(double first, double step, std::size_t count, double eta) const;

 private:
  double spread() const;
  double log_upper(double log_share, double log_rest, double height) const;
  double place_, softness_;
};

/// A cut between a step's jumps and what it keeps, and what the jumps weigh.
struct CutJumps {
  JumpCut cut;
  Jumps jumps;
};

/// The mass of an event that none of the steps avoids, from its masses in each of them.
class AnyStep {
 public:
  void add(double copies, const Charged& each);
  Charged mass() const;

 private:
  double log_none_low_ = 0, log_none_high_ = 0;
};

}  // namespace honest_epsilon::contour
