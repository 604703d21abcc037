#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/contour/bins_moments.h"
#include "core/contour/epoch_powers.h"
#include "core/math/log_domain.h"
#include "core/rdp/excess.h"
#include "core/rdp/renyi.h"

namespace honest_epsilon::rdp {
namespace {

/// log E[S^a] is convex in a and 0 at a = 1, so a chord between whole orders bounds it.
double remove_upper(double order, contour::EpochPowers& moments) {
  const double whole = std::floor(order);
  const auto n = static_cast<std::size_t>(whole);
  const double low = n < 2 ? 0 : log1p_exp(moments.log_excess_upper(n));
  if (order == whole) return low / (order - 1);
  const double high = log1p_exp(moments.log_excess_upper(n + 1));
  return ((whole + 1 - order) * low + (order - whole) * high) / (order - 1);
}

struct EpochMoments {
  EpochMoments(double bins, double mu) : whole(bins, mu), real(bins, mu) {}
  contour::EpochPowers whole;
  contour::BinsMoments real;
};

/// log E[S^-(a-1)], rounded up, by the moment function on the real line. S is at least the
/// geometric mean of its parts, whose moments are known where that has no digits, or no work, left.
double add_upper(double order, double geometric, const EpochMoments& moments) {
  // Relative to e^0: the smaller of the two directions needs no more.
  constexpr double kLogPrecision = -30;
  try {
    const double log_moment =
        moments.real.log_moment_upper(Direction::add, order - 1, kLogPrecision);
    return std::min(geometric, log_moment / (order - 1) * (1 + 4 * kUnit) + kTiny);
  } catch (const work::Spent&) {
    return geometric;
  }
}

double one_epoch(double order, double bins, double mu, EpochMoments& moments) {
  const double without = gaussian(order, mu);
  if (bins < 2 || order > moments.whole.most() || mu > kLargestShift) return without;
  const double remove = remove_upper(order, moments.whole) * (1 + 16 * kUnit) + kTiny;
  if (remove >= without) return without;
  // E[S^-b] <= e^{b (1 + b/T) mu^2/2}, which comes at no cost.
  const double geometric = 0.5 * (1 + (order - 1) / bins) * mu * mu * (1 + 16 * kUnit);
  if (geometric <= remove) return remove;
  return std::min(without, std::max(remove, add_upper(order, geometric, moments)));
}

}  // namespace

RenyiCurve balls_and_bins_curve(double bins, double mu) {
  return [bins, mu, moments = std::make_shared<EpochMoments>(bins, mu)](double order) {
    return one_epoch(order, bins, mu, *moments);
  };
}

}  // namespace honest_epsilon::rdp
