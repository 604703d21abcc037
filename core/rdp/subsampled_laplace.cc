#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/math/log_domain.h"
#include "core/math/quadrature.h"
#include "core/rdp/excess.h"
#include "core/rdp/renyi.h"

namespace honest_epsilon::rdp {
namespace {

/// E[F_a(q (e^y - 1))], y the loss of Laplace noise at distance mu: two atoms and a density,
///   y = -mu: 1/2,     y = mu: e^-mu / 2,     dy e^{-(mu + y)/2} / 4 between.
/// The density's part by Gauss-Legendre panels, from the top down. For |Im y| < pi,
/// |1 - q + q e^y| is at most its value at Re y; on the ellipse round a panel, which reaches from
/// `low` to `high` along the real line, the integrand is below
///   e^{-low/2} (g^a + (a - 1) + a g) <= e^{-low/2} 2a max(1, g(high)^a),   g(y) = 1 - q + q e^y.
class LaplaceMoment {
 public:
  LaplaceMoment(double order, double q, double mu);
  double log_upper();

 private:
  double term(double y) const;
  void add_panel(double low, double high);
  double panel_width(double top) const;

  double order_;
  double q_;
  double mu_;
  quadrature::Ellipse ellipse_;  ///< around a panel of half-width 1
  LogSum sum_;
};

LaplaceMoment::LaplaceMoment(double order, double q, double mu) : order_(order), q_(q), mu_(mu) {
  sum_.add(log_excess_upper(order, mixture_ratio(q, -mu)) - std::log(2.0));
  sum_.add(log_excess_upper(order, mixture_ratio(q, mu)) - std::log(2.0) - mu);
  // The errors, at most 2a e^{mu/2} times a growth of e^4 in a panel, are to be negligible.
  const double digits = kNegligibleNats + 8 + std::log(2 * order) - std::min(0.0, sum_.log());
  ellipse_ = quadrature::ellipse(std::exp(digits / 60));
}

/// log of e^{-(mu + y)/2} F_a / 4, rounded up; y may be off by 8 kUnit relative.
double LaplaceMoment::term(double y) const {
  const Ratio g = mixture_ratio(q_, y);
  return log_excess_upper(order_, {g.excess, g.log, g.error + 8 * kUnit * (1 + std::abs(y))}) -
         0.5 * (mu_ + y) - std::log(4.0) + 16 * kUnit * (1 + mu_);
}

/// Narrow enough for the strip |Im y| < 3, and for g^a to grow little on the way round the panel.
double LaplaceMoment::panel_width(double top) const {
  const double posterior = std::exp(std::log(q_) + top + 3 - mixture_ratio(q_, top + 3).log);
  const double steep = order_ * posterior + 1;
  return 2 * std::min(3 / ellipse_.high, 4 / (ellipse_.wide * steep));
}

void LaplaceMoment::add_panel(double low, double high) {
  const double middle = 0.5 * (low + high);
  const double half = 0.5 * (high - low);
  for (const auto& node : quadrature::gauss_legendre())
    sum_.add(term(middle + half * node.position) + std::log(half * node.weight));
  const Ratio top = mixture_ratio(q_, middle + half * ellipse_.wide);
  const double largest = std::log(2 * order_) + std::max(0.0, order_ * (top.log + top.error)) -
                         0.5 * (mu_ + middle - half * ellipse_.wide) - std::log(4.0);
  sum_.add(largest + std::log(half) + ellipse_.log_error + 1e-9);
}

double LaplaceMoment::log_upper() {
  double top = mu_;
  while (top > 0) {
    const double bottom = std::max(0.0, top - panel_width(top));
    add_panel(bottom, top);
    top = bottom;
    // F_a falls towards y = 0.
    const double rest = term(top) + 0.5 * top + std::log(top);
    if (top > 0 && rest < sum_.log() - kNegligibleNats) {
      sum_.add(rest);
      break;
    }
  }
  // Below 0 it rises towards y = -mu, where the density's part is at most as likely as the atom.
  const double lowest = log_excess_upper(order_, mixture_ratio(q_, -mu_));
  if (lowest < sum_.log() - kNegligibleNats) {
    sum_.add(lowest);
    return sum_.log_upper() + kUnit * 64;
  }
  top = 0;
  while (top > -mu_) {
    const double bottom = std::max(-mu_, top - panel_width(top));
    add_panel(bottom, top);
    top = bottom;
  }
  return sum_.log_upper() + kUnit * 64;
}

}  // namespace

double subsampled_laplace(double order, double q, double mu) {
  const double without = laplace(order, mu);
  if (q >= 1 || !(mu >= kSmallestShift && mu <= kLargestShift) || q < kSmallestShift)
    return without;
  return std::min(without, divergence_upper(order, LaplaceMoment(order, q, mu).log_upper()));
}

}  // namespace honest_epsilon::rdp
