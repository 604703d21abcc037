#include "core/samplers/bins_epoch.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/contour/inversion.h"
#include "core/math/invert.h"
#include "core/math/normal.h"
#include "core/math/root.h"
#include "core/pairs/one_step.h"
#include "core/pairs/subsampled_gaussian.h"
#include "core/pld/curve_source.h"
#include "core/pld/expectation.h"
#include "core/pld/plan.h"
#include "core/runs/seen_share.h"
#include "core/samplers/bins_replaced.h"

namespace honest_epsilon::balls_and_bins {
namespace {

/// Ratios are kept below this, so that no product of them overflows.
constexpr double kLargestLogRatio = 600;

/// The two laws' probability that the largest of `bins` coordinates exceeds z.
struct Hit {
  double p;
  double q;
};

Hit hit(double bins, const pairs::Pair& pair, double z) {
  // The tails of both laws, and what follows from them.
  constexpr std::int64_t kHitWork = 110;
  work::spend(kHitWork);
  const pairs::Cell beyond = pair.cell(z, kInfinity);
  return {-std::expm1(std::log1p(-beyond.p.value) + (bins - 1) * std::log1p(-beyond.q.value)),
          -std::expm1(bins * std::log1p(-beyond.q.value))};
}

/// Relative error of a Hit: the tail's, magnified by the rounding of z.
double hit_error(double mu, double z) {
  const double far = std::abs(z) + mu + 1;
  return std::isfinite(z) ? 4 * (normal::kRelativeError + 2 * kUnit * far * far) : 0;
}

/// One epoch of balls-and-bins as sums of ratios: `pair` is that of a single known batch.
class Epoch {
 public:
  Epoch(std::int64_t bins, std::shared_ptr<const pairs::Pair> pair, double mu)
      : count_(bins), bins_(static_cast<double>(bins)), mu_(mu), pair_(std::move(pair)) {}

  double z_of_log_ratio(double log_ratio) const { return pair_->position(log_ratio); }

  /// E[S - K; some U_t > M] = P(hit) - K Q(hit): what large ratios contribute, exact where M >= T
  /// K.
  Interval large_ratios(double log_m, double k) const {
    const double z = z_of_log_ratio(log_m);
    const Hit h = hit(bins_, *pair_, z);
    const double slack = hit_error(mu_, z) * (h.p + k * h.q);
    return {h.p - k * h.q - slack, h.p - k * h.q + slack};
  }
  Interval large_ratio_mass(double log_m) const {
    const double z = z_of_log_ratio(log_m);
    const double p = hit(bins_, *pair_, z).p;
    return {p * (1 - hit_error(mu_, z)), p * (1 + hit_error(mu_, z))};
  }
  /// log of the ratio above which everything together matters less than a part of delta.
  double rare_log_ratio(double log_delta) const {
    // What rare ratios may cost of delta, far below the widths asked.
    const double target = log_delta + std::log(1e-6);
    const auto matters = [&](double log_ratio) {
      return std::log(hit(bins_, *pair_, z_of_log_ratio(log_ratio)).p + 1e-320) > target;
    };
    const Bracket widest{std::max(pair_->lowest_loss(), -mu_ * mu_ / 2),
                         std::min(pair_->highest_loss(), mu_ * (38 + mu_))};
    return bisect(widest, {60}, matters).high;
  }

  /// The curve of the pair itself: every batch known.
  double known_batch_upper(Direction direction, double epsilon) const {
    return pairs::one_step(*pair_, direction, epsilon).upper;
  }
  /// P(max x_t >= C) - e^eps Q(max x_t >= C) at the best C.
  double threshold_lower(double epsilon) const {
    const auto value = [&](double z) {
      const Hit h = hit(bins_, *pair_, z);
      const double error = hit_error(mu_, z);
      const double log_q = epsilon + std::log(h.q + 1e-320);
      return h.p * (1 - error) - std::exp(log_q + error + 4 * kUnit * (epsilon + 700));
    };
    // Each coordinate's ratio is T e^eps near the optimum, for small shifts well inside the noise.
    const double centre = (epsilon + std::log(bins_)) / mu_ + mu_ / 2;
    const double best = value(largest_on(value, -8, std::clamp(centre, 0.0, 40.0) + mu_ + 4));
    return best > 0 ? std::min(best, 1.0) : 0;
  }

