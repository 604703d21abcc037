#pragma once

#include <cstdint>

/// Work is counted, not timed, so that a question that costs too much stops at the same place on
/// every machine, natively and as WebAssembly.
namespace honest_epsilon::work {

/// Thrown where no work is left. Whoever asks for a bound catches it, and asks for less.
struct Spent {};

/// Counts work that is about to be done; what is more than is left is refused and not counted. One
/// unit is about a term of a sum over a contour, some nanoseconds.
void spend(std::int64_t units);

/// What is left of the limits there are.
std::int64_t left();

/// As long as it lives no more than this is spent, nor more than is left of the limits around it.
class Limit {
 public:
  explicit Limit(std::int64_t most);
  ~Limit();
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

  /// Whether work ran out since, here or at a limit inside this one.
  bool was_met() const;

 private:
  std::int64_t around_;
  bool met_before_;
};

/// A part of what is left, for something that others follow.
inline std::int64_t part(double share) {
  return static_cast<std::int64_t>(share * static_cast<double>(left()));
}

}  // namespace honest_epsilon::work
