#pragma once

#include <cstdint>

#include "core/base/effort.h"
#include "core/base/interval.h"
#include "core/pairs/pair.h"
#include "core/pld/curve_source.h"
#include "core/pld/refine.h"
#include "core/tradeoff/curve.h"

/// The shuffle model: n users each send the output of an eps0-locally-private randomiser R, and a
/// shuffler forgets who sent what. One user's input is x0 or x1. Cite: [FMT21], [FMT23], [WS23].
///
/// Q1 and Q1', the extremes of the decomposition R(x0) = (1-w) Q1 + w Q1', R(x1) = w Q1 + (1-w)
/// Q1', w = 1/(e^eps0 + 1), are distributions because R is private. If every other user's output
/// satisfies
///   R(x) >= (c/2) (R(x0) + R(x1)) = (c/2) (Q1 + Q1')   everywhere,                        (*)
/// then with probability c it is a "clone", equally likely of Q1 or Q1', and the shuffled outputs
/// are a post-processing of how many of each there are. With M - 1 ~ Bin(n - 1, c) clones and A of
/// all M that are Q1, these counts dominate:
///   P = (1-w) P0 + w Q0,  Q = (1-w) Q0 + w P0,   P0: the user is Q1,  Q0: the user is Q1'.
/// Given the number of clones, P0 and Q0 have ratio A : (M - A), so that with X = (2A - M)/M under
/// the symmetric law of imbalance.h
///   dP = 1 + s X,  dQ = 1 - s X,   s = 1 - 2w = tanh(eps0/2),
/// and with x = e^eps - 1, in both directions alike (X is symmetric),
///   H(P || Q)(e^eps) = E[(b X - x)+],   b = s (x + 2).
namespace honest_epsilon::shuffle_model {

enum class Clone {
  /// c = e^-eps0: (*) holds for every eps0-private randomiser, since R(x) >= e^-eps0 R(x0) and
  /// R(x) >= e^-eps0 R(x1). Cite: [FMT21].
  standard,
  /// c = 2w = 2/(e^eps0 + 1): (*) holds where (e^eps0 + 1) R(x) >= R(x0) + R(x1) for every x and
  /// every neighbouring x0, x1. That is a restricted class: randomised response over any number of
  /// values is in it (no two different inputs make one output likely), randomisers with an output
  /// that two inputs make e^eps0 times likelier than a third are not. The authors' erratum
  /// withdraws the claim for every randomiser. Cite: [FMT23, errata].
  stronger,
};

struct ShuffleModel {
  double local_epsilon = 1;  ///< eps0, of each user's randomiser; at least 1e-3, at most 40
  std::int64_t users = 1;    ///< n, at most 1e9
  Clone clone = Clone::standard;
};

/// c of the model's clone.
double clone_probability(const ShuffleModel& model);

/// Hockey-stick divergence H(P || Q)(e^eps) of the dominating pair, the same in both directions:
/// exact, certified. An upper bound on the delta of every mechanism of the class; 0 where
/// eps >= eps0.
/// Domain: eps >= 0. Error: upper/lower below 1 + 1e-7 for n <= 1e8 and delta >= 1e-100.
Interval delta(const ShuffleModel& model, double epsilon);

/// The weaker bounds of [WS23], on the same P and Q, in the same terms. Neither is below `delta`;
/// both are 0, too, where eps >= eps0.
///   Corollary 4.3, from advanced joint concavity: (1 - 2w) H(P0 || Q0)(K'), K' = (e^eps - 2w) /
///   (1 - 2w), that is E[(b X - x)+] with b = x + 2s. The print evaluates it at a threshold t_eps
///   that is half a lattice step off the best one, and is then no bound; this is the best one.
Interval delta_advanced_joint(const ShuffleModel& model, double epsilon);
///   Lemma 3.1, plain joint concavity: H(P0 || Q0)(e^eps) = E[(b X - x)+] with b = x + 2.
Interval delta_joint(const ShuffleModel& model, double epsilon);

/// The smallest eps with delta(eps) <= target, in [0, eps0]. Domain: 0 < target < 1.
Interval epsilon(const ShuffleModel& model, double target);
Interval epsilon_advanced_joint(const ShuffleModel& model, double target);

/// A point of the trade-off function f of [WS23, Thm 4.2] at its parameter t >= 0:
///   alpha(t) = P0[Q0/P0 > t],   f(alpha(t)) = 2w (1 - alpha) + (1 - 2w) Q0[Q0/P0 <= t].
/// The theorem's curve is piecewise linear through the points of all t, and the mechanism is
/// C(f)-DP. f is not its own inverse: where it is flatter than -1 (t < 1) it is above C(f), whose
/// lines there mirror those of the steep side.
struct ShuffleKnot {
  double threshold = 0;  ///< t
  Interval false_positive_rate;
  Interval false_negative_rate;
};
ShuffleKnot trade_off_knot(const ShuffleModel& model, double t);

/// A closed form's value, and whether its theorem covers the question; where it does not, the value
/// proves nothing.
struct ClosedForm {
  double value = 0;
  bool covered = false;
};

/// Upper bounds in closed form, each for its own clone, never above eps0. With
///   S = k1 sqrt(g log(4/delta) / n) + k2 g / n,
/// standard, if eps0 <= log(n / (16 log(4/delta))):   g = e^eps0,  k1 = k2 = 8,
///   eps = log(1 + (1 - e^-eps0) S / (1 + e^-eps0 / (1 + S)))
///   (the form and the condition of the authors' program; the print is a little smaller);
/// stronger, if eps0 <= log(n / (8 log(2/delta)) - 1):   g = e^eps0 + 1,  k1 = 4 sqrt(2),  k2 = 4,
///   eps = log(1 + (e^eps0 - 1)/(e^eps0 + 1) S).
/// Cite: [FMT21, Thm 3.1], [FMT23, Thm 3.2].
ClosedForm closed_form_epsilon(const ShuffleModel& model, double delta);

/// The delta at which the closed form's epsilon is `epsilon`; may exceed 1 where it says nothing.
ClosedForm closed_form_delta(const ShuffleModel& model, double epsilon);

/// The trade-off curve of the dominating pair, certified from both sides.
tradeoff::TradeOffCurve trade_off(const ShuffleModel& model,
                                  const tradeoff::Sampling& sampling = {});

/// One round as a step that privacy loss distributions compose, with itself or with others: known
/// through its curve, certified from both sides, at some knots and between them.
class Round {
 public:
  /// Losses at which the pair's delta is below `negligible` are charged, not resolved; it should be
  /// well below the deltas in question.
  explicit Round(const ShuffleModel& model, double negligible = 1e-60);
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  const pld::Source& source() const { return source_; }