  double log_bins() const { return std::log(bins_); }
  double bins() const { return bins_; }
  double mu() const { return mu_; }
  std::int64_t count() const { return count_; }
  const pairs::Pair& pair() const { return *pair_; }

 private:
  std::int64_t count_;
  double bins_;
  double mu_;
  std::shared_ptr<const pairs::Pair> pair_;
};

constexpr pld::Payoff kPayoff{pld::PayoffKind::ratio};

/// Transforms of a curve's anchors.
constexpr int kAnchorLog2Grid = 13;

/// Logarithmic margin between a strike and the largest ratio in its sum.
constexpr double kDeltaPad = 2e-3;

/// A put loses nothing when rare ratios are left out: their probability against one, as a
/// logarithm.
constexpr double kRareForPut = -9;

/// Below e^this a delta need only be bounded, not known to four digits.
constexpr double kNegligibleLogDelta = -90;

/// A law of more cells than this is not built: the cheap bounds stand.
constexpr double kMostCells = 1 << 20;

/// One direction of one epoch: turns a question about eps into one about a strike.
class EpochQuestion {
 public:
  EpochQuestion(const Epoch& epoch, Direction direction) : epoch_(epoch), direction_(direction) {}

  bool remove() const { return direction_ == Direction::remove; }

  /// T K for the call, -T / K for the put on mirrored ratios.
  double strike(double epsilon) const {
    return remove() ? epoch_.bins() * std::exp(epsilon) : -epoch_.bins() * std::exp(-epsilon);
  }

  /// Ratios above e^this stay out of the sum. For the call what they contribute is known in closed
  /// form, up to strikes e^pad larger; or they are too rare to matter. A put does not tell them
  /// apart.
  double log_limit(double epsilon, double log_delta, double pad) const {
    const double natural = epoch_.log_bins() + (remove() ? epsilon : -epsilon) + pad;
    return std::min(
        {natural, epoch_.rare_log_ratio(remove() ? log_delta : kRareForPut), kLargestLogRatio});
  }

  /// The factor from E[payoff] in sums of ratios to delta.
  double scale(double epsilon) const { return (remove() ? 1 : std::exp(epsilon)) / epoch_.bins(); }

  /// Saddle-point guess at log delta, and at the part of delta that the sum contributes.
  struct SaddleGuess {
    double log_delta;
    double share;
  };
  SaddleGuess guess(double epsilon, double log_delta) const {
    const double limit = log_limit(epsilon, log_delta, 0);
    const pld::RatioSource source(epoch_.pair(), std::exp(limit));
    const double sum = std::exp(pld::log_value_estimate({{&source, epoch_.count()}}, direction_,
                                                        kPayoff, strike(epsilon))) *
                       scale(epsilon);
    const double apart =
        remove() ? std::max(0.0, epoch_.large_ratios(limit, std::exp(epsilon)).upper) : 0;
    const double total = sum + apart;
    return {total > 0 ? std::min(-0.01, std::log(total)) : -740, total > 0 ? sum / total : 1};
  }

  /// The guess whose own delta decides what is rare: a fixed point, by bisection.
  SaddleGuess settled_guess(double epsilon) const {
    const auto exceeded = [&](double log_delta) {
      return guess(epsilon, log_delta).log_delta > log_delta;
    };
    return guess(epsilon, bisect({-740, -0.01}, {200, 0, 0.5}, exceeded).low);
  }

  double upper(const pld::Expectation& sum, double epsilon) const {
    const double body = sum.upper(strike(epsilon)) * scale(epsilon);
    double apart = 0;
    if (remove()) {
      const double covered = std::log(sum.covered_upper());
      apart = covered >= epoch_.log_bins() + epsilon
                  ? epoch_.large_ratios(covered, std::exp(epsilon)).upper
                  : epoch_.large_ratio_mass(covered).upper;
    }
    const double value = (body + std::max(0.0, apart)) * (1 + 16 * kUnit);
    return value < 1 ? value : 1;
  }

