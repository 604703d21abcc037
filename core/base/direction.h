#pragma once

namespace honest_epsilon {

/// The two directions of a pair of laws, P with the record and Q without it: remove is H(P || Q),
/// add is H(Q || P).
enum class Direction { remove, add };

inline Direction opposite(Direction direction) {
  return direction == Direction::remove ? Direction::add : Direction::remove;
}

/// Which direction of a step's own pair is this one of a run, in which P and Q of the step may be
/// exchanged.
inline Direction own_direction(Direction direction, bool exchanged) {
  return exchanged ? opposite(direction) : direction;
}

}  // namespace honest_epsilon
