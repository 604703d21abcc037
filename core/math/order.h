#pragma once

#include <cstddef>
#include <vector>

namespace honest_epsilon {

/// The indices of the values, in the order in which these rise; equal ones keep theirs. No value is
/// NaN.
std::vector<std::size_t> rising_order(const std::vector<double>& values);

}  // namespace honest_epsilon
