#include "core/samplers/swap_law.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/rounding.h"
#include "core/math/normal.h"
#include "core/math/root.h"
#include "core/pairs/normal_cell.h"
#include "core/samplers/third_order.h"

namespace honest_epsilon::shuffle {
namespace {

/// Spacing, in deviations of the noise, of the grid that holds W's law: its variance grows by less
/// than a hundredth.
constexpr double kSpacing = 0.12;

/// Normal tails are 0 beyond this.
constexpr double kFarthest = 45;

/// An option on W, E (W - strike)+ or E (-W - strike)+.
struct Option {
  double strike, price;
};
/// By rising strikes.
using Options = std::vector<Option>;

/// Of N(shift) at z, relative to N(0).
double density(double shift, double z) {
  return std::exp(shift * z - 0.5 * shift * shift);
}

/// The options of W at strikes that lie where the noise z decides.
class SwapOptions {
 public:
  SwapOptions(const Shown& shown, double a, const OtherStep& other)
      : shown_(shown),
        a_(a),
        other_(other),
        cut_((-std::log(other.p * other.largest) - 0.5 * shown.step * shown.step) / shown.step),
        above_cut_(normal::upper_tail(cut_ + shown.step) / other.p) {}

  /// Above this z, X_with - a X_without is positive.
  double middle() const {
    return std::log(a_) / (shown_.with - shown_.without) + 0.5 * (shown_.with + shown_.without);
  }

  /// Exercised above z.
  Option call(double z) const {
    const double strike = std::max(0.0, gain(z) / other_density(z));
    const double paid =
        normal::upper_tail(z - shown_.with) - a_ * normal::upper_tail(z - shown_.without);
    return {strike, paid - strike * other_mass(z)};
  }
  /// Exercised below z.
  Option put(double z) const {
    const double strike = std::max(0.0, -gain(z) / other_density(-z));
    const double paid =
        a_ * normal::upper_tail(shown_.without - z) - normal::upper_tail(shown_.with - z);
    return {strike, paid - strike * other_mass(-z)};
  }

  /// A put on the V that has the dearest calls, whose other record shows -step.
  double put_where_calls_are_dear(double strike) const {
    const double step = shown_.step;
    double low = -kFarthest, high = -kFarthest;
    if (shown_.without < 0) {
      if (a_ > strike)
        high = std::log(a_ - strike) / (shown_.with + step) + 0.5 * (shown_.with - step);
    } else {
      // In e^(step z) the gain is quadratic.
      const double scale = std::exp(-0.5 * step * step),
                   square = a_ * a_ - 4 * strike * scale * scale;
      if (square > 0) {
        high = std::log(0.5 * (a_ + std::sqrt(square)) / scale) / step;
        if (strike > 0) low = std::log(2 * strike * scale / (a_ + std::sqrt(square))) / step;
      }
    }
    const auto between = [&](double shift) {
      return normal::upper_tail(shift - high) - normal::upper_tail(shift - low);
    };
    return std::max(0.0,
                    a_ * between(shown_.without) - between(shown_.with) - strike * between(-step));
  }

 private:
  double gain(double z) const { return density(shown_.with, z) - a_ * density(shown_.without, z); }

  /// min(largest, X_-step / p) at z, and its mass above z.
  double other_density(double z) const {
    return std::min(other_.largest, density(-shown_.step, z) / other_.p);
  }
  double other_mass(double z) const {
    return z < cut_
               ? other_.largest * (normal::upper_tail(z) - normal::upper_tail(cut_)) + above_cut_
               : normal::upper_tail(z + shown_.step) / other_.p;
  }

