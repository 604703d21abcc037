#pragma once

namespace honest_epsilon {

/// The two directions of a pair of laws, P with the record and Q without it: remove is H(P || Q),
/// add is H(Q || P).
enum class Direction { remove, add };

inline Direction opposite(Direction direction) {
  return direction == Direction::remove ? Direction::add : Direction::remove;
}

}  // namespace honest_epsilon
