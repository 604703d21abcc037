#include "core/samplers/adaptive_attack.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/math/root.h"
#include "core/pairs/normal_cell.h"

namespace honest_epsilon::shuffle {
namespace {

/// Distances between neighbours: a part of the deviation up to so many of them from the centre, and
/// beyond, a part of what is beyond.
struct Grain {
  double near, middle, far;
};

/// How finely an attack is looked at.
struct Fineness {
  double output;                 ///< cells of one output, where increments change slowly
  Grain sums;                    ///< cells of sums
  Grain tangents;                ///< places of tangents
  double choices;                ///< how often the other records choose, at most
  double rare = 0, nothing = 0;  ///< which masses and means are left out
  double decisive = kInfinity;   ///< values above are one cell
};

/// The middle of a law and its deviation, by quantiles: single terms may be huge.
struct Bulk {
  double centre = 0, deviation = 0;

  /// How wide a cell at x may be.
  double width_at(double x, const Grain& grain) const {
    const double beyond = std::abs(x - centre) - grain.middle * deviation;
    return std::max(grain.near * deviation + grain.far * std::max(0.0, beyond),
                    1e-14 * (std::abs(x) + std::abs(centre)) + 1e-30);
  }
};

/// The bulk between the places where a rising weight passes a sixth and five sixths of `whole`.
template <class WeightUpTo>
Bulk bulk_between(const std::vector<double>& places, double whole, WeightUpTo weight_up_to) {
  constexpr double kOutside = 1.0 / 6;
  std::size_t low = 0, high = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double weight = weight_up_to(i);
    if (weight < kOutside * whole) low = i;
    if (weight < (1 - kOutside) * whole) high = i;
  }
  return {0.5 * (places[low] + places[high]), 0.5 * (places[high] - places[low])};
}

/// A cell of increments: its mass and its first moment beyond where it begins, and, with the record
/// in the batch, its masses under P and under Q.
struct CellSums {
  double mass = 0, moment = 0, with = 0, without = 0;
};

/// A law of increments in cells of rising value, from below; the law of several may be marked with
/// the sums over their batches of what a cell has where the record is in that batch.
class Increments {
 public:
  std::vector<double> values, masses;
  std::vector<double> with, without;  ///< where it is marked
  double off = 0;                     ///< what marked masses may be off, relative

  bool marked() const { return !with.empty(); }

  Bulk bulk() const {
    std::vector<double> up_to;
    double sum = 0;
    for (const double mass : masses) up_to.push_back(sum += mass);
    return bulk_between(values, sum, [&](std::size_t i) { return up_to[i]; });
  }

  /// Leaves out what is far below, and rare, and lowers what is far above, and adds next to nothing
  /// to a mean.
  void cut_ends(double rare, double nothing) {
    const double centre = bulk().centre;
    double moment = 0, mass = 0, terms = 0;
    while (values.size() > 1 && values.back() > centre) {
      moment += masses.back() * (values.back() - centre);
      if (!(moment < nothing)) break;
      mass += masses.back();
      terms += 1;
      values.pop_back();
      masses.pop_back();
    }
    masses.back() = (masses.back() + mass) * (1 - (terms + 2) * kUnit);
    std::size_t from = 0;
    for (double sum = masses[0]; sum < rare && from + 1 < values.size(); sum += masses[from])
      ++from;
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(from));
    masses.erase(masses.begin(), masses.begin() + static_cast<std::ptrdiff_t>(from));
  }

  /// Adds a cell that begins at `from`, whose sums have so many terms.
  void add(double from, const CellSums& sums, double terms, bool marks) {
    if (!(sums.mass > kLeastMass)) return;
    const double beyond = sums.moment / sums.mass;
    values.push_back(from + beyond - (2 * terms + 16) * kUnit * beyond -
                     4 * kUnit * (std::abs(from) + beyond));
    masses.push_back(sums.mass * (1 - (terms + 4) * kUnit));
    if (!marks) return;
    with.push_back(sums.with);
    without.push_back(sums.without);
  }

