#pragma once

#include <cstdint>

#include "core/base/interval.h"

namespace honest_epsilon::tradeoff {

/// The imbalance of the clones: X = (2 A - M) / M, where M - 1 ~ Bin(n - 1, c) and, given M,
/// A ~ Bin(M, 1/2). Symmetric about 0, |X| <= 1. Every question about the shuffle model is one
/// about its law, see shuffle_model.h.
struct Imbalance {
  std::int64_t users;        ///< n >= 1
  double clone_probability;  ///< c, in (0, 1]
};

/// Proved intervals for the part of the law above a threshold r.
struct Above {
  Interval call;         ///< E[(X - r)+]
  Interval probability;  ///< Pr[X > r], or Pr[X >= r] if an atom sits at r within rounding
};

/// Both at once, at 0 <= r < 1, for c correct to a few units.
///
/// Given M = m and a the smallest whole number above (1 + r) m / 2,
///   E[(X - r)+ | m] = 1/2 Pr[Bin(m-1, 1/2) = a-1] - r Pr[Bin(m, 1/2) >= a],
/// since k Pr[Bin(m, 1/2) = k] = m/2 Pr[Bin(m-1, 1/2) = k-1] telescopes. Tails of neighbouring m
/// differ by one probability. The walk goes from large m to small, along which the tail grows, so
/// that its errors do not; every step adds its error to a running bound.
///
/// Outside the window of m Chernoff's bound is charged: E[(X - r)+ | m] <= Pr[X >= r | m] <= e^{-m
/// kappa} with
///   kappa = ((1+r) log(1+r) + (1-r) log(1-r)) / 2,
/// altogether e^-kappa (1 - c + c e^-kappa)^{n-1} Pr[Bin(n-1, c') outside], c' the tilted c; the
/// window is centred there.
///
/// Error: upper/lower of the call below 1 + 1e-8 for n <= 1e8 and call >= 1e-100. Takes about
/// 20 sqrt(n c'(1-c')) steps of a few nanoseconds.
Above above(const Imbalance& law, double r);

}  // namespace honest_epsilon::tradeoff