 private:
  /// The curve on the losses from -eps0 to eps0, which are its ends, and atoms.
  class RoundSource : public pld::CurveSource {
   public:
    RoundSource(CallCurve curve, double reach, const ShuffleModel& model)
        : CurveSource(std::move(curve), -reach, reach, -model.local_epsilon, model.local_epsilon),
          model_(model) {}
    /// Nobody is a clone of the other kind.
    pairs::Cell top(Direction direction) const override;
    double grain() const override { return model_.local_epsilon; }

   private:
    ShuffleModel model_;
  };
  Interval at(double log_k, Direction direction) const;

  tradeoff::TradeOffCurve curve_;
  RoundSource source_;
};

/// Several rounds with fresh randomness of the same users: the pair composed with itself, alike in
/// both directions. Domain: rounds >= 1, eps >= 0, 0 < target < 1.
pld::Result composed_delta(const ShuffleModel& model, std::int64_t rounds, double epsilon,
                           const Effort& effort = {});
pld::Result composed_epsilon(const ShuffleModel& model, std::int64_t rounds, double target,
                             const Effort& effort = {});

/// Their trade-off curve.
tradeoff::TradeOffCurve composed_trade_off(const ShuffleModel& model, std::int64_t rounds,
                                           const tradeoff::Sampling& sampling = {},
                                           const Effort& effort = {1e-3, 14});

}  // namespace honest_epsilon::shuffle_model
