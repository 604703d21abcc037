#include "core/monte_carlo/loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/portable.h"
#include "core/monte_carlo/coordinates.h"
#include "core/monte_carlo/ratio_table.h"

namespace honest_epsilon::monte_carlo {
namespace {

Loss oriented(Direction direction, double lower, double upper) {
  return direction == Direction::remove ? Loss{lower, upper} : Loss{-upper, -lower};
}

class BallsAndBins : public LossSampler {
 public:
  explicit BallsAndBins(const SampleRequest& request)
      : direction_(request.direction),
        mu_(1 / request.noise_multiplier),
        log_steps_(portable::log(static_cast<double>(request.steps))),
        coordinates_(request, request.steps - (direction_ == Direction::remove ? 1 : 0)) {}

  Loss draw(variates::Generator& source) override {
    if (direction_ == Direction::add) {
      const Drawn all = coordinates_.draw(source);
      return oriented(direction_, portable::log(all.lower) - log_steps_,
                      portable::log(all.upper) - log_steps_);
    }
    const double exponent = mu_ * source.normal() + 0.5 * mu_ * mu_;
    const Drawn others = coordinates_.draw(source);
    return {log_of_sum(others.lower, exponent) - log_steps_,
            log_of_sum(others.upper, exponent) - log_steps_};
  }

  double error() const override { return coordinates_.log_roundoff(log_steps_); }

 private:
  Direction direction_;
  double mu_;
  double log_steps_;
  Coordinates coordinates_;
};

/// The mean product a_j of j of the ratios, e_j / C(t, j), grows by one ratio at a time,
///   a_j(t) = (1 - j/t) a_j(t-1) + (j/t) U_t a_{j-1}(t-1),
/// a sum of positive terms. In units of the largest ratio all are at most 1: nothing overflows, and
/// what underflows is below k T 2^-1021 in the end. Where that might show, logarithms are added.
class SeveralBins : public LossSampler {
 public:
  explicit SeveralBins(const SampleRequest& request)
      : direction_(request.direction),
        mu_(1 / request.noise_multiplier),
        shifted_(direction_ == Direction::remove ? request.participations : 0),
        exponent_(static_cast<std::size_t>(request.steps)),
        ratio_(exponent_.size()),
        mean_(static_cast<std::size_t>(request.participations) + 1) {}

  Loss draw(variates::Generator& source) override {
    const std::span<double> all(exponent_);
    const std::span<double> own = all.first(static_cast<std::size_t>(shifted_));
    draw_exponents(source, own, 0.5 * mu_ * mu_);
    draw_exponents(source, all.subspan(own.size()), -0.5 * mu_ * mu_);
    const double largest = *std::max_element(exponent_.begin(), exponent_.end());
    portable::exp_affine(exponent_, 1, -largest, ratio_);
    constexpr double kSmall = 1e-280;
    const double mean = mean_product();
    const double loss = mean > kSmall
                            ? portable::log(mean) + static_cast<double>(mean_.size() - 1) * largest
                            : log_mean_product();
    return oriented(direction_, loss, loss);
  }

  double error() const override {
    const auto steps = static_cast<double>(ratio_.size());
    const auto products = static_cast<double>(mean_.size());
    // Each step rounds a few times, by a logarithm's size, or that of a ratio's exponent.
    const double size = 40 * mu_ + mu_ * mu_ + portable::log(steps) + 1;
    return 8 * kUnit * (steps + 16) * products * size;
  }

 private:
  void draw_exponents(variates::Generator& source, std::span<double> exponents,
                      double shift) const {
    while (!exponents.empty()) {
      const auto some = source.normals(exponents.size());
      for (std::size_t i = 0; i < some.size(); ++i) exponents[i] = mu_ * some[i] + shift;
      exponents = exponents.subspan(some.size());
    }
  }

  /// Calls step(j, j/t, 1 - j/t) for every j that the t-th ratio changes, the largest first.
  template <class Step>
  void for_each_mean(std::size_t t, Step step) {
    const double part = 1 / static_cast<double>(t);
    for (std::size_t j = std::min(mean_.size() - 1, t); j > 0; --j)
      step(j, static_cast<double>(j) * part, static_cast<double>(t - j) * part);
  }

  double mean_product() {
    std::fill(mean_.begin(), mean_.end(), 0.0);
    mean_[0] = 1;
    for (std::size_t t = 1; t <= ratio_.size(); ++t) {
      for_each_mean(t, [&](std::size_t j, double with, double without) {
        mean_[j] = without * mean_[j] + with * (ratio_[t - 1] * mean_[j - 1]);
      });
    }
    return mean_.back();
  }

