#include "core/rdp/bin_reciprocal.h"

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/math/constants.h"
#include "core/math/lattice.h"
#include "core/math/log_domain.h"

namespace honest_epsilon::rdp {
namespace {

/// Errors are kept below e^-25 (1.4e-11): the other direction is nearly always the larger one.
constexpr double kErrorNats = 25;

/// Below the first, E e^{-s U} is summed as what it exceeds e^-s by, above the second as itself;
/// between them as itself where it is e^kLargeRatio times e^{-s} or more over all bins: what is
/// then not subtracted does not count.
constexpr double kSmallArgument = 1, kLargeArgument = 300, kLargeRatio = 30;

/// A limit to the work on either side of a centre; where it is reached, a trivial bound is
/// returned.
constexpr double kMostASide = 2000;

/// psi(x) = e^x - 1 - x, to 16 kUnit relative where x is exact.
double psi(double x) {
  if (std::abs(x) > 0.5) return std::expm1(x) - x;
  double term = 0.5 * x * x;
  double sum = term;
  for (int k = 3; std::abs(term) > 1e-18 * sum; ++k) {
    term *= x / k;
    sum += term;
  }
  return sum;
}

/// eta(s), rounded up. For |Im z| = y < pi/(2 mu) the three parts of psi's integral are at most
/// e^{y^2/2} times e^s, 1 + s and s. Beyond the window, psi <= psi(s) where U < 1 and psi <= (s
/// U)^2/2 where U > 1.
double eta_upper(double s, double mu) {
  const double variance = std::expm1(mu * mu);
  const double digits = kErrorNats + s - std::min(0.0, std::log(0.25 * s * s * variance));
  const double strip = std::min(std::sqrt(2 * digits), 0.5 * kPi / mu);
  const double spacing = short_below(2 * kPi * strip / (digits + 0.5 * strip * strip));
  const double kappa =
      2 * std::exp(0.5 * strip * strip - log_expm1(2 * kPi * strip / spacing)) * (1 + 1e-12);
  const double reach = std::sqrt(2 * digits);
  const double last = std::ceil((2 * mu + reach) / spacing);
  double sum = 0;
  double terms = 0;
  for (double j = std::floor(-reach / spacing); j <= last; ++j) {
    const double z = j * spacing;
    sum += psi(-s * std::expm1(mu * (z - 0.5 * mu))) * std::exp(-0.5 * z * z);
    ++terms;
  }
  const double outside = std::exp(-digits) * (psi(s) + 0.5 * s * s * (1 + variance));
  // An argument of psi off by 8 kUnit relative counts (2 + s) times.
  const double error = kUnit * (terms + 64 * (2 + s) + reach * reach);
  return (sum * spacing / kSqrtTwoPi + outside) * (1 + error) + kappa * (std::exp(s) + 1 + 2 * s);
}

/// log E e^{-s U}, rounded up. For |Im z| = y < pi/(2 mu) the integral is at most e^{y^2/2}.
double log_transform_upper(double s, double mu) {
  const double likely = std::log(s) / mu + 0.5 * mu;
  const double digits = kErrorNats + std::min(s, 0.5 * likely * likely) + 2;
  const double strip = std::min(std::sqrt(2 * digits), 0.5 * kPi / mu);
  const double spacing = short_below(2 * kPi * strip / (digits + 0.5 * strip * strip));
  const double log_kappa =
      std::log(2.0) + 0.5 * strip * strip - log_expm1(2 * kPi * strip / spacing) + 1e-12;
  const double last = std::ceil(std::sqrt(2 * digits) / spacing);
  if (last > kMostASide) return 0;  // E e^{-s U} <= 1
  LogSum sum;
  for (double j = -last; j <= last; ++j) {
    const double z = j * spacing;
    const double exponent = -s * std::exp(mu * (z - 0.5 * mu)) - 0.5 * z * z;
    sum.add(exponent * (1 - 16 * kUnit * (1 + mu * std::abs(z))));
  }
  const double inside = sum.log_upper() + std::log(spacing / kSqrtTwoPi) + 16 * kUnit;
  return log_add(log_add(inside, -digits), log_kappa);
}

/// The terms of one order's sum.
class Terms {
 public:
  Terms(double b, double bins, double mu);
  double spacing() const { return spacing_; }
  double above(double v) const;
  double below(double v) const;
  double discretised(double log_sum) const;

