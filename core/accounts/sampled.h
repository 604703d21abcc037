#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/accounts/programme.h"
#include "core/tradeoff/curve.h"

namespace honest_epsilon::accounts {

/// A programme's privacy curve, sampled.
struct Sampled {
  std::vector<tradeoff::Knot> knots;
  Method method = Method::none;
  std::int64_t grid_points = 0;
  bool own_proofs = false;  ///< whether upper ends rest on a theorem of our own
  bool limited = false;     ///< a work limit left it wider than asked somewhere
};

/// One run of the programme, whatever its tuning.
Sampled sampled_curve(const Programme& programme, tradeoff::Sampling sampling);

}  // namespace honest_epsilon::accounts
