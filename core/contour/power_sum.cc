#include "core/contour/power_sum.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/work.h"

namespace honest_epsilon::contour {
namespace {

/// Terms whose weight, with e^u and without, is less than this are left out.
constexpr double kLost = 1e-24;

/// What a term costs (core/base/work.h): to compute, to compute with its turn, to prepare for a
/// climb, and a turn.
constexpr double kPowerTermWork = 20, kTurningTermWork = 23, kPrepared = 80, kTurned = 0.5;

void spend(double each, std::size_t terms) {
  work::spend(static_cast<std::int64_t>(each * static_cast<double>(terms)));
}

}  // namespace

PowerSum::PowerSum(std::vector<PowerTerm> terms, const Ball& linear)
    : terms_(std::move(terms)), linear_(linear) {
  for (const PowerTerm& term : terms_) weights_.push_back(exp(term.log_weight));
}

PowerSum::PowerValue PowerSum::value(std::size_t j, const Ball& u) const {
  const Ball& weight = weights_[j];
  constexpr double kSmall = 0.5, kTwice = 2.7;  // e^kSmall + 1
  if (modulus(u.value) < kSmall && u.error < 1e-6)
    return {weight * expm1_rest(u), kTwice * weight.most()};
  const Ball grown = exp(terms_[j].log_weight + u);
  return {grown - weight - weight * u, grown.most() + weight.most()};
}

Ball PowerSum::at(Complex w) const {
  spend(kPowerTermWork, terms_.size());
  Ball sum = w * linear_;
  for (std::size_t j = 0; j < terms_.size(); ++j) sum = sum + value(j, w * terms_[j].slope).value;
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
  spend(kPrepared, alive_.size());
  std::iota(alive_.begin(), alive_.end(), 0);
  for (std::size_t j = 0; j < alive_.size(); ++j) {
    const Ball angle = Complex{0, spacing} * sum.terms_[j].slope, turn = expm1(angle);
    const Ball more = sum.weights_[j] * turn;
    turns_.push_back({angle, turn, sum.weights_[j] * expm1_rest(angle), more, more * angle});
  }
}

void PowerClimb::compute_at(double y) {
  constexpr auto kMost = static_cast<double>(kMostTurns);
  spend(kTurningTermWork, alive_.size());
  turning_.clear();
  constant_ = 0;
  linear_ = sum_->linear_;
  std::vector<double> sizes;
  double error = 0, by_turn = 0, all = 0;
  for (const std::size_t j : alive_) {
    const Turn& turn = turns_[j];
    const Ball &weight = sum_->weights_[j], &slope = sum_->terms_[j].slope;
    const Ball u = Complex{x_, y} * slope;
    if (u.most() + kMost * turn.angle.most() < 1) {
      const auto [term, size] = sum_->value(j, u);
      const Ball more = turn.rest + u * turn.more;
      turning_.add(term.value, 1.0 + turn.turn.value, more.value, turn.step.value);
      const double most_more = more.most() + kMost * turn.step.most();
      const double most = term.most() + kMost * most_more;
      sizes.push_back(size);
      error += term.error;
      by_turn += turn.turn.error * most + more.error +
                 kMost * (turn.step.error + kUnit * most_more) + 7 * kUnit * most;
      all += most;
    } else {
      const Ball grown = exp(sum_->terms_[j].log_weight + u);
      turning_.add(grown.value, 1.0 + turn.turn.value);
      constant_ = constant_ - weight;
      linear_ = linear_ - weight * slope;
      const double most = grown.most();
      sizes.push_back(most + weight.most());
      error += grown.error;
      by_turn += (turn.turn.error + 7 * kUnit) * most;
      all += most;
    }
  }
  if (scale_ == 0) scale_ = std::max(1.0, all);
  // One where errors overflow, and nothing is known.
  const double affordable = std::floor(most_error_ * scale_ / by_turn);
  const double turns = affordable > 1 ? std::min(affordable, kMost) : 1;
  turns_left_ = static_cast<std::size_t>(turns);
  const double additions = TurningSum::sum_error(alive_.size());
  const double highest = std::hypot(x_, y + turns * spacing_);
  // A slope below the real axis by what it is off by turns out of the circle by as little.
  error_ = (error + (turns - 1) * by_turn + kUnit * additions * all + lost_slope_ * highest) *
               (1 + 1e-9) +
           lost_;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < alive_.size(); ++i) {
    const std::size_t j = alive_[i];
    if (sizes[i] < kLost) {
      lost_ += sizes[i] * (1 + 1e-9);
      lost_slope_ += sum_->weights_[j].most() * sum_->terms_[j].slope.most();
    } else {
      alive_[kept++] = j;
    }
  }
  alive_.resize(kept);
}

Ball PowerClimb::next() {
  if (turns_left_ == 0) compute_at(static_cast<double>(next_) * spacing_);
  const Complex w{x_, static_cast<double>(next_++) * spacing_};
  --turns_left_;
  spend(kTurned, alive_.size());
  return Ball(turning_.next(), error_) + constant_ + w * linear_;
}

}  // namespace honest_epsilon::contour
