#pragma once

#include <cstdint>
#include <vector>

#include "core/base/interval.h"

namespace honest_epsilon::pairs {

/// A person's records in one step. Each is in the batch with probability q: on its own, or, where
/// `drawn_from` is told, as one of that many records of which the batch is a uniform subset. No
/// more than `most` of them are: above the mean, where that is not all.
///   Domain: 0 < q <= 1; drawn_from = 0, or at most 1e12 with a whole batch b = q drawn_from <=
///   drawn_from - count, and count <= 1e4.
struct Records {
  double q;
  std::int64_t count = 1;
  std::int64_t most = count;
  std::int64_t drawn_from = 0;  ///< 0: each joins on its own
};

/// Weights of their number 0, 1, ..., most, or up to b, given that it is no more: log-concave, of
/// sum one.
struct RecordWeights {
  std::vector<double> log;
  std::vector<double> error;  ///< bound on the error of each log
};

/// Bin(count, q), or of n = drawn_from, by p_0 = prod_i (n - b - i) / (n - i) and
///   p_{j+1} / p_j = (count - j) (b - j) / ((j + 1) (n - b - count + j + 1)).   Domain: q < 1.
RecordWeights record_weights(const Records& records);

/// The most that there may be: of a subset at most b.
std::int64_t largest_number(const Records& records);

/// Probability that any of all `count` is in the batch.
double any_record(const Records& records);

/// Probability that more than `most` are, which is at least their mean. A subset holds a sum of
/// independent zeros and ones [VM82], and such a sum has its largest upper tails, from the mean on,
/// where all of these have the same probability [Hoe56, Thm 4]: those of Bin(count, q).
Interval more_than_most(const Records& records);

/// The least number that is exceeded with probability `missed` at most, or a little more where
/// rounding or the bound above decides.
std::int64_t rarely_more(const Records& records, double missed);

}  // namespace honest_epsilon::pairs