  double lower(const pld::Expectation& sum, double epsilon) const {
    const double body = sum.lower(strike(epsilon)) * scale(epsilon);
    const double apart =
        remove() ? epoch_.large_ratios(std::log(sum.covered_lower()), std::exp(epsilon)).lower : 0;
    return std::clamp((body + std::max(0.0, apart)) * (1 - 16 * kUnit), 0.0, 1.0);
  }

  /// No average of ratios, in this direction, has a larger loss than a single one.
  double highest() const {
    return remove() ? epoch_.pair().highest_loss() : -epoch_.pair().lowest_loss();
  }

  /// A cheap certified interval: known batches, and the threshold bound or (a put pays nothing once
  /// a single ratio exceeds the strike) Pr[U <= T / K]^T.
  Interval cheap(double epsilon) const {
    if (epsilon >= highest() * (1 + 8 * kUnit)) return {0, 0};
    const double upper = epoch_.known_batch_upper(direction_, epsilon);
    if (remove()) return {std::min(upper, epoch_.threshold_lower(epsilon)), upper};
    const double z = epoch_.z_of_log_ratio(epoch_.log_bins() - epsilon);
    const double below =
        epoch_.pair().cell(-kInfinity, z).q.value * (1 + hit_error(epoch_.mu(), z));
    return {0, std::min(upper,
                        std::exp(epoch_.bins() * std::log(below + 1e-320)) * (1 + 1e-9) + kTiny)};
  }

  /// A question about delta, or epsilon, at (about) one strike: the law's limit and the plan for
  /// it.
  struct PlannedStrike {
    pld::RatioSource source;
    pld::TransformPlan plan;
  };
  PlannedStrike setting(double epsilon, double log_delta, double pad, double slack,
                        std::optional<double> log_sum, const Effort& effort) const {
    const auto with_limit = [&](double limit) {
      const pld::RatioSource source(epoch_.pair(), limit);
      return PlannedStrike{
          source, pld::make_plan({{&source, epoch_.count()}}, direction_, kPayoff,
                                 {strike(epsilon), log_sum, slack}, effort.log2_grid_limit)};
    };
    const double limit = std::exp(log_limit(epsilon, log_delta, pad));
    PlannedStrike result = with_limit(limit);
    // The tilt makes ratios that are 1/saddle and more above the typical one, which is the strike's
    // share, as good as infinite to a put.
    const double felt = std::exp(-epsilon) + 60 / result.plan.saddle;
    if (!remove() && felt < 0.5 * limit) result = with_limit(felt);
    return result;
  }

  static double cells(const PlannedStrike& at, std::size_t grid) {
    return at.source.limit() / at.plan.window * static_cast<double>(grid);
  }
  /// Neither too many, nor less than one: a plan that failed has any window.
  static bool fits(const PlannedStrike& at, std::size_t grid, double most = kMostCells) {
    return cells(at, grid) >= 1 && cells(at, grid) < most;
  }
  static Interval give_up(std::size_t& grid, const Effort& effort) {
    grid = std::size_t{1} << effort.log2_grid_limit;
    return {0, kInfinity};
  }

  pld::Expectation expectation(const PlannedStrike& at, std::size_t grid) const {
    return {{{&at.source, epoch_.count()}}, direction_, kPayoff, at.plan, grid};
  }