 private:
  static constexpr double kLeastMass = 1e-280;
};

/// (X_p - a X_q) / X_m under N(m), in cells of the output.
Increments of_one_batch(const AttackedEpoch& epoch, double a, double m, const Fineness& fineness,
                        bool marks) {
  // Below, increments are a constant, or so large that a known batch tells as much.
  constexpr double kBelow = 9, kAbove = 9, kFarAbove = 37, kWidening = 4;
  constexpr double kKnown = 1e-3, kKnownWell = 1e-11;
  struct OutputCell {
    double value;
    Charged mass, p, q;
  };
  const double width = fineness.output / (1 + 2 * epoch.mu);
  std::vector<OutputCell> cells;
  Increments result;
  double next = 0;
  for (double y = -epoch.mu - kBelow; y < epoch.mu + (marks ? kAbove : kFarAbove); y = next) {
    next = y + (y < epoch.mu + kAbove ? width : kWidening * width);
    const Charged mass = pairs::normal_mass(y, next, m);
    if (!(mass.error < kKnown * mass.value) || mass.value < 1e-250) continue;
    const Charged p = pairs::normal_mass(y, next, epoch.with);
    const Charged q = pairs::normal_mass(y, next, epoch.without);
    if (marks) {
      const double off = std::max({mass.error / mass.value, p.error / p.value, q.error / q.value});
      if (!(off < kKnownWell)) continue;
      result.off = std::max(result.off, off);
    }
    const double off =
        p.error + a * q.error + (p.value + a * q.value) * (mass.error / mass.value + 16 * kUnit);
    cells.push_back({(p.value - a * q.value - 2 * off) / mass.value, mass, p, q});
  }
  std::sort(cells.begin(), cells.end(),
            [](const OutputCell& x, const OutputCell& y) { return x.value < y.value; });
  for (const OutputCell& cell : cells)
    result.add(cell.value, {cell.mass.lower(), 0, cell.p.value, cell.q.value}, 1, marks);
  return result;
}

/// Neighbouring values in one cell.
Increments merged(const Increments& law, const Fineness& fineness) {
  const Bulk bulk = law.bulk();
  Increments result;
  double most = 0;
  for (std::size_t i = 0; i < law.values.size();) {
    const double from = law.values[i];
    const double to =
        from < fineness.decisive ? from + bulk.width_at(from, fineness.sums) : kInfinity;
    CellSums sums;
    double terms = 0;
    for (; i < law.values.size() && law.values[i] <= to; ++i) {
      sums.mass += law.masses[i];
      sums.moment += law.masses[i] * (law.values[i] - from);
      sums.with += law.marked() ? law.with[i] : 0;
      sums.without += law.marked() ? law.without[i] : 0;
      terms += 1;
    }
    result.add(from, sums, terms, law.marked());
    most = std::max(most, terms);
  }
  result.off = law.off + (2 * most + 16) * kUnit;
  result.cut_ends(fineness.rare, fineness.nothing);
  return result;
}

