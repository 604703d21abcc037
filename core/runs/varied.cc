#include "core/runs/varied.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/rounding.h"
#include "core/math/constants.h"

namespace honest_epsilon {
namespace {

/// The ratio of the powers: a finer one would gain little.
constexpr int kLog2Ratio = 1;

/// An epsilon whose power does not overflow.
constexpr double kLargestEpsilon = 600;

}  // namespace

double charge_of(double variation, double epsilon) {
  if (variation == 0) return 0;
  return (1 + std::exp(epsilon)) * variation * (1 + 16 * kUnit);
}

Varied::Varied(std::function<Parts(double)> make, const Effort& effort, double negligible)
    : make_(std::move(make)), effort_(effort), negligible_(negligible) {}

double Varied::of_exponent(int exponent) {
  return std::ldexp(1.0, kLog2Ratio * exponent);
}

int Varied::exponent_of(double variation) {
  return static_cast<int>(
      std::floor(std::log(std::max(variation, kTiny)) / (kLog2Ratio * kLogTwo)));
}

Profile* Varied::at_power(int exponent) {
  const auto [entry, is_new] = profiles_.try_emplace(exponent);
  if (is_new) {
    Parts parts = make_(of_exponent(exponent));
    const bool useful = parts.variation > 0;
    parts.tight = true;
    if (useful) entry->second.emplace(std::move(parts), effort_, negligible_);
  }
  return entry->second ? &*entry->second : nullptr;
}

int Varied::usual_exponent(double delta, double epsilon) {
  constexpr double kPart = 0.3;
  return exponent_of(kPart * delta / (1 + std::exp(epsilon)));
}

bool Varied::is_hopeless(double epsilon, double before) const {
  constexpr double kFar = 3, kMuch = 2;  // of logarithms
  const auto nearest = std::min_element(
      attempts_.begin(), attempts_.end(), [&](const Attempt& one, const Attempt& other) {
        return std::abs(one.epsilon - epsilon) < std::abs(other.epsilon - epsilon);
      });
  return nearest != attempts_.end() && std::abs(std::log(nearest->before / before)) < kFar &&
         std::log(nearest->found / before) > kMuch;
}

bool Varied::lower(double epsilon, Directions& d, double expected) {
  // Alike: the smallest variations all gain equally little. Few: for the best one is soon found.
  constexpr double kAlike = 1e-3, kHopeless = 20;
  constexpr std::size_t kFew = 16;
  const double before = d.upper();
  if (!(epsilon < kLargestEpsilon && before > negligible_) || is_hopeless(epsilon, before))
    return false;
  std::map<int, double> tried;
  const auto at = [&](int exponent) {
    const auto [entry, is_new] = tried.try_emplace(exponent, kInfinity);
    if (!is_new || charge_of(of_exponent(exponent), epsilon) >= d.upper()) return entry->second;
    if (Profile* profile = at_power(exponent)) {
      const Directions found = profile->delta(epsilon, d).directions;
      d.tighten_uppers(found);
      entry->second = found.upper();
    }
    return entry->second;
  };
  int best = usual_exponent(expected > 0 ? std::min(expected, before) : before, epsilon);
  const auto improve = [&](int exponent) {
    const bool better = at(exponent) < at(best) * (1 - kAlike);
    if (better) best = exponent;
    return better;
  };
  at(best);
  // A usual part of what is found, and its neighbours.
  while (tried.size() < kFew && !(at(best) > kHopeless * before && at(best) < kInfinity)) {
    const int usual = usual_exponent(d.upper(), epsilon);
    if (!tried.contains(usual)) {
      improve(usual);
    } else if (!improve(best + 1) && !improve(best - 1)) {
      break;
    }
  }
  attempts_.push_back({epsilon, before, at(best)});
  return d.upper() < before;
}

}  // namespace honest_epsilon
