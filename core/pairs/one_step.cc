#include "core/pairs/one_step.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"

namespace honest_epsilon::pairs {
namespace {

/// p (1 - e^{epsilon - loss}) of an event.
Interval gain(const Mass& p, const Mass& q, double loss, double loss_error, double lowest_epsilon,
              double epsilon) {
  const double rounding = loss_error + 2 * kUnit * (std::abs(loss) + std::abs(epsilon));
  const double upper = -std::expm1(lowest_epsilon - (loss + rounding)) * (1 + 4 * kUnit);
  double lower = -std::expm1(epsilon - (loss - rounding)) * (1 - 4 * kUnit);
  if (!(lower > 0)) lower = 0;
  lower *= std::max(0.0, p.lower());
  // Where Q underflows its loss is unknown, its mass is not.
  const double plain = p.lower() - std::exp(epsilon) * (1 + 4 * kUnit) * (q.upper() + kTiny);
  const double share = upper < 1 ? std::max(upper, 0.0) : 1.0;
  return within_unit(
      {std::max(lower, plain * (1 - kUnit)), p.upper() * share * (1 + 2 * kUnit) + kTiny});
}

}  // namespace

Interval one_step(const Pair& pair, Direction direction, double epsilon) {
  const bool remove = direction == Direction::remove;
  const double highest = remove ? pair.highest_loss() : -pair.lowest_loss();
  const double end_error = pair.misplacement(remove ? kInfinity : -kInfinity, highest);
  if (epsilon > highest + 64 * kUnit * (1 + std::abs(highest)) + end_error) return {0, kTiny};
  const auto at = [&](double strike, double lowest_epsilon) {
    const double z = pair.position(remove ? strike : -strike);
    // Nothing is known where the place of the loss left the doubles.
    if (std::isnan(z)) return Interval{0, 1};
    const Cell cell = remove ? pair.cell(z, kInfinity) : exchanged(pair.cell(-kInfinity, z));
    if (!(cell.p.value > 0)) return Interval{0, cell.p.error + kTiny};
    return gain(cell.p, cell.q, cell.loss, cell.loss_error, lowest_epsilon, epsilon);
  };
  const double z = pair.position(remove ? epsilon : -epsilon);
  const double miss = pair.misplacement(z, remove ? epsilon : -epsilon) + kUnit * std::abs(epsilon);
  return {at(epsilon, epsilon).lower, at(epsilon - 2 * miss, epsilon - 4 * miss).upper};
}

}  // namespace honest_epsilon::pairs
