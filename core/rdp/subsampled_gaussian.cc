#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/math/constants.h"
#include "core/math/lattice.h"
#include "core/math/log_domain.h"
#include "core/rdp/excess.h"
#include "core/rdp/renyi.h"

namespace honest_epsilon::rdp {
namespace {

/// A limit to the terms; +inf is returned where it is reached.
constexpr int kMostTerms = 1 << 20;

/// Terms beyond the usual ones are counted, so many at once (core/base/work.h). The usual ones are
/// not: this bound is what is left where no other was affordable.
constexpr int kUsualTerms = 256, kCounted = 64, kTermWork = 40;

/// E[F_a(g - 1)], g(z) = 1 - q + q e^{mu z - mu^2/2}, z ~ N(0, 1), by the trapezoidal rule.
///
/// Discretisation. g has no zero in |Im z| < pi/mu, where |g(x + iy)| <= g(x); so the integral of
/// |g^a phi| along Im z = y is at most e^{y^2/2} E[g^a], and the rule errs by at most
///   kappa E[g^a],   kappa = 2 e^{d^2/2} / (e^{2 pi d / h} - 1),   any d <= pi/mu
/// [TW14, Thm 5.1]; likewise for the terms 1 and a (g - 1). In sum: kappa (E[F] + 2 a).
///
/// Truncation. f(z) = a log g(z) - z^2/2 has f' = a mu p(z) - z with p rising from 0 to 1, and f'
/// has at most three roots, since f'' = a mu^2 p (1 - p) - 1 is negative, positive, negative. So f
/// rises up to `rises_to`, falls from `falls_from` on, and after a point where it falls it is, up
/// to a later one where it rises, below the larger of its values at the two ends. F <= g^a where w
/// >= 0.
class SubsampledMoment {
 public:
  SubsampledMoment(double order, double q, double mu);
  double log_upper();

 private:
  Ratio ratio(double z) const { return mixture_ratio(q_, mu_ * (z - 0.5 * mu_)); }
  double posterior(double z) const;
  double slope(double z) const;
  double settle(double z, double factor) const;
  double bound(double z) const;
  double term(double z) const;
  std::int64_t march(std::int64_t from, int direction, std::int64_t end,
                     const std::function<double(double)>& rest);
  void add_likely(std::int64_t first);
  void add_unlikely(std::int64_t end);

