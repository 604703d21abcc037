#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/portable.h"
#include "core/rdp/excess.h"
#include "core/rdp/renyi.h"

namespace honest_epsilon::rdp {
namespace {

/// A limit to the terms; +inf is returned where it is reached.
constexpr double kMostTerms = 1 << 16;

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
/// Truncation. Beyond z >= a mu, F <= g^a, as g >= 1 there, and log(g^a phi) has a slope of at most
/// a mu - z <= 0, which falls by 1 a unit: what is left falls, and is at most sqrt(pi/2) times
/// g(z)^a e^{-z^2/2}. Below 0 F falls with z, from F(-q) at most, and so does what is left of
/// F(-q) e^{-z^2/2}.
class SubsampledMoment {
 public:
  SubsampledMoment(double order, double q, double mu);
  double log_upper() const;

 private:
  Ratio ratio(double z) const { return mixture_ratio(q_, mu_ * (z - 0.5 * mu_)); }
  double term(double z) const;

  double order_;
  double q_;
  double mu_;
  double spacing_;
  double log_kappa_;
};

SubsampledMoment::SubsampledMoment(double order, double q, double mu)
    : order_(order), q_(q), mu_(mu) {
  // kappa 2a is to be negligible beside E[F] >= F(w(z)) Pr[N(0,1) > z] for any z > mu/2.
  double known = -kInfinity;
  for (const double z : {0.5 * mu + 1, mu, order * mu})
    known = std::max(known, term(z) - kHalfLogTwoPi - std::log(z + 1));
  const double digits = kNegligibleNats + std::log(2 * order + 1) + std::max(0.0, -known);
  const double strip = std::min(std::sqrt(2 * digits), kPi / mu);
  spacing_ = portable::shortened(2 * kPi * strip / (digits + 0.5 * strip * strip));
  log_kappa_ = std::log(2.0) + 0.5 * strip * strip - log_expm1(2 * kPi * strip / spacing_) + 1e-12;
}

/// log of F phi sqrt(2 pi), rounded up.
double SubsampledMoment::term(double z) const {
  return log_excess_upper(order_, ratio(z)) - 0.5 * z * z + 4 * kUnit * z * z;
}

double SubsampledMoment::log_upper() const {
  const double far = order_ * mu_;
  if (!(far < kMostTerms * spacing_)) return kInfinity;
  LogSum sum;
  const double log_spacing = std::log(spacing_);
  // The terms from a place on, each `step` from the one before, until what remains is negligible;
  // `rest` bounds its logarithm (times sqrt(2 pi)) and is charged. False where that is too many.
  int terms = 0;
  const auto add_from = [&](double first, double step, const auto& rest) {
    for (double j = first; std::abs(j) < 2 * kMostTerms; j += step) {
      if (++terms > kUsualTerms && terms % kCounted == 0) work::spend(kCounted * kTermWork);
      const double z = j * spacing_;
      sum.add(term(z) + log_spacing);
      const double remaining = rest(z) + kHalfLogTwoPi;
      if (!(remaining < sum.log() - kNegligibleNats)) continue;
      sum.add(remaining);
      return true;
    }
    return false;
  };
  const auto beyond = [&](double z) {
    if (z < far) return kInfinity;
    const Ratio g = ratio(z);
    return order_ * (g.log + g.error) - 0.5 * z * z + 4 * kUnit * z * z;
  };
  const double highest = log_excess_upper(order_, mixture_ratio(q_, -kInfinity));
  const auto before = [&](double z) { return highest - 0.5 * z * z; };
  if (!add_from(0, 1, beyond) || !add_from(-1, -1, before)) return kInfinity;
  const double discretised = log_kappa_ + std::log(2 * order_);
  return log_add(sum.log_upper() - kHalfLogTwoPi, discretised) - std::log1p(-std::exp(log_kappa_)) +
         16 * kUnit;
}

/// E[g^a]^{1/a} <= 1 - q + q E[e^{a (mu z - mu^2/2)}]^{1/a} by Minkowski's inequality.
double minkowski(double order, double q, double mu) {
  const double exponent = 0.5 * (order - 1) * mu * mu;
  const Ratio norm = mixture_ratio(q, exponent);
  const double log_norm = norm.log + norm.error + 4 * kUnit * exponent;
  return order / (order - 1) * log_norm * (1 + 8 * kUnit) + kTiny;
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
  return std::min({without, minkowski(order, q, mu),
                   divergence_upper(order, log_subsampled_excess_upper(order, q, mu))});
}

}  // namespace honest_epsilon::rdp
