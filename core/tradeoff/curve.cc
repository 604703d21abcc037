#include "core/tradeoff/curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/rounding.h"
#include "core/math/normal.h"

namespace honest_epsilon::tradeoff {
namespace {

/// Beyond e^700 no double holds K.
constexpr double kFarthest = 700;

/// A certified value of the call at K = e^log_k.
struct CallValue {
  double log_k;
  Interval value;
};

/// K_b - K_a, with its digits.
double run(double log_a, double log_b) {
  return std::exp(log_a) * std::expm1(log_b - log_a);
}

/// One direction from K = 1 outwards, and the neighbour before.
struct Half {
  CallValue before;
  std::vector<CallValue> samples;
};

Half half(const std::vector<Knot>& knots, Direction direction) {
  const bool remove = direction == Direction::remove;
  Half result;
  result.samples.reserve(knots.size());
  for (const Knot& knot : knots)
    result.samples.push_back({knot.epsilon, remove ? knot.remove : knot.add});
  // h(e^-eps) = 1 - e^-eps + e^-eps delta in the other direction; h(0) = 1 if there is no knot.
  result.before = {-kInfinity, {1, 1}};
  if (knots.size() < 2) return result;
  const double epsilon = knots[1].epsilon;
  const Interval& other = remove ? knots[1].add : knots[1].remove;
  result.before = {-epsilon,
                   within_unit(affine(-std::expm1(-epsilon), std::exp(-epsilon), other, 8))};
  return result;
}

/// The line through `near` and, further off, `far`, continued past `near` by `distance`, rounded
/// down. far_run: the distance between the two.
double continued(const Interval& near, const Interval& far, double distance, double far_run) {
  const double ratio = distance / far_run;
  const double value = near.lower + (near.lower - far.upper) * ratio;
  return value - 8 * kUnit * (near.lower + (near.lower + far.upper) * ratio);
}

/// Cell i of a half, between its samples i and i+1, or beyond the last one.
class HalfCell {
 public:
  HalfCell(const Half& h, std::size_t i)
      : before_(i > 0 ? h.samples[i - 1] : h.before),
        left_(h.samples[i]),
        right_(i + 1 < h.samples.size() ? &h.samples[i + 1] : nullptr),
        after_(i + 2 < h.samples.size() ? &h.samples[i + 2] : nullptr) {}

  /// max(l1, l2, 0) at K = e^log_k, rounded down.
  double floor_at(double log_k) const {
    return std::max({0.0, left_line(log_k), right_line(log_k)});
  }

  /// The chord, or the last value beyond it, rounded up.
  double ceiling_at(double log_k) const {
    if (!right_) return left_.value.upper;
    const double share = run(left_.log_k, log_k) / run(left_.log_k, right_->log_k);
    const double value = left_.value.upper * (1 - share) + right_->value.upper * share;
    return std::min(left_.value.upper, value * (1 + 8 * kUnit));
  }

  /// The support between the knots, at about the point where the lines meet.
  Support corner() const {
    const double log_k = meeting();
    if (right_) return {log_k, std::min(left_line(log_k), right_line(log_k))};
    return {log_k, log_k > left_.log_k ? 0 : left_.value.lower};
  }

  /// How far apart chord and corner are, as a share of what the test gains over guessing (its true
  /// positive rate less its false one), beyond what the knots' own widths leave open;
  /// less, the further the false positive rate is below `resolution`.
  double relative_gap(double resolution, double noise) const {
    if (!right_) return 0;
    const Support at = corner();
    const double open = left_.value.upper * (1 + noise) - left_.value.lower +
                        right_->value.upper * (1 + noise) - right_->value.lower;
    const double chord = ceiling_at(at.epsilon);
    const double alpha =
        (left_.value.upper - right_->value.upper) / run(left_.log_k, right_->log_k);
    const double gain = chord + std::expm1(at.epsilon) * alpha;
    return (chord - at.delta - 2 * open) / (gain + std::exp(at.epsilon) * resolution);
  }

