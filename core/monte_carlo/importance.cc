#include "core/monte_carlo/importance.h"

#include <algorithm>

#include "core/base/interval.h"
#include "core/math/order.h"
#include "core/monte_carlo/coordinates.h"

namespace honest_epsilon::monte_carlo {
namespace {

/// One event, {largest noise >= edge} or {<= edge}.
struct Event {
  double edge = 0;
  double tail = 0;  ///< upper_tail(edge)
  double probability = 0;
};

/// Below this an event is not sampled: its probability alone bounds delta.
constexpr double kNegligibleProbability = 1e-280;

/// Events as likely as this are taken as certain, which costs nothing and saves components.
constexpr double kLikely = 0.5;

class Importance : public Summands {
 public:
  explicit Importance(const SampleRequest& request)
      : epsilons_(request.epsilons), mu_(1 / request.noise_multiplier), steps_(request.steps) {
    rank_.resize(epsilons_.size());
  }

  void draw(variates::Generator& source, std::span<double> upper,
            std::span<double> lower) override {
    std::fill(upper.begin(), upper.end(), 0);
    std::fill(lower.begin(), lower.end(), 0);
    if (events_.empty()) return;
    const auto count = static_cast<double>(events_.size());
    auto innermost = static_cast<std::size_t>(source.uniform() * count);
    const Sample sample = draw_given(source, events_[innermost]);
    while (innermost + 1 < events_.size() && holds(events_[innermost + 1], sample.largest)) {
      ++innermost;
    }
    // Density ratio (1/n) sum 1/Pr over the events that hold; bound_j is the same up to E_j alone.
    const double weight = 1 / density_[innermost];
    for (std::size_t j = 0; j < epsilons_.size(); ++j) {
      if (rank_[j] > innermost) continue;
      const double scale = weight * density_[rank_[j]];
      upper[j] = scale * payoff(epsilons_[j], sample.loss_upper);
      if (!lower.empty()) lower[j] = scale * payoff(epsilons_[j], sample.loss_lower);
    }
  }

 protected:
  struct Sample {
    double largest = 0;
    double loss_lower = 0;
    double loss_upper = 0;
  };

  virtual Event event(double epsilon) const = 0;
  virtual bool holds(const Event& event, double largest) const = 0;
  virtual Sample draw_given(variates::Generator& source, const Event& event) = 0;

  /// Lists the events, the largest first, and what follows for each epsilon.
  void prepare(double loss_error) {
    parts_.resize(epsilons_.size());
    for (const std::size_t j : rising_order(epsilons_)) {
      const Event found = event(epsilons_[j]);
      parts_[j].epsilon = j;
      if (found.probability < kNegligibleProbability) {
        parts_[j].bound = 0;
        parts_[j].remainder = kNegligibleProbability;
        rank_[j] = epsilons_.size();
        continue;
      }
      // Certain events are all the same one.
      if (events_.empty() || found.probability < 1) events_.push_back(found);
      rank_[j] = events_.size() - 1;
    }
    double sum = 0;
    for (const Event& one : events_) {
      sum += 1 / one.probability;
      density_.push_back(sum / static_cast<double>(events_.size()));
    }
    for (std::size_t j = 0; j < epsilons_.size(); ++j) {
      if (rank_[j] == epsilons_.size()) continue;
      parts_[j].bound = 1 / density_[rank_[j]];
      parts_[j].relative_error =
          1e-11;  // of Pr(E), at most e^-650: its logarithm's 1e-14, 650 times
      parts_[j].summand_error = loss_error + 64 * kUnit;
    }
  }

  double mu() const { return mu_; }
  std::int64_t steps() const { return steps_; }

 private:
  std::vector<double> epsilons_;
  double mu_;
  std::int64_t steps_;
  std::vector<Event> events_;      ///< nested, the largest first
  std::vector<double> density_;    ///< (1/n) (1/Pr(E_0) + ... + 1/Pr(E_i))
  std::vector<std::size_t> rank_;  ///< an epsilon's event; none: the number of epsilons
};

class Remove : public Importance {
 public:
  explicit Remove(const SampleRequest& request)
      : Importance(request),
        log_steps_(portable::log(static_cast<double>(steps()))),
        without_one_(request, steps() - 1),
        without_two_(request, steps() - 2) {
    prepare(without_one_.log_roundoff(log_steps_));
  }

 private:
  Event event(double epsilon) const override {
    const auto steps_real = static_cast<double>(steps());
    // log(1 + (e^(mu^2) - 1)/T), with mu^2 taken out where e^(mu^2) would overflow.
    const double square = mu() * mu();
    const double height =
        square < 1
            ? portable::log1p(portable::expm1(square) / steps_real)
            : square + portable::log1p((steps_real - 1) * portable::exp(-square)) - log_steps_;
    const double edge = 0.5 * mu() + (epsilon - height) / mu();
    const double tail = portable::upper_tail(edge);
    const double probability =
        tail >= 1 ? 1 : -portable::expm1(steps_real * portable::log1p(-tail));
    if (probability >= kLikely) return {-kInfinity, 1, 1};
    return {edge, tail, probability};
  }

  bool holds(const Event& event, double largest) const override { return largest >= event.edge; }

  Sample draw_given(variates::Generator& source, const Event& event) override {
    // 1 - (1 - tail)^T of the largest is uniform on (0, Pr(E)).
    const auto steps_real = static_cast<double>(steps());
    const double cut =
        -portable::expm1(portable::log1p(-source.uniform() * event.probability) / steps_real);
    const double largest = portable::upper_quantile(cut);
    const bool own_largest = source.uniform() * steps_real < 1;
    // The record's own coordinate, the largest other one if it is the largest of all, the rest.
    const double own = own_largest ? largest : portable::upper_quantile(source.truncated_tail(cut));
    const Drawn rest = (own_largest ? without_one_ : without_two_).draw(source, cut);
    const double fixed = ratio(mu(), own + mu()) + (own_largest ? 0 : ratio(mu(), largest));
    return {largest, portable::log(fixed + rest.lower) - log_steps_,
            portable::log(fixed + rest.upper) - log_steps_};
  }

  double log_steps_;
  Coordinates without_one_;
  Coordinates without_two_;
};

class Add : public Importance {
 public:
  explicit Add(const SampleRequest& request)
      : Importance(request),
        log_steps_(portable::log(static_cast<double>(steps()))),
        all_(request, steps()) {
    prepare(all_.log_roundoff(log_steps_));
  }

 private:
  Event event(double epsilon) const override {
    const double edge = position(mu(), static_cast<double>(steps())) - epsilon / mu();
    const double tail = portable::upper_tail(edge);
    const double exponent =
        tail >= 1 ? -kInfinity : static_cast<double>(steps()) * portable::log1p(-tail);
    const double probability = exponent < -700 ? 0 : portable::exp(exponent);
    if (probability >= kLikely) return {kInfinity, 0, 1};
    return {edge, tail, probability};
  }

  bool holds(const Event& event, double largest) const override { return largest <= event.edge; }

  Sample draw_given(variates::Generator& source, const Event& event) override {
    const Drawn all = all_.draw(source, event.tail);
    return {all.largest, log_steps_ - portable::log(all.upper),
            log_steps_ - portable::log(all.lower)};
  }

  double log_steps_;
  Coordinates all_;
};

}  // namespace

std::unique_ptr<Summands> importance_summands(const SampleRequest& request) {
  if (request.direction == Direction::remove) return std::make_unique<Remove>(request);
  return std::make_unique<Add>(request);
}

}  // namespace honest_epsilon::monte_carlo
