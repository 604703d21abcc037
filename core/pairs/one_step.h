#pragma once

#include "core/base/interval.h"
#include "core/pairs/pair.h"

namespace honest_epsilon::pairs {

/// The privacy profile of a single step, certified: with z where the loss is eps,
///   remove: P(z, inf) (1 - e^{eps - mean loss}),   add: Q(-inf, z') (1 - e^{eps + mean loss}).
/// Any z gives a lower bound; the upper one moves z to where the loss is surely below eps.
/// Domain: any finite epsilon.
Interval one_step(const Pair& pair, Direction direction, double epsilon);

}  // namespace honest_epsilon::pairs
