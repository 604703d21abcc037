#include "core/runs/varied.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/constants.h"

namespace honest_epsilon {
namespace {

/// The ratio of the powers: a finer one would gain little.
constexpr int kLog2Ratio = 2;

/// An epsilon whose power does not overflow.
constexpr double kLargestEpsilon = 600;

}  // namespace

double charge_of(double variation, double epsilon) {
  if (variation == 0) return 0;
  return (1 + std::exp(epsilon)) * variation * (1 + 16 * kUnit);
}

Varied::Varied(std::function<Parts(double)> make, const Effort& effort, double negligible)
    : make_(std::move(make)), effort_(effort), negligible_(negligible) {}

double Varied::charge_at(int exponent, double epsilon) {
  return charge_of(std::ldexp(1.0, kLog2Ratio * exponent), epsilon);
}

int Varied::exponent_of(double variation) {
  return static_cast<int>(
      std::floor(std::log(std::max(variation, kTiny)) / (kLog2Ratio * kLogTwo)));
}

Profile* Varied::at_power(int exponent) {
  const auto [entry, is_new] = profiles_.try_emplace(exponent);
  if (is_new) {
    Parts parts = make_(std::ldexp(1.0, kLog2Ratio * exponent));
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

const Varied::Attempt* Varied::attempt_near(double epsilon) const {
  const auto nearest = std::min_element(
      attempts_.begin(), attempts_.end(), [&](const Attempt& one, const Attempt& other) {
        return std::abs(one.epsilon - epsilon) < std::abs(other.epsilon - epsilon);
      });
  return nearest == attempts_.end() ? nullptr : &*nearest;
}

bool Varied::may_help(const Attempt& near, double found, double rough, double before) {
  // The further away, the more the ratio to the rough curve may have changed; far away little is
  // known of it.
  constexpr double kFar = 3, kSlack = 0.3, kMuch = 5;  // of logarithms
  const double excess = std::log(found / before);
  if (std::abs(std::log(near.before / before)) > kFar) return excess < kMuch;
  return excess < kSlack + std::abs(std::log(near.rough / rough));
}

double Varied::rough(int exponent, double epsilon, double scale) {
  // Too small a variation is of no use.
  Profile* profile = at_power(exponent);
  return profile ? scale * profile->rough_delta(epsilon) + charge_at(exponent, epsilon) : kInfinity;
}

int Varied::best_exponent(double epsilon, double most, Candidate from) {
  // The smallest variations all gain equally little.
  constexpr double kAlike = 1e-3;
  constexpr int kFarthest = 24;
  int exponent = from.exponent;
  double best = rough(exponent, epsilon, from.scale);
  for (int i = 0; i < kFarthest && charge_at(exponent + 1, epsilon) < most; ++i, ++exponent) {
    const double next = rough(exponent + 1, epsilon, from.scale);
    if (next > best * (1 + kAlike)) break;
    best = next;
  }
  for (int i = 0; i < kFarthest; ++i, --exponent) {
    const double next = rough(exponent - 1, epsilon, from.scale);
    if (!(next < best * (1 - kAlike))) break;
    best = next;
  }
  return exponent;
}

bool Varied::lower(double epsilon, Directions& d, double expected) {
  constexpr int kTries = 5;
  constexpr double kNothing = 1e-3;  // of a charge
  constexpr double kNearly = 2;      // as much as is known, where the next power may do better
  // Delta falls with epsilon: an upper bound at a smaller epsilon holds here.
  const auto beyond = lowered_.upper_bound(epsilon);
  const bool inherits = beyond != lowered_.begin() && d.tighten_uppers(std::prev(beyond)->second);
  const double before = d.upper();
  if (!(epsilon < kLargestEpsilon && before > negligible_)) return inherits;
  const Attempt* near = attempt_near(epsilon);
  Candidate best{usual_exponent(near || !(expected > 0) ? before : expected, epsilon), 1};
  if (near) {
    // It follows delta and epsilon as the usual one does.
    best.exponent += near->candidate.exponent - usual_exponent(near->before, near->epsilon);
    best.scale = near->candidate.scale;
  }
  const int start = best.exponent;
  double scale = best.scale, least = kInfinity, least_rough = 0;
  std::vector<int> tried;
  while (tried.size() < kTries) {
    int exponent = best_exponent(epsilon, before, {start, scale});
    // What the rough curve does not show, the charge's share of the whole may.
    const auto is_new = [&] {
      return std::find(tried.begin(), tried.end(), exponent) == tried.end();
    };
    if (!is_new()) exponent = usual_exponent(std::min(least, before), epsilon);
    const double seen = rough(exponent, epsilon, scale);
    const double unscaled = rough(exponent, epsilon, 1);
    if (tried.empty() ? near && !may_help(*near, seen, unscaled, before)
                      : !(seen < kNearly * before))
      break;
    Profile* profile = at_power(exponent);
    if (!profile || !is_new()) break;
    tried.push_back(exponent);
    const Directions found = profile->delta(epsilon, d).directions;
    d.tighten_uppers(found);
    // Nearby the rough curve is assumed to be off by the same factor.
    const double charge = profile->charge(epsilon);
    const double own = std::max(found.upper() - charge, kNothing * charge);
    const double ratio = own / profile->rough_delta(epsilon);
    if (ratio < kInfinity) scale = ratio;
    if (found.upper() > least) continue;
    least = found.upper();
    least_rough = unscaled;
    best = {exponent, scale};
  }
  if (!tried.empty()) attempts_.push_back({epsilon, best, before, least_rough, least < before});
  lowered_[epsilon] = d;
  return inherits || d.upper() < before;
}

}  // namespace honest_epsilon
