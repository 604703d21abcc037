#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/contour/hankel_decay.h"
#include "core/contour/moments.h"
#include "core/math/complex_functions.h"
#include "core/math/log_gamma.h"

namespace honest_epsilon::contour {

/// High moments of one epoch of balls-and-bins without its largest ratios, for direction remove.
///
/// As in BinsMoments, X_i = e^{mu t_i - mu^2/2} with t_i ~ N(0, 1) and U = (X_1 + ... + X_T) / T.
/// A high moment E U^w is that of a single huge X_i, which decides nothing: a power of 1,000 asks
/// for an event of probability e^-100,000. So the event A that every t_i <= t_c is kept, and
///   K(z) = E[U^{1+z}; A]
/// is the moment function of P on A alone. Of P's mass that leaves out
///   E[U; not A] <= sum_i E[U; t_i > t_c] = (T-1) Pr[N > t_c] + Pr[N > t_c - mu],
/// which is charged to delta (left_out()).
///
/// **Inversion in s.** With w = p + iy and any sigma > 0, by Hankel's integral for U^w,
///   E[U^w; A] = Gamma(w+1) / (2 pi i) integral_{Re s = sigma} N(s) s^{-w-1} ds,
///   N(s) = E[e^{sU}; A] = nu(s/T)^T,   nu(s) = E[e^{sX}; t <= t_c].
/// At the place sigma where r^{-p-1} N(r) is least along r > 0 nothing cancels, for any y.
///
/// **Aliases.** The trapezoid rule of step h in Im s, V = 2 pi / h, sums over them exactly:
///   sum_m E[(U + mV)_+^w; A] e^{-sigma m V}.
/// x_+^p <= (p / (e r))^p e^{rx} for any r > 0, with r < sigma for m > 0 and r > sigma for m < 0:
/// what m != 0 adds is at most (p / (e r))^p N(r) / (e^{|sigma - r| V} - 1) on either side.
///
/// **Its end.** With s = sigma (1 + i tan psi) and |N(s)| <= N(sigma), the terms beyond psi_J are
/// at most N(sigma) sigma^{-p} times the integral of cos(psi)^{p-1} e^{y psi} beyond it, whose
/// logarithm is concave: cos(psi_J)^{p-1} e^{y psi_J} / ((p-1) tan(psi_J) - y).
///
/// **nu(s/T)** is 1 - Pr[N > t_c] + (s/T) Pr[N <= t_c - mu] + E[e^w - 1 - w; t <= t_c], w = sX/T,
/// the last by Gauss's rule on panels of a path from the left to t_c. Where |Im s| is small that is
/// the real line. Farther up e^{sX} oscillates there: the path keeps to Im t = eta, where sX turns
/// away from the right, and comes down to t_c at the end (Im s >= 0; N(conj s) = conj N(s)). By
/// |e^w - 1 - w| <= min(|w|^2 / 2, 2 |w|) e^{max(0, Re w)} a term's rounding is charged, and
/// - on the ellipse around a panel, which reaches to t_b on the right and down to Im t = b,
///   |w| <= |s| X(t_b) / T, Re w <= max(0, Re s - Im s sin(min(mu b, pi/2))) X(t_b) / T,
/// - to the left of the path, Re w <= Re s X / T and E X^2 = e^{mu^2}.
/// The density n(t) is at most e^{(Im t)^2 / 2 - (Re t)^2 / 2} / sqrt(2 pi).
///
/// **Decay** is that of N along the line, see HankelDecay. In x = X/T, nu(sigma + iv) is the
/// integral of e^{ivx} against f(x) = e^{sigma x} T n(t) / (mu X), up to X_c/T: what oscillation
/// cancels of it is that of its unimodal parts (decay.h). Besides, |nu| <= V/v with V the total
/// variation of f. Along t, log f has the slope sigma mu X/T - t - mu, which is convex: f rises,
/// falls and rises at most, and with m its first maximum V <= 2 m + 2 f(X_c/T). The first factor
/// rises and the others are at most T e^{mu^2} / (mu sqrt(2 pi)), so that m <= e^{sigma X(t)/T}
/// times that for any t at which that slope is negative, or at t_c.
class CutBins {
 public:
  /// Domain: T >= 2 bins, mu > 0.   left_out: about the mass of P to leave out; taken as 1e-260
  /// to .3.
  CutBins(double bins, double mu, double left_out = kUsuallyLeftOut);