  pld::Result delta(double epsilon, Effort effort) const {
    const Interval known = cheap(epsilon);
    if (!workable(epsilon) || known.upper < kVanishing) return {known, 0, false};
    // A sum of a few large ratios is cheap to know better than asked.
    effort.width *= 0.45;
    const SaddleGuess start = settled_guess(epsilon);
    if (start.log_delta < kNegligibleLogDelta) effort.log2_grid_limit = 13;
    const double slack = effort.width / start.share;
    PlannedStrike at = setting(epsilon, start.log_delta, kDeltaPad, slack, std::nullopt, effort);
    bool first = true;
    bool replanned = false;
    return pld::refine(
        known, at.plan.grid, effort, 0, [&](const Interval& so_far, std::size_t& grid) {
          // The guess at delta set what truncation may cost; if that was too much, ask for less
          // once.
          if (!first && !replanned) {
            const double known_sum = std::log(so_far.upper) - std::log(scale(epsilon));
            at = setting(epsilon, start.log_delta, kDeltaPad, slack,
                         std::min(known_sum, at.plan.log_value - 4), effort);
            grid = std::min(grid, at.plan.grid);
            replanned = true;
          }
          first = false;
          if (!fits(at, grid)) return give_up(grid, effort);
          const pld::Expectation sum = expectation(at, grid);
          return Interval{lower(sum, epsilon), upper(sum, epsilon)};
        });
  }

  pld::Result epsilon(double target, const Effort& effort) const {
    const auto threshold = [&](double e) { return Interval{cheap(e).lower, cheap(e).lower}; };
    const auto known_batch = [&](double e) {
      const double upper = epoch_.known_batch_upper(direction_, e);
      return Interval{upper, upper};
    };
    const Interval known = {remove() ? invert_decreasing(threshold, target).lower : 0,
                            invert_decreasing(known_batch, target, highest()).upper};
    if (known.upper == 0 || !workable(known.upper)) return {known, 0, false};
    const double log_target = std::log(target);
    double guessed = guess_epsilon(log_target, known);
    double step = 0;  // over which delta changes by a factor e
    const auto settle = [&] {
      const SaddleGuess here = guess(guessed, log_target);
      const double ahead = std::max(1e-3 * guessed, 1e-9);
      const double slope =
          std::max(1e-3, (here.log_delta - guess(guessed + ahead, log_target).log_delta) / ahead);
      step = 1 / slope;
      // Room for a guess that was off, on the side where the strike meets the limit.
      const double pad = std::min(0.3, 0.03 + 3 * step + 0.01 * guessed);
      return setting(guessed, log_target, pad, effort.width * guessed * slope / here.share,
                     std::nullopt, effort);
    };
    PlannedStrike at = settle();
    bool first = true;
    return pld::refine(
        known, at.plan.grid, effort, 0.1 * effort.width,
        [&](const Interval& so_far, std::size_t& grid) {
          const double middle = 0.5 * (so_far.lower + so_far.upper);
          if (!first && so_far.lower > 0.5 * so_far.upper && std::abs(middle - guessed) > step) {
            guessed = middle;
            at = settle();
            grid = std::max(grid / 4, at.plan.grid);
          }
          first = false;
          if (!fits(at, grid)) return give_up(grid, effort);
          const pld::Expectation sum = expectation(at, grid);
          return pld::strike_of([&](double e) { return upper(sum, e); },
                                [&](double e) { return lower(sum, e); }, target, guessed, step);
        });
  }

 private:
  /// Strikes and ratios stay within doubles.
  bool workable(double epsilon) const {
    return epoch_.mu() <= 40 && epsilon + epoch_.log_bins() < kLargestLogRatio;
  }

  double guess_epsilon(double log_target, Interval between) const {
    const auto larger = [&](double epsilon) {
      return guess(epsilon, log_target).log_delta > log_target;
    };
    const Bracket found = bisect({std::max(between.lower, 1e-9 * between.upper), between.upper},
                                 {40, 1e-4}, larger, halfway_in_size);
    return halfway(found.low, found.high);
  }

  const Epoch& epoch_;
  Direction direction_;
};

/// The whole privacy curve of one epoch, h(K) = H(P || Q)(K), from anchors along each direction; an
/// anchor's pair of transforms serves its neighbourhood.
class EpochCurve {
 public:
  /// log_floor: the curve is followed until log h has fallen to it.
  EpochCurve(const Epoch& epoch, double log_floor, const Effort& effort)
      : remove_(epoch, Direction::remove, log_floor, effort),
        add_(epoch, Direction::add, log_floor, effort) {}

