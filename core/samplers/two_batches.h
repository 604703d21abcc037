#pragma once

#include "core/base/direction.h"
#include "core/base/interval.h"

/// Attacks on two shuffled batches of one record each. One of them is a counterexample to
/// Conjecture 3.2 of [HP24], by which no adaptive attack exceeds the static one; it is this
/// project's own [HE26].
///
/// In units of the noise, with mu = 1 / noise multiplier: in its batch the record in question shows
/// mu, or 0 where it is zeroed. The other record shows m_1 in the first batch and m_2 in the
/// second, and may choose m_2 by the first output y_1. So
///   P = (N(mu) x N(m_2) + N(m_1) x N(mu)) / 2,   Q = (N(0) x N(m_2) + N(m_1) x N(0)) / 2,
/// and with X_m the density of N(m) relative to N(0), a = e^eps,
///   delta = E (A X_{m_2}(y_2) + B (X_mu(y_2) - a))+ / 2,   A = X_mu(y_1) - a,   B = X_{m_1}(y_1),
/// over y_1, y_2 ~ N(0).
namespace honest_epsilon::shuffle {

/// What the other record shows.
enum class OtherRecord {
  always_minus,  ///< -mu in both batches: the static attack, the pair of shuffle.h
  imitating,     ///< -mu in the first; in the second mu if X_mu(y_1) > a, else -mu
  opposite,      ///< mu in the first, -mu in the second
};

/// The attack's delta, certified, to 4e-9 + 3e-11 e^eps. `imitating` is made for direction
/// remove.
/// Domain: 1/5 <= noise_multiplier <= 1000, 0 <= epsilon <= 10.
Interval two_batches(OtherRecord other, double noise_multiplier, double epsilon,
                     Direction direction);

}  // namespace honest_epsilon::shuffle
