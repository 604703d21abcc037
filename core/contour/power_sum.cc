#include "core/contour/power_sum.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace honest_epsilon::contour {
namespace {

/// Terms of less than this part of all moduli are left out.
constexpr double kLost = 1e-20;

}  // namespace

PowerSum::PowerSum(std::vector<PowerTerm> terms) : terms_(std::move(terms)) {
  for (const PowerTerm& term : terms_) weights_.push_back(exp(term.log_weight));
}

PowerSum::PowerValue PowerSum::value(std::size_t j, Complex w) const {
  const PowerTerm& term = terms_[j];
  const Ball &weight = weights_[j], u = w * term.slope;
  constexpr double kSmall = 0.5, kTwice = 2.7;  // e^kSmall + 1
  if (modulus(u.value) < kSmall && u.error < 1e-6)
    return {weight * expm1(u), kTwice * weight.most()};
  const Ball grown = exp(term.log_weight + u);
  return {grown - weight, grown.most() + weight.most()};
}

Ball PowerSum::at(Complex w) const {
  Ball sum;
  for (std::size_t j = 0; j < terms_.size(); ++j) sum = sum + value(j, w).value;
  return sum;
}

PowerClimb::PowerClimb(const PowerSum& sum, double x, double spacing, double most_error,
                       std::size_t first)
    : sum_(&sum),
      x_(x),
      spacing_(spacing),
      most_error_(most_error),
      next_(first),
      alive_(sum.terms_.size()) {
  std::iota(alive_.begin(), alive_.end(), 0);
  for (std::size_t j = 0; j < alive_.size(); ++j) {
    const Ball turn = expm1(Ball(Complex{0, spacing}) * sum.terms_[j].slope);
    turns_.push_back({turn, sum.weights_[j] * turn});
  }
}

void PowerClimb::compute_at(double y) {
  constexpr auto kMost = static_cast<double>(kMostTurns);
  turning_.clear();
  std::vector<double> sizes;
  double error = 0, by_turn = 0, all = 0;
  for (std::size_t i = 0; i < alive_.size(); ++i) {
    const std::size_t j = alive_[i];
    const auto [term, size] = sum_->value(j, {x_, y});
    const auto& [turn, more] = turns_[j];
    turning_.add(term.value, 1.0 + turn.value, more.value);
    const double most = std::min(size, term.most() + kMost * size * turn.most());
    sizes.push_back(size);
    error += term.error;
    by_turn += more.error + (turn.error + 6 * kUnit) * most;
    all += most;
  }
  if (scale_ == 0) scale_ = std::max(1.0, all);
  const double turns = std::clamp(std::floor(most_error_ * scale_ / by_turn), 1.0, kMost);
  turns_left_ = static_cast<std::size_t>(turns);
  const double additions = TurningSum::sum_error(alive_.size());
  // A slope below the real axis by what it is off by turns out of the circle by as little.
  error_ = (error + (turns - 1) * by_turn + kUnit * additions * all) * (1 + 1e-9) + lost_;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < alive_.size(); ++i) {
    if (sizes[i] < kLost * (1 + all))
      lost_ += sizes[i] * (1 + 1e-9);
    else
      alive_[kept++] = alive_[i];
  }
  alive_.resize(kept);
}

Ball PowerClimb::next() {
  if (turns_left_ == 0) compute_at(static_cast<double>(next_) * spacing_);
  ++next_;
  --turns_left_;
  return {turning_.next(), error_};
}

}  // namespace honest_epsilon::contour