  Interval delta(Direction direction, double epsilon) const {
    return (direction == Direction::remove ? remove_ : add_).delta(epsilon);
  }

  double low() const { return -add_.reach(); }
  double high() const { return remove_.reach(); }

  /// The call or the put on the epoch's ratio at K = e^log_k: the one as it is, the other by
  /// parity, call - put = 1 - K.
  Interval operator()(double log_k, Direction direction) const {
    const double line = -std::expm1(log_k);  // 1 - K
    const bool call_known = log_k >= 0;
    Interval known;
    if (call_known) {
      known = remove_.delta(log_k);
    } else {
      known = affine(0, std::exp(log_k), add_.delta(-log_k));
    }
    if (call_known == (direction == Direction::remove)) return known;
    const double shift = call_known ? -line : line;
    return {std::max(0.0, (known.lower + shift) * (1 - 8 * kUnit)),
            (known.upper + shift) * (1 + 8 * kUnit)};
  }

 private:
  class Branch {
   public:
    Branch(const Epoch& epoch, Direction direction, double log_floor, const Effort& effort)
        : side_(epoch, direction) {
      double from = 0;
      double log_delta = side_.settled_guess(0).log_delta;
      double length = std::min(0.1, 0.1 / epoch.mu());
      const double highest = side_.highest();
      while (from < kLargestReach && log_delta > log_floor && anchors_.size() < kMostAnchors) {
        // Where the ratio ends an anchor serves no more than part of what is left of it.
        length = std::min(length, kPartOfRest * (highest - from));
        if (from >= (1 - kLeastRest) * highest) break;
        EpochQuestion::PlannedStrike at =
            side_.setting(from + 0.5 * length, log_delta - 3, 0.5 * length + 1e-3, effort.width,
                          std::nullopt, effort);
        // Planned for the stretch's middle, it serves its beginning, too, which windows of bounded
        // losses may not reach.
        if (std::isfinite(highest))
          at.plan.window =
              std::max(at.plan.window, (1 + 1e-3) * (at.plan.top - side_.strike(from)));
        std::size_t grid = std::min(std::max(at.plan.grid, kLeastAnchorGrid),
                                    std::size_t{1} << effort.log2_grid_limit);
        const auto fits = [&] { return EpochQuestion::fits(at, grid, kMostAnchorCells); };
        while (grid > kLeastAnchorGrid && !fits()) grid /= 2;
        if (!fits()) break;
        anchors_.push_back({from, side_.expectation(at, grid)});
        // The next one where delta has fallen by e^2, by the slope just seen, or by e^5 where that
        // is near: an anchor serves strikes of about one size only.
        const double here = std::log(delta(from).upper);
        const double slope = (here - std::log(delta(from + length).upper)) / length;
        from += length;
        log_delta = here - slope * length;
        const double fall = std::max(slope, 1e-6);
        length =
            std::clamp(std::max(2 / fall, std::min(5 / fall, kNear)), 0.5 * length, 2 * length);
        if (!std::isfinite(log_delta)) break;
      }
      reach_ = from;
    }

    double reach() const { return reach_; }

    Interval delta(double epsilon) const {
      const auto next = std::upper_bound(anchors_.begin(), anchors_.end(), epsilon,
                                         [](double e, const PlannedSum& a) { return e < a.from; });
      if (next == anchors_.begin() || epsilon >= side_.highest()) return side_.cheap(epsilon);
      const pld::Expectation& sum = std::prev(next)->sum;
      return {side_.lower(sum, epsilon), side_.upper(sum, epsilon)};
    }

   private:
    struct PlannedSum {
      double from;
      pld::Expectation sum;
    };
    static constexpr double kLargestReach = 300, kNear = 0.5, kPartOfRest = 0.7, kLeastRest = 2e-3;
    static constexpr std::size_t kMostAnchors = 200, kLeastAnchorGrid = 2048;
    static constexpr double kMostAnchorCells = 1 << 16;