  Shown shown_;
  double a_;
  OtherStep other_;
  double cut_;        ///< above this z the density is below the largest
  double above_cut_;  ///< its mass there
};

/// Strikes from the middle to where an option costs no more than `least`.
template <class OptionAt>
Options followed(double middle, double side, double least, OptionAt option) {
  const auto dear = [&](double z) { return option(middle + side * z).price > least; };
  const double last = bisect({0, kFarthest}, {50, 0, 1e-3}, dear).high;
  const int steps = std::max(1, static_cast<int>(std::ceil(last / kSpacing)));
  Options found = {{0, std::max(0.0, option(middle).price)}};
  for (int i = 1; i <= steps; ++i) {
    const Option next = option(middle + side * last * i / steps);
    if (next.strike > found.back().strike)
      found.push_back({next.strike, std::max(0.0, next.price)});
  }
  return found;
}

Options calls_of(const SwapOptions& options, double negligible) {
  return followed(options.middle(), 1, negligible, [&](double z) { return options.call(z); });
}

/// price: of a put, from that of the dearest
template <class Price>
Options puts_of(const SwapOptions& options, double least, Price price) {
  return followed(options.middle(), -1, least, [&](double z) {
    const Option put = options.put(z);
    return Option{put.strike, price(put)};
  });
}

/// The price of a put that may be left out: W may be raised to its lowest value, on average by
/// little of what it falls.   negligible: that of a call
double least_put(double a, double negligible) {
  constexpr double kRaised = 1e-4;
  return std::max(negligible, kRaised * (a - 1));
}

/// Slopes of the chords between options, the probabilities beyond each of them.
std::vector<double> slopes_of(const Options& options) {
  std::vector<double> slopes(options.size(), 0);
  for (std::size_t i = options.size() - 1; i-- > 0;) {
    const double slope =
        (options[i].price - options[i + 1].price) / (options[i + 1].strike - options[i].strike);
    slopes[i] = std::clamp(slope, slopes[i + 1], 1.0);
  }
  return slopes;
}

/// By how much options that have these slopes cost less than they should, less that at strike 0 if
/// `relative`, where the last one costs nothing.
double lack_of(const Options& options, const std::vector<double>& slopes, bool relative) {
  double own = 0, most = 0, gap = 0;
  for (std::size_t i = options.size() - 1; i-- > 0;) {
    own += slopes[i] * (options[i + 1].strike - options[i].strike);
    gap = options[i].price - options.back().price - own;
    most = std::max(most, gap);
  }
  return relative ? std::max(0.0, most - gap) : most;
}

/// The law whose calls and puts are the chords between these, from strike 0 on, with what its own
/// cost less than they should. Below its lowest value it is raised: puts cost less by the price of
/// the last, and the mean is larger by it, so that no call costs less.
GridLaw law_of(const Options& calls, const Options& puts, double a) {
  const std::vector<double> above = slopes_of(calls), below = slopes_of(puts);
  GridLaw law;
  for (std::size_t i = puts.size(); i-- > 1;) {
    law.values.push_back(-puts[i].strike);
    law.masses.push_back(below[i - 1] - below[i]);
  }
  law.values.push_back(0);
  law.masses.push_back(std::max(0.0, 1 - above[0] - below[0]));
  for (std::size_t i = 1; i < calls.size(); ++i) {
    law.values.push_back(calls[i].strike);
    law.masses.push_back(above[i - 1] - above[i]);
  }
  // Prices are sums of three terms of at most 1 + a each.
  const auto count = static_cast<double>(calls.size() + puts.size());
  const double rounding = (8 * normal::kRelativeError + 4 * count * kUnit) * (1 + a);
  law.beyond = std::max(0.0, calls.back().price) + lack_of(calls, above, false) +
               lack_of(puts, below, true) + rounding;
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

GridLaw swap_law(const Shown& shown, double a, const OtherStep& other, double negligible) {
  const SwapOptions options(shown, a, other);
  const Options calls = calls_of(options, negligible);
  const Options puts =
      puts_of(options, least_put(a, negligible), [](const Option& put) { return put.price; });
  return law_of(calls, puts, a);
}

GridLaw third_order_law(const Shown& shown, double a, const ThirdOrder& order, double negligible) {
  const SwapOptions options(shown, a, kWholeStep);
  Options calls = calls_of(options, negligible);
  const Option last = calls.back();
  if (last.price > 0) {
    // Beyond the last strike prices fall no faster than before it, and so slowly that all calls
    // together cost no less than those of the step itself.
    double together = 0, width = 0;
    for (std::size_t i = 1; i < calls.size(); ++i) {
      const double step = calls[i].strike - calls[i - 1].strike;
      const double fall = calls[i - 1].price - calls[i].price;
      together += 0.5 * step * (calls[i - 1].price + calls[i].price);
      width = step * last.price / std::max(fall, kTiny);
    }
    width = std::max(width, 2 * (order.square_above - together) / last.price);
    calls.push_back({last.strike + width, 0});
  }
  const Options puts = puts_of(options, least_put(a, negligible), [&](const Option& put) {
    return std::lerp(options.put_where_calls_are_dear(put.strike), put.price, order.share);
  });
  GridLaw law = law_of(calls, puts, a);
  law.beyond += last.price;
  return law;
}

GridLaw before_shared(const GridLaw& law, double beta, double p) {
  const double kept = (1 - beta) / (1 - beta * p);
  GridLaw before{{0}, {beta * (1 - p)}};
  for (std::size_t i = 0; i < law.values.size(); ++i) {
    before.values.push_back(law.values[i] / kept);
    before.masses.push_back(law.masses[i] * (1 - beta));
  }
  return before;
}

FirstPlace first_place(const Shown& shown, double a, double lambda, double negligible) {
  constexpr double kBegin = -4, kEnd = 10;
  // Covers the rounding of masses and means.
  constexpr double kSafely = 1e-12;
  const double mu = shown.step;
  const auto gain = [&](double z) {
    return density(shown.with, z) - a * density(shown.without, z);
  };
  const auto missing = [&](double z) { return std::max(0.0, 1 - density(-mu, z) / lambda); };
  const auto call = [&](double z) {
    return normal::upper_tail(z - shown.with) - a * normal::upper_tail(z - shown.without) -
           gain(z) * normal::upper_tail(z);
  };
  const double begin = kBegin - mu;
  const double last = bisect({begin, kFarthest}, {50, 0, 1e-3}, [&](double z) {
                        return call(z) > negligible;
                      }).high;
  FirstPlace first;
  first.beyond = std::max(0.0, call(last)) + 8 * normal::kRelativeError * (1 + a);
  const auto append = [&](std::size_t level, double x, double mass) {
    GridLaw& law = first.at[level];
    if (law.values.empty() || law.values.back() != x) {
      law.values.push_back(x);
      law.masses.push_back(0);
    }
    law.masses.back() += mass * (1 + kSafely);
  };
  // A convex function of d costs no less by its chords.
  const auto put = [&](double x, double d, double mass) {
    const auto above = static_cast<std::size_t>(
        std::lower_bound(kMissing.begin(), kMissing.end() - 1, d) - kMissing.begin());
    if (above == 0) return append(0, x, mass);
    const double low = kMissing[above - 1];
    const double part = std::min(1.0, (d - low) / (kMissing[above] - low) + kSafely);
    append(above - 1, x, mass * (1 - part));
    append(above, x, mass * part);
  };
  // The grid has a point where d begins to grow.
  const double cut = std::min((-std::log(lambda) - 0.5 * mu * mu) / mu, kEnd);
  int i = static_cast<int>(std::floor((begin - cut) / kSpacing));
  double left = cut + i * kSpacing, x = gain(std::min(left, last)), d = i < 0 ? 0 : missing(left);
  double carried = normal::upper_tail(-left);
  for (; left < kEnd; ++i) {
    const double right = cut + (i + 1) * kSpacing;
    const double next_x = gain(std::min(right, last)), next_d = i < 0 ? 0 : missing(right);
    const auto mass_of = [&](double shift) { return pairs::normal_mass(left, right, shift).value; };
    const double mass = mass_of(0);
    double part = 0;
    if (next_x > x) {
      const double mean = (mass_of(shown.with) - a * mass_of(shown.without)) / mass;
      const double size = density(shown.with, right) +
                          a * (density(shown.without, left) + density(shown.without, right));
      part = right <= last ? (mean - x + kSafely * size) / (next_x - x) : 1;
    }
    if (next_d > d)
      part = std::max(part, (1 - mass_of(-mu) / mass / lambda - d + kSafely) / (next_d - d));
    part = std::clamp(part, 0.0, 1.0);
    put(x, d, carried + mass * (1 - part));
    carried = mass * part;
    left = right;
    x = next_x;
    d = next_d;
  }
  put(x, 1, carried + normal::upper_tail(left));
  return first;
}

}  // namespace honest_epsilon::shuffle
