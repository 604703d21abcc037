#pragma once

#include <vector>

#include "core/base/direction.h"
#include "core/base/interval.h"
#include "core/tradeoff/curve.h"

/// The privacy of a search that publishes the best of a random number of runs.
/// Cite: [PS22] for the laws of K; [KRW24] for the idea of bounding the search by the run's curve.
///
/// K is drawn first, by a law that is fixed in advance; then the same run is repeated K times with
/// fresh randomness, and the output of the highest score is published. The score is any function of
/// the output and of independent randomness; ties are broken by a uniform number, which together
/// with the score's own randomness is counted as part of the output. So the score of an output has
/// no atoms. phi(x) = E[x^K], y <= z says that z scores at least as high as y.
///
/// Upper end. P, Q: laws of one run's output on the two datasets, p, q their densities, L = p/q.
/// The best output lies in {<= y} when all do, so its law gives {<= y} the mass phi(P(<= y)), and
/// its density is phi'(P(<= y)) p(y). Let x = P(<= y) and w(x) the least Q(E) over all events E
/// with P(E) = x. phi' does not fall, and Q(<= y) >= w(x). Hence, pointwise,
///   p_best - e^eps q_best <= phi'(x) p - e^eps phi'(w(x)) q <= p G(e^eps / L),
///   G(t) = sup over 0 <= x <= 1 of max(0, phi'(x) - t phi'(w(x))).
/// Where no run is made (K = 0) nothing is published, equally often on both datasets. Therefore
///   delta_best(eps) <= E_P[G(e^eps / L)]   for eps >= 0 and every score.                  (1)
/// G is a supremum of lines and 0: convex, falling, G(0) = E[K]. A chord polygon through upper
/// bounds at 0 = t_0 < ... < t_m, with slopes m_i, is above it up to t_m, and G(t_m) beyond. It is
/// G(t_m) + sum_i b_i (t_i - t)+ with bends b_i = m_(i+1) - m_i >= 0, and E_P[(1 - e^a / L)+] is
/// delta(a). So the run's curve alone answers:
///   delta_best(eps) <= G(t_m) + sum_i b_i t_i delta_run(eps - log t_i).                    (2)
/// With phi'(x) - t phi'(w) = phi'(x) (1 - t e^-s(x)), s = sup s(x), and phi' <= E[K], (1) is at
/// most E[K] delta_run(eps - s): for Poisson K, whose s is mu delta_run(0) (x - w(x) is at most the
/// total variation), this is the bound by way of the privacy profile of [KRW24]. (1) is narrower,
/// for where phi' is largest, at x = 1, s(x) is least.
///
/// Lower end, for the worst score. Let the score put outputs into three classes, those of C first,
/// then B, then A. The best output lies in B when no run lies in C and not all lie in A:
///   P_best(B) = phi(P(A or B)) - phi(P(A or B) - P(B)).                                    (3)
/// Likelihood ratio tests are nested, so for any a <= 1 - c there are such classes with Q(B) = a,
/// Q(A or B) = 1 - c and the powers 1 - f(a), 1 - f(1 - c), f = T(Q, P) the trade-off function.
/// phi is convex, so (3) rises with both powers and lower ends of them do:
///   delta_best(eps) >= P_best(B) - e^eps (phi(1 - c) - phi(1 - c - a)).                    (4)
/// A score of pure chance publishes a run unchanged: delta_best >= Pr[K >= 1] delta_run, too.
namespace honest_epsilon::tradeoff {

/// The law of the number of runs. Cite: [PS22, Def 1 and section 3.2].
///   Poisson:   phi(x) = e^{mean (x - 1)}, K >= 0
///   truncated negative binomial:   phi'(x) proportional to (1 - (1 - gamma) x)^-(eta + 1), K >= 1,
///     E[K] = eta (1 - gamma) / (gamma (1 - gamma^eta)); geometric for eta = 1, logarithmic for
///     eta = 0, where E[K] = (1 - gamma) / (gamma log(1 / gamma)).
class NumberOfRuns {
 public:
  /// Domain: 0 < mean <= 1e6.
  static NumberOfRuns poisson(double mean);
  /// Domain: -1 < eta <= 100, 1e-6 <= gamma < 1.
  static NumberOfRuns negative_binomial(double eta, double gamma);

  /// E[K] = phi'(1), to kRounding.
  double mean() const { return mean_; }
  /// Pr[K >= 1], to kRounding.
  double some() const;
  /// phi'(1 - y), to kRounding or to kTiny.   Domain: 0 <= y <= 1.
  double slope(double y) const;
  /// -phi''(1 - y) / phi'(1 - y), the slope of log phi'(1 - y) in y.
  double decay(double y) const;
  /// phi(1 - c) - phi(1 - c - a), to kRounding or to kTiny.   Domain: a, c >= 0, a + c <= 1.
  double between(double c, double a) const;
  /// How finely a convex function of phi' is to be cut: a share of y.
  double fineness() const;

  /// Relative error of the above: logarithms up to 745 in size, and powers up to 101, of arguments
  /// good to four units.
  static constexpr double kRounding = 2e-12;

 private:
  NumberOfRuns() = default;
  bool is_poisson_ = true;
  double mean_ = 1;
  double eta_ = 1;
  double gamma_ = 1;
};

/// The gamma with which a truncated negative binomial has about this mean.   Domain: mean > 1.
double gamma_of_mean(double eta, double mean);

/// The best of K runs of which each has this curve.
class Selection {
 public:
  Selection(const TradeOffCurve& curve, const NumberOfRuns& runs);

  /// delta_best at eps: (2) above, (4) below, the lower end for the worst score.
  ///   Domain: eps >= 0.
  Interval delta(Direction direction, double epsilon) const;

  /// The least eps >= 0 with delta_best(eps) <= target.   Domain: 0 < target < 1.
  Interval epsilon(Direction direction, double target) const;

 private:
  /// b_i t_i and log t_i of (2).
  struct Bend {
    double weight;
    double log_t;
  };
  /// The two sides of (4), P_best(B) rounded down and Q_best(B) rounded up.
  struct Attack {
    double power;
    double rate;
  };
  /// One direction: the pair (P, Q), or (Q, P).
  struct OneDirection {
    double rest = 0;  ///< G(t_m)
    std::vector<Bend> bends;
    std::vector<Attack> attacks;
  };

  OneDirection side(Direction direction) const;
  std::vector<Attack> attacks(const TradeOffCurve& curve) const;
  const OneDirection& of(Direction direction) const;
  double run_delta_upper(Direction direction, double epsilon) const;
  double delta_upper(Direction direction, double epsilon) const;
  double delta_lower(Direction direction, double epsilon) const;

  TradeOffCurve curve_;
  TradeOffCurve other_;  ///< the two datasets exchanged
  NumberOfRuns runs_;
  OneDirection remove_;
  OneDirection add_;
};

}  // namespace honest_epsilon::tradeoff
