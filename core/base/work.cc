#include "core/base/work.h"

#include <algorithm>
#include <limits>

namespace honest_epsilon::work {
namespace {

/// More than is ever counted, and twice as much is no overflow.
constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max() / 4;

thread_local std::int64_t spent = 0;
thread_local std::int64_t limit = kUnlimited;
thread_local bool is_met = false;

}  // namespace

void spend(std::int64_t units) {
  if (limit == kUnlimited) return;
  if (units > limit - spent) {
    is_met = true;
    throw Spent{};
  }
  spent += units;
}

std::int64_t left() {
  return limit == kUnlimited ? kUnlimited : std::max<std::int64_t>(0, limit - spent);
}

Limit::Limit(std::int64_t most) : around_(limit), met_before_(is_met) {
  if (around_ == kUnlimited) spent = 0;
  limit = std::min(around_, most < kUnlimited - spent ? spent + most : kUnlimited);
  is_met = false;
}

Limit::~Limit() {
  limit = around_;
  is_met = is_met || met_before_;
}

bool Limit::was_met() const {
  return is_met;
}

}  // namespace honest_epsilon::work
