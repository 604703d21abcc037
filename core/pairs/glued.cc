#include "core/pairs/glued.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/rounding.h"

namespace honest_epsilon::pairs {

Glued::Glued(std::shared_ptr<const Pair> base) : base_(std::move(base)) {
  junction_ = base_->position(0);
  junction_error_ = 2 * base_->misplacement(junction_, 0);
  const Cell above = base_->cell(junction_, kInfinity);
  const double rest = 1 - above.p.value - above.q.value;
  atom_ = {std::max(0.0, rest), above.p.error + above.q.error + 2 * kUnit};
}

/// Of an interval of the base's coordinate above the junction.
Cell Glued::positive_cell(double low, double high) const {
  if (!(high > 1) || !(high > low)) return {};
  Cell cell = base_->cell(low > 1 ? in_base(low) : junction_, in_base(high));
  if (!(low > 1)) cell.loss_error += junction_error_;
  return cell;
}

Cell Glued::cell(double low, double high) const {
  const double share = 0.5 * (std::min(high, 1.0) - std::max(low, -1.0));
  Cell atom;
  if (share > 0) atom = portion({atom_, atom_, 0, junction_error_}, share);
  const Cell below = exchanged(positive_cell(-high, -low));
  return joined(joined(below, atom), positive_cell(low, high));
}

double Glued::loss(double z) const {
  if (std::abs(z) <= 1) return 0;
  return z > 0 ? base_->loss(in_base(z)) : -base_->loss(in_base(-z));
}

double Glued::slope(double z) const {
  return std::abs(z) <= 1 ? 0 : base_->slope(in_base(std::abs(z)));
}

double Glued::position(double loss) const {
  if (loss == 0) return 0;
  const double z = base_->position(std::abs(loss));
  return std::copysign(std::max(1.0, (z - junction_) + 1), loss);
}

double Glued::log_density_q(double z) const {
  if (std::abs(z) <= 1) return std::log(0.5 * atom_.value);
  const double place = in_base(std::abs(z));
  return base_->log_density_q(place) + (z > 0 ? 0 : base_->loss(place));
}

double Glued::reach() const {
  return base_->reach() + std::abs(junction_) + 1;
}

double Glued::misplacement(double z, double loss) const {
  if (std::isinf(z)) return base_->misplacement(kInfinity, std::abs(loss));
  if (loss == 0) return junction_error_;
  const double place = std::abs(z) > 1 ? in_base(std::abs(z)) : junction_;
  // The coordinate's own rounding, beside the base's.
  return base_->misplacement(place, std::abs(loss)) +
         4 * kUnit * (std::abs(z) + std::abs(junction_)) * base_->slope(place);
}

std::vector<double> Glued::atoms() const {
  const std::vector<double> base = base_->atoms();
  if (base.empty()) return {0};
  return {-base.back(), 0, base.back()};
}

std::vector<double> Glued::kinks() const {
  std::vector<double> above = {1};
  for (const double z : base_->kinks()) {
    if (z > junction_) above.push_back((z - junction_) + 1);
  }
  std::vector<double> kinks;
  for (auto z = above.rbegin(); z != above.rend(); ++z) kinks.push_back(-*z);
  kinks.insert(kinks.end(), above.begin(), above.end());
  return kinks;
}

}  // namespace honest_epsilon::pairs
