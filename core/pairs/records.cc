#include "core/pairs/records.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/binomial_tail.h"

namespace honest_epsilon::pairs {
namespace {

/// A subset's size and how many records it leaves; 0 where each record joins on its own.
struct Subset {
  double batch, rest;

  explicit Subset(const Records& records)
      : batch(std::round(records.q * static_cast<double>(records.drawn_from))),
        rest(static_cast<double>(records.drawn_from) - batch) {}
};

/// log p_0. Of a subset each factor is a ratio of whole numbers, rounded once, or 1 minus one.
double log_none(const Records& records) {
  const auto n = static_cast<double>(records.count);
  if (records.drawn_from == 0) return n * std::log1p(-records.q);
  const Subset subset(records);
  double log = 0;
  for (double i = 0; i < n; ++i) {
    const double left = subset.rest - i, share = subset.batch / (left + subset.batch);
    log += share < 0.5 ? std::log1p(-share) : std::log(left / (left + subset.batch));
  }
  return log;
}

}  // namespace

RecordWeights record_weights(const Records& records) {
  const double q = records.q;
  const auto n = static_cast<double>(records.count);
  const Subset subset(records);
  const double log_odds = std::log(q) - std::log1p(-q);
  double log = log_none(records);
  double error = (records.drawn_from > 0 ? 8 + n : 4) * kUnit * std::abs(log);
  if (records.most < largest_number(records)) {
    const Interval beyond = more_than_most(records);
    log -= std::log1p(-beyond.upper);
    error += 2 * kUnit + 2 * (beyond.upper - beyond.lower) / (1 - beyond.upper);
  }
  RecordWeights weights;
  const auto last = static_cast<double>(std::min(records.most, largest_number(records)));
  for (double j = 0; j <= last; ++j) {
    weights.log.push_back(log);
    weights.error.push_back(error);
    const double growth =
        records.drawn_from > 0
            ? std::log((n - j) * (subset.batch - j) / ((j + 1) * (subset.rest - n + j + 1)))
            : std::log((n - j) / (j + 1)) + log_odds;
    error += kUnit * (8 + 4 * std::abs(std::log(q)) + 4 * std::abs(growth) + 2 * std::abs(log));
    log += growth;
  }
  return weights;
}

std::int64_t largest_number(const Records& records) {
  if (records.drawn_from == 0) return records.count;
  return std::min(records.count, static_cast<std::int64_t>(Subset(records).batch));
}

double any_record(const Records& records) {
  if (records.q == 1 || records.count == 1) return records.q;
  return -std::expm1(log_none(records));
}

Interval more_than_most(const Records& records) {
  if (records.most >= largest_number(records)) return {0, 0};
  const Interval tail = binomial::upper_tail(static_cast<double>(records.count), records.q,
                                             static_cast<double>(records.most));
  if (records.drawn_from == 0) return tail;
  // A quotient that q stands for is off by a unit, and no power of it by more than this.
  return {0, std::min(1.0, tail.upper * (1 + 1e-11))};
}

std::int64_t rarely_more(const Records& records, double missed) {
  const double most =
      binomial::quantile_upper(static_cast<double>(records.count), records.q, missed);
  const std::int64_t all = largest_number(records);
  return most < static_cast<double>(all) ? static_cast<std::int64_t>(most) : all;
}

}  // namespace honest_epsilon::pairs
