#pragma once

#include <cmath>
#include <vector>

#include "core/base/direction.h"

namespace honest_epsilon::testing {

/// What an adversary may see, and how likely it is with the record and without.
struct Outcome {
  long double p, q;
};

/// An epoch of balls-and-bins with randomised response, answer by answer: all of 2^seen lists of
/// bits, for the record in each of the bins. By the definition alone.
inline std::vector<Outcome> epoch_of_responses(int seen, int missing, double epsilon0) {
  const long double keep = 1 / (1 + std::exp(-static_cast<long double>(epsilon0)));
  const long double flip = 1 / (1 + std::exp(static_cast<long double>(epsilon0)));
  std::vector<Outcome> outcomes;
  for (int bits = 0; bits < 1 << seen; ++bits) {
    const auto likelihood = [&](int bin) {
      long double product = 1;
      for (int t = 0; t < seen; ++t) product *= ((bits >> t & 1) == (t == bin)) ? keep : flip;
      return product;
    };
    Outcome one{0, likelihood(-1)};
    for (int bin = 0; bin < seen + missing; ++bin)
      one.p += likelihood(bin < seen ? bin : -1) / (seen + missing);
    outcomes.push_back(one);
  }
  return outcomes;
}

/// Two independent observations.
inline std::vector<Outcome> beside(const std::vector<Outcome>& a, const std::vector<Outcome>& b) {
  std::vector<Outcome> all;
  for (const Outcome& x : a) {
    for (const Outcome& y : b) all.push_back({x.p * y.p, x.q * y.q});
  }
  return all;
}

inline long double delta_of(const std::vector<Outcome>& outcomes, Direction direction,
                            double epsilon) {
  const long double k = std::exp(static_cast<long double>(epsilon));
  long double sum = 0;
  for (const Outcome& o : outcomes) {
    const long double gain = direction == Direction::remove ? o.p - k * o.q : o.q - k * o.p;
    if (gain > 0) sum += gain;
  }
  return sum;
}

}  // namespace honest_epsilon::testing
