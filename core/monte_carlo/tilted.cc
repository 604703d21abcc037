#include "core/monte_carlo/tilted.h"

#include <algorithm>

#include "core/math/constants.h"
#include "core/math/root.h"
#include "core/monte_carlo/coordinates.h"
#include "core/monte_carlo/ratio_table.h"

namespace honest_epsilon::monte_carlo {
namespace {

/// Tilts keep at least this share of the proposals.
constexpr double kLeastKept = 0.25;

/// Beyond this shift the transform would need too many nodes, and delta is near 1 for every epsilon
/// of interest: no tilt.
constexpr double kLargestTilted = 64;

/// Below e^kNegligibleLog an epsilon is not sampled: its bound is all that is said.
constexpr double kNegligibleLog = -650;

struct Tilt {
  double theta = 0;
  double log_transform = 0;  ///< T log M(theta)

  /// log sup_s (1 - s/a)+ M^T e^(theta s): at s = a - 1/theta, or at 0.
  double log_bound(double a) const {
    const double x = theta * a;
    return log_transform + (x > 1 ? x - 1 - portable::log(x) : 0);
  }
};

/// Coordinates' ratios under one tilt, made a tile at a time.
class TiltedRatios {
 public:
  explicit TiltedRatios(double theta) : theta_(theta) {}

  void restart() { kept_ = 0; }

  double sum(variates::Generator& source, const RatioTable& table, std::int64_t count) {
    double sum = 0;
    for (std::int64_t left = count; left > 0;) {
      if (kept_ == 0) refill(source, table);
      const std::size_t size = std::min(kept_, tile_of(left));
      kept_ -= size;
      sum += portable::sum(std::span<const double>(&ratio_[kept_], size));
      left -= static_cast<std::int64_t>(size);
    }
    return sum;
  }

 private:
  void refill(variates::Generator& source, const RatioTable& table) {
    source.uniforms(uniform_);
    table(uniform_, ratio_);
    portable::exp_affine(ratio_, -theta_, 0, chance_);
    source.uniforms(uniform_);
    // Every ratio is written where the next one that is kept belongs: there is nothing to predict.
    for (std::size_t i = 0; i < kTile; ++i) {
      ratio_[kept_] = ratio_[i];
      kept_ += uniform_[i] < chance_[i] ? 1 : 0;
    }
  }

  double theta_;
  std::size_t kept_ = 0;  ///< so many first ones of the ratios are kept and not yet given away
  std::array<double, kTile> ratio_{};
  std::array<double, kTile> chance_{};
  std::array<double, kTile> uniform_{};
};

class Tilted : public Summands {
 public:
  explicit Tilted(const SampleRequest& request)
      : mu_(1 / request.noise_multiplier),
        steps_(request.steps),
        transform_(std::min(mu_, kLargestTilted)),
        table_(mu_) {
    for (const double epsilon : request.epsilons) {
      end_.push_back(static_cast<double>(steps_) * portable::exp(-epsilon));
    }
    std::vector<Tilt> wanted;
    for (const double a : end_) wanted.push_back(best_tilt(a));
    for (std::size_t j = 0; j < end_.size(); ++j) {
      if (wanted[j].log_bound(end_[j]) >= kNegligibleLog) add_component(wanted[j]);
    }
    for (std::size_t j = 0; j < end_.size(); ++j) prepare(wanted[j], end_[j]);
  }

  void restart() override {
    for (TiltedRatios& ratios : ratios_) ratios.restart();
  }

  void draw(variates::Generator& source, std::span<double> upper, std::span<double>) override {
    if (tilts_.empty()) {
      std::fill(upper.begin(), upper.end(), 0);
      return;
    }
    const auto component =
        static_cast<std::size_t>(source.uniform() * static_cast<double>(tilts_.size()));
    const double sum = ratios_[component].sum(source, table_, steps_);
    const double log_weight = -log_density(sum);
    for (std::size_t j = 0; j < upper.size(); ++j) {
      const double share = 1 - sum / end_[j];
      upper[j] =
          share > 0 && parts_[j].bound > 0 ? share * portable::exp(log_weight - log_bound_[j]) : 0;
    }
  }