 private:
  double b_;
  double bins_;
  double mu_;
  double spacing_;
  double log_kappa_;
};

/// Discretisation: for |Im v| = y < pi/2, |E e^{-e^v S}| <= E e^{-e^Re(v) cos(y) S}, so the rule
/// errs by at most kappa (E[S^-b] + 1), kappa = 2 cos(d)^-b / (e^{2 pi d / h} - 1). Steps h are
/// powers of two, so that orders have places in common.
Terms::Terms(double b, double bins, double mu) : b_(b), bins_(bins), mu_(mu) {
  const double known = std::log(0.25 * b * (b + 1) * std::expm1(mu * mu) / bins);
  const double digits = kErrorNats - std::min(0.0, known);
  const double strip = std::min(1.3, std::sqrt(2 * digits / b));
  const double grown = -b * std::log(std::cos(strip));
  int exponent = 0;
  std::frexp(2 * kPi * strip / (digits + grown), &exponent);
  spacing_ = std::ldexp(0.5, exponent);
  log_kappa_ = std::log(2.0) + grown - log_expm1(2 * kPi * strip / spacing_) + 1e-12 * (1 + grown);
}

/// What the terms above v add up to: e^-x <= (m/(e x))^m and (i) bound them by
///   (m/e)^m e^{m (1 + m/T) mu^2/2} e^{-(m - b) v} / (m - b),
/// for any m > b; best where log m + mu^2 m/T = v - mu^2/2.
double Terms::above(double v) const {
  const double steep = mu_ * mu_ / bins_;
  double x = std::log(b_ + 1);
  for (int i = 0; i < 8; ++i)
    x -= (x + steep * std::exp(x) - v + 0.5 * mu_ * mu_) / (1 + steep * std::exp(x));
  const double m = std::max(b_ + 1, std::exp(x));
  return m * (std::log(m) - 1 - v) + 0.5 * m * (1 + m / bins_) * mu_ * mu_ + b_ * v -
         std::log(m - b_) + 1e-9 * (1 + m);
}

/// What the terms below v <= 0 add up to: e^-l (e^xi - 1) <= xi <= T eta(l/T), and
/// eta(s) <= e^s s^2/2 (e^{mu^2} - 1).
double Terms::below(double v) const {
  return (b_ + 2) * v + 1 + std::log(0.5 * std::expm1(mu_ * mu_) / bins_) - std::log(b_ + 2) + 1e-9;
}

/// The integral over Gamma(b), from above, by the logarithm of its sum.
double Terms::discretised(double log_sum) const {
  const double log_gamma = std::lgamma(b_);
  const double value = log_sum - log_gamma + 32 * kUnit * (1 + std::abs(log_gamma));
  return log_add(value, log_kappa_ + std::log(2.0)) - std::log1p(-std::exp(log_kappa_)) +
         16 * kUnit;
}

}  // namespace

/// log(E e^{-l S} - e^-l), l = e^v, rounded up.
double BinReciprocal::transform(double v) {
  const auto [place, unknown] = transforms_.try_emplace(v, 0);
  if (!unknown) return place->second;
  const double l = std::exp(v);
  const double s = l / bins_;
  double& value = place->second;
  if (s > kSmallArgument) {
    value = bins_ * log_transform_upper(s, mu_);
    value += 8 * kUnit * (1 + std::abs(value) + 2 * std::abs(v));
    if (s > kLargeArgument || (value < 0 && value + l > kLargeRatio)) return value;
  }
  const double xi = bins_ * std::log1p(eta_upper(s, mu_)) * (1 + 8 * kUnit);
  value = log_expm1(xi) - l;
  value += 8 * kUnit * (1 + l + xi + std::abs(v));
  return value;
}

double BinReciprocal::log_integral_upper(double b) {
  const Terms terms(b, bins_, mu_);
  const double spacing = terms.spacing(), log_spacing = std::log(spacing);
  const double centre = std::floor(std::log(b + 2) / spacing);
  LogSum sum;
  const auto add = [&](double v) {
    const double value = b * v + transform(v) + log_spacing;
    sum.add(value + 8 * kUnit * (1 + std::abs(value) + b * std::abs(v)));
  };
  const auto ends = [&sum](double rest) {
    const bool little = rest < sum.log() - kErrorNats;
    if (little) sum.add(rest);
    return little;
  };
  for (double j = centre;; ++j) {
    if (j - centre > kMostASide) return kInfinity;
    add(j * spacing);
    if (ends(terms.above(j * spacing))) break;
  }
  for (double j = centre - 1;; --j) {
    if (centre - j > kMostASide) return kInfinity;
    add(j * spacing);
    if (j * spacing <= 0 && ends(terms.below(j * spacing))) break;
  }
  return terms.discretised(sum.log_upper());
}

double BinReciprocal::log_excess_upper(double b) {
  const double geometric = 0.5 * b * (1 + b / bins_) * mu_ * mu_ * (1 + 16 * kUnit);
  const double simple = log_expm1(geometric) + 4 * kUnit * (1 + geometric);
  if (mu_ > 4 || mu_ < 1e-50) return simple;
  return std::min(simple, log_integral_upper(b));
}

}  // namespace honest_epsilon::rdp
