#include "core/pairs/response_count.h"

#include <algorithm>
#include <cmath>

#include "core/math/binomial.h"

namespace honest_epsilon::pairs {
namespace {

/// Relative error of the two probabilities of an answer.
constexpr double kAnswerError = 8 * kUnit;

/// The log of 1 + x for x = r (n expm1(eps0) + (seen - n) expm1(-eps0)) / seen, whose terms cancel
/// where the ratio is near 1; elsewhere the log of a sum of positive terms.
Charged log_ratio(double ones, double zeros, double missing, double epsilon0) {
  const double steps = ones + zeros + missing;
  const double rise = ones / steps * std::expm1(epsilon0);
  const double fall = zeros / steps * -std::expm1(-epsilon0);
  const double x = rise - fall;
  if (x > -0.5) {
    const double value = std::log1p(x);
    return {value, 16 * kUnit * (rise + fall) / (1 + x) + 8 * kUnit * std::abs(value)};
  }
  const double ratio = (ones * std::exp(epsilon0) + zeros * std::exp(-epsilon0) + missing) / steps;
  const double value = std::log(ratio);
  return {value, 16 * kUnit + 8 * kUnit * std::abs(value)};
}

}  // namespace

ResponseCount::ResponseCount(std::int64_t seen, std::int64_t missing, double epsilon0) {
  const double one = std::exp(-epsilon0) / (1 + std::exp(-epsilon0));
  const double zero = 1 / (1 + std::exp(-epsilon0));
  for (std::int64_t n = 0; n <= seen; ++n) {
    const auto ones = static_cast<double>(n);
    Charged loss =
        log_ratio(ones, static_cast<double>(seen - n), static_cast<double>(missing), epsilon0);
    if (n > 0) loss.value = std::max(loss.value, loss_.back().value);
    const Charged q = binomial::pmf(seen, one, zero, kAnswerError, n);
    const double ratio = std::exp(loss.value);
    const double p = q.value * ratio;
    const double relative = 2 * loss.error + 8 * kUnit;
    q_.push_back(q);
    p_.push_back({p, q.error * ratio * (1 + relative) + p * relative});
    loss_.push_back(loss);
  }
}

std::size_t ResponseCount::at(double z) const {
  return static_cast<std::size_t>(std::clamp(z, 0.0, static_cast<double>(loss_.size() - 1)));
}

Cell ResponseCount::cell(double low, double high) const {
  const auto end = static_cast<double>(loss_.size());
  const double from = std::clamp(low, 0.0, end), to = std::clamp(high, 0.0, end);
  if (!(from < to)) return {};
  const std::size_t first = at(from);
  const auto last = std::max(first, static_cast<std::size_t>(std::ceil(to)) - 1);
  Cell sum;
  double terms = 0;
  for (std::size_t n = first; n <= last; ++n, ++terms) {
    const auto place = static_cast<double>(n);
    const double share = std::min(to, place + 1) - std::max(from, place);
    sum.p.value += share * p_[n].value;
    sum.q.value += share * q_[n].value;
    sum.p.error += share * p_[n].error;
    sum.q.error += share * q_[n].error;
  }
  for (Mass* mass : {&sum.p, &sum.q})
    mass->error = (mass->error + (terms + 4) * kUnit * mass->value) * (1 + 1e-9);
  const Charged &least = loss_[first], &most = loss_[last];
  // A mean is between the ends.
  sum.loss = std::clamp(std::log(sum.p.value / sum.q.value), least.value, most.value);
  if (!(sum.p.value > 0 && sum.q.value > 0)) sum.loss = least.value;
  const double relative = sum.p.error / sum.p.value + sum.q.error / sum.q.value + 8 * kUnit;
  const double spread = most.value - least.value;
  sum.loss_error =
      std::max(least.error, most.error) + (2 * relative < spread ? 2 * relative : spread);
  return sum;
}

double ResponseCount::position(double loss) const {
  if (loss <= lowest_loss()) return -kInfinity;
  if (loss >= highest_loss()) return kInfinity;
  const auto first = std::lower_bound(loss_.begin(), loss_.end(), loss,
                                      [](const Charged& a, double b) { return a.value < b; });
  return static_cast<double>(first - loss_.begin());
}

double ResponseCount::log_density_q(double z) const {
  if (!(z >= 0 && z <= reach())) return -kInfinity;
  return std::log(q_[at(z)].value);
}

std::vector<double> ResponseCount::kinks() const {
  std::vector<double> ends;
  for (std::size_t n = 1; n < loss_.size(); ++n) ends.push_back(static_cast<double>(n));
  return ends;
}

}  // namespace honest_epsilon::pairs
