#include "core/samplers/swaps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/binomial_tail.h"
#include "core/math/root.h"
#include "core/pairs/gaussian.h"
#include "core/pld/curve_source.h"
#include "core/pld/source.h"
#include "core/runs/aims.h"
#include "core/samplers/swap_law.h"
#include "core/samplers/swap_sum.h"
#include "core/samplers/third_order.h"

namespace honest_epsilon::shuffle {
namespace {

/// A smaller delta is left to known batches: laws and tails would have to be followed too far.
constexpr double kLeastDelta = 1e-30;

/// Of more batches some are told to the adversary: binomial tails take ever longer.
constexpr double kMostBatches = 1e7;

/// The largest known-batch shift for which swaps are of use.
constexpr double kLargestShift = 4;

/// What is left out, of about_: of laws and clones, and by raising the factors r_j.
constexpr double kSmall = 0.01, kFirst = 0.01, kHeavyPart = 0.15, kHeavy = 3, kNarrow = 0.03;

/// kShare is beta, unless a larger one is needed to keep the probability that no step is shared
/// below the part kNoneShared of `about`. Beyond kMostShared clones prove more.
constexpr double kShare = 0.2, kNoneShared = 0.03, kMostShared = 0.8;

/// b of the payoff with a knee, in units of 1 / s (swap_sum.h).
constexpr double kKnee = 0.8;

/// With larger steps single values outweigh all sums, whatever the payoff is.
constexpr double kLargestStep = 1;

/// W with a larger share of the dearest puts is not worth the payoff.
constexpr double kLargestPuts = 0.8;

/// W, with less of it where single values outweigh a sum of so many.
GridLaw wide_law(const Shown& shown, double a, const OtherStep& other, double count, double about) {
  GridLaw law = swap_law(shown, a, other, kSmall * about);
  const bool heavy = law.values.back() > kHeavy * std::sqrt(1 + count) * deviation_of(law);
  return heavy ? swap_law(shown, a, other, kHeavyPart * about) : law;
}

/// W for payoffs with a knee, where it is worth them.
std::optional<GridLaw> narrow_law(const Shown& shown, double a, double about) {
  if (shown.step > kLargestStep) return std::nullopt;
  const ThirdOrder order = third_order(shown, a);
  if (!(order.share < kLargestPuts)) return std::nullopt;
  return third_order_law(shown, a, order, kNarrow * about);
}

}  // namespace

/// One record's laws of whole steps, the same whatever lambda is: those that were asked for last.
class WholeStepLaws {
 public:
  const GridLaw& wide(const Shown& shown, double a, double count, double about) {
    return wide_.of({shown.with, a, about},
                    [&] { return wide_law(shown, a, kWholeStep, count, about); });
  }

  const std::optional<GridLaw>& narrow(const Shown& shown, double a, double about) {
    return narrow_.of({shown.with, a, about}, [&] { return narrow_law(shown, a, about); });
  }

 private:
  template <class Law>
  struct Latest {
    std::array<double, 3> asked{};
    Law law;

    template <class Make>
    const Law& of(const std::array<double, 3>& ask, Make make) {
      if (ask != asked) law = make();
      asked = ask;
      return law;
    }
  };