/// The sum of two independent increments. The second one has the law `low` where the first is below
/// `turn`, and else the law `high`.
Increments sum_of(const Increments& a, const Increments& low, const Increments& high, double turn,
                  const Fineness& fineness) {
  constexpr std::size_t kPairWork = 2;
  work::spend(static_cast<std::int64_t>(kPairWork * a.values.size() *
                                        std::max(low.values.size(), high.values.size())));
  const Bulk first = a.bulk(), second = low.bulk();
  const Bulk bulk{first.centre + second.centre, std::hypot(first.deviation, second.deviation)};
  std::vector<double> ends = {a.values.front() + std::min(low.values.front(), high.values.front())};
  while (ends.back() <= a.values.back() + std::max(low.values.back(), high.values.back()))
    ends.push_back(ends.back() < fineness.decisive
                       ? ends.back() + bulk.width_at(ends.back(), fineness.sums)
                       : kInfinity);
  std::vector<CellSums> cells(ends.size());
  // Of two increments of one law, whichever is the larger comes second.
  const bool alike = &a == &low && &a == &high;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const Increments& b = a.values[i] < turn ? low : high;
    const double at = a.values[i];
    const std::size_t first_of_b = alike ? i : 0;
    auto cell = static_cast<std::size_t>(
        std::upper_bound(ends.begin(), ends.end(), at + b.values[first_of_b]) - ends.begin() - 1);
    for (std::size_t from = first_of_b, to = from; from < b.values.size(); from = to) {
      while (at + b.values[from] >= ends[cell + 1]) ++cell;
      const bool is_diagonal = alike && from == i;
      const std::size_t end = is_diagonal ? from + 1 : b.values.size();
      double mass = 0, moment = 0, with = 0, without = 0;
      for (; to < end && at + b.values[to] < ends[cell + 1]; ++to) {
        mass += b.masses[to];
        moment += b.masses[to] * (at + b.values[to] - ends[cell]);
      }
      for (std::size_t j = from; j < to && a.marked(); ++j) {
        with += b.with[j];
        without += b.without[j];
      }
      const double times = alike && !is_diagonal ? 2 : 1, own = times * a.masses[i];
      CellSums& sums = cells[cell];
      sums.mass += own * mass;
      sums.moment += own * moment;
      if (!a.marked()) continue;
      sums.with += own * with + times * a.with[i] * mass;
      sums.without += own * without + times * a.without[i] * mass;
    }
  }
  Increments result;
  const auto terms =
      static_cast<double>(a.values.size() + std::max(low.values.size(), high.values.size()));
  for (std::size_t i = 0; i < ends.size(); ++i) result.add(ends[i], cells[i], terms, a.marked());
  result.off = a.off + std::max(low.off, high.off) + (2 * terms + 16) * kUnit;
  result.cut_ends(fineness.rare, fineness.nothing);
  return result;
}

Increments sum_of(const Increments& a, const Increments& b, const Fineness& fineness) {
  return sum_of(a, b, b, kInfinity, fineness);
}

/// The sum of `count` independent increments of one law.
Increments sum_of(const Increments& law, double count, const Fineness& fineness) {
  if (count == 1) return law;
  const Increments half = sum_of(law, std::floor(count / 2), fineness);
  Increments whole = sum_of(half, half, fineness);
  return std::fmod(count, 2) == 0 ? whole : sum_of(whole, law, fineness);
}

/// Blocks of batches that share one choice: some may have a batch more than the others.
struct Blocks {
  double count, least, larger;
  /// By the size of the block, and by what the others add.
  std::array<std::array<Increments, 2>, 2> laws;

  Blocks(const AttackedEpoch& epoch, double a, const Fineness& fineness, bool marks)
      : count(std::min(fineness.choices, epoch.batches)),
        least(std::floor(epoch.batches / count)),
        larger(epoch.batches - least * count) {
    for (const bool plus : {false, true}) {
      if (plus && count == 1) continue;  // nothing is known yet
      const double m = plus ? epoch.mu : -epoch.mu;
      const Increments one = merged(of_one_batch(epoch, a, m, fineness, marks), fineness);
      laws[0][plus] = sum_of(one, least, fineness);
      if (larger > 0) laws[1][plus] = sum_of(laws[0][plus], one, fineness);
    }
  }

  /// Whether a block has a batch more, by how many blocks come after it.
  bool is_larger(double after) const { return after >= count - larger; }
};

/// A tangent of V: at z it is `value` at least, and `slope` is its slope, nearly.
struct TangentAt {
  double z, value, slope;
};