  double log_mean_product() {
    constexpr double kNothing = -1e300;
    std::fill(mean_.begin(), mean_.end(), kNothing);
    mean_[0] = 0;
    for (std::size_t t = 1; t <= ratio_.size(); ++t) {
      for_each_mean(t, [&](std::size_t j, double with, double without) {
        const double more = exponent_[t - 1] + mean_[j - 1], rest = mean_[j];
        const double smaller = portable::exp(-std::abs(more - rest));
        mean_[j] = more > rest ? more + portable::log(with + without * smaller)
                               : rest + portable::log(without + with * smaller);
      });
    }
    return mean_.back();
  }

  Direction direction_;
  double mu_;
  std::int64_t shifted_;
  std::vector<double> exponent_, ratio_, mean_;
};

class CorrelatedBins : public LossSampler {
 public:
  explicit CorrelatedBins(const SampleRequest& request)
      : direction_(request.direction),
        bins_(static_cast<std::size_t>(request.steps)),
        epochs_(static_cast<std::size_t>(request.kept_epochs)),
        column_error_(request.column_error),
        noise_(bins_ * epochs_),
        shift_(noise_.size()),
        exponent_(bins_) {
    const std::size_t length = std::min(request.column.size(), noise_.size());
    for (std::size_t j = 0; j < length; ++j)
      column_.push_back(request.column[j] / request.noise_multiplier);
    for (std::size_t from = 0; from < shift_.size(); from += bins_)
      for (std::size_t j = 0; j < length && from + j < shift_.size(); ++j)
        shift_[from + j] += column_[j];
    double square = 0;
    for (const double x : shift_) squares_.push_back(square += x * x);
  }

  Loss draw(variates::Generator& source) override {
    const std::span<double> all(noise_);
    for (std::span<double> left = all; !left.empty();) {
      const auto some = source.normals(left.size());
      std::copy(some.begin(), some.end(), left.begin());
      left = left.subspan(some.size());
    }
    if (direction_ == Direction::remove) {
      const auto bin = std::min(
          bins_ - 1, static_cast<std::size_t>(source.uniform() * static_cast<double>(bins_)));
      for (std::size_t t = bin; t < noise_.size(); ++t) noise_[t] += shift_[t - bin];
    }
    for (std::size_t l = 0; l < bins_; ++l) {
      exponent_[l] = -0.5 * squares_[squares_.size() - 1 - l];
      for (std::size_t t = l; t < noise_.size(); t += bins_) {
        const std::size_t length = std::min(column_.size(), noise_.size() - t);
        exponent_[l] += portable::sum_of_products(std::span<const double>(column_).first(length),
                                                  all.subspan(t, length));
      }
    }
    const double largest = *std::max_element(exponent_.begin(), exponent_.end());
    portable::exp_affine(exponent_, 1, -largest, exponent_);
    const double loss =
        largest + portable::log(portable::sum(exponent_) / static_cast<double>(bins_));
    return oriented(direction_, loss, loss);
  }

  /// A product <m_l, y> is of the size |m_l| |y|, and no normal beyond 9; each of its terms is
  /// rounded as often as the column's sums and the epochs add up, the squares as often as steps do.
  double error() const override {
    const auto steps = static_cast<double>(noise_.size());
    const double norm = std::sqrt(squares_.back());
    const double roundings =
        static_cast<double>(column_.size()) / 8 + 16 + static_cast<double>(2 * epochs_);
    const double size = norm * (9 * std::sqrt(steps) + norm);
    return 2 * ((roundings * kUnit + column_error_) * size + steps * kUnit * squares_.back()) +
           (static_cast<double>(bins_) / 8 + 16 * (size + 2)) * kUnit;
  }

 private:
  Direction direction_;
  std::size_t bins_, epochs_;
  double column_error_;
  std::vector<double> column_;   ///< over the noise
  std::vector<double> noise_;    ///< and what the record adds
  std::vector<double> shift_;    ///< m_0 over the noise
  std::vector<double> squares_;  ///< of m_0 up to each step: |m_l|^2 leaves out the last l
  std::vector<double> exponent_;
};

class Shuffle : public LossSampler {
 public:
  explicit Shuffle(const SampleRequest& request)
      : direction_(request.direction),
        mu_(1 / request.noise_multiplier),
        steps_(request.steps),
        table_(mu_) {}