  Latest<GridLaw> wide_;
  Latest<std::optional<GridLaw>> narrow_;
};

SwapBound::SwapBound(double batches, const Swapped& record, double lambda, Swap swap,
                     std::shared_ptr<WholeStepLaws> laws)
    : swap_(swap),
      laws_(laws ? std::move(laws) : std::make_shared<WholeStepLaws>()),
      others_(std::min(batches, kMostBatches) - 1),
      mu_(record.mu * (1 + 2 * kUnit)),
      lambda_(lambda),
      replaced_(record.replaced) {
  const double log = -std::log(lambda) * (1 - 2 * kFunctionError * kUnit);
  const double mass = lambda * (1 - gaussian::delta(mu_, log).upper) * (1 - 4 * kUnit);
  // The largest double below it whose complement is one.
  const double rest = std::nextafter(1 - mass, 2);
  clone_ = 1 - rest;
  largest_ = lambda / clone_ * (1 + 2 * kUnit);
}

Shown SwapBound::shown_of(Direction direction) const {
  if (replaced_) return {mu_, mu_, -mu_};
  return direction == Direction::remove ? Shown{mu_, mu_, 0} : Shown{mu_, 0, -mu_};
}

double SwapBound::known(Direction direction, double epsilon) const {
  return gaussian::delta(shown_of(direction).with - shown_of(direction).without, epsilon).upper;
}

double SwapBound::delta(Direction direction, double epsilon, double about) const {
  const double known = this->known(direction, epsilon);
  constexpr double kLargestEpsilon = 20;
  // Beyond so many deviations a normal tail is 0.
  constexpr double kFarthest = 30;
  const bool serves = mu_ <= kLargestShift && about > kTiny;
  if (!(serves && epsilon < std::min(kLargestEpsilon, kFarthest * mu_))) return known;
  const double batches = others_ + 1;
  const Shown shown = shown_of(direction);
  // a rounds: the curve is asked a little lower.
  const double a = std::exp(epsilon) * (1 - 2 * kFunctionError * kUnit);
  if (swap_ == Swap::clones) {
    const double alone = std::pow(1 - clone_, others_) * known;
    return std::min(known, by_clones(shown, a, about) + alone);
  }
  const double beta = std::max(kShare, -std::log(kNoneShared * about) / (batches * clone_));
  if (beta > kMostShared) return known;
  const double none = std::exp(batches * std::log1p(-beta * clone_)) * (1 + 1e-9);
  return std::min(known, by_shared_step(shown, a, about, beta) + none);
}

double SwapBound::by_clones(const Shown& shown, double a, double about) const {
  const double clones = others_ * clone_;
  SwapTerms terms;
  terms.others = wide_law(shown, a, {clone_, largest_}, clones, about);
  terms.first = first_place(shown, a, lambda_, std::min(0.5, kFirst * about * (1 + clones)));
  return sum(terms, {others_ + 1, clone_, 1, largest_, about}, a);
}

double SwapBound::by_shared_step(const Shown& shown, double a, double about, double beta) const {
  const double batches = others_ + 1;
  const GridLaw& wide = laws_->wide(shown, a, others_, about);
  SwapScale scale{batches, 1, beta * clone_, largest_, about};
  SwapTerms terms;
  terms.before = before_shared(wide, beta, clone_);
  terms.first = first_place(shown, a, lambda_, std::min(0.5, kFirst * about * batches));
  if (swap_ == Swap::shared) {
    terms.others = wide;
    return sum(terms, scale, a);
  }
  const std::optional<GridLaw>& narrow = laws_->narrow(shown, a, about);
  if (!narrow) return kInfinity;
  terms.others = *narrow;
  // Of T steps, no more than 1 / h are before the shared one on average.
  terms.others.beyond += wide.beyond / (batches * scale.shared);
  scale.knee = kKnee / by_points(terms, scale).s;
  return sum(terms, scale, a);
}

double SwapBound::sum(const SwapTerms& terms, const SwapScale& scale, double a) const {
  // p and R round.
  const double rounding = 16 * kUnit * largest_ * (a + 1);
  return (largest_ * swap_sum(terms, scale) + terms.others.beyond +
          terms.first.beyond / (scale.batches * scale.clone) + rounding) *
         (1 + 1e-12);
}

namespace {

/// One epoch's bounds, by clones and then by a shared step, and by those lambda that cut these
/// steps so many deviations from the zeroed record's.
constexpr std::array<double, 7> kCuts = {0.6, 1.2, 1.8, 2.4, 3, 3.7, 4.5};
using SwapBounds = std::vector<SwapBound>;
SwapBounds bounds_of(double batches, const Swapped& record) {
  SwapBounds bounds;
  const auto laws = std::make_shared<WholeStepLaws>();
  for (const Swap swap : {Swap::clones, Swap::shared, Swap::shared_with_knee}) {
    for (const double cut : kCuts)
      bounds.emplace_back(batches, record, std::exp(-record.mu * (cut + 0.5 * record.mu)), swap,
                          laws);
  }
  return bounds;
}

/// The least delta at an epsilon that any of them proves, sought by turns among the kinds at one
/// cut and among the cuts of one kind. Where nothing met on the way proves less than known batches,
/// all are asked.
///   about: as for SwapBound
Lowest least_delta(const SwapBounds& bounds, Direction direction, double epsilon, double about,
                   std::size_t from = kCuts.size() / 2) {
  constexpr double kAsKnown = 1 - 1e-6;
  constexpr std::size_t kCount = kCuts.size();
  std::vector<double> met(bounds.size(), kInfinity);
  const auto at = [&](std::size_t i) {
    if (met[i] == kInfinity) met[i] = bounds[i].delta(direction, epsilon, about);
    return met[i];
  };
  const auto least = [&] {
    return static_cast<std::size_t>(std::min_element(met.begin(), met.end()) - met.begin());
  };
  for (std::size_t cut = from % kCount, before = kCount; cut != before;) {
    before = cut;
    for (std::size_t i = cut; i < bounds.size(); i += kCount) at(i);
    const std::size_t kind = least() / kCount * kCount;
    downhill(least() - kind, kCount, [&](std::size_t other) { return at(kind + other); });
    cut = least() % kCount;
  }
  if (!(met[least()] < bounds[from].known(direction, epsilon) * kAsKnown)) {
    for (std::size_t i = 0; i < bounds.size(); ++i) at(i);
  }
  return {least(), met[least()]};
}

/// What is left out by bounds that are followed to an aim, the power next below the delta to be
/// found: they are lowest where that is a part of a little more than delta.
double about_of(double aim) {
  return 2 * aim;
}

/// What options on one epoch's U = dP/dQ cost at most, at K = e^log_k: the call E (U - K)+, and the
/// put E (K - U)+, larger by K - 1. The smaller of them is delta, or K delta in direction add.
struct OptionPrice {
  double log_k, k;
  double delta;
};

/// How far from one price to another a strike lies.
double part_of_cell(const OptionPrice& left, double k, const OptionPrice& right) {
  return std::clamp((k - left.k) / (right.k - left.k), 0.0, 1.0);
}

/// One epoch's curve, from above, by chords between some of its points: options are convex in K.
class EpochTable {
 public:
  /// farthest: the largest epsilon; least_expected: a delta below those to be found
  EpochTable(const SwapBounds& bounds, bool symmetric, double farthest, double least_expected) {
    const auto deltas_of = [&](Direction direction) {
      return deltas(bounds, farthest, least_expected, direction);
    };
    const std::vector<double> remove = deltas_of(Direction::remove);
    const std::vector<double> add = symmetric ? remove : deltas_of(Direction::add);
    // The two directions are one curve: they meet at K = 1, and delta falls from there.
    const double most = std::min(remove.front(), add.front());
    for (int i = -kPoints; i <= kPoints; ++i) {
      const auto place = static_cast<std::size_t>(std::abs(i));
      const double log_k = i < 0 ? -epsilon_at(farthest, i) : epsilon_at(farthest, i);
      prices_.push_back({log_k, std::exp(log_k), std::min(most, (i < 0 ? add : remove)[place])});
    }
  }

