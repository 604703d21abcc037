#include "core/pairs/shift_mixture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/math/constants.h"
#include "core/math/normal.h"
#include "core/math/root.h"
#include "core/pairs/normal_cell.h"

namespace honest_epsilon::pairs {
namespace {

/// Terms e^-100 of the largest one are left out: a thousand of them are below a unit even of a loss
/// of 1e-20.
constexpr double kNegligibleNats = 100;

constexpr int kTable = 512;

/// log of the density ratio N(s)/N(0) at z, s the j-th shift.
double exponent(const ShiftWeights& weights, std::size_t j, double z) {
  const double s = weights.shift(j);
  return s * (z - 0.5 * s);
}

double log_term(const ShiftWeights& weights, std::size_t j, double z) {
  return weights.log_weight[j] + exponent(weights, j, z);
}

/// What a shift adds to a sum (core/base/work.h): two exponentials, and its place in the window.
constexpr std::int64_t kShiftWork = 12;
void spend(std::size_t shifts) {
  work::spend(kShiftWork * static_cast<std::int64_t>(shifts));
}

/// Indices of shifts, both included.
struct ShiftRange {
  std::size_t first;
  std::size_t last;
};

/// The shifts that matter at z. Log terms are concave in j, so that the largest is found by
/// bisection.
ShiftRange window_at(const ShiftWeights& weights, double z) {
  const std::size_t n = weights.log_weight.size();
  if (!std::isfinite(z)) {
    const std::size_t end = (z < 0) == (weights.step > 0) ? 0 : n - 1;
    return {end, end};
  }
  std::size_t low = 0;
  std::size_t high = n - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (log_term(weights, middle + 1, z) > log_term(weights, middle, z)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const double least = log_term(weights, low, z) - kNegligibleNats;
  ShiftRange window{low, low};
  while (window.first > 0 && log_term(weights, window.first - 1, z) > least) --window.first;
  while (window.last + 1 < n && log_term(weights, window.last + 1, z) > least) ++window.last;
  return window;
}

/// The shifts that matter anywhere on [low, high]: the relevant range of j moves monotonically with
/// z.
ShiftRange window_over(const ShiftWeights& weights, double low, double high) {
  const ShiftRange a = window_at(weights, low);
  const ShiftRange b = low == high ? a : window_at(weights, high);
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

using Log = GaussianMixture::Log;

/// The factor of a cell's mass under a shift: e^exponent (1 + rest).
struct Factor {
  double exponent;
  double rest;
  double error;  ///< relative
};

/// log sum_j w_j e^{x_j} (1 + r_j).   z: where the window's terms were weighed.
template <class FactorOf>
Log log_sum(const ShiftWeights& weights, const ShiftRange& window, double z, FactorOf factor_of) {
  spend(window.last - window.first + 1);
  double largest = -kInfinity;
  for (std::size_t j = window.first; j <= window.last; ++j)
    largest = std::max(largest, log_term(weights, j, z));
  double sum = 0;
  double error = 0;
  double shifts = 0;
  for (std::size_t j = window.first; j <= window.last; ++j) {
    const Factor f = factor_of(j);
    const double size = weights.log_weight[j] + f.exponent - largest;
    const double term = std::exp(size) * (1 + f.rest);
    sum += term;
    error += term * (f.error + weights.error[j] + 2 * kUnit * (4 + std::abs(size)));
    shifts += term * weights.shift(j);  // the slope is the mean shift, given z
  }
  const double value = largest + std::log(sum);
  return {value, error / sum + 4 * kUnit * (1 + std::abs(largest) + std::abs(value)), shifts / sum};
}

/// Rounding of an exponent s (z - s/2).
double exponent_error(double s, double z) {
  return 4 * kUnit * std::abs(s) * (std::abs(z) + std::abs(s));
}

/// Of the densities at z.
Log log_density_ratio(const ShiftWeights& weights, double z) {
  return log_sum(weights, window_at(weights, z), z, [&](std::size_t j) {
    return Factor{exponent(weights, j, z), 0, exponent_error(weights.shift(j), z)};
  });
}

/// Of the masses of a narrow cell.
Log log_narrow_ratio(const ShiftWeights& weights, const ShiftRange& window, double centre,
                     double half) {
  const double plain = narrow_integral(centre, half);
  return log_sum(weights, window, centre, [&](std::size_t j) {
    const double s = weights.shift(j);
    if (s == 0) return Factor{0, 0, 0};
    const double rest = narrow_integral(centre - s, half) / plain - 1;
    return Factor{exponent(weights, j, centre), rest, exponent_error(s, centre) + 8 * kUnit};
  });
}

double farthest(const ShiftWeights& weights, const ShiftRange& window, double z) {
  return std::max(std::abs(z - weights.shift(window.first)),
                  std::abs(z - weights.shift(window.last)));
}

/// A wide cell's mass.
Mass wide(const ShiftWeights& weights, double low, double high) {
  const ShiftRange window = window_over(weights, low, high);
  spend(window.last - window.first + 1);
  double sum = 0;
  double error = 0;
  for (std::size_t j = window.first; j <= window.last; ++j) {
    const double weight = std::exp(weights.log_weight[j]);
    if (!(weight > 0)) continue;  // kTiny stands for these
    const double rounding = weights.error[j] + 4 * kUnit * (1 + std::abs(weights.log_weight[j]));
    const Mass mass = normal_mass(low, high, weights.shift(j));
    sum += weight * mass.value;
    error += weight * (mass.error + rounding * mass.value);
  }
  return {sum, error + 4 * kUnit * sum + kTiny};
}

}  // namespace

bool mirrored(const ShiftWeights& a, const ShiftWeights& b) {
  return a.step == -b.step && a.log_weight == b.log_weight;
}

ShiftWeights shifts_of(const Records& records, double step) {
  if (records.q >= 1) return {step * static_cast<double>(records.count), {-kInfinity, 0}, {0, 0}};
  RecordWeights weights = record_weights(records);
  return {step, std::move(weights.log), std::move(weights.error)};
}

GaussianMixture::GaussianMixture(ShiftWeights p, ShiftWeights q)
    : p_(std::move(p)), q_(std::move(q)), symmetric_(mirrored(p_, q_)) {
  for (int i = 0; i <= kTable; ++i) table_.push_back(loss(reach() * (2.0 * i / kTable - 1)));
}

double GaussianMixture::feature() const {
  return 1 / std::max({1.0, std::abs(p_.step), std::abs(q_.step)});
}

Cell GaussianMixture::cell(double low, double high) const {
  if (!(high > low)) return {};
  const double half = 0.5 * (high - low);
  const double centre = 0.5 * (low + high);
  if (!((std::abs(centre) + 4) * half <= kNarrow))
    return of_masses(wide(p_, low, high), wide(q_, low, high));
  const ShiftRange p = window_over(p_, low, high);
  const ShiftRange q = window_over(q_, low, high);
  const double far = std::max({std::abs(centre), farthest(p_, p, centre), farthest(q_, q, centre)});
  if (!((far + 4) * half <= kNarrow)) return of_masses(wide(p_, low, high), wide(q_, low, high));
  return narrow_cell(centre, half, log_narrow_ratio(p_, p, centre, half),
                     log_narrow_ratio(q_, q, centre, half));
}

Cell GaussianMixture::narrow_cell(double centre, double half, const Log& p, const Log& q) {
  Cell cell;
  cell.loss = p.value - q.value;
  // The sliver by which the float centre misses the middle counts, too.
  cell.loss_error = p.error + q.error + 4 * kUnit * std::abs(cell.loss) +
                    4 * kUnit * std::abs(centre) * (p.slope - q.slope);
  const double sliver = 4 * kUnit * std::abs(centre) * (std::abs(centre) + 1 / half);
  const auto mass = [&](const Log& ratio) -> Mass {
    const double plain = 2 * half * narrow_integral(centre, half);
    if (std::abs(centre) <= 37) {
      const double value = plain * normal::pdf(centre) * std::exp(ratio.value);
      return {value, value * (normal::kRelativeError + sliver + ratio.error +
                              4 * kUnit * (4 + std::abs(ratio.value))) +
                         kTiny};
    }
    const double log = std::log(plain) - 0.5 * centre * centre - kHalfLogTwoPi + ratio.value;
    const double value = std::exp(log);
    return {value, value * (sliver + ratio.error +
                            4 * kUnit * (4 + centre * centre + std::abs(ratio.value))) +
                       kTiny};
  };
  cell.p = mass(p);
  cell.q = mass(q);
  return cell;
}

double GaussianMixture::loss(double z) const {
  if (std::isinf(z)) return z > 0 ? highest_loss() : lowest_loss();
  return std::max(lowest_loss(), log_density_ratio(p_, z).value - log_density_ratio(q_, z).value);
}

double GaussianMixture::slope(double z) const {
  if (std::isinf(z)) return 0;
  return log_density_ratio(p_, z).slope - log_density_ratio(q_, z).slope;
}

double GaussianMixture::position(double loss) const {
  if (loss <= lowest_loss()) return -kInfinity;
  if (loss == kInfinity) return kInfinity;
  const auto above = std::upper_bound(table_.begin(), table_.end(), loss);
  const double spacing = 2 * reach() / kTable;
  double low = -reach() + spacing * static_cast<double>(above - table_.begin() - 1);
  double high = low + spacing;
  // Beyond the table: P, or Q, has no mass that far out of all shifts.
  const double end = 2 * reach() + std::max(p_.shift(p_.log_weight.size() - 1),
                                            -q_.shift(q_.log_weight.size() - 1));
  if (above == table_.end()) {
    for (high = 2 * reach(); this->loss(high) < loss; high *= 2) {
      if (high > end) return kInfinity;
      low = high;
    }
  } else if (above == table_.begin()) {
    for (low = -2 * reach(); this->loss(low) > loss; low *= 2) {
      if (low < -end) return -kInfinity;
      high = low;
    }
  }
  double z = 0.5 * (low + high);
  if (above != table_.end() && above != table_.begin())
    z = low + spacing * (loss - *(above - 1)) / (*above - *(above - 1));
  return newton({low, high}, z, [&](double at) {
    const Log p = log_density_ratio(p_, at);
    const Log q = log_density_ratio(q_, at);
    const double excess = p.value - q.value - loss;
    // What cannot be told from 0 is met.
    return Tangent{std::abs(excess) > p.error + q.error ? excess : 0, p.slope - q.slope};
  });
}

double GaussianMixture::misplacement(double z, double loss) const {
  if (std::isinf(z)) return 0;
  const Log p = log_density_ratio(p_, z);
  const Log q = log_density_ratio(q_, z);
  return std::abs(p.value - q.value - loss) + p.error + q.error + 4 * kUnit * std::abs(loss);
}

double GaussianMixture::log_density_q(double z) const {
  return -0.5 * z * z - kHalfLogTwoPi + log_density_ratio(q_, z).value;
}

double GaussianMixture::lowest_loss() const {
  return q_.log_weight.size() == 1 ? p_.log_weight.front() : -kInfinity;
}

double GaussianMixture::highest_loss() const {
  return kInfinity;
}

}  // namespace honest_epsilon::pairs
