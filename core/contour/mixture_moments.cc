#include "core/contour/mixture_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/math/log_domain.h"

namespace honest_epsilon::contour {
namespace {

/// The moments of a step that reveals nothing.
class Nothing : public Column, public Rule {
 public:
  LogMoment log_moment(double) const override { return {0, 0}; }
  double log_bound_beyond(double) const override { return 0; }
  std::unique_ptr<const Column> column(double) const override {
    return std::make_unique<Nothing>();
  }
};

/// A logarithm's error, and that of a sum with it.
constexpr double kWeightUnits = kFunctionError + 2;

struct WeightedColumn {
  double log_weight;
  std::unique_ptr<const Column> column;
};

class MixtureColumn : public Column {
 public:
  explicit MixtureColumn(std::vector<WeightedColumn> columns) : columns_(std::move(columns)) {}

  LogMoment log_moment(double y) const override {
    return total([&](std::size_t i) { return columns_[i].column->log_moment(y); });
  }

  Climb climb(double spacing, double height) const override {
    std::vector<Climb> climbs;
    for (const WeightedColumn& c : columns_) climbs.push_back(c.column->climb(spacing, height));
    return [this, climbs = std::move(climbs)](double y) {
      return total([&](std::size_t i) { return climbs[i](y); });
    };
  }

  double log_bound_beyond(double y) const override {
    LogSum sum;
    for (const WeightedColumn& c : columns_) {
      const double log = c.column->log_bound_beyond(y);
      if (log == kInfinity) return kInfinity;
      const double slack = kWeightUnits * kUnit * (std::abs(log) + std::abs(c.log_weight));
      if (log > -kInfinity) sum.add(c.log_weight + log + slack);
    }
    const double value = sum.log();
    return value > -kInfinity ? sum.log_upper() : value;
  }

 private:
  template <class LogMomentOf>
  LogMoment total(LogMomentOf log_moment_of) const {
    std::vector<LogMoment> logs;
    double largest = -kInfinity;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      LogMoment log = log_moment_of(i);
      if (!(log.error < kInfinity)) return {0, kInfinity};
      const double log_weight = columns_[i].log_weight;
      log.error += kWeightUnits * kUnit * std::abs(log_weight);
      log.value += log_weight;
      largest = std::max(largest, log.value.real());
      logs.push_back(log);
    }
    // Against e^largest: the sum, its error, and what the moduli may add up to.
    std::complex<double> sum = 0;
    double error = 0, most = 0;
    for (const LogMoment& log : logs) {
      const std::complex<double> exponent = log.value - largest;
      const double modulus = std::exp(exponent.real());
      sum += std::polar(modulus, exponent.imag());
      // An exponent rounds with its parts, a phase with itself; additions one unit each.
      const double units =
          16 + static_cast<double>(logs.size()) + 4 * (std::abs(log.value) + std::abs(largest));
      const double own = std::expm1(log.error) + kUnit * units;
      error += modulus * own;
      most += modulus * (1 + own);
    }
    const double size = std::abs(sum);
    if (error < 0.5 * size) return {largest + std::log(sum), error / (size - error) + 4 * kUnit};
    // Nothing is known but how small it is, which is within twice the bound of it.
    return {largest + std::log(most) + 1e-12, std::log(3.0) + 1e-12};
  }

  std::vector<WeightedColumn> columns_;
};

class MixtureRule : public Rule {
 public:
  struct WeightedRule {
    double log_weight;
    std::shared_ptr<const Rule> rule;
  };
  explicit MixtureRule(std::vector<WeightedRule> kinds) : kinds_(std::move(kinds)) {}
  std::unique_ptr<const Column> column(double x) const override {
    std::vector<WeightedColumn> columns;
    for (const WeightedRule& k : kinds_) columns.push_back({k.log_weight, k.rule->column(x)});
    return std::make_unique<MixtureColumn>(std::move(columns));
  }

 private:
  std::vector<WeightedRule> kinds_;
};

}  // namespace

std::shared_ptr<const Rule> MixtureMoments::rule(Direction direction, const Reach& reach) const {
  std::vector<MixtureRule::WeightedRule> kinds;
  for (const WeightedMoments& kind : kinds_) {
    auto rule =
        kind.moments ? kind.moments->rule(direction, reach) : std::make_shared<const Nothing>();
    if (!rule) return nullptr;
    kinds.push_back({std::log(kind.weight), std::move(rule)});
  }
  return std::make_shared<MixtureRule>(std::move(kinds));
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
