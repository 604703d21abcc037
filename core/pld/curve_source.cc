#include "core/pld/curve_source.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/base/work.h"

namespace honest_epsilon::pld {
namespace {

/// What a sample of a curve costs that is not counted where it is found (core/base/work.h).
constexpr std::int64_t kSampleWork = 320;

/// A point of a curve in K. Differences of K are taken as e^a expm1(b - a), so that they keep
/// digits.
struct Vertex {
  double log_k;
  double k;
  double value;
  std::int64_t index;  ///< of the lattice; -1 stands apart for K = 0, see `zero`
  bool zero = false;
};

double run_between(const Vertex& a, const Vertex& b) {
  return a.zero ? b.k : a.k * std::expm1(b.log_k - a.log_k);
}

double slope(const Vertex& a, const Vertex& b) {
  return (b.value - a.value) / run_between(a, b);
}

/// Lower convex hull of points sorted by K (the monotone chain).
std::vector<Vertex> lower_hull(const std::vector<Vertex>& points) {
  std::vector<Vertex> hull;
  for (const Vertex& point : points) {
    while (hull.size() >= 2 &&
           slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), point))
      hull.pop_back();
    hull.push_back(point);
  }
  return hull;
}

double run_between(const CallSample& a, const CallSample& b) {
  return a.k * std::expm1(b.log_k - a.log_k);
}

/// The limits of a curve's slope: a call falls from -1 to 0, a put rises from 0 to 1.
struct Slopes {
  double first;
  double last;
};

/// How far a convex curve can sag below the chord of two neighbours, given the lines that its other
/// points force it to stay above. The four are consecutive; values certified from both sides.
double sag(const CallSample* before, const CallSample& left, const CallSample& right,
           const CallSample* after, const Slopes& ends) {
  const double run = run_between(left, right);
  const double chord = (right.value.upper - left.value.upper) / run;
  // Continuing the chord of the two points before: no steeper than the curve beyond them.
  const double falling =
      before ? (left.value.lower - before->value.upper) / run_between(*before, left) : ends.first;
  const double rising =
      after ? (after->value.upper - right.value.lower) / run_between(right, *after) : ends.last;
  // Lines left.lower + falling x and right.lower - rising (run - x); the gap to the upper chord is
  // largest where they meet.
  const double left_gap = left.value.upper - left.value.lower;
  const double right_gap = right.value.upper - right.value.lower;
  const double bend = rising - falling;
  if (!(bend > 0)) return std::max(left_gap, right_gap);
  const double meet =
      std::clamp((right.value.lower - rising * run - left.value.lower) / -bend, 0.0, run);
  const double at_left_line = left.value.upper + chord * meet - (left.value.lower + falling * meet);
  return std::max({left_gap, right_gap, at_left_line});
}

/// The hull's value at each sample. For a lower law it is lowered so far that its chords stay below
/// the curve.
std::vector<double> heights_of(std::span<const CallSample> samples, bool up, const Slopes& ends) {
  const std::size_t n = samples.size();
  std::vector<double> value(n);
  double sag_before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    value[i] = samples[i].value.upper;
    if (up) continue;
    const double next = i + 1 < n ? sag(i > 0 ? &samples[i - 1] : nullptr, samples[i],
                                        samples[i + 1], i + 2 < n ? &samples[i + 2] : nullptr, ends)
                                  : 0;
    const double gap = samples[i].value.upper - samples[i].value.lower;
    value[i] -= std::max({gap, sag_before, next}) * (1 + 1e-9);
    sag_before = next;
  }
  return value;
}

/// Samples of a lower law, without those where nothing is proved. Empty: none.
struct SampleRange {
  std::size_t begin;
  std::size_t end;
};

