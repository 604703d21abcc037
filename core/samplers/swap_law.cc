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
  SwapOptions(const Shown& shown, double a, double lambda) : shown_(shown), a_(a), lambda_(lambda) {
    if (lambda == 0) return;
    cut_ = (-std::log(lambda) - 0.5 * shown.step * shown.step) / shown.step;
    lacking_ = normal::upper_tail(cut_ + shown.step) / lambda - normal::upper_tail(cut_);
  }

  /// Above this z, X_with - a X_without is positive.
  double middle() const {
    return std::log(a_) / (shown_.with - shown_.without) + 0.5 * (shown_.with + shown_.without);
  }

  struct Option {
    double strike, price;
  };
  /// Exercised above z.
  Option call(double z) const {
    const double strike = std::max(0.0, gain(z) / clone_density(z));
    const double paid =
        normal::upper_tail(z - shown_.with) - a_ * normal::upper_tail(z - shown_.without);
    return {strike, paid - strike * clone_mass(z)};
  }
  /// Exercised below z.
  Option put(double z) const {
    const double strike = std::max(0.0, -gain(z) / clone_density(-z));
    const double paid =
        a_ * normal::upper_tail(shown_.without - z) - normal::upper_tail(shown_.with - z);
    return {strike, paid - strike * clone_mass(-z)};
  }

 private:
  static double density(double shift, double z) {
    return std::exp(shift * z - 0.5 * shift * shift);
  }
  double gain(double z) const { return density(shown_.with, z) - a_ * density(shown_.without, z); }

  /// min(1, X_-step / lambda) at z, and its mass above z.
  double clone_density(double z) const {
    return lambda_ == 0 ? 1 : std::min(1.0, density(-shown_.step, z) / lambda_);
  }
  double clone_mass(double z) const {
    return z < cut_ ? normal::upper_tail(z) + lacking_
                    : normal::upper_tail(z + shown_.step) / lambda_;
  }

  Shown shown_;
  double a_, lambda_;
  double cut_ = kInfinity;  ///< above this z the density is below 1
  double lacking_ = 0;      ///< its mass above the cut, less that of N(0)
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

double deviation_of(const GridLaw& law) {
  double first = 0, second = 0;
  for (std::size_t i = 0; i < law.values.size(); ++i) {
    first += law.masses[i] * law.values[i];
    second += law.masses[i] * law.values[i] * law.values[i];
  }
  return std::sqrt(std::max(0.0, second - first * first));
}

GridLaw swap_law(const Shown& shown, double a, double lambda, double negligible) {
  const SwapOptions options(shown, a, lambda);
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
  // W may be raised to its lowest value, by little on average beside what it falls.
  constexpr double kRaised = 1e-4;
  const auto calls = follow([&](double z) { return options.call(z); }, 1, negligible, 0);
  const auto puts = follow([&](double z) { return options.put(z); }, -1,
                           std::max(negligible, kRaised * (a - 1)), 1);
  return law_of(rising_calls(calls, puts, a), a);
}

}  // namespace honest_epsilon::shuffle
