#include "core/samplers/swap_sum.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/base/ball.h"
#include "core/base/work.h"
#include "core/math/constants.h"
#include "core/math/portable.h"
#include "core/math/root.h"

namespace honest_epsilon::shuffle {
namespace {

/// t s^2: widens the sum by a hundredth of what is found.
constexpr double kBlur = 0.025;

/// The last point's exponent in the Gaussian factor.
constexpr double kLastExponent = 10;

/// From one line to the next, of s.
constexpr double kRatio = 1.7;

/// A law's least deviation, of its largest value: one value alone has none.
constexpr double kLeastDeviation = 1e-9;

/// Terms that take as long as a unit of work.
constexpr std::int64_t kTermsPerUnit = 8;

/// A power that overflows, as an exponent.
constexpr double kLargestPower = 600;

/// Moments of a law at equally spaced heights over one place of the real axis.
struct LawMoments {
  std::vector<Complex> at;
  double error;  ///< of each, absolutely
};

/// E e^(z w scale) for z = s + i j height, j < count: from one point to the next each value's
/// factor is turned by an angle, which rounds by 6 units and by those of the angle.
LawMoments moments_of(const GridLaw& law, double scale, double s, double height,
                      std::size_t count) {
  const std::size_t size = law.values.size();
  const auto turns = static_cast<double>(count);
  work::spend(static_cast<std::int64_t>(size * count) / kTermsPerUnit);
  std::vector<double> re(size), im(size, 0.0), cosine(size), sine(size);
  LawMoments result{std::vector<Complex>(count), 0};
  for (std::size_t i = 0; i < size; ++i) {
    const double w = scale * law.values[i], angle = height * w;
    re[i] = law.masses[i] * std::exp(s * w);
    cosine[i] = std::cos(angle);
    sine[i] = std::sin(angle);
    result.error +=
        re[i] * kUnit *
        (16 + 4 * std::abs(s * w) + turns * (16 + 4 * std::abs(angle)) + static_cast<double>(size));
  }
  for (std::size_t j = 0; j < count; ++j) {
    result.at[j] = {portable::sum(re), portable::sum(im)};
    for (std::size_t i = 0; i < size; ++i) {
      const double next = re[i] * cosine[i] - im[i] * sine[i];
      im[i] = re[i] * sine[i] + im[i] * cosine[i];
      re[i] = next;
    }
  }
  return result;
}

/// A law whose options are no less dear than those of W and of theta W: max(W, min(theta W, c)).
/// Below c it has the slopes of theta W's options, from c on those of W's. It serves for any c <= 0
/// from which on W's options are the dearer ones: at 0 they are, and as c falls the price of theta
/// W's, less that of W's, rises at the rate Pr[c / theta < W <= c].
GridLaw raised_law(const GridLaw& law, double theta) {
  const auto price = [&](double factor, double strike) {
    double sum = 0;
    for (std::size_t i = 0; i < law.values.size(); ++i)
      sum += law.masses[i] * std::max(0.0, factor * law.values[i] - strike);
    return sum;
  };
  // Prices round by a few hundred units.
  constexpr double kSurely = 1 - 1e-12;
  const auto theta_is_dearer = [&](double strike) {
    return price(theta, strike) > kSurely * price(1, strike);
  };
  const Bracket below{std::min(0.0, law.values.front()), 0};
  const double c = bisect(below, {40, 0, 1e-9 * -below.low}, theta_is_dearer).high;
  GridLaw raised = law;
  for (double& w : raised.values) w = std::max(w, std::min(theta * w * (1 - 2 * kUnit), c));
  return raised;
}

/// Leaves out the last terms that are far below the largest, given as logarithms.
///   what they add up to, at most
double left_out_of(std::vector<double>& terms, double largest) {
  constexpr double kFarBelow = 40;
  const std::size_t all = terms.size();
  while (terms.size() > 1 && terms.back() < largest - kFarBelow) terms.pop_back();
  return static_cast<double>(all - terms.size()) * std::exp(largest - kFarBelow);
}

}  // namespace

SwapSum::SwapSum(const GridLaw& law, const GridLaw& first, const SwapScale& scale, double theta)
    : law_(law),
      first_(first),
      raised_(raised_law(law, theta)),
      largest_(scale.largest),
      theta_(theta),
      window_(12 - std::log(std::min(scale.about, 1.0))) {
  // From where the sum or its largest term decides to where only small ones do.
  const double widest = std::max(law.values.back(), -law.values.front());
  const double deviation = std::max({deviation_of(law), kLeastDeviation * widest, kTiny});
  lowest_s_ = 0.4 / std::max(law.values.back(), std::sqrt(1 + scale.usual) * deviation);
  const double highest = std::max(8 / deviation, 2 * lowest_s_);
  lines_.resize(1 + static_cast<std::size_t>(std::log(highest / lowest_s_) / std::log(kRatio)));
  usual_ = lines_.size() / 2;
  usual_in_.fill({Way::moduli, true, usual_, usual_});
}

const SwapSum::SwapLine& SwapSum::line(std::size_t i) {
  if (lines_[i]) return *lines_[i];
  const double s = lowest_s_ * std::pow(kRatio, static_cast<double>(i));
  const double length = window_ / s, spacing = kTwoPi / length, blur = kBlur / (s * s);
  const double top = s * std::sqrt(2 * kLastExponent / kBlur);
  const auto count = static_cast<std::size_t>(std::ceil(top / spacing)) + 1;
  const LawMoments one = moments_of(law_, 1, s, spacing, count);
  const LawMoments theta = moments_of(law_, theta_, s, spacing, count);
  const LawMoments raised = moments_of(raised_, 1, s, spacing, count);
  const LawMoments first = moments_of(first_, 1 / largest_, s, spacing, count);
  const auto append = [](LineNumbers& to, Complex value, double error) {
    const double size = modulus(value) + error;
    to.log.push_back(std::log(size));
    to.turn.push_back(std::arg(value));
    // A power n of the number and one of `size` at its computed angle are n 2 error / size apart.
    to.error.push_back(2 * error / size);
  };
  const auto log_weight = [&](double height) {
    return 0.5 * blur * (s * s - height * height) - std::log(s * s + height * height);
  };
  SwapLine line;
  line.s = s;
  for (std::size_t j = 0; j < count; ++j) {
    const double height = static_cast<double>(j) * spacing;
    const Complex a = one.at[j], b = theta.at[j];
    line.height.push_back(height);
    line.weight.log.push_back(log_weight(height) + std::log((j > 0 ? 2 : 1) / length));
    line.weight.turn.push_back(blur * s * height - 2 * std::atan2(height, s));
    append(line.first, first.at[j], first.error);
    append(line.one, a, one.error);
    append(line.theta, b, theta.error);
    line.log_apart.push_back(std::log(modulus(a - b) + one.error + theta.error));
    append(line.raised, raised.at[j], raised.error);
  }
  const double end = line.height.back();
  line.log_rest = 0.5 * blur * (s * s - end * end) - std::log(kPi * blur * end * end * end);
  return lines_[i].emplace(std::move(line));
}

/// The sum over a line, and what it may be off by.   x: one value of it instead of its mean
Charged SwapSum::sum_at(const SwapLine& line, const Counts& counts, std::optional<double> x) const {
  const std::size_t size = line.height.size();
  work::spend(static_cast<std::int64_t>(size) / kTermsPerUnit);
  const double n = counts.one + counts.theta + counts.raised, first = x ? 0 : 1, at = x.value_or(0);
  const auto over = [&](std::vector<double> LineNumbers::* part, std::size_t j) {
    return counts.one * (line.one.*part)[j] + counts.theta * (line.theta.*part)[j] +
           counts.raised * (line.raised.*part)[j] + first * (line.first.*part)[j];
  };
  std::vector<double> terms(size), cosines(size), errors(size);
  for (std::size_t j = 0; j < size; ++j) {
    terms[j] = over(&LineNumbers::log, j) + line.weight.log[j] + at * line.s;
    cosines[j] = over(&LineNumbers::turn, j) + line.weight.turn[j] + at * line.height[j];
    errors[j] = over(&LineNumbers::error, j) +
                (512 + 16 * n + 8 * (std::abs(terms[j]) + std::abs(cosines[j]))) * kUnit;
  }
  if (!(terms.front() < kLargestPower)) return {kInfinity, 0};
  const double rest = std::exp(terms.front() - line.weight.log.front() + line.log_rest) +
                      left_out_of(terms, terms.front());
  cosines.resize(terms.size());
  errors.resize(terms.size());
  portable::exp_affine(terms, 1, 0, terms);
  portable::cosine(cosines, cosines);
  return {portable::sum_of_products(terms, cosines),
          (portable::sum_of_products(terms, errors) + rest) * (1 + 1e-9) + kTiny};
}

/// The sum of moduli where x is largest, from above.
///   power_at: the logarithm of the modulus of a point's moments;   most: none is larger
template <class Power>
double SwapSum::moduli(const SwapLine& line, Power power_at, double most) const {
  const double at_most = line.s * first_.values.back() / largest_;
  std::vector<double> terms(line.height.size());
  work::spend(static_cast<std::int64_t>(terms.size()) / kTermsPerUnit);
  for (std::size_t j = 0; j < terms.size(); ++j)
    terms[j] = power_at(j) + line.weight.log[j] + at_most;
  if (!(most + line.weight.log.front() + at_most < kLargestPower)) return kInfinity;
  const double rest = std::exp(most + at_most + line.log_rest) +
                      left_out_of(terms, most + line.weight.log.front() + at_most);
  portable::exp_affine(terms, 1, 0, terms);
  // Logarithms round by 4 units, and at most 1e7 of them are added.
  return (portable::sum(terms) + rest) * (1 + 1e-8);
}

/// At most by how much the sum rises for each of up to `to` factors that are theta, where x is
/// largest: with A and B the moments of W and theta W,
///   |A^(n-i) B^i - A^n| <= i |A|^(n-1) |B - A| max(1, |B / A|)^(i-1).
double SwapSum::rise(const SwapLine& line, double n, double to) const {
  const auto power_at = [&](std::size_t j) {
    return (n - 1) * line.one.log[j] +
           (to - 1) * std::max(0.0, line.theta.log[j] - line.one.log[j]);
  };
  const double most =
      std::log(std::exp(line.one.log.front()) + std::exp(line.theta.log.front())) + 1e-9;
  return moduli(
      line, [&](std::size_t j) { return power_at(j) + line.log_apart[j]; }, power_at(0) + most);
}

/// At most the sum for i factors that are theta, where x is largest: the sum of moduli, whose
/// logarithm is convex in i, as is that of its quotient by i.
double SwapSum::modulus_at(const SwapLine& line, double n, double i) const {
  const auto power_at = [&](std::size_t j) {
    return (n - i) * line.one.log[j] + i * line.theta.log[j];
  };
  return moduli(line, power_at, power_at(0));
}

double SwapSum::mean_upper(double n, double few) {
  const auto sum = [&](std::size_t i, const Counts& counts) {
    return sum_at(line(i), counts, std::nullopt).upper();
  };
  const Lowest mean =
      downhill(usual_, lines_.size(), [&](std::size_t i) { return sum(i, {n, 0, 0}); });
  usual_ = mean.place;
  if (!(mean.value < kInfinity)) return kInfinity;
  // Ends of cells of the number of factors that are theta, as parts of n.
  constexpr std::array kParts = {0.01, 0.025, 0.05, 0.1,  0.2,  0.35, 0.5, 0.65,
                                 0.75, 0.83,  0.89, 0.93, 0.96, 0.98, 1.0};
  constexpr std::array<std::size_t, 4> kBlocks = {0, 4, 7, 14};
  const auto end_of = [&](std::size_t cell) { return std::ceil(kParts[cell] * n); };
  const double least_x = first_.values.front() / largest_, most_x = first_.values.back() / largest_;
  // Up to an end: were i terms raised ones, which are no less than W, the sum would rise by an
  // amount that is convex in i and rises in x.
  const SwapLine& best = line(mean.place);
  const double at_most_x = sum_at(best, {n, 0, 0}, most_x).lower();
  // Of sums that overflow there are no differences.
  if (!(at_most_x < kInfinity)) return kInfinity;
  const auto in_place = [&](double to) {
    return std::min((sum_at(best, {n - to, 0, to}, most_x).upper() - at_most_x) / to,
                    rise(best, n, to));
  };
  double slope = in_place(end_of(0));
  // In the other cells the sum is no larger than that of moduli, or of raised terms.
  const double floor = std::max(0.0, sum_at(best, {n, 0, 0}, least_x).lower());
  const auto in_moduli = [&](std::size_t i, double from, double to) {
    return std::max(modulus_at(line(i), n, from) / from, modulus_at(line(i), n, to) / to);
  };
  const auto in_raised = [&](std::size_t i, double from, double to) {
    const Charged raised = sum_at(line(i), {n - to, from, to - from}, most_x);
    return std::max(0.0, raised.upper() - floor) / from;
  };
  constexpr double kSmallShare = 0.01;
  const auto decided = [&](double most) {
    return most <= slope || most * few <= kSmallShare * mean.value;
  };
  const auto sought = [&](const auto& way, std::size_t& nearby, double from, double to) {
    const Lowest lowest =
        downhill(nearby, lines_.size(), [&](std::size_t i) { return way(i, from, to); });
    nearby = lowest.place;
    return lowest.value;
  };
  const auto consider = [&](std::size_t block, std::size_t cell) {
    Usual& usual = usual_in_[block];
    const double from = end_of(cell), to = end_of(cell + 1);
    if (from == to) return;
    double most = kInfinity;
    const auto attempt = [&](Way way) {
      most = std::min(most, way == Way::in_place ? in_place(to)
                            : way == Way::raised ? in_raised(usual.raised, from, to)
                                                 : in_moduli(usual.moduli, from, to));
      if (decided(most)) usual.way = way;
      return decided(most);
    };
    if (!attempt(usual.way) && !attempt(Way::moduli) && !attempt(Way::in_place) &&
        !attempt(Way::raised)) {
      most = std::min({most, sought(in_raised, usual.raised, from, to),
                       sought(in_moduli, usual.moduli, from, to)});
    }
    if (most > slope) worst_ = {block, cell};
    slope = std::max(slope, most);
  };
  // The worst for the n before comes first, and few others are worse.
  consider(worst_.first, worst_.second);
  for (std::size_t block = kBlocks.size() - 1; block-- > 0;) {
    Usual& usual = usual_in_[block];
    // Quotients of moduli are convex over a whole block.
    const double begin = end_of(kBlocks[block]), end = end_of(kBlocks[block + 1]);
    double whole = begin == end ? 0 : in_moduli(usual.moduli, begin, end);
    if (!decided(whole) && usual.as_one) whole = sought(in_moduli, usual.moduli, begin, end);
    usual.as_one = decided(whole);
    if (usual.as_one) continue;
    for (std::size_t cell = kBlocks[block + 1]; cell-- > kBlocks[block];) consider(block, cell);
  }
  return mean.value + std::max(slope * few, kSmallShare * mean.value);
}

}  // namespace honest_epsilon::shuffle