/// A lower call ends at zero one sample before it could: the chord to a larger value would not be
/// proved. Samples that do not exceed the asymptote at its other end, 1 - K, say nothing.
SampleRange provable_call(std::span<const CallSample> samples, std::vector<double>& value) {
  const std::size_t n = samples.size();
  std::size_t begin = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (value[i] < -std::expm1(samples[i].log_k)) begin = i + 1;
  }
  std::size_t end = std::min(begin + 1, n);
  while (end < n && value[end] > 0) ++end;
  if (end < begin + 2 || samples[end - 1].k < 1) return {n, n};
  value[end - 1] = 0;
  return {begin, end};
}

/// A lower put starts at zero one sample after it could. Its asymptote is K - 1.
SampleRange provable_put(std::span<const CallSample> samples, std::vector<double>& value) {
  const std::size_t n = samples.size();
  std::size_t begin = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(value[i] > 0)) begin = i + 1;
  }
  if (begin + 1 >= n) return {n, n};
  value[begin] = 0;
  std::size_t end = n;
  for (std::size_t i = n; i-- > begin;) {
    if (value[i] < std::expm1(samples[i].log_k)) end = i;
  }
  if (end < begin + 2 || samples[begin].k > 1) return {n, n};
  return {begin, end};
}

/// The lattice's index where a lower law meets the asymptote beyond its outermost sample: a slope
/// beyond the asymptote's would be more mass than there is. A convex curve lies above the line
/// through two of its points beyond them, here with the least slope that they allow; where that
/// line meets the asymptote, or nearer, a vertex of the hull may be.
///   call: whether it is met below the samples, or above
std::int64_t meets_asymptote(const CallSample& outer, const CallSample& inner, double spacing,
                             std::int64_t outer_index, bool call) {
  // As far as masses are kept, and no number leaves the doubles.
  constexpr double kMostCells = 1 << 20, kFarthest = 600;
  const double slope =
      (outer.value.lower - inner.value.upper) / std::abs(run_between(outer, inner));
  const double line = std::expm1(outer.log_k);
  const double gap = outer.value.lower + (call ? line : -line);
  const double way = gap / (1 - std::clamp(slope, 0.0, 1 - 1e-12)) * (1 - 1e-9) / outer.k;
  const double log_k = outer.log_k + (call ? std::log1p(-std::min(way, 1.0)) : std::log1p(way));
  const double cells = std::clamp(log_k, -kFarthest, kFarthest) / spacing;
  const auto index = static_cast<double>(outer_index);
  return static_cast<std::int64_t>(call ? std::clamp(std::ceil(cells), index - kMostCells, index)
                                        : std::clamp(std::floor(cells), index, index + kMostCells));
}

/// A hull's slopes change by the Q-masses, and a mass times its K is the P-mass. Returns the mass
/// of an infinite loss, at most.
double fill_masses(const std::vector<Vertex>& vertices, const Slopes& ends, Direction direction,
                   bool up, LatticeLaw& law) {
  const bool remove = direction == Direction::remove;
  double before = slope(vertices[0], vertices[1]);
  const double at_zero = std::max(0.0, before - ends.first);  // Q-mass where dP/dQ = 0
  for (std::size_t i = 1; i < vertices.size(); ++i) {
    const double after = i + 1 < vertices.size() ? slope(vertices[i], vertices[i + 1]) : ends.last;
    const double q = std::max(0.0, after - before);
    // Both slopes round by a few units of themselves.
    const double rounding = 8 * kUnit * (std::abs(after) + std::abs(before));
    const double safe = up ? q + rounding : std::max(0.0, q - rounding);
    law.mass[static_cast<std::size_t>(vertices[i].index - law.first)] =
        remove ? safe * vertices[i].k : safe;
    before = after;
  }
  return remove ? std::min(1.0, vertices.back().value * (1 + 4 * kUnit))
                : std::min(1.0, at_zero * (1 + 16 * kUnit));
}

