#pragma once

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/pairs/pair.h"

namespace honest_epsilon {

/// What a run that stopped midway has seen of an epoch: the record in question with probability q,
/// and then a pair of ratio V, E_Q V = 1. With U = 1 - q + q V and K' = 1 + (K - 1) / q,
///   E_Q (U - K)+ = q E_Q (V - K')+,   E_Q (K - U)+ = q E_Q (K' - V)+:
/// a call and a put at K are those of the seen part at K'. Where K' < 0 they are 1 - K and 0.
class SeenShare {
 public:
  /// q = seen / (seen + missing).   Domain: seen > 0, missing >= 0.
  SeenShare(double seen, double missing)
      : q_(seen / (seen + missing)), rest_(missing / (seen + missing)) {}

  bool whole() const { return rest_ == 0; }
  double q() const { return q_; }
  double rest() const { return rest_; }  ///< 1 - q

  /// The call (remove) or the put (add) at log K, at most and at least.
  ///   seen: asks one of V's, (log K', direction) -> at most, or at least
  template <class Seen>
  double upper(const Seen& seen, double log_k, Direction direction) const {
    return payoff(seen, log_k, direction, +1);
  }
  template <class Seen>
  double lower(const Seen& seen, double log_k, Direction direction) const {
    return std::max(0.0, payoff(seen, log_k, direction, -1));
  }

  /// log K of a log K'.
  double outer(double log_k) const { return std::log1p(q_ * std::expm1(log_k)); }
  /// What outer(log K') = log_k may be off by.
  static double off(double log_k) { return 8 * kUnit * (std::abs(log_k) + std::exp(-log_k)); }

 private:
  template <class Seen>
  double payoff(const Seen& seen, double log_k, Direction direction, double sign) const {
    if (whole()) return seen(log_k, direction);
    const bool call = direction == Direction::remove;
    const double excess = std::expm1(log_k) / q_, k = 1 + excess;
    const double rounding = 8 * kUnit * (1 + std::abs(excess));
    if (k > 2 * rounding) {
      const double log = std::log1p(excess);
      const double off = 2 * rounding / k + 4 * kUnit * std::abs(log);
      return q_ * seen(call == (sign > 0) ? log - off : log + off, direction) *
             (1 + sign * 4 * kUnit);
    }
    const double line = -std::expm1(log_k);
    return (call ? line : 0) + sign * 64 * kUnit * (1 + std::abs(line));
  }

  double q_, rest_;
};

}  // namespace honest_epsilon