  double farthest() const { return prices_.back().log_k; }

  /// At most E (U - K)+, or E (K - U)+ in direction add. Rounding is charged where values change
  /// alone: elsewhere it would look like losses as far as the table.
  double payoff(double log_k, Direction direction) const {
    const bool call = direction == Direction::remove;
    const double line = std::abs(std::expm1(log_k));
    return (smaller_price(log_k) + (call == (log_k >= 0) ? 0 : line)) * (1 + 16 * kUnit);
  }

 private:
  static constexpr int kPoints = 45;

  /// Denser where most of the law lies.
  static double epsilon_at(double farthest, double i) {
    return farthest * i * i / (kPoints * kPoints);
  }

  /// delta, at most, at each of the points.
  static std::vector<double> deltas(const SwapBounds& bounds, double farthest,
                                    double least_expected, Direction direction) {
    // The best cut moves little from point to point, and delta falls at most by so much.
    constexpr int kSought = 4;
    constexpr double kFall = 0.9, kNegligible = 1e-3;
    std::vector<double> result;
    double about = 0.1;
    std::size_t chosen = kCuts.size() / 2;
    while (result.size() <= kPoints) {
      const double epsilon = epsilon_at(farthest, static_cast<double>(result.size()));
      if (result.size() % kSought == 0) {
        const Lowest lowest = least_delta(bounds, direction, epsilon, about, chosen);
        chosen = lowest.place;
        result.push_back(lowest.value);
      } else {
        // A shared step may prove nothing of a smaller delta, where clones do.
        const std::size_t clones = chosen % kCuts.size();
        result.push_back(bounds[chosen].delta(direction, epsilon, about));
        if (chosen != clones && result.back() >= bounds[clones].known(direction, epsilon)) {
          chosen = clones;
          result.back() = bounds[chosen].delta(direction, epsilon, about);
        }
      }
      if (result.back() < kNegligible * least_expected) break;
      about = std::max(least_expected, kFall * result.back());
    }
    result.resize(kPoints + 1, result.back());
    // delta falls.
    for (std::size_t i = 1; i < result.size(); ++i) result[i] = std::min(result[i], result[i - 1]);
    return result;
  }