 private:
  double far_left() const {
    return before_.log_k > -kInfinity ? run(before_.log_k, left_.log_k) : std::exp(left_.log_k);
  }

  // The curve falls nowhere steeper than by 1, and never rises.
  double falling() const {
    return std::max(-1.0, (left_.value.lower - before_.value.upper) / far_left());
  }
  double rising() const {
    if (!after_) return 0;
    return std::min(
        0.0, (after_->value.upper - right_->value.lower) / run(right_->log_k, after_->log_k));
  }

  double left_line(double log_k) const {
    const double distance = run(left_.log_k, log_k);
    const double steepest =
        left_.value.lower - distance - 8 * kUnit * (left_.value.lower + distance);
    return std::max(steepest, continued(left_.value, before_.value, distance, far_left()));
  }

  double right_line(double log_k) const {
    if (!right_) return 0;
    if (!after_) return right_->value.lower;
    return std::max(right_->value.lower,
                    continued(right_->value, after_->value, run(log_k, right_->log_k),
                              run(right_->log_k, after_->log_k)));
  }

  /// log K where the lines meet, clamped to the cell.
  double meeting() const {
    if (!right_) {
      // Where the left line falls to zero, any K before that being safe; a curve that is level
      // stays so, being convex.
      if (!(falling() < 0)) return left_.log_k;
      const double reach = left_.value.lower / -falling() * (1 - 1e-12);
      return std::min(kFarthest, left_.log_k + std::log1p(reach * std::exp(-left_.log_k)));
    }
    const double width = run(left_.log_k, right_->log_k);
    const double gap = left_.value.lower - right_->value.lower + rising() * width;
    const double bend = rising() - falling();
    const double distance = bend > 0 ? std::clamp(gap / bend, 0.0, width) : 0;
    return std::min(right_->log_k, left_.log_k + std::log1p(distance * std::exp(-left_.log_k)));
  }

