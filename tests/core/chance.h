#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

namespace honest_epsilon::testing {

/// Exceeded once in 4e11 normal statistics.
inline constexpr double kDeviations = 7;

/// Where a test's choices come from: a seed, or the bytes that a fuzzer makes.
class Chance {
 public:
  virtual ~Chance() = default;
  /// In [0, 1).
  virtual double unit() = 0;

  double uniform(double low, double high) { return low + (high - low) * unit(); }
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  double whole(double low, double high) { return std::floor(log_uniform(low, high + 1)); }
  bool happens(double probability) { return unit() < probability; }
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(unit() * static_cast<double>(count));
  }
};

/// Random choices that are the same on every machine: the standard fixes mt19937_64's output, but
/// not that of its distributions.
class Dice : public Chance {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double unit() override { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace honest_epsilon::testing