/// A lower bound of V: tangents with rising slopes. The first one is 0.
class Tangents {
 public:
  /// off: by which part of itself a slope may be off
  Tangents(const std::vector<TangentAt>& tangents, double off) : off_(off) {
    for (const TangentAt& t : tangents) {
      z_.push_back(t.z);
      slope_.push_back(t.slope);
      // Places at which it is read are rounded, and the slope with them.
      value_.push_back(t.value * (1 - 8 * kUnit) - (off + 8 * kUnit) * t.slope * std::abs(t.z));
    }
    // Any tangent is a bound anywhere; neighbours are exchanged about where they cross.
    for (std::size_t i = 1; i < z_.size(); ++i) {
      const double turn = slope_[i] - slope_[i - 1];
      const double gap = z_[i] - z_[i - 1];
      const double cross = (value_[i - 1] - value_[i] + slope_[i] * gap) / turn;
      ends_.push_back(z_[i - 1] + (turn > 0 ? std::clamp(cross, 0.0, gap) : 0.5 * gap));
    }
    ends_.push_back(kInfinity);
  }

  /// The tangent at z of E V(z + increment), from below.
  TangentAt mean_at(double z, const Increments& law) const {
    TangentAt sum{z, 0, 0};
    const double off = 2 * off_ + 32 * kUnit;
    auto j = static_cast<std::size_t>(
        std::lower_bound(ends_.begin(), ends_.end(), z + law.values.front()) - ends_.begin());
    for (std::size_t i = 0; i < law.values.size(); ++i) {
      const double at = z + law.values[i];
      while (at > ends_[j]) ++j;
      const double rise = slope_[j] * (at - z_[j]);
      const double value = value_[j] + rise - off * std::abs(rise);
      if (!(value > 0)) continue;
      sum.value += law.masses[i] * value;
      sum.slope += law.masses[i] * slope_[j];
    }
    sum.value *= 1 - (static_cast<double>(law.values.size()) + 8) * kUnit;
    return sum;
  }

  /// How much more slopes are off after such a mean.
  double off_after(const Increments& law) const {
    return off_ + (static_cast<double>(law.values.size()) + 8) * kUnit;
  }

 private:
  double off_;
  std::vector<double> z_, value_, slope_, ends_;
};

/// Where adding mu begins to be the better choice: parts by which it is so, summed from above, are
/// then largest. Single ones may mislead, where both choices are worth the same.
double turn_of(std::vector<std::pair<double, double>> gains) {
  std::sort(gains.begin(), gains.end());
  double turn = kInfinity, most = 0, sum = 0;
  for (std::size_t i = gains.size(); i-- > 0;) {
    sum += gains[i].second;
    if (!(sum > most)) continue;
    most = sum;
    turn = gains[i].first;
  }
  return turn;
}

/// The value of the best rule, from below.
struct BestRule {
  double value;
  std::vector<double> turns;  ///< the z from which on the others add mu, block after block
};