    EpochQuestion side_;
    std::vector<PlannedSum> anchors_;
    double reach_ = 0;
  };

  Branch remove_;
  Branch add_;
};

/// The epoch's curve as a source of steps, made when it is first asked. Not to be copied: the curve
/// refers to the epoch.
class EpochSource : public pld::LateSource {
 public:
  EpochSource(const EpochSource&) = delete;
  EpochSource& operator=(const EpochSource&) = delete;
  EpochSource(Epoch epoch, SeenShare share, double log_floor, const Effort& effort)
      : epoch_(std::move(epoch)), share_(share), log_floor_(log_floor), effort_(effort) {}

  Interval delta(Direction direction, double epsilon) const {
    if (share_.whole()) return made().curve.delta(direction, epsilon);
    const bool remove = direction == Direction::remove;
    const Interval payoff = made().payoff(remove ? epsilon : -epsilon, direction);
    return within_unit(affine(0, remove ? 1 : std::exp(epsilon), payoff));
  }

  double lowest(Direction direction) const override {
    return direction == Direction::remove ? least() : -most();
  }
  double highest(Direction direction) const override {
    return direction == Direction::remove ? most() : -least();
  }
  /// The record's bin and all others have the largest loss of a single one.
  pairs::Cell top(Direction direction) const override {
    const pairs::Pair& pair = epoch_.pair();
    if (!share_.whole() || pair.atoms().empty()) return {};
    const bool remove = direction == Direction::remove;
    const pairs::Cell bin = remove ? pair.cell(pair.kinks().back(), kInfinity)
                                   : pair.cell(-kInfinity, pair.kinks().front());
    const double log_others = (epoch_.bins() - 1) * std::log(bin.q.value);
    const double relative = (epoch_.bins() - 1) * bin.q.error / bin.q.value;
    const double others = std::exp(log_others);
    const double slack = 2 * relative + 8 * kUnit * (2 - log_others);
    const auto with_others = [&](const pairs::Mass& mass) -> pairs::Mass {
      const double value = mass.value * others;
      return {value, mass.error * others + value * slack + kTiny};
    };
    const pairs::Cell all{with_others(bin.p), with_others(bin.q), bin.loss, bin.loss_error};
    return remove ? all : pairs::exchanged(all);
  }
  /// Where losses end they have atoms, with Laplace noise as far on either side of 0.
  double grain() const override { return std::isfinite(most()) && most() == -least() ? most() : 0; }

 private:
  /// Ends of the epoch's losses.
  double least() const {
    const double seen = epoch_.pair().lowest_loss();
    return share_.whole() ? seen : share_.outer(seen) - SeenShare::off(seen);
  }
  double most() const {
    const double seen = epoch_.pair().highest_loss();
    return share_.whole() ? seen : share_.outer(seen) + SeenShare::off(seen);
  }
  struct Made {
    EpochCurve curve;
    SeenShare share;
    pld::CurveSource source;
    explicit Made(const EpochSource& made)
        : curve(made.epoch_, made.log_floor_, made.effort_),
          share(made.share_),
          source([this](double log_k, Direction direction) { return payoff(log_k, direction); },
                 share.outer(curve.low()), share.outer(curve.high()), made.least(), made.most()) {}
    Interval payoff(double log_k, Direction direction) const {
      const auto upper = [&](double at, Direction which) { return curve(at, which).upper; };
      const auto lower = [&](double at, Direction which) { return curve(at, which).lower; };
      return {share.lower(lower, log_k, direction), share.upper(upper, log_k, direction)};
    }
  };
  const pld::Source& source() const override { return made().source; }
  const Made& made() const {
    if (!made_) made_ = std::make_unique<const Made>(*this);
    return *made_;
  }