  CallValue before_;
  CallValue left_;
  const CallValue* right_;
  const CallValue* after_;
};

/// A support's line at alpha and its rounding.
double line(const Support& support, double alpha) {
  if (support.epsilon >= 0) return 1 - support.delta - std::exp(support.epsilon) * alpha;
  return std::exp(support.epsilon) * (1 - alpha - support.delta);
}

double line_rounding(const Support& support, double alpha) {
  if (support.epsilon >= 0) return 4 * kUnit * (1 + std::exp(support.epsilon) * alpha);
  return 4 * kUnit * std::exp(support.epsilon);
}

/// 1 - the line, without cancellation where it is small.
double complement(const Support& support, double alpha) {
  if (support.epsilon >= 0) return support.delta + std::exp(support.epsilon) * alpha;
  return -std::expm1(support.epsilon) + std::exp(support.epsilon) * (alpha + support.delta);
}

/// The vertices of the maximum of lines (and of 0) over [0, 1]. The lines come sorted, flattest
/// first.
std::vector<ErrorRates> envelope(const std::vector<Support>& supports) {
  struct Segment {
    const Support* support;
    double from;
  };
  // Steepest first, each from where it overtakes the one before; what is overtaken before it begins
  // is nowhere the maximum.
  std::vector<Segment> pieces;
  for (auto support = supports.rbegin(); support != supports.rend(); ++support) {
    double from = 0;
    bool hidden = false;
    while (!pieces.empty()) {
      const Support& last = *pieces.back().support;
      const double steeper =
          std::exp(support->epsilon) * std::expm1(last.epsilon - support->epsilon);
      const double ahead = line(last, 0) - line(*support, 0);
      hidden = !(steeper > 0) && ahead >= 0;
      from = steeper > 0 ? ahead / steeper : 0;
      if (hidden || from > pieces.back().from) break;
      pieces.pop_back();
    }
    if (pieces.empty()) from = 0;
    if (!hidden && from < 1) pieces.push_back({&*support, from});
  }
  std::vector<ErrorRates> points;
  points.reserve(pieces.size() + 2);
  for (const Segment& piece : pieces) {
    const double value = std::max(0.0, line(*piece.support, piece.from));
    points.push_back(
        {piece.from, points.empty() ? value : std::min(value, points.back().false_negative_rate)});
  }
  // Where the last line reaches zero.
  const Support& last = *pieces.back().support;
  const double zero =
      last.epsilon < 0 ? 1 - last.delta : (1 - last.delta) * std::exp(-last.epsilon);
  if (zero > pieces.back().from && zero < 1) points.push_back({zero, 0});
  points.push_back({1, 0});
  return points;
}

/// About the first epsilon at which both directions are negligible, or no longer fall.
double range_end(const KnotAt& at, const Sampling& sampling) {
  const auto larger = [&](double epsilon) {
    const Knot knot = at(epsilon);
    return maximum(knot.remove, knot.add);
  };
  const double most = std::min(sampling.highest, 500.0);
  double high = std::min(most, 0.5);
  double floor = 0;
  for (Interval here = larger(high); high < most && here.upper > sampling.smallest;) {
    const double next = std::min(most, 2 * high);
    const Interval there = larger(next);
    // The lower end is negligible and the upper one no longer falls: it is what is charged for
    // outright failure.
    constexpr double kLevel = 1e-6;
    if (here.lower <= sampling.smallest && there.upper >= here.upper * (1 - kLevel)) {
      floor = here.upper * (1 + kLevel);
      break;
    }
    high = next;
    here = there;
  }
  if (high == sampling.highest) floor = larger(high).upper;
  const auto negligible = [&](double epsilon) {
    return larger(epsilon).upper <= floor + sampling.smallest;
  };
  while (high > 1e-12 && negligible(high / 4)) high /= 4;
  for (const double share : {0.5, 0.75, 0.875}) {
    if (negligible(share * high)) return share * high;
  }
  return high;
}

std::vector<Knot> with_ends(std::vector<Knot> knots, double Interval::* end) {
  for (Knot& knot : knots) {
    knot.remove = {knot.remove.*end, knot.remove.*end};
    knot.add = {knot.add.*end, knot.add.*end};
  }
  return knots;
}

/// For each cell, how wide its band is.
std::vector<double> gaps_of(const std::vector<Knot>& knots, const Sampling& sampling) {
  std::vector<double> gaps(knots.size() - 1, 0.0);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const Half h = half(knots, direction);
    for (std::size_t i = 0; i < gaps.size(); ++i)
      gaps[i] = std::max(gaps[i], HalfCell(h, i).relative_gap(sampling.resolution, sampling.noise));
  }
  return gaps;
}

/// The cells to be halved: those wider than asked, the widest first where not all may be.
std::vector<std::size_t> wide_cells(const std::vector<Knot>& knots, const Sampling& sampling) {
  std::vector<double> gaps;
  if (sampling.noise > 0) {
    gaps = gaps_of(with_ends(knots, &Interval::lower), sampling);
    const std::vector<double> above = gaps_of(with_ends(knots, &Interval::upper), sampling);
    for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i] = std::max(gaps[i], above[i]);
  } else {
    gaps = gaps_of(knots, sampling);
  }
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (gaps[i] > sampling.width) cells.push_back(i);
  }
  // Not all at once: halving one cell may make its neighbours narrow enough.
  const auto room =
      std::min(static_cast<std::size_t>(sampling.most) - knots.size(), knots.size() / 4);
  if (cells.size() > room) {
    std::vector<double> sorted;
    sorted.reserve(cells.size());
    for (const std::size_t i : cells) sorted.push_back(gaps[i]);
    std::sort(sorted.begin(), sorted.end());
    const double least = sorted[cells.size() - room];
    std::erase_if(cells, [&](std::size_t i) { return gaps[i] < least; });
    cells.resize(room);  // of equal gaps perhaps not all
  }
  return cells;
}

double gaussian_mu(double alpha, double beta) {
  return normal::upper_quantile_estimate(alpha) + normal::upper_quantile_estimate(beta);
}

}  // namespace