///   negligible: a value of V that need not be distinguished from 0
BestRule best_rule(const AttackedEpoch& epoch, double epsilon, Fineness fineness,
                   double negligible) {
  fineness.rare = 1e-6 / epoch.batches;
  fineness.nothing = 0.1 * negligible / epoch.batches;
  const double a = std::exp(epsilon);
  fineness.decisive = 4 * epoch.batches * a / epoch.used;
  const Blocks blocks(epoch, a, fineness, false);
  const double start = -(std::abs(a - 1) + 8 * kUnit * a) * epoch.batches * (1 - epoch.used) /
                       epoch.used * (1 + 16 * kUnit);
  std::vector<TangentAt> tangents = {{-1, 0, 0}, {0, 0, 0}, {1, 1, 1}};
  Tangents value(tangents, 0);
  BestRule rule{0, {}};
  Bulk bulk;  // of what is still to come, with the sign turned
  double left = 0;
  for (double after = 0;; ++after) {
    const bool larger = blocks.is_larger(after);
    const Increments &minus = blocks.laws[larger][0], &plus = blocks.laws[larger][1];
    std::vector<std::pair<double, double>> gains;
    const auto best_at = [&](double z) {
      const TangentAt with_minus = value.mean_at(z, minus);
      if (plus.values.empty()) return with_minus;
      const TangentAt with_plus = value.mean_at(z, plus);
      const double larger_one = std::max(with_plus.value, with_minus.value);
      if (larger_one > 0) gains.push_back({z, (with_plus.value - with_minus.value) / larger_one});
      return with_plus.value > with_minus.value ? with_plus : with_minus;
    };
    if (after == blocks.count - 1) {
      rule.value = best_at(start).value;
      rule.turns.push_back(turn_of(gains));
      std::reverse(rule.turns.begin(), rule.turns.end());
      return rule;
    }
    left += blocks.least + (larger ? 1 : 0);
    const Bulk below = minus.bulk(), above = plus.bulk();
    bulk.centre -= 0.5 * (below.centre + above.centre);
    bulk.deviation = std::hypot(bulk.deviation, std::max(below.deviation, above.deviation));
    const auto width_at = [&](double z) { return bulk.width_at(z, fineness.tangents); };
    // V(z) is at least E z_T, and nearly that where z is large.
    constexpr double kNearly = 1e-4;
    constexpr std::size_t kMost = 4000;
    const double last = left * (a - 1);
    tangents.clear();
    double low = bulk.centre;
    for (; tangents.size() < kMost; low -= width_at(low)) {
      const TangentAt here = best_at(low);
      if (!(here.value > negligible)) break;
      tangents.push_back(here);
    }
    tangents.push_back({low, 0, 0});
    std::reverse(tangents.begin(), tangents.end());
    double high = bulk.centre + width_at(bulk.centre);
    for (; tangents.size() < 2 * kMost; high += width_at(high)) {
      tangents.push_back(best_at(high));
      if (tangents.back().value * (1 - kNearly) < high - last) break;
    }
    high = std::max(high + width_at(high), last * (1 + 16 * kUnit));
    const double rounding = 16 * kUnit * (std::abs(high) + left * (1 + a));
    tangents.push_back({high, high - last - rounding, 1});
    value = Tangents(tangents, std::max(value.off_after(minus), value.off_after(plus)));
    rule.turns.push_back(turn_of(gains));
    std::vector<double> places;
    places.reserve(tangents.size());
    for (const TangentAt& t : tangents) places.push_back(t.z);
    bulk = bulk_between(places, 1, [&](std::size_t i) { return tangents[i].slope; });
  }
}

constexpr Fineness kCoarse{0.3, {0.25, 4, 0.25}, {0.25, 4, 0.25}, 6};
constexpr double kNegligible = 1e-4;       ///< of a value
constexpr double kLeastOfInterest = 1e-3;  ///< delta of an epoch that is one of several

/// What the doubles hold, and where another attack would not see more.
bool is_tried(const AttackedEpoch& epoch, double epsilon) {
  constexpr double kLargestShift = 6, kLargestEpsilon = 200;
  return epoch.mu < kLargestShift && epsilon < kLargestEpsilon;
}

bool is_replaced(const AttackedEpoch& epoch) {
  return epoch.with != 0 && epoch.without != 0;
}

/// Choices are of use among few batches, to a record that is replaced among more, and in direction
/// add.
///   few: how many batches have one choice each
Fineness fine_for(const AttackedEpoch& epoch, double few, double tangents) {
  constexpr double kFewest = 12, kMany = 16;
  const Grain places{tangents, 4, 0.08};
  if (epoch.batches <= few)
    return {0.06, {epoch.batches <= kFewest ? 0.02 : 0.04, 4, 0.08}, places, few};
  // The other direction decides.
  if (epoch.with == 0) return {0.1, {0.15, 6, 0.1}, {0.06, 4, 0.1}, 6};
  // Where many are added, tails far out count.
  return {0.06, {0.1, 8, 0.04}, places, is_replaced(epoch) ? kMany : 1};
}

