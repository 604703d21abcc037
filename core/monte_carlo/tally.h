#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace honest_epsilon::monte_carlo {

/// A sum of numbers in [0, 1], exact in multiples of 2^-62: 128 bits hold 2^66 terms. Integer
/// addition is associative and commutative, so sums of parts merge in any order to the same bits.
class FixedSum {
 public:
  static constexpr double kResolution = 0x1p-62;

  /// Adds x, rounded down to a multiple of the resolution. Domain: 0 <= x <= 1.
  void add(double x);
  FixedSum& operator+=(const FixedSum& other);
  bool operator==(const FixedSum&) const = default;

  /// The sum, within 2^-52 relative.
  double value() const;

  /// 32 hexadecimal digits, and back; nothing when the text is anything else.
  std::string text() const;
  static std::optional<FixedSum> parse(const std::string& text);

 private:
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

/// The first two moments' sums of one summand.
struct MomentSums {
  FixedSum sum;
  FixedSum squares;
  void add(double x);
  bool operator==(const MomentSums&) const = default;
};

/// What the samples of any set of chunks leave behind: all that an interval needs.
struct Tally {
  std::int64_t samples = 0;
  /// By part (Estimator::parts()): summands that bound the truth from above, and from below. Where
  /// both are the same (no order statistics) `lower` is empty.
  std::vector<MomentSums> upper;
  std::vector<MomentSums> lower;
  bool operator==(const Tally&) const = default;
};

/// Adds the samples of `more`, which must come from the same request and from other chunks. False,
/// and nothing done, when the sizes show that it does not.
bool merge(Tally& total, const Tally& more);

}  // namespace honest_epsilon::monte_carlo
