#include "core/samplers/swap_law.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/normal.h"
#include "core/math/root.h"

namespace honest_epsilon::shuffle {
namespace {

/// Spacing, in deviations of the noise, of the grid that holds W's law: its variance grows by less
/// than a hundredth.
constexpr double kSpacing = 0.12;

/// The options of W at strikes that lie where the noise z decides.
class SwapOptions {
 public:
  SwapOptions(double mu, double a, double lambda, Direction direction)
      : mu_(mu),
        a_(a),
        lambda_(lambda),
        remove_(direction == Direction::remove),
        cut_((-std::log(lambda) - 0.5 * mu * mu) / mu),
        tail_at_cut_(normal::upper_tail(cut_)),
        mass_at_cut_(normal::upper_tail(cut_ + mu) / lambda) {}

  /// Below this z, X_mu - a (or a X_mu - 1) is negative.
  double middle() const { return (remove_ ? 1 : -1) * std::log(a_) / mu_ + 0.5 * mu_; }

  struct Option {
    double strike, price;
  };
  /// Of the side on which X_mu is large, and small; they are W's own side and its opposite in
  /// direction remove, and the other way round in direction add.
  Option high(double z) const {
    const double x = density(z), gain = remove_ ? x - a_ : a_ * x - 1;
    const double strike = std::max(0.0, gain / std::min(1.0, density(-z) / lambda_));
    const double with = normal::upper_tail(z - mu_), without = normal::upper_tail(z);
    const double paid = remove_ ? with - a_ * without : a_ * with - without;
    return {strike, paid - strike * clone_mass(z, without)};
  }
  Option low(double z) const {
    const double x = density(z), gain = remove_ ? a_ - x : 1 - a_ * x;
    const double strike = std::max(0.0, gain / std::min(1.0, x / lambda_));
    const double with = normal::upper_tail(mu_ - z), without = normal::upper_tail(-z);
    const double paid = remove_ ? a_ * without - with : without - a_ * with;
    return {strike, paid - strike * clone_mass(-z, without)};
  }

 private:
  double density(double z) const { return std::exp(mu_ * z - 0.5 * mu_ * mu_); }

  /// The mass of min(1, X_-mu / lambda) N(0) above z, of which N(0) has `tail`.
  double clone_mass(double z, double tail) const {
    return z >= cut_ ? normal::upper_tail(z + mu_) / lambda_ : tail - tail_at_cut_ + mass_at_cut_;
  }

  double mu_, a_, lambda_;
  bool remove_;
  double cut_, tail_at_cut_, mass_at_cut_;
};

using Options = std::vector<SwapOptions::Option>;

/// E (W - c)+ at rising values of c, from calls on W and from puts, each from strike 0 outwards.
Options rising_calls(const Options& calls, const Options& puts, double a) {
  Options all;
  // For c < 0 it is the put, and E W - c.
  for (auto put = puts.rbegin(); put != puts.rend(); ++put) {
    if (all.empty() || -put->strike > all.back().strike)
      all.push_back({-put->strike, std::max(0.0, put->price) + (1 - a) + put->strike});
  }
  for (const auto& call : calls) {
    if (call.strike > all.back().strike) all.push_back({call.strike, std::max(0.0, call.price)});
  }
  return all;
}

/// The law whose calls are the chords between these, with what its own lack beside them.
GridLaw law_of(const Options& calls, double a) {
  GridLaw law;
  const std::size_t count = calls.size();
  law.values.reserve(count);
  for (const auto& call : calls) law.values.push_back(call.strike);
  std::vector<double> above(count, 0);  // Pr[W > value], falling
  for (std::size_t i = count - 1; i-- > 0;) {
    const double slope =
        (calls[i].price - calls[i + 1].price) / (calls[i + 1].strike - calls[i].strike);
    above[i] = std::clamp(slope, above[i + 1], 1.0);
  }
  law.masses.resize(count);
  for (std::size_t i = 0; i < count; ++i) law.masses[i] = (i > 0 ? above[i - 1] : 1) - above[i];
  // What the law's own options lack, measured from the last to the first.
  double own = 0, lacking = 0;
  for (std::size_t i = count - 1; i-- > 0;) {
    own += above[i] * (calls[i + 1].strike - calls[i].strike);
    lacking = std::max(lacking, calls[i].price - calls.back().price - own);
  }
  // Prices are sums of three terms of at most 1 + a each, and one of the size of the strike.
  const double strike = std::max(0.0, -law.values.front());
  const double rounding = 4 * normal::kRelativeError * (1 + a) +
                          2 * static_cast<double>(count) * kUnit * (1 + a + strike);
  law.beyond = std::max(0.0, calls.back().price) + lacking + rounding;
  return law;
}

}  // namespace

GridLaw swap_law(double mu, double a, double lambda, Direction direction, double negligible) {
  const SwapOptions options(mu, a, lambda, direction);
  // Normal tails are 0 far beyond this.
  constexpr double kFarthest = 45;
  const double middle = options.middle();
  // Strikes from the middle to where an option may be left out. That of strike 0 is on the one side
  // only: two strikes that differ by rounding have no slope between them.
  const auto follow = [&](auto option, double side, double least, int first) {
    const auto dear = [&](double z) { return option(middle + side * z).price > least; };
    const double last = bisect({0, kFarthest}, {50, 0, 1e-3}, dear).high;
    const int steps = static_cast<int>(std::ceil(last / kSpacing));
    Options found;
    for (int i = first; i <= steps; ++i) found.push_back(option(middle + side * last * i / steps));
    return found;
  };
  const bool remove = direction == Direction::remove;
  // W may be raised to its lowest value, by little on average beside what it falls.
  constexpr double kRaised = 1e-4;
  const double left_out = std::max(negligible, kRaised * (a - 1));
  const auto high =
      follow([&](double z) { return options.high(z); }, 1, remove ? negligible : left_out, 0);
  const auto low =
      follow([&](double z) { return options.low(z); }, -1, remove ? left_out : negligible, 1);
  const auto& calls = remove ? high : low;
  const auto& puts = remove ? low : high;
  return law_of(rising_calls(calls, puts, a), a);
}

}  // namespace honest_epsilon::shuffle