  Loss draw(variates::Generator& source) override {
    double sum = 0;
    double squares = 0;
    for (std::int64_t left = steps_ - 1; left > 0;) {
      const std::size_t size = tile_of(left);
      const std::span<double> uniforms(uniform_.data(), size);
      const std::span<double> ratios(ratio_.data(), size);
      source.uniforms(uniforms);
      table_(uniforms, ratios);
      sum += portable::sum(ratios);
      squares += portable::sum_of_squares(ratios);
      left -= static_cast<std::int64_t>(size);
    }
    // The record's own batch: shifted by 2 mu under P, by mu under Q.
    const double own =
        mu_ * source.normal() + (direction_ == Direction::remove ? 1.5 : 0.5) * mu_ * mu_;
    const double scale = mu_ * mu_;
    const double above = log_of_sum(squares * portable::exp(-scale), 2 * own - scale);
    const double loss = above - log_of_sum(sum, own);
    return oriented(direction_, loss, loss);
  }

  double error() const override {
    const double adding = adding_error(static_cast<double>(steps_));
    // Of the squares' sum, twice that of the ratios; of their sum, once.
    return 3 * table_.error() + (2 * adding + 16 * (40 * mu_ + 4 * mu_ * mu_ + 1) * kUnit);
  }

 private:
  Direction direction_;
  double mu_;
  std::int64_t steps_;
  RatioTable table_;
  std::array<double, kTile> uniform_{};
  std::array<double, kTile> ratio_{};
};

/// Steps that each hold the record with probability q.
class Poisson : public LossSampler {
 public:
  explicit Poisson(const SampleRequest& request)
      : direction_(request.direction),
        laplace_(request.pair == SampledPair::poisson_laplace),
        mu_(1 / request.noise_multiplier),
        q_(request.sampling_probability),
        steps_(request.steps) {}

  Loss draw(variates::Generator& source) override {
    // The steps are alike, so that the ones that hold the record may come first.
    const std::int64_t held = direction_ == Direction::remove ? draw_held(source) : 0;
    const double loss = draw_steps(source, held, mu_) + draw_steps(source, steps_ - held, 0);
    return oriented(direction_, loss, loss);
  }

  double error() const override {
    // Each log(1 - q + q U) within a few units, and of its size.
    const double size = 40 * mu_ + mu_ * mu_ + 1;
    return static_cast<double>(steps_) * 8 * kUnit * (1 + size * q_) + 16 * kUnit * size;
  }

 private:
  /// Bin(steps, q) as the number of geometric gaps that fit.
  std::int64_t draw_held(variates::Generator& source) const {
    if (q_ >= 1) return steps_;
    const double log_miss = portable::log1p(-q_);
    std::int64_t held = 0;
    double place = 0;
    for (;;) {
      place += 1 + std::floor(portable::log(source.uniform()) / log_miss);
      if (!(place <= static_cast<double>(steps_))) return held;
      ++held;
    }
  }

  /// ratio[i] = U of a fresh coordinate shifted by `shift`; as many as are filled is returned.
  std::size_t draw_ratios(variates::Generator& source, double shift,
                          std::span<double> ratio) const {
    if (!laplace_) {
      const auto some = source.normals(ratio.size());
      portable::exp_affine(some, mu_, mu_ * (shift - 0.5 * mu_), ratio.first(some.size()));
      return some.size();
    }
    source.uniforms(ratio);
    for (double& value : ratio) {
      // In units of the scale: e^-|y| / 2 by its quantile, then U = e^(|y| - |y - mu|).
      const double u = value;
      const double y = shift + (u < 0.5 ? portable::log(2 * u) : -portable::log(2 * (1 - u)));
      value = std::abs(y) - std::abs(y - mu_);
    }
    portable::exp_affine(ratio, 1, 0, ratio);
    return ratio.size();
  }

  double draw_steps(variates::Generator& source, std::int64_t steps, double shift) {
    double loss = 0;
    for (std::int64_t left = steps; left > 0;) {
      const std::span<double> tile(ratio_.data(), tile_of(left));
      const std::span<double> ratios = tile.first(draw_ratios(source, shift, tile));
      portable::log_affine(ratios, q_, 1 - q_, ratios);
      loss += portable::sum(ratios);
      left -= static_cast<std::int64_t>(ratios.size());
    }
    return loss;
  }

  Direction direction_;
  bool laplace_;
  double mu_;
  double q_;
  std::int64_t steps_;
  std::array<double, kTile> ratio_{};
};

}  // namespace

std::unique_ptr<LossSampler> loss_sampler(const SampleRequest& request) {
  switch (request.pair) {
    case SampledPair::poisson_gaussian:
    case SampledPair::poisson_laplace:
      return std::make_unique<Poisson>(request);
    case SampledPair::correlated_bins:
      return std::make_unique<CorrelatedBins>(request);
    case SampledPair::shuffle:
      return std::make_unique<Shuffle>(request);
    case SampledPair::balls_and_bins:
      break;
  }
  if (request.participations > 1) return std::make_unique<SeveralBins>(request);
  return std::make_unique<BallsAndBins>(request);
}

}  // namespace honest_epsilon::monte_carlo