  double order_;
  double q_;
  double mu_;
  double spacing_;
  double log_kappa_;
  LogSum sum_;
  int terms_ = 0;
};

SubsampledMoment::SubsampledMoment(double order, double q, double mu)
    : order_(order), q_(q), mu_(mu) {
  // kappa 2a is to be negligible beside E[F] >= F(w(z)) Pr[N(0,1) > z] for any z > mu/2.
  double known = -kInfinity;
  for (const double z : {0.5 * mu + 1, mu, order * mu})
    known = std::max(known, term(z) - kHalfLogTwoPi - std::log(z + 1));
  const double digits = kNegligibleNats + std::log(2 * order + 1) + std::max(0.0, -known);
  const double strip = std::min(std::sqrt(2 * digits), kPi / mu);
  spacing_ = short_below(2 * kPi * strip / (digits + 0.5 * strip * strip));
  log_kappa_ = std::log(2.0) + 0.5 * strip * strip - log_expm1(2 * kPi * strip / spacing_) + 1e-12;
}

double SubsampledMoment::posterior(double z) const {
  return std::exp(std::log(q_) + mu_ * (z - 0.5 * mu_) - ratio(z).log);
}

/// f'(z), or 0 where its sign might be wrong.
double SubsampledMoment::slope(double z) const {
  const double scale = order_ * mu_;
  const double value = scale * posterior(z) - z;
  return std::abs(value) > 1e-9 * scale ? value : 0;
}

/// Iterates z -> a mu p(z), which on its way to a root of f' passes none. A factor beside one keeps
/// it there in spite of round-off.
double SubsampledMoment::settle(double z, double factor) const {
  for (int i = 0; i < 1000; ++i) {
    const double next = factor * order_ * mu_ * posterior(z);
    if (std::abs(next - z) <= 1e-6 * z) break;
    z = next;
  }
  return z;
}

/// f(z), rounded up.
double SubsampledMoment::bound(double z) const {
  const Ratio g = ratio(z);
  return order_ * (g.log + g.error) - 0.5 * z * z + 4 * kUnit * z * z;
}

/// log of F phi sqrt(2 pi), rounded up.
double SubsampledMoment::term(double z) const {
  return log_excess_upper(order_, ratio(z)) - 0.5 * z * z + 4 * kUnit * z * z;
}

/// Adds the terms from `from` on, until what remains before `end` is negligible; `rest` bounds its
/// logarithm (times sqrt(2 pi)) and is charged. Returns the first index that was not added.
std::int64_t SubsampledMoment::march(std::int64_t from, int direction, std::int64_t end,
                                     const std::function<double(double)>& rest) {
  const double log_spacing = std::log(spacing_);
  for (std::int64_t j = from; j != end; j += direction) {
    if (++terms_ > kMostTerms) return end;
    if (terms_ > kUsualTerms && terms_ % kCounted == 0) work::spend(kCounted * kTermWork);
    const double z = static_cast<double>(j) * spacing_;
    sum_.add(term(z) + log_spacing);
    const double remaining = rest(z);
    if (remaining < sum_.log() - kNegligibleNats) {
      sum_.add(remaining);
      return j + direction;
    }
  }
  return end;
}

/// The terms with w >= 0, whose indices begin at `first`.
void SubsampledMoment::add_likely(std::int64_t first) {
  const double far = order_ * mu_;
  const double lowest = static_cast<double>(first) * spacing_;
  const double rises_to = settle(0, 1 - 1e-9);
  const double falls_from = settle(far, 1 + 1e-9);
  const auto top = std::max(first, static_cast<std::int64_t>(std::ceil(falls_from / spacing_)));
  const auto bottom = std::max(first, static_cast<std::int64_t>(std::floor(rises_to / spacing_)));
  const auto tail = [&](double z) { return bound(z) + std::log(std::max(far + 1 - z, 0.0) + 1); };
  march(top, +1, INT64_MAX, tail);
  const auto rising = [&](double z) {
    return slope(z) > 0 || z <= rises_to ? bound(z) + std::log(z - lowest + spacing_) : kInfinity;
  };
  const std::int64_t gap_end = march(top - 1, -1, first - 1, rising) + 1;
  if (gap_end <= bottom) return;
  const double gap_top = static_cast<double>(gap_end) * spacing_;
  bool fell = false;
  for (double past = 1e-3 * rises_to + 1e-6 * lowest; rises_to + past < lowest && !fell; past *= 2)
    fell = slope(rises_to + past) < 0;
  march(bottom, +1, gap_end, [&](double z) {
    fell = fell || slope(z) < 0;
    return fell ? bound(z) + std::log(gap_top - z + spacing_) : kInfinity;
  });
  march(bottom - 1, -1, first - 1, rising);
}

/// The terms with w < 0, whose indices end before `end`: F falls there, from F(-q).
void SubsampledMoment::add_unlikely(std::int64_t end) {
  const double highest = log_excess_upper(order_, mixture_ratio(q_, -kInfinity));
  if (highest + kHalfLogTwoPi + 1 < sum_.log() - kNegligibleNats) {
    sum_.add(highest + kHalfLogTwoPi + 1);
    return;
  }
  const double top = static_cast<double>(end) * spacing_;
  march(0, +1, end, [&](double z) { return term(z) + std::log(top - z + spacing_); });
  march(-1, -1, INT64_MIN, [&](double z) { return highest + kHalfLogTwoPi - 0.5 * z * z; });
}

double SubsampledMoment::log_upper() {
  const auto first = static_cast<std::int64_t>(std::ceil(0.5 * mu_ / spacing_));
  add_likely(first);
  add_unlikely(first);
  if (terms_ > kMostTerms) return kInfinity;
  const double discretised = log_kappa_ + std::log(2 * order_);
  return log_add(sum_.log_upper() - kHalfLogTwoPi, discretised) -
         std::log1p(-std::exp(log_kappa_)) + 16 * kUnit;
}

}  // namespace

double log_subsampled_excess_upper(double order, double q, double mu) {
  if (!(mu >= kSmallestShift && mu <= kLargestShift) || q < kSmallestShift) return kInfinity;
  try {
    return SubsampledMoment(order, q, mu).log_upper();
  } catch (const work::Spent&) {
    return kInfinity;
  }
}

double subsampled_gaussian(double order, double q, double mu) {
  const double without = gaussian(order, mu);
  if (q >= 1) return without;
  return std::min(without, divergence_upper(order, log_subsampled_excess_upper(order, q, mu)));
}

}  // namespace honest_epsilon::rdp