  /// Of call and put, the one that is small there. Beyond the table calls fall no further, and puts
  /// in proportion to K.
  double smaller_price(double log_k) const {
    const double k = std::exp(log_k);
    if (log_k >= farthest()) return prices_.back().delta;
    if (log_k <= -farthest()) return k * prices_.front().delta;
    const auto after = std::upper_bound(
        prices_.begin() + 1, prices_.end() - 1, log_k,
        [](double value, const OptionPrice& price) { return value < price.log_k; });
    const OptionPrice &left = *std::prev(after), &right = *after;
    const double rise = right.delta - left.delta;
    const double part = part_of_cell(left, k, right) + (rise > 0 ? kCellRounding : -kCellRounding);
    const double risen = std::clamp(part, 0.0, 1.0) * rise;
    // A chord of puts, K delta in K, is one of delta in 1 / K.
    return log_k >= 0 ? left.delta + risen : k * left.delta + right.k * risen;
  }

  /// k and the ends of a cell round by five units, and a cell is no narrower than 7e-8 of them.
  static constexpr double kCellRounding = 1e-8;

  std::vector<OptionPrice> prices_;  ///< by rising K
};

/// A table of an epoch as a source of laws.
class TableOfEpoch : public pld::CurveSource {
 public:
  explicit TableOfEpoch(const std::shared_ptr<const EpochTable>& table)
      : pld::CurveSource(
            [table](double log_k, Direction direction) {
              return Interval{0, table->payoff(log_k, direction)};
            },
            -kBeyond * table->farthest(), kBeyond * table->farthest()) {}

 private:
  static constexpr double kBeyond = 1.01;
};

/// Laws of epochs, each of them this table's, followed to about this delta.
std::shared_ptr<const pld::Source> table_of(double batches, const Swapped& record, double epochs,
                                            double delta) {
  const SwapBounds bounds = bounds_of(batches, record);
  // What lies beyond the table is taken for revealed, with a delta of about the first part; of the
  // second where several times as large an epsilon would be needed.
  constexpr double kNegligible = 0.1, kTolerable = 0.4, kSeveral = 3;
  constexpr double kExpected = 0.25, kNarrowest = 1e-4, kSmallest = 1e-6;
  constexpr Halvings kRoughly{20, 0.2};
  const double each = delta / epochs;
  // Direction remove reveals more, and tails are heavy: a far cut shows how far.
  constexpr std::size_t kFarCut = kCuts.size() - 2;
  const auto exceeds = [&](double epsilon, double part) {
    return bounds[kFarCut].delta(Direction::remove, epsilon, kExpected * each) > part * each;
  };
  const double single =
      gaussian::epsilon((record.replaced ? 2 : 1) * record.mu, kNegligible * each).upper;
  const auto tolerable = [&](double epsilon) { return exceeds(epsilon, kTolerable); };
  const auto negligible = [&](double epsilon) { return exceeds(epsilon, kNegligible); };
  double farthest = bisect({kSmallest * single, single}, kRoughly, tolerable, halfway_in_size).high;
  const double several = std::min(single, kSeveral * farthest);
  if (!negligible(several)) farthest = bisect({farthest, several}, kRoughly, negligible).high;
  const auto table = std::make_shared<const EpochTable>(
      bounds, record.replaced, std::max(farthest, kNarrowest), kExpected * each);
  return std::make_shared<TableOfEpoch>(table);
}

/// A table that is made when a lattice is first asked for.
class LateTable : public pld::LateSource {
 public:
  explicit LateTable(std::function<std::shared_ptr<const pld::Source>()> make)
      : make_(std::move(make)) {}