/// A call falls and a put rises: values at one K bound those on one side of it.
void tighten(std::vector<CallSample>& samples, Direction direction) {
  const bool remove = direction == Direction::remove;
  const std::size_t n = samples.size();
  for (std::size_t i = 1; i < n; ++i) {
    CallSample& above = samples[remove ? i : n - 1 - i];
    const CallSample& known = samples[remove ? i - 1 : n - i];
    above.value.upper = std::min(above.value.upper, known.value.upper);
    CallSample& below = samples[remove ? n - 1 - i : i];
    const CallSample& proved = samples[remove ? n - i : i - 1];
    below.value.lower = std::max(below.value.lower, proved.value.lower);
  }
}

/// An end of log U, moved outwards by more than it may be off.
double beyond(double end, double sign) {
  return end + sign * 1e-12 * (1 + std::abs(end));
}

}  // namespace

std::vector<LossNode> CurveSource::nodes(Direction direction) const {
  // Enough for a plan, which is all that nodes serve.
  const LatticeLaw law = upper(direction, (high_ - low_) / 1500, {low_, high_});
  std::vector<LossNode> nodes;
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    if (law.mass[i] > 0) nodes.push_back({law.point(i), std::log(law.mass[i])});
  }
  return merged(std::move(nodes));
}

/// e^-700 and e^700 are near the ends of the doubles' range, and points beyond would underflow. The
/// hull keeps the mass below the first sample; mass above the last one is infinite loss.
constexpr double kLargestLogK = 700;

Interval CurveSource::at(double log_k, Direction direction) const {
  const bool remove = direction == Direction::remove;
  const bool above = log_k > high_;
  if (!above && log_k >= low_) return curve_(log_k, direction);
  // Call and put there: one is at most its value where the curve ends, and 0 beyond the ratio's own
  // end; the other is |1 - K| more.
  const bool over = above ? log_k >= beyond(most_, +1) : log_k <= beyond(least_, -1);
  const double small =
      over ? 0 : curve_(above ? high_ : low_, above ? Direction::remove : Direction::add).upper;
  if (remove == above) return {0, small};
  return affine(std::abs(std::expm1(log_k)), 1, {0, small}, 8);
}

/// The part of the lattice where the curve is followed that lies in the range.
CurveSource::Section CurveSource::section_at(double spacing, Range range, bool up) const {
  const auto in_cells = [spacing](double log_k) {
    return std::clamp(log_k, -kLargestLogK, kLargestLogK) / spacing;
  };
  // An upper law that is followed as far as the ratio goes has its last points just beyond the
  // ends.
  const double below = beyond(least_, -1), above = beyond(most_, +1);
  const double lowest =
      up && std::isfinite(below) ? std::floor(in_cells(below)) : std::ceil(in_cells(low_));
  const double highest =
      std::max(lowest + 2, up && std::isfinite(above) ? std::ceil(in_cells(above))
                                                      : std::floor(in_cells(high_)));
  const double first = std::clamp(std::ceil(in_cells(range.low)) - 1, lowest, highest);
  // A finer lattice would only take longer: the table is then cut, on the safe side, where its
  // losses are largest.
  const double last = std::min({first + 0x1p18, highest, std::floor(in_cells(range.high)) + 1,
                                std::floor(in_cells(kLargestLogK))});
  return {static_cast<std::int64_t>(first), static_cast<std::int64_t>(std::max(first, last))};
}