  Epoch epoch_;
  SeenShare share_;
  double log_floor_;
  Effort effort_;
  mutable std::unique_ptr<const Made> made_;
};

/// Transforms leave about as much open as this, however long they take.
constexpr double kTransformWidth = 1e-7;

/// By the moment function, and by transforms where it leaves more open than asked and than they do.
///   by_contour: asks an inversion.   by_transforms: asks a question.
pld::Result epoch_answer(
    const OneEpoch& e, Direction direction, const Effort& effort,
    const std::function<std::optional<Interval>(contour::Inversion&)>& by_contour,
    const std::function<pld::Result(const EpochQuestion&)>& by_transforms) {
  std::optional<Interval> found;
  if (e.moments) {
    contour::Inversion inversion({{e.moments, 1}}, direction);
    found = by_contour(inversion);
  }
  if (found && contour::is_settled(*found, std::max(effort.width, kTransformWidth)))
    return {*found, 0, false};
  const Epoch epoch(e.bins, e.pair, e.shift);
  pld::Result result = by_transforms(EpochQuestion(epoch, direction));
  if (found) result.value = intersect(result.value, *found);
  return result;
}

/// A hundred approximations, where an answer may be this wide, add up to a hundredth of it.
ReplacedEpoch replaced_of(const OneEpoch& e, double width) {
  constexpr double kMostDigits = -25, kFewestDigits = -14;
  return {static_cast<double>(e.bins), static_cast<double>(e.missing), e.shift,
          std::clamp(std::log(1e-4 * width), kMostDigits, kFewestDigits)};
}

SeenShare share_of(const OneEpoch& e) {
  return {static_cast<double>(e.bins), static_cast<double>(e.missing)};
}

pld::Result whole_delta(const OneEpoch& e, Direction direction, double epsilon,
                        const Effort& effort) {
  return epoch_answer(
      e, direction, effort,
      [&](contour::Inversion& inversion) { return inversion.delta(epsilon, effort.width); },
      [&](const EpochQuestion& question) { return question.delta(epsilon, effort); });
}

pld::Result whole_epsilon(const OneEpoch& e, Direction direction, double delta,
                          const Effort& effort) {
  if (delta >= 1) return {{0, 0}, 0, false};
  return epoch_answer(
      e, direction, effort,
      [&](contour::Inversion& inversion) { return inversion.epsilon(delta, effort.width); },
      [&](const EpochQuestion& question) { return question.epsilon(delta, effort); });
}

/// A call or a put of the seen bins at log K', which may be beyond 1 by rounding: neither grows by
/// more than K' does.
Interval payoff(const OneEpoch& e, Direction direction, double log_k, const Effort& effort,
                pld::Result& kept) {
  const bool call = direction == Direction::remove;
  const double epsilon = call ? log_k : -log_k;
  kept = whole_delta(e, direction, std::max(0.0, epsilon), effort);
  Interval result = affine(0, call ? 1 : std::exp(log_k), kept.value);
  result.upper += 2 * std::max(0.0, -epsilon);
  return result;
}

pld::Result stopped_delta(const OneEpoch& e, Direction direction, double epsilon,
                          const Effort& effort) {
  const SeenShare share = share_of(e);
  pld::Result low, high;
  const double log_k = direction == Direction::remove ? epsilon : -epsilon;
  const double upper = share.upper(
      [&](double at, Direction which) { return payoff(e, which, at, effort, high).upper; }, log_k,
      direction);
  const double lower = share.lower(
      [&](double at, Direction which) { return payoff(e, which, at, effort, low).lower; }, log_k,
      direction);
  const double k = direction == Direction::remove ? 1 : std::exp(epsilon);
  return {within_unit(affine(0, k, {lower, upper})), std::max(low.grid_points, high.grid_points),
          low.limited || high.limited};
}

/// In direction remove delta is q times that of the seen bins, and their epsilon tells the other.
/// In direction add it is q k / (1 - q + q k) times theirs at x = -log k: x is a fixed point of a
/// falling map, and lies between any number and what that is mapped to.
pld::Result stopped_epsilon(const OneEpoch& e, Direction direction, double delta,
                            const Effort& effort) {
  const SeenShare share = share_of(e);
  const double q = share.q();
  const auto seen_at = [&](double target) {
    // A quotient, a product and an exponential of units each.
    constexpr double kRounding = 16 * kUnit;
    const pld::Result low = whole_epsilon(e, direction, target * (1 + kRounding), effort);
    const pld::Result high = whole_epsilon(e, direction, target * (1 - kRounding), effort);
    return pld::Result{{low.value.lower, high.value.upper},
                       std::max(low.grid_points, high.grid_points),
                       low.limited || high.limited};
  };
  pld::Result found = seen_at(delta / q);
  Interval& x = found.value;
  if (direction == Direction::remove) {
    const double low = share.outer(x.lower), high = share.outer(x.upper);
    x = {std::max(0.0, low - SeenShare::off(low)), high + SeenShare::off(high)};
    return found;
  }
  x.lower = 0;
  // Each try is an interval that holds; they close in by factors.
  constexpr int kTries = 12;
  double at = x.upper, last_at = 0, last_excess = x.upper;
  for (int i = 0; i < kTries && x.upper - x.lower > 0.2 * effort.width * x.upper; ++i) {
    const double rest = q * std::exp(-at);
    const pld::Result next = seen_at(delta * (share.rest() + rest) / rest);
    const Interval& image = next.value;
    x = {std::max(x.lower, std::min(at, image.lower)),
         std::min(x.upper, std::max(at, image.upper))};
    found.grid_points = std::max(found.grid_points, next.grid_points);
    found.limited = next.limited;
    const double excess = 0.5 * (image.lower + image.upper) - at;
    const double slope = (excess - last_excess) / (at - last_at);
    last_excess = excess;
    last_at = at;
    at = std::clamp(slope < 0 ? at - excess / slope : 0.5 * (x.lower + x.upper), x.lower, x.upper);
    if (at == last_at) break;
  }
  const double low = share.outer(-x.lower), high = share.outer(-x.upper);
  x = {std::max(0.0, -low - SeenShare::off(low)), -high + SeenShare::off(high)};
  return found;
}

}  // namespace

pld::Result epoch_delta(const OneEpoch& e, Direction direction, double epsilon,
                        const Effort& effort) {
  if (e.replaced) return {replaced_delta(replaced_of(e, effort.width), epsilon), 0, false};
  if (e.whole) return {pairs::one_step(*e.whole, direction, epsilon), 0, false};
  return e.missing > 0 ? stopped_delta(e, direction, epsilon, effort)
                       : whole_delta(e, direction, epsilon, effort);
}

pld::Result epoch_epsilon(const OneEpoch& e, Direction direction, double delta,
                          const Effort& effort) {
  if (e.replaced) return {replaced_epsilon(replaced_of(e, effort.width), delta), 0, false};
  if (e.whole) {
    const auto curve = [&](double epsilon) {
      return pairs::one_step(*e.whole, direction, epsilon);
    };
    return {invert_decreasing(curve, delta), 0, false};
  }
  return e.missing > 0 ? stopped_epsilon(e, direction, delta, effort)
                       : whole_epsilon(e, direction, delta, effort);
}

Steps epoch_steps(const OneEpoch& e, double log_floor, Effort effort) {
  if (e.replaced) return replaced_steps(replaced_of(e, effort.width), log_floor);
  if (e.whole)
    return {std::make_shared<pld::PairSource>(e.whole), 1,
            [whole = e.whole](Direction direction, double epsilon) {
              return pairs::one_step(*whole, direction, epsilon);
            }};
  effort.width = std::min(0.1 * effort.width, 1e-4);
  effort.log2_grid_limit = std::min(effort.log2_grid_limit, kAnchorLog2Grid);
  const auto source = std::make_shared<const EpochSource>(Epoch(e.bins, e.pair, e.shift),
                                                          share_of(e), log_floor, effort);
  Steps steps{source, 1, [source](Direction direction, double epsilon) {
                return source->delta(direction, epsilon);
              }};
  steps.moments = e.missing > 0 ? e.stopped_moments : e.moments;
  steps.curve_is_formula = false;
  return steps;
}

}  // namespace honest_epsilon::balls_and_bins
