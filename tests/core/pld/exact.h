#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/pld/lattice_law.h"
#include "core/pld/payoff.h"
#include "core/pld/source.h"
#include "tests/core/support.h"

/// The truth that interval tests are held against, from definitions alone: sums of positive terms
/// in long double, which has at least 11 bits more than the core's double.
namespace honest_epsilon::testing {

using Real = long double;

inline constexpr pld::Payoff kLoss{pld::PayoffKind::loss};
inline constexpr pld::Payoff kRatio{pld::PayoffKind::ratio};

/// Under wasm long double is slow, tests do less there, and its erfc, exp and log (not its sums and
/// products) are only those of double.
#ifdef __EMSCRIPTEN__
inline constexpr bool kSlowReal = true;
inline constexpr double kFunctionError = 2e-15;
#else
inline constexpr bool kSlowReal = false;
inline constexpr double kFunctionError = 3e-18;
#endif

/// A measure on origin + (first + i) spacing, with its mass at +infinity.
struct ExactLaw {
  Real origin = 0;
  Real spacing = 1;
  std::int64_t first = 0;
  std::vector<Real> mass;
  Real infinite = 0;

  Real point(std::size_t i) const {
    return origin + static_cast<Real>(first + static_cast<std::int64_t>(i)) * spacing;
  }
  Real total() const {
    Real sum = infinite;
    for (const Real m : mass) sum += m;
    return sum;
  }
};

inline ExactLaw exact(const pld::LatticeLaw& law) {
  return {law.origin, law.spacing, law.first, {law.mass.begin(), law.mass.end()}, law.infinite};
}

inline ExactLaw convolved(const ExactLaw& a, const ExactLaw& b) {
  ExactLaw sum{a.origin + b.origin, a.spacing, a.first + b.first, {}, 0};
  sum.mass.assign(a.mass.size() + b.mass.size() - 1, 0.0L);
  for (std::size_t i = 0; i < a.mass.size(); ++i) {
    for (std::size_t j = 0; j < b.mass.size(); ++j) sum.mass[i + j] += a.mass[i] * b.mass[j];
  }
  sum.infinite = a.infinite * b.total() + b.infinite * (a.total() - a.infinite);
  return sum;
}

inline ExactLaw repeated(const ExactLaw& law, std::int64_t copies) {
  ExactLaw sum = law;
  for (std::int64_t i = 1; i < copies; ++i) sum = convolved(sum, law);
  return sum;
}

/// E[payoff(sum - strike)+]; an infinite loss pays 1.
inline Real expected(const ExactLaw& law, pld::Payoff payoff, double strike) {
  Real sum = law.infinite;
  if (std::isinf(strike)) return strike > 0 ? sum : payoff.is_loss() ? law.total() : HUGE_VALL;
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    const Real x = law.point(i) - static_cast<Real>(strike);
    if (x > 0) sum += law.mass[i] * (payoff.is_loss() ? -std::expm1(-x) : x);
  }
  return sum;
}

/// E[(1 - e^{eps - L})+] under a law of losses.
inline double delta_of(const pld::LatticeLaw& law, double epsilon) {
  double sum = law.infinite;
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    if (law.point(i) > epsilon) sum += law.mass[i] * -std::expm1(epsilon - law.point(i));
  }
  return sum;
}

inline Real upper_tail(Real z) {
  return std::erfc(z / std::numbers::sqrt2_v<Real>) / 2;
}

inline Real density(Real z) {
  return std::exp(-z * z / 2) * std::numbers::inv_sqrtpi_v<Real> / std::numbers::sqrt2_v<Real>;
}

/// Steps of the subsampled Gaussian pair, without any lattice: the last step in closed form, the
/// others by the trapezoidal rule. Halving its step changes values above 1e-6 by less than 1e-12
/// relative.
class ExactSteps {
 public:
  ExactSteps(double q, double mu, Direction direction)
      : q_(q),
        mu_(mu),
        remove_(direction == Direction::remove),
        step_(0.0625L / std::max(1.0L, mu_ / 4)) {}

  Real delta(int steps, Real epsilon) const {
    if (steps == 1) return one_step(epsilon);
    const auto term = [&](Real z) {
      const Real ratio = ratio_at(z);
      const Real weight = density(z) * (remove_ ? ratio : 1);
      if (weight < 1e-24L) return 0.0L;
      return weight * delta(steps - 1, epsilon + (remove_ ? -1 : 1) * std::log(ratio));
    };
    // The loss ends at log(1 - q), and what is left of the steps pays nothing, or everything, from
    // some z on: smooth, but only on the logarithmic scale of the distance to that z.
    const Real edge =
        ratio_position(std::exp(remove_ ? epsilon : -epsilon) * std::pow(1 - q_, 1 - steps));
    Real sum = 0;
    if (!std::isfinite(edge)) {
      const Real h = step_ / 2;
      for (Real z = -12; z < 12 + mu_; z += h) sum += h * term(z);
      return sum;
    }
    const Real h = step_;
    for (Real w = -40; w < 4; w += h) {
      const Real distance = std::exp(w);
      sum += h * distance * (term(edge - distance) + term(edge + distance));
    }
    return sum;
  }

 private:
  Real ratio_at(Real z) const { return 1 + q_ * std::expm1(mu_ * z - mu_ * mu_ / 2); }

  /// z where dP/dQ = k; -inf below its range.
  Real ratio_position(Real k) const {
    if (!(k > 1 - q_)) return -HUGE_VALL;
    return std::log1p((k - 1) / q_) / mu_ + mu_ / 2;
  }

  Real one_step(Real epsilon) const {
    const Real k = std::exp(remove_ ? epsilon : -epsilon);
    const Real z = ratio_position(k);
    if (std::isinf(z)) return remove_ ? 1 - k : 0;
    if (remove_) {
      const Real p = (1 - q_) * upper_tail(z) + q_ * upper_tail(z - mu_);
      return p - k * upper_tail(z);
    }
    const Real p = (1 - q_) * upper_tail(-z) + q_ * upper_tail(mu_ - z);
    return upper_tail(-z) - p / k;
  }

  Real q_;
  Real mu_;
  bool remove_;
  Real step_;  ///< of the quadrature
};

/// A step whose laws are given, on whatever lattice it is asked for.
class GivenSource : public pld::Source {
 public:
  GivenSource(pld::LatticeLaw upper, pld::LatticeLaw lower)
      : upper_(std::move(upper)), lower_(std::move(lower)) {}
  std::vector<pld::LossNode> nodes(Direction) const override {
    std::vector<pld::LossNode> nodes;
    for (std::size_t i = 0; i < upper_.mass.size(); ++i) {
      if (upper_.mass[i] > 0) nodes.push_back({upper_.point(i), std::log(upper_.mass[i])});
    }
    return nodes;
  }
  pld::LatticeLaw law(Direction, double spacing, pld::Range, bool up, double) const override {
    REQUIRE(spacing == upper_.spacing);
    return up ? upper_ : lower_;
  }
  double lowest(Direction) const override { return upper_.point(0); }
  double highest(Direction) const override { return upper_.point(upper_.mass.size() - 1); }

 private:
  pld::LatticeLaw upper_;
  pld::LatticeLaw lower_;
};

}  // namespace honest_epsilon::testing
