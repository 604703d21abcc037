#include "core/pairs/randomized_response.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/math/binomial.h"

namespace honest_epsilon {
namespace pairs {

/// All sums are of positive terms.
ResponseBit::ResponseBit(double q, double epsilon0) {
  const double flip = std::exp(-epsilon0) / (1 + std::exp(-epsilon0));
  const double keep = 1 / (1 + std::exp(-epsilon0));
  one_q = flip;
  zero_q = keep;
  one_p = (1 - q) * flip + q * keep;
  zero_p = (1 - q) * keep + q * flip;
  // log(1 + q (e^eps0 - 1)) and log(1 - q + q e^-eps0).
  const double fall = q * std::expm1(-epsilon0);
  loss_one = epsilon0 > 600 ? epsilon0 + std::log(q + (1 - q) * std::exp(-epsilon0))
                            : std::log1p(q * std::expm1(epsilon0));
  loss_zero = q == 1        ? -epsilon0
              : fall > -0.5 ? std::log1p(fall)
                            : std::log((1 - q) + q * std::exp(-epsilon0));
}

Cell RandomizedResponse::cell(double low, double high) const {
  const auto part = [](double p, double q, double loss, double share) -> Cell {
    if (!(share > 0)) return {};
    const double error = ResponseBit::kError * share;
    return {
        {p * share, p * error}, {q * share, q * error}, loss, ResponseBit::kError * std::abs(loss)};
  };
  const double zero = std::min(high, 0.0) - std::clamp(low, -1.0, 0.0);
  const double one = std::min(high, 1.0) - std::clamp(low, 0.0, 1.0);
  return joined(part(bit_.zero_p, bit_.zero_q, bit_.loss_zero, zero),
                part(bit_.one_p, bit_.one_q, bit_.loss_one, one));
}

double RandomizedResponse::position(double loss) const {
  if (loss <= bit_.loss_zero) return -kInfinity;
  return loss < bit_.loss_one ? 0 : kInfinity;
}

double RandomizedResponse::log_density_q(double z) const {
  if (std::abs(z) > 1) return -kInfinity;
  return std::log(z < 0 ? bit_.zero_q : bit_.one_q);
}

double RandomizedResponse::misplacement(double, double loss) const {
  return ResponseBit::kError * std::abs(loss);
}

}  // namespace pairs

namespace randomized_response {
namespace {

using pairs::ResponseBit;

/// The losses of one direction: the number k of the answers that it makes likelier, among all.
struct LossesByCount {
  double steps;
  double p;     ///< of such an answer, under the law whose losses these are
  double rest;  ///< 1 - p
  double up;    ///< loss of such an answer
  double down;  ///< and of the other

  LossesByCount(const ResponseBit& bit, double count, Direction direction) : steps(count) {
    const bool remove = direction == Direction::remove;
    const double one = remove ? bit.one_p : bit.one_q;
    const double zero = remove ? bit.zero_p : bit.zero_q;
    p = remove ? one : zero;
    rest = remove ? zero : one;
    up = remove ? bit.loss_one : -bit.loss_zero;
    down = remove ? bit.loss_zero : -bit.loss_one;
  }
  double loss(double k) const { return k * up + (steps - k) * down; }
  double error(double k, double epsilon) const {
    return (ResponseBit::kError + 2 * kUnit) * (k * up - (steps - k) * down) + 2 * kUnit * epsilon;
  }
  /// The first k that may have a larger loss.
  double first_beyond(double epsilon) const {
    double first = std::ceil((epsilon - steps * down) / (up - down) * (1 - 1e-12) - 1e-9);
    first = std::clamp(first, 0.0, steps);
    while (first < steps && !(loss(first) + error(first, epsilon) > epsilon)) ++first;
    return first;
  }
};

/// sum over k of Pr[k] (1 - e^{epsilon - loss(k)})^+, term by term.
class PayoffSum {
 public:
  PayoffSum(const LossesByCount& losses, double epsilon) : losses_(losses), epsilon_(epsilon) {}

  void add(double k, const Charged& at) {
    work::spend(8);
    const double gain = losses_.loss(k) - epsilon_;
    const double miss = losses_.error(k, epsilon_);
    if (gain + miss > 0) upper_ += at.upper() * -std::expm1(-gain - miss) * (1 + 4 * kUnit);
    if (gain - miss > 0) lower_ += at.lower() * -std::expm1(-gain + miss) * (1 - 4 * kUnit);
  }

  /// Whether all terms after this one may be charged at once, and then charges them. Ratios below 1
  /// fall further: what is left is at most geometric, and pays at most 1. Terms next to the
  /// smallest doubles would no longer shrink; such a rest is charged at once.
  bool ends_with(const Charged& at, double ratio) {
    constexpr double kEnough = 1e-18;
    if (!(ratio < 1 - 1e-9)) return false;
    const double left = at.upper() * ratio / (1 - ratio);
    if (left >= kEnough * upper_ && left >= kTiny) return false;
    upper_ += left * (1 + 1e-6);
    return true;
  }

  /// The bounds of the sum, after this many terms.
  Interval total(double terms) const {
    const double sums = (terms + 4) * kUnit;
    return within_unit({lower_ * (1 - sums), upper_ * (1 + sums) + kTiny});
  }

 private:
  const LossesByCount& losses_;
  double epsilon_;
  double lower_ = 0;
  double upper_ = 0;
};

}  // namespace

Interval delta(double q, double epsilon0, std::int64_t steps, Direction direction, double epsilon) {
  const ResponseBit bit(q, epsilon0);
  const LossesByCount losses(bit, static_cast<double>(steps), direction);
  const double total = losses.steps, p = losses.p, rest = losses.rest;
  // The terms are about largest here, and are summed from here outwards by ratios of neighbours,
  // each good to a few units more than the last.
  const double first = losses.first_beyond(epsilon);
  const double start = std::clamp(std::floor((total + 1) * p), first, total);
  const Charged middle =
      binomial::pmf(steps, p, rest, ResponseBit::kError, static_cast<std::int64_t>(start));
  const auto move = [](Charged& at, double ratio) {
    at.value *= ratio;
    at.error = at.error * ratio + at.value * (2 * ResponseBit::kError + 6 * kUnit);
  };
  PayoffSum sum(losses, epsilon);
  Charged at = middle;
  double terms = 0;
  for (double k = start;; ++k, ++terms) {
    sum.add(k, at);
    if (k == total) break;
    const double ratio = (total - k) / (k + 1) * (p / rest);
    if (sum.ends_with(at, ratio)) break;
    move(at, ratio);
  }
  at = middle;
  for (double k = start; k > first; --k, ++terms) {
    const double ratio = k / (total - k + 1) * (rest / p);
    if (sum.ends_with(at, ratio)) break;
    move(at, ratio);
    sum.add(k - 1, at);
  }
  return sum.total(terms);
}

}  // namespace randomized_response
}  // namespace honest_epsilon