std::span<const CallSample> CurveSource::samples_at(Direction direction, double spacing,
                                                    Section section) const {
  const auto is_same = [&](const Known& one) {
    return one.direction == direction && one.spacing == spacing;
  };
  auto kept = std::find_if(known_.begin(), known_.end(), is_same);
  if (kept == known_.end()) {
    // Enough for the plans of one question; laws keep no reference to the samples.
    if (known_.size() >= 8) known_.clear();
    known_.push_back({direction, spacing, {}, {}});
    kept = std::prev(known_.end());
  }
  Known& known = *kept;
  const auto [first, last] = section;
  // What lies apart from all that is known takes its place.
  if (known.samples.empty() || first > known.section.last + 1 || last + 1 < known.section.first)
    known = {direction, spacing, {first, first - 1}, {}};
  if (first < known.section.first || last > known.section.last) {
    Known more{direction,
               spacing,
               {std::min(first, known.section.first), std::max(last, known.section.last)},
               {}};
    const auto add = [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t k = from; k <= to; ++k) {
        work::spend(kSampleWork);
        const double log_k = static_cast<double>(k) * spacing;
        more.samples.push_back({log_k, std::exp(log_k), at(log_k, direction)});
      }
    };
    add(more.section.first, known.section.first - 1);
    more.samples.insert(more.samples.end(), known.samples.begin(), known.samples.end());
    add(known.section.last + 1, more.section.last);
    known = std::move(more);
    tighten(known.samples, direction);
  }
  return std::span(known.samples)
      .subspan(static_cast<std::size_t>(first - known.section.first),
               static_cast<std::size_t>(last - first + 1));
}

LatticeLaw CurveSource::law(Direction direction, double spacing, Range range, bool up,
                            double) const {
  const double farthest = std::min(kLargestLogK, std::max(std::abs(low_), std::abs(high_)));
  if (too_fine(farthest, spacing)) return trivial_law(spacing, up);
  const bool remove = direction == Direction::remove;
  const Slopes ends = remove ? Slopes{-1, 0} : Slopes{0, 1};
  const Section section = section_at(spacing, range, up);
  // A lower law that was cut before it reaches the range holds nothing that matters.
  if (!up && !(static_cast<double>(section.last) * spacing > range.low))
    return trivial_law(spacing, up);
  const std::span<const CallSample> samples = samples_at(direction, spacing, section);
  std::vector<double> value = heights_of(samples, up, ends);
  SampleRange proved{0, samples.size()};
  if (!up) proved = remove ? provable_call(samples, value) : provable_put(samples, value);
  if (proved.begin >= proved.end) return trivial_law(spacing, up);
  const auto at_index = [&](std::int64_t index, double height) {
    const double log_k = static_cast<double>(index) * spacing;
    return Vertex{log_k, std::exp(log_k), height, index, false};
  };
  std::vector<Vertex> points = {{-kInfinity, 0, remove ? 1.0 : 0.0, -1, true}};
  for (std::size_t i = proved.begin; i < proved.end; ++i)
    points.push_back(at_index(section.first + static_cast<std::int64_t>(i), value[i]));
  if (!up) {
    const std::size_t outer = remove ? proved.begin : proved.end - 1;
    const std::size_t inner = remove ? outer + 1 : outer - 1;
    Vertex& outermost = remove ? points[1] : points.back();
    const std::int64_t met =
        meets_asymptote(samples[outer], samples[inner], spacing, outermost.index, remove);
    const double log_k = static_cast<double>(met) * spacing;
    const Vertex vertex = at_index(met, remove ? -std::expm1(log_k) : std::expm1(log_k));
    // An asymptote is below 0 beyond K = 1, and no end of a curve.
    if (!(vertex.value >= 0)) return trivial_law(spacing, up);
    if (met == outermost.index) {
      outermost = vertex;
    } else {
      points.insert(remove ? points.begin() + 1 : points.end(), vertex);
    }
  }
  LatticeLaw result;
  result.spacing = spacing;
  result.first = std::min(section.first, points[1].index);
  const std::int64_t last =
      std::max(section.first + static_cast<std::int64_t>(samples.size()) - 1, points.back().index);
  result.mass.assign(static_cast<std::size_t>(last - result.first + 1), 0.0);
  const double infinite = fill_masses(lower_hull(points), ends, direction, up, result);
  if (up) result.infinite = infinite;
  return remove ? result : mirrored(std::move(result));
}

}  // namespace honest_epsilon::pld