std::vector<Knot> sample(const KnotAt& at, const Sampling& sampling) {
  // From here on cells are halved where it pays.
  constexpr int kFirstCells = 8;
  const double high = range_end(at, sampling);
  std::vector<Knot> knots;
  for (int i = 0; i <= kFirstCells; ++i) knots.push_back(at(high * i / kFirstCells));
  while (static_cast<int>(knots.size()) < sampling.most) {
    const std::vector<std::size_t> cells = wide_cells(knots, sampling);
    if (cells.empty()) break;
    std::vector<Knot> finer;
    finer.reserve(knots.size() + cells.size());
    auto next = cells.begin();
    for (std::size_t i = 0; i < knots.size(); ++i) {
      finer.push_back(knots[i]);
      if (next == cells.end() || *next != i) continue;
      finer.push_back(at(0.5 * (knots[i].epsilon + knots[i + 1].epsilon)));
      ++next;
    }
    knots = std::move(finer);
  }
  // Where delta does not vanish, its value at a distant epsilon is part of the curve.
  const Knot& last = knots.back();
  if (std::max(last.remove.lower, last.add.lower) > sampling.smallest)
    knots.push_back(at(last.epsilon + kFarthest / 2));
  return knots;
}

std::vector<Knot> sample_symmetric(const std::function<Interval(double epsilon)>& curve,
                                   const Sampling& sampling) {
  return sample(
      [&](double epsilon) -> Knot {
        const Interval both = curve(epsilon);
        return {epsilon, both, both};
      },
      sampling);
}

std::vector<Knot> symmetrised(std::vector<Knot> knots) {
  for (Knot& knot : knots) knot.remove = knot.add = maximum(knot.remove, knot.add);
  return knots;
}

std::vector<Knot> exchanged(std::vector<Knot> knots) {
  for (Knot& knot : knots) std::swap(knot.remove, knot.add);
  return knots;
}

TradeOffCurve::TradeOffCurve(std::vector<Knot> knots) : knots_(std::move(knots)) {
  // At eps = 0 the two directions are one number.
  Knot& origin = knots_.front();
  origin.remove = origin.add = intersect(origin.remove, origin.add);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const double sign = direction == Direction::remove ? 1 : -1;
    const Half h = half(knots_, direction);
    for (std::size_t i = 0; i < h.samples.size(); ++i) {
      const CallValue& knot = h.samples[i];
      lower_.push_back({sign * knot.log_k, knot.value.upper});
      upper_.push_back({sign * knot.log_k, knot.value.lower});
      const Support corner = HalfCell(h, i).corner();
      upper_.push_back({sign * corner.epsilon, corner.delta});
    }
  }
  for (std::vector<Support>* supports : {&lower_, &upper_})
    std::sort(supports->begin(), supports->end(),
              [](const Support& a, const Support& b) { return a.epsilon < b.epsilon; });
}

Interval TradeOffCurve::false_negative_rate(double alpha) const {
  Interval rate{0, 0};
  for (const Support& s : lower_)
    rate.lower = std::max(rate.lower, line(s, alpha) - line_rounding(s, alpha));
  for (const Support& s : upper_)
    rate.upper = std::max(rate.upper, line(s, alpha) + line_rounding(s, alpha));
  rate.upper = std::min(rate.upper, 1 - alpha);
  rate.lower = std::min(rate.lower, rate.upper);
  return rate;
}

Interval TradeOffCurve::true_positive_rate(double alpha) const {
  Interval rate{1, 1};
  for (const Support& s : upper_)
    rate.lower = std::min(rate.lower, complement(s, alpha) * (1 - 8 * kUnit));
  for (const Support& s : lower_)
    rate.upper = std::min(rate.upper, complement(s, alpha) * (1 + 8 * kUnit));
  rate.lower = std::max(rate.lower, alpha);
  rate.upper = std::max(rate.upper, rate.lower);
  return rate;
}

Interval TradeOffCurve::advantage() const {
  return knots_.front().remove;
}

