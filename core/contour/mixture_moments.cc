#include "core/contour/mixture_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/ball.h"
#include "core/base/interval.h"
#include "core/math/log_domain.h"

namespace honest_epsilon::contour {
namespace {

struct WeightedColumn {
  double weight;
  std::unique_ptr<const Column> column;  ///< none of a step that reveals nothing
};

class MixtureColumn : public Column {
 public:
  explicit MixtureColumn(std::vector<WeightedColumn> columns) : columns_(std::move(columns)) {}

  LogMoment log_moment(double y) const override {
    return total([&](std::size_t i) { return columns_[i].column->log_moment(y); });
  }

  Climb climb(double spacing) const override {
    std::vector<Climb> climbs;
    for (const WeightedColumn& c : columns_)
      climbs.push_back(c.column ? c.column->climb(spacing) : Climb());
    return [this, climbs = std::move(climbs)](double y) {
      return total([&](std::size_t i) { return climbs[i](y); });
    };
  }

  double log_bound_beyond(double y) const override {
    LogSum sum;
    for (const WeightedColumn& c : columns_) {
      const double log = c.column ? c.column->log_bound_beyond(y) : 0;
      if (log == kInfinity) return kInfinity;
      const double log_weight = std::log(c.weight);
      const double slack = kUnit * (std::abs(log) + (kFunctionError + 2) * std::abs(log_weight));
      if (log > -kInfinity) sum.add(log_weight + log + slack);
    }
    const double value = sum.log();
    return value > -kInfinity ? sum.log_upper() : value;
  }

 private:
  template <class LogMomentOf>
  LogMoment total(LogMomentOf log_moment_of) const {
    // Against the largest, e^top, and less 1 each: sum_i w_i (K_i / e^top - 1) = K / e^top - 1.
    std::vector<LogMoment> logs;
    double top = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      logs.push_back(columns_[i].column ? log_moment_of(i) : LogMoment{});
      top = std::max(top, logs.back().value.real());
    }
    Ball excess;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      // It holds of a log moment that is no logarithm, too: e^error - 1 is all that enters.
      const Ball log = Ball(logs[i].value, logs[i].error) - top;
      excess = excess + Ball(columns_[i].weight) * expm1(log);
    }
    const LogMoment at = contour::log_moment_of(excess);
    return {at.value + top, at.error + 2 * kUnit * (std::abs(at.value) + top)};
  }

  std::vector<WeightedColumn> columns_;
};

}  // namespace

std::unique_ptr<const Column> MixtureMoments::column(Direction direction, double x,
                                                     double log_precision) const {
  std::vector<WeightedColumn> columns;
  for (const WeightedMoments& kind : kinds_) {
    auto column = kind.moments ? kind.moments->column(direction, x, log_precision) : nullptr;
    if (kind.moments && !column) return nullptr;
    columns.push_back({kind.weight, std::move(column)});
  }
  return std::make_unique<MixtureColumn>(std::move(columns));
}

double MixtureMoments::log_moment_estimate(Direction direction, double x) const {
  double sum = -kInfinity;
  for (const WeightedMoments& kind : kinds_) {
    const double log = kind.moments ? kind.moments->log_moment_estimate(direction, x) : 0;
    sum = log_add(sum, std::log(kind.weight) + log);
  }
  return sum;
}

double MixtureMoments::total_variation() const {
  double sum = 0;
  for (const WeightedMoments& kind : kinds_)
    sum += kind.moments ? kind.weight * kind.moments->total_variation() : 0;
  return sum * (1 + 1e-12);
}

double MixtureMoments::largest_loss(Direction direction) const {
  double largest = -kInfinity;
  for (const WeightedMoments& kind : kinds_)
    largest = std::max(largest, kind.moments ? kind.moments->largest_loss(direction) : 0);
  return largest;
}

double MixtureMoments::lowest_place(Direction direction) const {
  // Columns that do not reach far are slow; those of every kind would be slower than they are
  // worth.
  if (!reaches_far(direction)) return kInfinity;
  double lowest = -1;
  for (const WeightedMoments& kind : kinds_) {
    if (kind.moments) lowest = std::max(lowest, kind.moments->lowest_place(direction));
  }
  return lowest;
}

bool MixtureMoments::reaches_far(Direction direction) const {
  return std::all_of(kinds_.begin(), kinds_.end(), [direction](const WeightedMoments& kind) {
    return !kind.moments || kind.moments->reaches_far(direction);
  });
}

}  // namespace honest_epsilon::contour
