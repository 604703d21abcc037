#include "core/pairs/pair.h"

#include <cmath>

#include "core/base/rounding.h"

namespace honest_epsilon::pairs {
namespace {

bool is_empty(const Cell& cell) {
  return !(cell.p.value > 0) && !(cell.q.value > 0) && !(cell.p.error > 0) && !(cell.q.error > 0);
}

Mass sum(const Mass& a, const Mass& b) {
  return {a.value + b.value, (a.error + b.error) * (1 + kUnit) + kUnit * (a.value + b.value)};
}

/// A mass that underflowed is off by kTiny as well.
double relative(const Mass& mass) {
  return (mass.error + kTiny) / mass.value;
}

}  // namespace

double Pair::misplacement(double z, double loss) const {
  if (!std::isfinite(z)) return 0;
  return 8 * kUnit * (std::abs(z) * slope(z) + std::abs(loss));
}

Cell of_masses(const Mass& p, const Mass& q) {
  Cell cell{p, q, p.value > 0 ? kInfinity : -kInfinity, kInfinity};
  if (!(p.value > 0) || !(q.value > 0)) return cell;
  cell.loss = std::log(p.value / q.value);
  cell.loss_error = 1.1 * (relative(p) + relative(q)) + 8 * kUnit + 4 * kUnit * std::abs(cell.loss);
  if (!(cell.loss_error < 0.1)) cell.loss_error = kInfinity;
  return cell;
}

Cell joined(const Cell& a, const Cell& b) {
  if (is_empty(a)) return b;
  if (is_empty(b)) return a;
  // From the larger part, so that 1 + w expm1(d) stays above 1/2.
  const Cell& large = a.q.value >= b.q.value ? a : b;
  const Cell& small = a.q.value >= b.q.value ? b : a;
  Cell cell = of_masses(sum(a.p, b.p), sum(a.q, b.q));
  const double distance = small.loss - large.loss;
  if (!(small.q.value > 0) || !(std::abs(distance) < 300)) return cell;
  const double weight = small.q.value / cell.q.value;
  const double change = std::expm1(distance);
  const double weight_error =
      weight * (1 - weight) * (relative(small.q) + relative(large.q) + 8 * kUnit);
  const double loss = large.loss + std::log1p(weight * change);
  // To first order, and a second that is their own size.
  const double second = 1 + 2 * (large.loss_error + small.loss_error) + 8 * kUnit;
  const double error =
      second *
          (1.1 * weight_error * std::abs(change) + (1 - weight) * large.loss_error +
           weight * (1 + change) * small.loss_error +
           4 * kUnit * weight * (std::abs(change) + std::abs(distance))) /
          (1 + weight * change) +
      2 * kUnit * std::abs(loss);
  if (error < 0.1 && error < cell.loss_error) {
    cell.loss = loss;
    cell.loss_error = error;
  }
  return cell;
}

Cell portion(Cell cell, double share) {
  for (Mass* mass : {&cell.p, &cell.q}) {
    mass->value *= share;
    mass->error = mass->error * share + 2 * kUnit * mass->value;
  }
  return cell;
}

Cell exchanged(const Cell& cell) {
  return {cell.q, cell.p, -cell.loss, cell.loss_error};
}

}  // namespace honest_epsilon::pairs