Interval TradeOffCurve::bayes_success(double prior) const {
  if (prior <= 0 || prior >= 1) return {1, 1};
  const bool rare = prior <= 0.5;
  const double share = rare ? prior : 1 - prior;
  const double epsilon = std::log1p(-share) - std::log(share);
  // log K rounds by a few units; delta falls with it, by less than e^eps of it.
  const double slack = 8 * kUnit * (epsilon + 1);
  const Direction direction = rare ? Direction::remove : Direction::add;
  const double low = delta(direction, epsilon + slack).lower;
  const double high = delta(direction, std::max(0.0, epsilon - slack)).upper;
  return within_unit(affine(1 - share, share, {low, high}));
}

Interval TradeOffCurve::delta(Direction direction, double epsilon) const {
  const auto next =
      std::upper_bound(knots_.begin() + 1, knots_.end(), epsilon,
                       [](double value, const Knot& knot) { return value < knot.epsilon; });
  // A cell and its neighbours.
  const std::ptrdiff_t i = next - knots_.begin() - 1;
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(i - 1, 0);
  const auto last = next + std::min<std::ptrdiff_t>(2, knots_.end() - next);
  const Half h = half({knots_.begin() + first, last}, direction);
  const auto place = static_cast<std::size_t>(i - first);
  if (h.samples[place].log_k == epsilon) return h.samples[place].value;
  const HalfCell cell(h, place);
  const double upper = cell.ceiling_at(epsilon);
  return {std::min(cell.floor_at(epsilon), upper), upper};
}

GaussianBelow TradeOffCurve::gaussian_below(double resolution) const {
  // Quantiles are good to 1e-12; a vertex to a few units, far less than this margin moves G_mu.
  constexpr double kMargin = 1e-9;
  GaussianBelow fit{{0, 0}, 0, resolution};
  std::vector<double> alphas = {resolution};
  for (const ErrorRates& point : lower_points()) {
    if (point.false_positive_rate > resolution && point.false_negative_rate > resolution)
      alphas.push_back(point.false_positive_rate);
  }
  // The range ends where f falls through the resolution, on the line that is highest there.
  double end = 0;
  for (const Support& s : lower_) {
    const double scale = std::exp(-s.epsilon);
    end = std::max(end, (s.epsilon >= 0 ? (1 - s.delta - resolution) * scale
                                        : 1 - s.delta - resolution * scale));
  }
  if (!(end > resolution)) return {{0, kInfinity}, 1, resolution};
  alphas.push_back(end);
  for (const double alpha : alphas) {
    const Interval beta = false_negative_rate(alpha);
    if (beta.lower <= 0) return {{0, kInfinity}, 1, resolution};
    fit.mu.upper = std::max(fit.mu.upper, gaussian_mu(alpha, beta.lower));
    fit.mu.lower = std::max(fit.mu.lower, gaussian_mu(alpha, std::min(beta.upper, 1 - alpha)));
  }
  fit.mu.upper = fit.mu.upper * (1 + kMargin) + 1e-11;
  fit.mu.lower = std::max(0.0, fit.mu.lower * (1 - kMargin) - 1e-11);
  // The misfit is looked for between -6 and 6 standard deviations, at steps of 0.06.
  constexpr int kScan = 200;
  for (int i = 0; i <= kScan; ++i) {
    const double z = -6 + 12.0 * i / kScan;
    const double alpha = normal::upper_tail(z);
    if (alpha < resolution || alpha > end) continue;
    const Interval beta = false_negative_rate(alpha);
    const double excess = 0.5 * (beta.lower + beta.upper) - normal::upper_tail(fit.mu.upper - z);
    fit.misfit = std::max(fit.misfit, excess);
  }
  return fit;
}

std::vector<ErrorRates> TradeOffCurve::lower_points() const {
  return envelope(lower_);
}

std::vector<ErrorRates> TradeOffCurve::upper_points() const {
  return envelope(upper_);
}

}  // namespace honest_epsilon::tradeoff