 private:
  const pld::Source& source() const override {
    if (!table_) table_ = make_();
    return *table_;
  }

  std::function<std::shared_ptr<const pld::Source>()> make_;
  mutable std::shared_ptr<const pld::Source> table_;
};

}  // namespace

Steps swap_steps(double batches, const Swapped& record, double epochs, double aim) {
  Steps steps;
  steps.copies = static_cast<std::int64_t>(epochs);
  aim = std::max(aim, kLeastDelta);
  steps.source =
      std::make_shared<LateTable>([=] { return table_of(batches, record, epochs, aim); });
  // A lattice of a single epoch would be wider, and take longer.
  if (epochs > 1) return steps;
  steps.curve_is_formula = false;
  const SwapBounds bounds = bounds_of(batches, record);
  const auto at = [bounds, aim](Direction direction, double epsilon) {
    return least_delta(bounds, direction, epsilon, about_of(aim)).value;
  };
  // Delta is convex in e^epsilon, and at 0 both directions are one number: from there to some
  // epsilon it lies below a chord.
  const double end = 2 * record.mu / std::sqrt(batches);
  steps.curve = [at, end](Direction direction, double epsilon) {
    const double proved = epsilon > 0 ? at(direction, epsilon) : 1;
    if (epsilon >= end) return Interval{0, proved};
    const double start = std::min(at(Direction::remove, 0), at(Direction::add, 0));
    const double part = std::expm1(epsilon) / std::expm1(end);
    const double chord = start + part * (std::min(start, at(direction, end)) - start);
    return Interval{0, std::min(proved, chord * (1 + 16 * kUnit))};
  };
  return steps;
}

double swap_epsilon(double batches, const Swapped& record, double delta, double known,
                    double expected) {
  constexpr double kGain = 1e-3, kNear = 1e-3, kStep = 1.1, kLeast = 1e-3, kMove = 0.03;
  constexpr int kEvaluations = 30;
  if (!(known > 0 && delta > kLeastDelta)) return known;
  const SwapBounds bounds = bounds_of(batches, record);
  double best = known, start = std::clamp(expected, kLeast * best, best);
  std::size_t remove = kCuts.size() / 2, add = remove;
  const auto search = [&](double about) {
    // Both directions, the one that reveals more first; at the best bounds for where it starts.
    remove = least_delta(bounds, Direction::remove, start, about, remove).place;
    if (!record.replaced) add = least_delta(bounds, Direction::add, start, about, add).place;
    std::map<double, double> met;
    const auto log_excess = [&](double epsilon) {
      const auto [place, is_new] = met.try_emplace(epsilon);
      if (!is_new) return place->second;
      double most = bounds[remove].delta(Direction::remove, epsilon, about);
      if (most <= delta && !record.replaced)
        most = std::max(most, bounds[add].delta(Direction::add, epsilon, about));
      return place->second = std::log(most / delta);
    };
    Bracket found{start, start};
    double step = kStep;
    if (log_excess(start) > 0) {
      do {
        found.low = std::exchange(found.high, std::min(best, found.high * step));
        step *= step;
      } while (found.high < best && log_excess(found.high) > 0);
    } else {
      do {
        found.high = std::exchange(found.low, found.low > kLeast * start ? found.low / step : 0);
        step *= step;
      } while (found.low > 0 && log_excess(found.low) <= 0);
    }
    if (found.high < best || log_excess(found.high * (1 - kGain)) <= 0)
      best = log_excess(found.low) <= 0
                 ? found.low
                 : shrink(log_excess, found.low, found.high, kNear, kEvaluations).high;
  };
  const int usual = kFineAims.exponent(delta);
  for (const int exponent : {usual, usual - 1, usual - 2}) {
    double before = 0;
    do {
      before = best;
      search(about_of(kFineAims.at(exponent)));
      start = best * (1 - kGain);
    } while (best < (1 - kMove) * before);
    // Nothing less is expected, and a smaller aim would hardly find it.
    if (best == known && expected > known) break;
  }
  return best;
}

}  // namespace honest_epsilon::shuffle