  /// For plans.
  static constexpr double kUsuallyLeftOut = 1e-22;
  /// The least power of U that has columns.
  static constexpr double kLeastPower = 12;

  /// The columns of E[U^{1+x}; A], with A as large as the reach asks; none where that is low.
  /// planned: serves where it leaves out about as much.
  static std::shared_ptr<const Rule> rule(std::shared_ptr<const CutBins> planned,
                                          const Reach& reach);
  /// log E[U^power; A], roughly; +inf where it is beyond use.
  double log_moment_estimate(double power) const;
  /// Of P's mass, at most.
  double left_out() const { return left_out_; }

  double bins() const { return bins_; }
  double mu() const { return mu_; }
  double cut() const { return cut_; }
  /// Im s up to which the path is the real line.
  double turning() const { return paths_.front().highest; }

  /// log N(s) for Re s > 0.
  ComplexEstimate log_transform(Complex s) const;
  /// The same for real s, roughly.
  double log_transform_estimate(double s) const { return real_transform(s).log; }
  /// Where r^{-p-1} N(r) is least, roughly; 0 where that is out of reach.
  double saddle(double power) const;
  /// log N at sigma, sigma + i spacing, sigma + 2 i spacing, ..., one after the other.
  class TransformClimb;
  /// How |N| falls along Re s = sigma.   log_first: of N(sigma), to an error
  TransformFall fall(double sigma, double log_first, double error) const;

 private:
  struct QuadratureNode {
    Complex place;   ///< X / T
    double size;     ///< its modulus
    Complex weight;  ///< of the rule, times the density of t and the path's direction
    double units;    ///< by which its term and the sum round, times |weight|
  };
  struct Panel {
    double log_error;  ///< of the rule, against |s|^2 and the growth of e^w
    double place;      ///< the largest |X| / T on its ellipse
    double turn;       ///< the sine of X's smallest angle there, or -1
  };
  /// A path for all s up to some height.
  struct Path {
    double highest;                     ///< |Im s|
    double left;                        ///< its left end
    double growth;                      ///< e^{eta^2/2}
    std::vector<QuadratureNode> nodes;  ///< size falls
    std::vector<Panel> panels;
    /// Sorts the nodes and charges their sum.
    void finish();
  };
  /// log N(r) and its first two derivatives, roughly.
  struct RealTransform {
    double log, slope, bend;
  };
  RealTransform real_transform(double r) const;
  const Path& path_for(double height) const;
  /// log N from E[e^w - 1 - w; t <= t_c] on a path, off by `rounding`.
  ComplexEstimate from_rest(Complex s, Complex rest, double rounding, const Path& path) const;
  Path real_path() const;
  Path turned_path(double highest) const;
  void add_panel(Path& path, Complex begin, Complex end) const;

  double bins_, mu_, cut_ = 0, left_out_ = 0, largest_ = 0;
  mutable std::vector<Path>
      paths_;  ///< each twice as high as the one before, where they were asked
};

/// Nodes whose |w| stays below 1 up to a height are one polynomial in s together; what follows its
/// last power is below 1e-19 of |w|^2, and its powers and Horner's rule round by 8 n units of |w|^n
/// / n!, less than 16 |w|^2 together. Of the other nodes e^w is turned from one height to the next,
/// and computed anew after kTurns: a turn rounds by 3 units, its factor is off by 10 and by 2 |w|
/// of itself, and |e^w| falls with the height; their parts -1 - w are one linear function of s.
/// They round by units of |e^w| + 1 + |w|.
class CutBins::TransformClimb {
 public:
  TransformClimb(const CutBins& bins, double sigma, double spacing);
  ComplexEstimate next();

 private:
  static constexpr std::size_t kTurns = 16, kPowers = 22, kLanes = 8;

  void enter(double height);
  void start(Complex s);
  Complex turned();

  const CutBins* bins_;
  double sigma_, spacing_;
  std::size_t next_ = 0, turns_left_ = 0;
  Path path_;                                  ///< up to that height, without those nodes
  std::array<Complex, kPowers + 1> powers_{};  ///< of s / size_
  double size_ = 1;
  double small_units_ = 0;                ///< of |s|^2
  Complex constant_ = 0, slope_ = 0;      ///< the sums of weights, and of weights times places
  std::array<double, 2> linear_units_{};  ///< of 1 and |s|
  double turned_units_ = 0;
  std::vector<double> re_, im_, turn_re_, turn_im_;
};

}  // namespace honest_epsilon::contour