 private:
  void add_component(const Tilt& tilt) {
    tilts_.push_back(tilt);
    ratios_.emplace_back(tilt.theta);
  }

  /// log((1/n) sum_i e^(-theta_i s) / M_i^T)
  double log_density(double sum) const {
    double largest = -kInfinity;
    for (const Tilt& tilt : tilts_) {
      largest = std::max(largest, -tilt.theta * sum - tilt.log_transform);
    }
    double total = 0;
    for (const Tilt& tilt : tilts_) {
      total += portable::exp(-tilt.theta * sum - tilt.log_transform - largest);
    }
    return largest + portable::log(total / static_cast<double>(tilts_.size()));
  }

  Tilt tilt_at(double theta) const {
    return {theta, static_cast<double>(steps_) * portable::log(transform_(theta))};
  }

  /// The tilt with the least bound, among those that keep enough.
  Tilt best_tilt(double a) const {
    if (mu_ > kLargestTilted) return {};
    const auto keeps = [&](double theta) { return transform_(theta) > kLeastKept; };
    double high = 1;
    while (keeps(high) && high < 1e12) high *= 2;
    const double most = bisect({0, high}, {30}, keeps).low;
    const auto bound = [&](double log_theta) {
      return tilt_at(portable::exp(log_theta)).log_bound(a);
    };
    const double last = portable::log(most);
    const Tilt best = tilt_at(portable::exp(minimizer(bound, last - 30, last)));
    return best.log_bound(a) < 0 ? best : Tilt{};
  }

  void prepare(const Tilt& wanted, double a) {
    Part part;
    part.epsilon = parts_.size();
    const double log_own = wanted.log_bound(a);
    if (log_own < kNegligibleLog) {
      part.bound = 0;
      part.remainder = portable::exp(kNegligibleLog);
      log_bound_.push_back(0);
    } else {
      double log_bound = log_own;
      for (const Tilt& tilt : tilts_) log_bound = std::min(log_bound, tilt.log_bound(a));
      log_bound += portable::log(static_cast<double>(tilts_.size()));
      log_bound_.push_back(log_bound);
      part.bound = portable::exp(log_bound);
      double steepest = 0;
      for (const Tilt& tilt : tilts_) steepest = std::max(steepest, tilt.theta);
      const auto steps = static_cast<double>(steps_);
      // Of the sum: its terms, adding up.
      const double roundoff = table_.error() + adding_error(steps);
      // Of M^T, of the chances of being kept, of e^(theta s), s at most a. M is the transform of
      // the ratios themselves, not of the table's; their relative error counts theta E[U e^(-theta
      // U)] / M times in it, at most 1/(e kLeastKept) < 1.5.
      part.relative_error =
          steps * (1e-14 + 1.5 * table_.error()) + steepest * a * roundoff + 1e-11;
      part.summand_error = roundoff * portable::exp(-log_density(a) - log_bound) + 64 * kUnit;
    }
    parts_.push_back(part);
  }

  double mu_;
  std::int64_t steps_;
  RatioTransform transform_;
  RatioTable table_;
  std::vector<double> end_;  ///< a
  std::vector<double> log_bound_;
  std::vector<Tilt> tilts_;
  std::vector<TiltedRatios> ratios_;
};

}  // namespace

RatioTransform::RatioTransform(double mu) {
  constexpr double kReach = 9;
  const double strip = std::min(2.0, kPi / (2 * mu));
  const double step = 2 * kPi * strip / 45;
  const auto half = static_cast<int>(kReach / step) + 1;
  for (int i = -half; i <= half; ++i) {
    const double z = i * step;
    weight_.push_back(step * kInverseSqrtTwoPi * portable::exp(-0.5 * z * z));
    ratio_.push_back(ratio(mu, z));
  }
  scratch_.resize(ratio_.size());
}

double RatioTransform::operator()(double theta) const {
  portable::exp_affine(ratio_, -theta, 0, scratch_);
  return portable::sum_of_products(weight_, scratch_);
}

std::unique_ptr<Summands> tilted_summands(const SampleRequest& request) {
  return std::make_unique<Tilted>(request);
}

}  // namespace honest_epsilon::monte_carlo
