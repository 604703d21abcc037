#include "core/monte_carlo/coordinates.h"

#include <algorithm>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/math/portable.h"

namespace honest_epsilon::monte_carlo {
double ratio(double mu, double z) {
  return portable::exp(mu * z - 0.5 * mu * mu);
}

double position(double mu, double ratio) {
  return portable::log(ratio) / mu + 0.5 * mu;
}

double log_of_sum(double sum, double exponent) {
  constexpr double kLargest = 700;  // beyond, a sum of ratios under Q, below e^40 T, is lost
  return exponent > kLargest ? exponent : portable::log(sum + portable::exp(exponent));
}

Coordinates::Coordinates(const SampleRequest& request, std::int64_t count)
    : mu_(1 / request.noise_multiplier), count_(count), table_(mu_), tail_(kTile), ratio_(kTile) {
  if (!request.order_statistics || count < 1) return;
  const std::vector<std::int64_t> orders =
      request.orders.empty() ? automatic_orders(count) : request.orders;
  ordered_.emplace(count, orders);
  bounded_above_ = orders.front() == 1;
  tail_.resize(ordered_->above().size());
  ratio_.resize(ordered_->above().size());
}

Drawn Coordinates::draw(variates::Generator& source, double cut) {
  if (count_ < 1) return {0, 0, -kInfinity};
  return ordered_ ? draw_ordered(source, cut) : draw_each(source, cut);
}

Drawn Coordinates::draw_each(variates::Generator& source, double cut) {
  double sum = 0;
  double smallest_tail = 1;
  for (std::int64_t left = count_; left > 0;) {
    const std::size_t size = tile_of(left);
    const std::span<double> tails(tail_.data(), size);
    const std::span<double> ratios(ratio_.data(), size);
    source.uniforms(tails);
    for (double& tail : tails) tail = cut + (1 - cut) * tail;
    smallest_tail = std::min(smallest_tail, portable::minimum(tails));
    table_(tails, ratios);
    sum += portable::sum(ratios);
    left -= static_cast<std::int64_t>(size);
  }
  return {sum, sum, portable::upper_quantile(smallest_tail)};
}

Drawn Coordinates::draw_ordered(variates::Generator& source, double cut) {
  const auto fractions = ordered_->draw(source);
  for (std::size_t i = 0; i < fractions.size(); ++i) tail_[i] = cut + (1 - cut) * fractions[i];
  table_(tail_, ratio_);
  const double upper =
      bounded_above_ ? portable::sum_of_products(ratio_, ordered_->above()) : 1e300;
  return {upper, portable::sum_of_products(ratio_, ordered_->below()),
          portable::upper_quantile(tail_.front())};
}

double Coordinates::roundoff() const {
  return table_.error() + adding_error(static_cast<double>(count_));
}

double Coordinates::log_roundoff(double log_steps) const {
  return roundoff() + 8 * kUnit * (log_steps + 40 * mu_ + mu_ * mu_ + 1);
}

}  // namespace honest_epsilon::monte_carlo