double lower_at(const AttackedEpoch& epoch, double epsilon, const Fineness& fineness,
                double about) {
  const double negligible = std::max(kNegligible * about * epoch.batches / epoch.used, 1e-30);
  const double value = best_rule(epoch, epsilon, fineness, negligible).value;
  return std::clamp(value * epoch.used / epoch.batches * (1 - 8 * kUnit), 0.0, 1.0);
}

}  // namespace

double adaptive_lower(const AttackedEpoch& epoch, double epsilon) {
  if (!is_tried(epoch, epsilon)) return 0;
  const double about = lower_at(epoch, epsilon, kCoarse, 0);
  constexpr double kFew = 64, kTangents = 0.012;
  return std::max(about, lower_at(epoch, epsilon, fine_for(epoch, kFew, kTangents), about));
}

double adaptive_epsilon(const AttackedEpoch& epoch, double delta, double near, double decided) {
  const auto above = [&](double at, const Fineness& fineness) {
    const double found = is_tried(epoch, at) ? lower_at(epoch, at, fineness, delta) : 0;
    return found > 0 ? std::log(found / delta) : -1e3;
  };
  const auto coarsely = [&](double at) { return above(at, kCoarse); };
  double low = 0, high = near;
  for (; coarsely(high) >= 0; high *= 1.5) low = high;
  if (low == 0 && !(coarsely(0) >= 0)) return 0;
  constexpr double kNear = 0.03;
  const Bracket bracket = shrink(coarsely, low, high, kNear);
  if (bracket.high < decided) return bracket.low;
  const double fall = coarsely(bracket.low) - coarsely(bracket.high);
  double slope = fall / (bracket.high - bracket.low);
  // Newton's steps, then secants, to just below delta.
  constexpr int kTries = 5;
  constexpr double kWithin = 1.5e-3;
  // A delta that is a little off hardly moves epsilon.
  constexpr double kFew = 32, kTangents = 0.05;
  const Fineness fine = fine_for(epoch, kFew, kTangents);
  double at = bracket.low, best = at, last = 0, last_log = 0;
  for (int i = 0; i < kTries; ++i) {
    const double log = above(at, fine);
    if (log >= 0) best = std::max(best, at);
    if (log >= 0 && log < kWithin) break;
    const double secant = (last_log - log) / (at - last);
    if (i > 0 && secant > 0) slope = secant;
    last = at;
    last_log = log;
    at = std::max(0.5 * at, at + (log - 0.5 * kWithin) / slope);
  }
  return best;
}

std::vector<pairs::Cell> adaptive_cells(const AttackedEpoch& epoch, double epsilon) {
  if (!is_tried(epoch, epsilon)) return {};
  constexpr Grain kSums{0.07, 5, 0.1}, kTangents{0.04, 4, 0.1};
  constexpr double kFew = 32, kMany = 16;
  const double most = epoch.batches <= kFew ? kFew : kMany;
  const Fineness fineness{0.06, kSums, kTangents, is_replaced(epoch) ? most : 1};
  const Blocks blocks(epoch, std::exp(epsilon), fineness, true);
  std::vector<double> turns = {kInfinity};
  if (blocks.count > 1)
    turns =
        best_rule(epoch, epsilon, fineness, kNegligible * epoch.batches * kLeastOfInterest).turns;
  Increments sum;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const auto& [minus, plus] =
        blocks.laws[blocks.is_larger(blocks.count - 1 - static_cast<double>(i))];
    if (i == 0)
      sum = 0 < turns[0] ? minus : plus;
    else
      sum = sum_of(sum, minus, plus, turns[i], fineness);
  }
  std::vector<pairs::Cell> result;
  for (std::size_t i = 0; i < sum.values.size(); ++i) {
    const auto of = [&](double marked) {
      const double mass = epoch.used * marked / epoch.batches + (1 - epoch.used) * sum.masses[i];
      return pairs::Mass{mass, mass * (sum.off + 8 * kUnit)};
    };
    result.push_back({of(sum.with[i]), of(sum.without[i])});
  }
  return result;
}

}  // namespace honest_epsilon::shuffle
