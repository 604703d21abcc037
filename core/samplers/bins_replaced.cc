#include "core/samplers/bins_replaced.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/ball.h"
#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"
#include "core/math/quadrature.h"
#include "core/math/root.h"
#include "core/math/scalar_product.h"
#include "core/pairs/gaussian.h"
#include "core/pld/curve_source.h"

namespace honest_epsilon::balls_and_bins {
namespace {

/// Below z's mean less this, under any tilt, less than 2e-19 of F is left out.
constexpr double kFarBelow = 9, kLeftOutBelow = 2e-19;

/// Where z's path has turned, it runs at this height over mu.
constexpr double kTurned = 150.0 / 180 * kPi;

/// What may be off, where overflow has made it no number: comparisons would leave that out.
double or_infinite(double error) {
  return error < kInfinity ? error : kInfinity;
}

double log_density(double z) {
  return -0.5 * z * z - 0.5 * std::log(2 * kPi);
}

/// Numbers between two ends.
struct RealRange {
  double low, high;
};

RealRange times(const RealRange& a, const RealRange& b) {
  const std::array products{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {*std::min_element(products.begin(), products.end()),
          *std::max_element(products.begin(), products.end())};
}

/// cos on a range within [-pi, 2 pi].
RealRange cos_of(const RealRange& angle) {
  const double a = std::cos(angle.low), b = std::cos(angle.high);
  const auto has = [&](double at) { return angle.low <= at && at <= angle.high; };
  return {has(kPi) || has(-kPi) ? -1 : std::min(a, b), has(0) || has(2 * kPi) ? 1 : std::max(a, b)};
}

RealRange sinh_of(const RealRange& x) {
  return {std::sinh(x.low), std::sinh(x.high)};
}

RealRange cosh_of(const RealRange& x) {
  const double a = std::cosh(x.low), b = std::cosh(x.high);
  return {x.low < 0 && x.high > 0 ? 1 : std::min(a, b), std::max(a, b)};
}

/// A straight piece of w's path, with the rectangle around the ellipse on which F is bounded.
struct AxisPiece {
  Complex middle, half;
  quadrature::Ellipse ellipse;

  RealRange re() const { return around(middle.real(), half.real(), half.imag()); }
  RealRange im() const { return around(middle.imag(), half.imag(), half.real()); }

 private:
  RealRange around(double at, double along, double across) const {
    const double reach = std::abs(along) * ellipse.wide + std::abs(across) * ellipse.high;
    return {at - reach, at + reach};
  }
};

/// The path of z for such a piece: at the height `lift` up to `turn`, and, where it must, up and on
/// to the right at the height kTurned / mu.
struct ZPath {
  double lift, turn;
  bool turns;
};

/// The integrals over c's stretch that have the same epoch.
class ReplacedIntegral {
 public:
  /// outer: the c's are no further from the middle one
  ReplacedIntegral(const ReplacedEpoch& epoch, double centre, double outer)
      : epoch_(epoch),
        mu_(epoch.mu),
        centre_(centre),
        outer_(outer),
        low_(-centre - outer - kFarBelow) {
    plan();
  }

  double log_scale() const { return epoch_.bins * log_f_ - tilt_ * strike(centre_); }

  /// log of delta at the middle c, roughly.
  double log_delta() const {
    return std::log(2 / (epoch_.bins + epoch_.blank)) + mu_ * (centre_ - 0.5 * mu_) + log_scale() +
           share_;
  }

  double strike(double c) const {
    return epoch_.blank * std::exp(0.5 * mu_ * mu_) * std::sinh(mu_ * c);
  }

  struct OptionSum {
    double value = 0, error = 0;
  };

  /// E(S - k)+ over e^log_scale() at each c.
  std::vector<OptionSum> at(const std::vector<double>& cs) {
    cs_ = cs;
    sums_.assign(cs.size(), {});
    // From l up, in steps that keep clear of 0.
    pieces_ = 0;
    for (double u = 0; pieces_ <= kMostPieces && !leaves_out_above(u);) {
      AxisPiece piece{{tilt_, u + tilt_}, {0, tilt_}, quadrature::ellipse(2)};
      double lift = 0;
      if (u > 3 * tilt_) {
        const AxisPiece far{{tilt_, u * (1 + 1.0 / 3)}, {0, u / 3}, quadrature::ellipse(2)};
        const auto [z, log_size] = best_lift({far.re(), far.im()}, false);
        if (is_little(log_size, u, far.ellipse.log_error)) {
          piece = far;
          lift = z.lift;
        }
      }
      add(piece, lift);
      u = piece.middle.imag() + piece.half.imag();
    }
    // Along the real axis, towards 0 until single large terms are too rare.
    double end = tilt_;
    while (pieces_ <= kMostPieces) {
      if (rare_below(end) < std::exp(log_known() + epoch_.log_left_out)) break;
      const AxisPiece piece{{2 * end / 3, 0}, {end / 3, 0}, quadrature::ellipse(2.2)};
      add(piece);
      end = piece.middle.real() - piece.half.real();
    }
    const double rare = rare_below(end);
    for (OptionSum& sum : sums_) sum.error += rare;
    return sums_;
  }

 private:
  struct Box {
    RealRange re, im;
  };

  /// Chooses l. Nothing of it enters a bound.
  void plan() {
    const double k = strike(centre_), scale = -mu_ * mu_ - std::log(epoch_.bins) - mu_ * centre_;
    const auto log_bound = [&](double log_tilt) {
      const double tilt = std::exp(log_tilt);
      return epoch_.bins * log_abs(tilt, 0, along_axis(tilt)) - tilt * k - 2 * log_tilt;
    };
    // As long as single large terms count little: beyond, F^m no longer bounds what it oscillates.
    constexpr double kStride = 0.25;
    const auto log_rare = [&](double log_tilt) {  // of a stride, over F^m
      const double tilt = std::exp(log_tilt);
      const ZPath path = along_axis(tilt);
      return std::log(epoch_.bins) + log_density(path.turn + centre_) +
             tilt * std::sinh(mu_ * path.turn) - log_abs(tilt, 0, path);
    };
    // Nor is more gained where these already count more than what is above l.
    double last = scale - 12;
    LogSum rare;
    const double largest = std::max(8.0, 4 - std::log(mu_));
    while (last < largest) {
      const double next = last + kStride, log_next = log_rare(next), bound = log_bound(next) + next;
      if (log_next > -1) break;
      last = next;
      rare.add(log_next + bound + std::log(kStride / kPi));
      if (bound < rare.log() - 2) break;
    }
    const double at = minimizer(log_bound, scale - 12, last);
    tilt_ = std::exp(at);
    log_f_ = log_abs(tilt_, 0, along_axis(tilt_));
    const double least = log_bound(at);
    constexpr double kAside = 0.05;
    const double bend = std::max(
        2.0, (log_bound(at + kAside) + log_bound(at - kAside) - 2 * least) / (kAside * kAside));
    rare = {};
    for (double log_tilt = scale - 12; log_tilt < at; log_tilt += kStride)
      rare.add(log_rare(log_tilt) + log_bound(log_tilt) + log_tilt + std::log(kStride / kPi));
    share_ = log_add(-at - 0.5 * std::log(2 * kPi * bend), rare.log() - log_scale());
  }

  /// About what the least E(S - k)+ comes to, as far as it is known.
  double log_known() const {
    double least = kInfinity;
    for (const OptionSum& sum : sums_) least = std::min(least, sum.value);
    return std::max(share_, std::log(std::max(least, kTiny)));
  }

  /// Where |w|'s term overtakes the density: the path turns there.
  double turn_of(double size) const {
    const auto slope = [&](double z) { return size * mu_ * std::cosh(mu_ * z) - (z + centre_); };
    double high = 1;
    // Further on, what the path goes through to turn has no weight.
    const double furthest = std::max(45 + kTurned / mu_ - centre_, 1.0);
    while (slope(high) < 0 && high < furthest) high *= 1.5;
    high = std::min(high, furthest);
    if (slope(high) < 0) return high;
    // The slope is least here.
    const double least = std::max(std::asinh(1 / (size * mu_ * mu_)) / mu_, -centre_);
    if (least >= high || slope(least) >= 0) return least;
    return bisect({least, high}, {40}, [&](double z) { return slope(z) < 0; }).high;
  }

  ZPath along_axis(double size) const { return {0, turn_of(size), true}; }

  /// log of int |e^{w sinh}| over the path, roughly.
  double log_abs(double re, double im, const ZPath& path) const {
    constexpr int kNodes = 128, kNodeWork = 20;
    work::spend(kNodes * kNodeWork);
    const double cos = std::cos(mu_ * path.lift), sin = std::sin(mu_ * path.lift);
    const double far = 12 + 2 * mu_ * std::abs(re) - centre_;
    const double high = path.turns ? std::min(path.turn, far) : far, width = (high - low_) / kNodes;
    LogSum sum;
    const auto term = [&](double z) {
      return log_density(z + centre_) + re * cos * std::sinh(mu_ * z) -
             im * sin * std::cosh(mu_ * z);
    };
    for (int i = 0; i < kNodes; ++i) sum.add(term(low_ + (i + 0.5) * width) + std::log(width));
    if (path.turns) sum.add(term(high));
    return sum.log() + 0.5 * path.lift * path.lift;
  }

  /// The path on which |F| has the least bound on a box, and that, roughly.
  std::pair<ZPath, double> best_lift(const Box& box, bool may_turn) const {
    std::pair<ZPath, double> best{{}, kInfinity};
    for (const double angle : {1e-3, 3e-3, 0.01, 0.03, 0.06, 0.1, 0.15, 0.22, 0.3, 0.4, 0.5, 0.65,
                               0.8, 1.0, 1.2, 1.35}) {
      const double widest = std::max(std::abs(box.re.low), std::abs(box.re.high));
      const bool straight = std::tan(angle) * box.im.low > 1.02 * widest;
      if (!straight && !may_turn) continue;
      const ZPath path{angle / mu_, turn_of(box.re.high), !straight};
      const double value =
          std::max(log_abs(box.re.high, box.im.low, path), log_abs(box.re.low, box.im.low, path));
      if (value < best.second) best = {path, value};
    }
    return best;
  }

  /// Whether F^m of this size at the height u matters less than what may be left out.
  bool is_little(double log_size, double u, double log_error = 0) const {
    return epoch_.bins * (log_size - log_f_) - std::log(u) + log_error <
           share_ + epoch_.log_left_out;
  }

  /// log of |density e^{w sinh}| on a rectangle of z, at most, for all w and all c, or the middle
  /// one.
  double log_largest(const RealRange& x, const RealRange& y, const Box& w,
                     bool middle = false) const {
    constexpr std::int64_t kRectangleWork = 60;
    work::spend(kRectangleWork);
    const double outer = middle ? 0 : outer_;
    const double away = std::max({0.0, x.low + centre_ - outer, -(x.high + centre_ + outer)});
    const double tall = std::max(std::abs(y.low), std::abs(y.high));
    const RealRange mx{mu_ * x.low, mu_ * x.high}, my{mu_ * y.low, mu_ * y.high};
    const RealRange sin = cos_of({my.low - 0.5 * kPi, my.high - 0.5 * kPi});
    return 0.5 * (tall * tall - away * away) - 0.5 * std::log(2 * kPi) +
           times(w.re, times(sinh_of(mx), cos_of(my))).high -
           times(w.im, times(cosh_of(mx), sin)).low;
  }

  struct PathNode {
    Complex z, sinh, log_weight;
  };
  /// The integral of the modulus over a part of the path, at most, at the middle c.
  struct Patch {
    RealRange x;
    double size;
  };
  struct PathNodes {
    std::vector<PathNode> nodes;
    double error = 0;            ///< of the sums, but for round-off
    std::vector<Patch> patches;  ///< of what has turned
  };

  /// What the rule leaves out on a straight panel of z's path, as a logarithm.
  double log_panel_error(Complex middle, Complex half, const Box& w, bool main) const {
    const double length = std::abs(half);
    double least = kInfinity;
    for (const double rho : {1.5, 1.75, 2.0, 2.5, 3.5, 6.0, 12.0}) {
      const quadrature::Ellipse ellipse = quadrature::ellipse(rho);
      const double wide = length * ellipse.wide, tall = length * ellipse.high;
      const bool level = half.imag() == 0;
      const double across = level ? wide : tall, up = level ? tall : wide;
      if (mu_ * up > 1.2) break;
      const RealRange x{middle.real() - across, middle.real() + across};
      double largest = log_largest(x, {middle.imag() - up, middle.imag() + up}, w);
      if (main) {
        // The modulus along the path is a sum of the same nodes, of a function that continues, too.
        const double lift = mu_ * middle.imag();
        const Box modulus{times(w.re, {std::cos(lift), std::cos(lift)}),
                          times(w.im, {std::sin(lift), std::sin(lift)})};
        const RealRange mx{mu_ * x.low, mu_ * x.high}, cos = cos_of({-mu_ * up, mu_ * up});
        const double away = std::max({0.0, x.low + centre_ - outer_, -(x.high + centre_ + outer_)});
        largest = std::max(largest, 0.5 * (up * up + middle.imag() * middle.imag() - away * away) +
                                        times(modulus.re, times(sinh_of(mx), cos)).high -
                                        times(modulus.im, times(cosh_of(mx), cos)).low);
      }
      least = std::min(least, largest + ellipse.log_error + std::log(length));
    }
    return least;
  }

  /// PathNodes of a straight part of z's path, on panels as long as they are exact but for
  /// e^tolerance.
  void add_panels(Complex from, Complex to, const Box& w, double tolerance, bool main,
                  PathNodes& into) const {
    constexpr std::size_t kMostNodes = 3'000;
    constexpr int kPatches = 8;
    const Complex way = to - from;
    double next = 1;
    for (double done = 0; done < 1;) {
      const Complex middle = from + 0.5 * (done + next) * way, half = 0.5 * (next - done) * way;
      const double log_error = log_panel_error(middle, half, w, main);
      if (log_error > tolerance && std::abs(half) > 1e-5 && into.nodes.size() < kMostNodes) {
        next = done + 0.75 * (next - done);
        continue;
      }
      into.error += std::exp(log_error - log_f_);
      for (int i = 0; !main && i < kPatches; ++i) {
        const Complex a = middle + (2.0 * i / kPatches - 1) * half, b = a + 2.0 / kPatches * half;
        const RealRange x{a.real(), b.real()};
        into.patches.push_back(
            {x, std::abs(b - a) * (1 + 1e-9) *
                    std::exp(log_largest(x, {a.imag(), b.imag()}, w, true) - log_f_)});
      }
      static const auto rule = quadrature::gauss_legendre();
      for (const auto& [position, weight] : rule) {
        const Complex z = middle + position * half, shifted = z + centre_;
        into.nodes.push_back(
            {z, std::sinh(mu_ * z),
             -0.5 * shifted * shifted + std::log(weight * half / std::sqrt(2 * kPi))});
      }
      const double length = next - done;
      done = next;
      next = std::min(1.0, done + 1.4 * length);
    }
  }

  struct WeightedPath {
    PathNodes main, turned;
  };

  /// known: whether what turns must have nodes, however little it is.
  WeightedPath nodes_of(const ZPath& path, const Box& w, bool known) const {
    const double kExact = epoch_.log_left_out - 4 - std::log(epoch_.bins);
    WeightedPath nodes;
    const double height = kTurned / mu_, lift = path.lift;
    double end = path.turn;
    if (!path.turns) {
      // Its factor is at most 1, and the density leaves less than 1e-23.
      end = 10 - centre_ + outer_;
      nodes.main.error += std::exp(0.5 * lift * lift - log_f_) * 1e-23;
    }
    // On the left either the density or its factor, which rises there, leaves nothing.
    double low = low_;
    const auto log_factor = [&](double z) {
      return w.re.low * std::cos(mu_ * lift) * std::sinh(mu_ * z) -
             w.im.low * std::sin(mu_ * lift) * std::cosh(mu_ * z);
    };
    while (w.re.low > 0 && low < std::min(0.0, end) - 1 &&
           log_factor(low + 0.25) < log_f_ + kExact - 4)
      low += 0.25;
    // On the right, far before a path turns, the density leaves nothing.
    double high = path.turns ? std::min(end, -centre_) : end;
    const auto log_at = [&](double z) { return log_largest({z, z}, {lift, lift}, w); };
    while (high < end && log_at(high + 0.5) > log_at(high)) high += 0.5;
    while (high < end && log_at(high) > log_f_ + kExact - 8) high += 0.5;
    if (high > end - 1) high = end;
    add_panels({low, lift}, {high, lift}, w, log_f_ + kExact, true, nodes.main);
    for (double at = high, next = at; at < end; at = next) {
      next = std::min(end, at + std::max(1.0, 0.1 * (at + centre_)));
      nodes.main.error += (next - at) * std::exp(log_largest({at, next}, {lift, lift}, w) - log_f_);
    }
    const double rest = low > low_ ? std::exp(log_factor(low)) : kLeftOutBelow;
    nodes.main.error += rest * std::exp(0.5 * lift * lift - log_f_);
    if (!path.turns) return nodes;
    const double at_turn = log_largest({end, end}, {lift, lift}, w);
    const double tolerance = at_turn + epoch_.log_left_out - 5;
    // What cannot matter is charged.
    constexpr int kParts = 24;
    const double part = (height - lift) / kParts;
    double all = std::exp(log_largest({end, end}, {height, height}, w) - log_f_);
    for (int i = 0; i < kParts; ++i)
      all +=
          part * (1 + 1e-9) *
          std::exp(log_largest({end, end}, {lift + i * part, lift + (i + 1) * part}, w) - log_f_);
    if (!known && epoch_.bins * all < std::exp(epoch_.log_left_out - 12) &&
        end + centre_ > 1 + outer_) {
      nodes.turned.error = all;
      return nodes;
    }
    add_panels({end, lift}, {end, height}, w, tolerance, false, nodes.turned);
    double far = end;
    do far += 0.25;
    while (log_largest({far, far}, {height, height}, w) > at_turn - 45 && far < end + 60);
    add_panels({end, height}, {far, height}, w, tolerance, false, nodes.turned);
    nodes.turned.error += 2 * std::exp(log_largest({far, far}, {height, height}, w) - log_f_);
    return nodes;
  }

  /// A path's nodes with their factors for each of the c's, and what their sums are off by.
  struct WeightedNodes {
    const PathNodes* nodes;
    std::vector<double> re, im;  ///< the factors; no im where they are real
    std::vector<double> errors;  ///< for each c
  };

  /// Factors that take a node from the middle c to each of the c's.
  WeightedNodes columns_of(const PathNodes& nodes, bool real) const {
    WeightedNodes columns{&nodes, {}, {}, {}};
    for (const double c : cs_) {
      const double off = c - centre_;
      for (const PathNode& node : nodes.nodes) {
        const Complex exponent = -off * (node.z + centre_) - 0.5 * off * off;
        const double size = std::exp(exponent.real());
        columns.re.push_back(real ? size : size * std::cos(exponent.imag()));
        if (!real) columns.im.push_back(size * std::sin(exponent.imag()));
      }
    }
    return columns;
  }

  /// Their errors on a piece.
  void charge(WeightedNodes& columns, const AxisPiece& piece) const {
    const std::vector<double> rounding = rounding_of(*columns.nodes, piece);
    const std::size_t count = rounding.size();
    for (std::size_t i = 0; i < cs_.size(); ++i) {
      double error = columns.nodes->error;
      for (std::size_t j = 0; j < count; ++j) {
        const std::size_t at = i * count + j;
        error += rounding[j] *
                 (columns.im.empty() ? columns.re[at] : modulus({columns.re[at], columns.im[at]}));
      }
      columns.errors.push_back(error);
    }
  }

  /// Bounds on |F|^m |e^{-wk}| over e^log_scale() on a box, for each c: |e^{w sinh}| is convex in
  /// Re w and falls with Im w, if it depends on it.
  std::vector<double> log_bounds(const WeightedPath& path, const std::vector<double>& factors,
                                 double lift, const Box& w, bool real) const {
    const std::size_t count = path.main.nodes.size();
    std::vector<double> bounds(cs_.size(), -kInfinity), moduli(count);
    for (const double re : {w.re.low, w.re.high}) {
      for (std::size_t j = 0; j < count; ++j) {
        const PathNode& node = path.main.nodes[j];
        const double x = mu_ * node.z.real(), turned = w.im.low * std::sin(mu_ * lift);
        moduli[j] = std::exp(node.log_weight.real() - log_f_ - turned * std::cosh(x) +
                             re * std::cos(mu_ * lift) * std::sinh(x));
      }
      for (std::size_t i = 0; i < cs_.size(); ++i) {
        const double off = cs_[i] - centre_;
        double rare = path.turned.error;
        for (const auto& [x, size] : path.turned.patches)
          rare += size * std::exp(-off * ((off > 0 ? x.low : x.high) + centre_) - 0.5 * off * off);
        const double sum = scalar_product(moduli.data(), &factors[i * count], count);
        const double all = sum * (1 + 1e-10) + path.main.error + rare;
        // Along the real axis Im F^m continues as half of F(w)^m less its conjugate at the
        // conjugate, and the path's main parts there are the same.
        const double part = real ? std::min(1.0, epoch_.bins * rare / all) : 1;
        bounds[i] = std::max(bounds[i], or_infinite(epoch_.bins * std::log(all) + std::log(part) -
                                                    re * strike(cs_[i]) + tilt_ * strike(centre_)));
      }
    }
    for (double& bound : bounds) bound += 1e-6 + epoch_.bins * 1e-15;
    return bounds;
  }

  /// A piece, or its halves as often as the bound on its ellipse demands.
  void add(const AxisPiece& piece, double lift = 0, int depth = 0) {
    if (++pieces_ > kMostPieces) {
      for (OptionSum& sum : sums_) sum.error = kInfinity;
      return;
    }
    const Box box{piece.re(), piece.im()};
    const bool real = piece.half.imag() == 0;
    const ZPath z{lift, turn_of(box.re.high), lift == 0};
    const WeightedPath path = nodes_of(z, box, real);
    WeightedNodes main = columns_of(path.main, true);
    // Nodes, their factors and bounds cost as much as so many points, and turned ones' factors
    // more.
    constexpr std::size_t kPieceWork = 6, kTurnedFactor = 5;
    spend(path.main.nodes.size(), kPieceWork);
    const auto bounds = log_bounds(path, main.re, lift, box, real);
    const double clear_re = std::max(0.0, box.re.low), clear_im = std::max(0.0, box.im.low);
    const double clear = clear_re * clear_re + clear_im * clear_im, length = std::abs(piece.half);
    const double largest = *std::max_element(bounds.begin(), bounds.end());
    const double log_length = std::log(2 * length / clear / kPi);
    const double log_part = piece.ellipse.log_error + log_length;
    // Of the real axis what little single large terms give is charged.
    if (real && largest + log_length < log_known() + epoch_.log_left_out) {
      for (std::size_t i = 0; i < cs_.size(); ++i)
        sums_[i].error += std::exp(bounds[i] + log_length);
      return;
    }
    constexpr int kMostHalvings = 5;
    if (largest + log_part > log_known() + epoch_.log_left_out && depth < kMostHalvings) {
      for (const double side : {-0.5, 0.5})
        add({piece.middle + side * piece.half, 0.5 * piece.half, piece.ellipse}, lift, depth + 1);
      return;
    }
    work::spend(static_cast<std::int64_t>(kTurnedFactor * cs_.size() * path.turned.nodes.size()));
    WeightedNodes turned = columns_of(path.turned, false);
    charge(main, piece);
    charge(turned, piece);
    for (std::size_t i = 0; i < cs_.size(); ++i) sums_[i].error += std::exp(bounds[i] + log_part);

    const auto main_at = exponents_at(path.main, piece.middle);
    const auto turned_at = exponents_at(path.turned, piece.middle);
    static const auto rule = quadrature::gauss_legendre();
    spend(path.main.nodes.size() + path.turned.nodes.size(), rule.size());
    for (std::size_t pair = 1; pair < rule.size(); pair += 2) {
      const auto& [position, weight] = rule[pair];
      const Complex step = position * piece.half;
      const auto first = terms_of(path.main, main_at, step);
      const auto second = terms_of(path.turned, turned_at, step);
      for (const std::size_t side : {0u, 1u})
        add_point(piece.middle + (side == 0 ? -step : step), weight * length, real, lift, main,
                  first[side], turned, second[side]);
    }
  }

  /// At each point an exponential for every node, and a product with each threshold's weights.
  void spend(std::size_t nodes, std::size_t points) const {
    constexpr std::size_t kExponential = 7, kThreshold = 10;
    work::spend(static_cast<std::int64_t>(
        points * (kExponential * nodes + cs_.size() * (nodes + kThreshold) / 5)));
  }

  /// e^{w sinh} at a path's nodes.
  struct NodeTerms {
    std::vector<double> re, im;
    explicit NodeTerms(std::size_t count) : re(count), im(count) {}
  };
  /// The exponent at a node for one w, without `log_f_`, and e to its imaginary part.
  struct NodeExponent {
    Complex value, turn;
  };
  std::vector<NodeExponent> exponents_at(const PathNodes& nodes, Complex w) const {
    std::vector<NodeExponent> exponents;
    for (const auto& [z, sinh, log_weight] : nodes.nodes) {
      const Complex value = honest_epsilon::times(w, sinh) + log_weight;
      exponents.push_back({value - log_f_, polar(1.0, value.imag())});
    }
    return exponents;
  }

  /// The terms at w - step and w + step, which turn by one angle from those at w.
  static std::array<NodeTerms, 2> terms_of(const PathNodes& nodes,
                                           const std::vector<NodeExponent>& at, Complex step) {
    // Below this an exponential is 0, which many are.
    constexpr double kLeastExponent = -750;
    std::array<NodeTerms, 2> terms{NodeTerms(at.size()), NodeTerms(at.size())};
    for (std::size_t j = 0; j < at.size(); ++j) {
      const Complex off = honest_epsilon::times(step, nodes.nodes[j].sinh);
      if (at[j].value.real() + std::abs(off.real()) < kLeastExponent) continue;
      const Complex turn = off.imag() == 0 ? 1 : polar(1.0, off.imag());
      for (const std::size_t side : {0u, 1u}) {
        const double size = std::exp(at[j].value.real() + (side == 0 ? -1 : 1) * off.real());
        const Complex both = honest_epsilon::times(at[j].turn, side == 0 ? std::conj(turn) : turn);
        terms[side].re[j] = size * both.real();
        terms[side].im[j] = size * both.imag();
      }
    }
    return terms;
  }

  /// What a node's term may be off by anywhere on a piece, and what rounds where it is summed: its
  /// modulus is largest at an end of the piece.
  std::vector<double> rounding_of(const PathNodes& nodes, const AxisPiece& piece) const {
    const Complex first = piece.middle - piece.half, last = piece.middle + piece.half;
    const double largest = std::max(modulus(first), modulus(last));
    std::vector<double> errors;
    for (const auto& [z, sinh, log_weight] : nodes.nodes) {
      const double far = modulus(z);
      const double units =
          64 + product_units(nodes.nodes.size()) +
          8 * (far * far + largest * modulus(sinh) * (1 + mu_ * far) + modulus(log_weight) +
               std::abs(log_f_) + outer_ * (far + std::abs(centre_)));
      const double log_size = std::max(honest_epsilon::times(first, sinh).real(),
                                       honest_epsilon::times(last, sinh).real());
      errors.push_back(kUnit * units * (1 + 1e-9) *
                       std::exp(log_size + log_weight.real() - log_f_));
    }
    return errors;
  }

  void add_point(Complex w, double weight, bool real, double lift, const WeightedNodes& main,
                 const NodeTerms& first, const WeightedNodes& turned, const NodeTerms& second) {
    const std::size_t count = first.re.size(), more = second.re.size();
    const double bins = epoch_.bins;
    for (std::size_t i = 0; i < cs_.size(); ++i) {
      const double* factor = &main.re[i * count];
      Complex f{scalar_product(factor, first.re.data(), count),
                scalar_product(factor, first.im.data(), count)};
      if (lift > 0) f *= std::polar(1.0, -(cs_[i] - centre_) * lift);
      f += scalar_product({turned.re.data() + i * more, turned.im.data() + i * more},
                          {second.re.data(), second.im.data()}, more);
      const double error_side = turned.errors[i], error = main.errors[i] + error_side;
      const double size = std::abs(f), room = size + error;
      const double k = strike(cs_[i]), shift = tilt_ * strike(centre_);
      const double log_size = bins * std::log(room) - w.real() * k + shift;
      const double bound = std::exp(log_size) * weight / std::norm(w) / kPi;
      const double units = kUnit * (64 + 8 * (bins * std::abs(std::log(room)) + std::abs(w) * k +
                                              std::abs(shift) + std::abs(log_size) + bins * 4));
      if (!(size > 0) || !(bound < kInfinity)) {
        sums_[i].error += bound;
        continue;
      }
      const double angle = bins * std::arg(f);
      if (real) {
        const double sine = std::sin(angle);
        const double term = std::exp(bins * std::log(size) - w.real() * k + shift) * sine * weight /
                            std::norm(w) / kPi;
        sums_[i].value += term;
        sums_[i].error += bound * (bins * (error_side + std::abs(f.imag()) * error / size) / size +
                                   std::abs(sine) * (bins * error / size + units)) +
                          std::abs(term) * units;
        continue;
      }
      const Complex term =
          std::exp(Complex{bins * std::log(size) - w.real() * k + shift, angle - w.imag() * k}) /
          (w * w);
      sums_[i].value += term.real() * weight / kPi;
      sums_[i].error += bound * std::min(2.0, bins * error / size * (1 + 1e-3) + units);
    }
  }

  /// Whether what lies above this height is too little to matter: it is charged.
  bool leaves_out_above(double u) {
    if (u == 0) return false;
    const Box box{{tilt_, tilt_}, {u, u}};
    const auto [z, log_size] = best_lift(box, true);
    if (!is_little(log_size, u)) return false;
    const WeightedPath path = nodes_of(z, box, false);
    const auto bounds = log_bounds(path, columns_of(path.main, true).re, z.lift, box, false);
    // With too many nodes nothing is proved here, and it may be a little higher.
    if (*std::max_element(bounds.begin(), bounds.end()) == kInfinity) return false;
    for (std::size_t i = 0; i < cs_.size(); ++i) sums_[i].error += std::exp(bounds[i]) / (u * kPi);
    return true;
  }

  /// What lies before `end` on the real axis, at most. There |Im F| is no more than the turned part
  /// of a path that turns where w sinh(mu z) = B, and the rest at most 1 + w E sinh + b w^2 E
  /// sinh^2, as e^x <= 1 + x + b x^2 for x <= B and the mean is at most that without a limit.
  double rare_below(double end) const {
    constexpr double kMost = 5, kBend = 5.7;
    const double turn = std::asinh(kMost / end) / mu_, height = kTurned / mu_,
                 nearest = centre_ - outer_;
    const double z = turn + nearest;
    if (!(z > 1) || !(z > mu_)) return kInfinity;
    const double most = std::log(height + 1) + kMost + 0.5 * height * height;
    const double square =
        0.5 * (std::exp(2 * mu_ * mu_) * std::cosh(2 * mu_ * (centre_ + outer_)) - 1);
    const double mean = std::exp(0.5 * mu_ * mu_) * std::sinh(mu_ * std::max(0.0, -nearest));
    const double others =
        epoch_.bins * (end * mean + kBend * end * end * square + std::exp(most + log_density(z)));
    return std::exp(std::log(epoch_.bins * mu_ / kPi) + others + most + 0.5 * mu_ * mu_ -
                    mu_ * nearest + normal::log_upper_tail(z - mu_) - log_scale() + 1e-6);
  }

  ReplacedEpoch epoch_;
  double mu_, centre_, outer_, low_;
  double tilt_ = 1, log_f_ = 0, share_ = 0;
  std::vector<double> cs_;
  std::vector<OptionSum> sums_;
  static constexpr int kMostPieces = 120;
  int pieces_ = 0;
};

/// An epoch's curve over a stretch of epsilons, from its values at some points.
///
/// Without blank bins e^{flat (c - centre)} E S+ is a polynomial through Chebyshev's points. Along
/// with e^{m c^2 / 2} that is log-convex in c, and at most e^{m y^2 / 2} times its value at Re c
/// where Im c = y. On an ellipse around the stretch whose semi-axes add up to rho halves, where it
/// is M at most, the polynomial is off by at most 4 M rho^(1-n) / (rho - 1). Cite: [Tre13,
/// Thm 8.2]. Of long stretches, and with blank bins, delta lies between its chords and what they
/// are beyond their ends: it is convex in e^eps.
class EpochStretch {
 public:
  EpochStretch(const ReplacedEpoch& epoch, double from, double to)
      : epoch_(epoch),
        has_knots_(epoch.blank > 0 || to - from > 1.01 * longest_polynomial(epoch)),
        from_(from),
        to_(to),
        centre_(0.25 * (from + to) / epoch.mu),
        half_(0.25 * (to - from) / epoch.mu) {
    has_knots_ ? sample() : interpolate();
  }

  /// Longer ones are followed by chords.
  static double longest_polynomial(const ReplacedEpoch& epoch) {
    return 8 * epoch.mu / std::sqrt(epoch.bins);
  }

  double from() const { return from_; }
  double to() const { return to_; }
  Interval delta(double epsilon) const {
    return has_knots_ ? between_knots(epsilon) : by_polynomial(epsilon);
  }

 private:
  void interpolate() {
    const double bins = epoch_.bins;
    constexpr std::size_t kMostPoints = 32;
    std::size_t count = 0;
    double rho = 1;
    const auto log_left = [&] {
      return 0.25 * bins * half_ * half_ * rho * rho -
             static_cast<double>(count - 1) * std::log(rho);
    };
    do {
      count += 8;
      const double best = std::sqrt(2 * static_cast<double>(count - 1) / bins) / half_;
      for (rho = 2; rho < best && log_left() > epoch_.log_left_out;) rho *= 1.2;
    } while (log_left() > epoch_.log_left_out && count < kMostPoints);
    const double outer = 0.5 * half_ * (rho + 1 / rho), tall = 0.5 * half_ * (rho - 1 / rho);
    ReplacedIntegral integral(epoch_, centre_, outer);
    log_scale_ = integral.log_scale();
    std::vector<double> cs;
    for (std::size_t i = 0; i < count; ++i)
      cs.push_back(centre_ + half_ * std::cos(angle_of(i, count)));
    cs.insert(cs.end(), {centre_ - outer, centre_ + outer});
    const auto sums = integral.at(cs);
    const double first = sums[0].value, last = sums[count - 1].value;
    if (first > 0 && last > 0) flat_ = std::log(last / first) / (cs[0] - cs[count - 1]);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double factor = std::exp(flat_ * (cs[i] - centre_));
      const double angle = angle_of(i, count), value = factor * sums[i].value;
      nodes_.push_back({cs[i], (i % 2 == 0 ? 1 : -1) * std::sin(angle), value});
      size = std::max(size, std::abs(value));
      error = std::max(error, or_infinite(factor * sums[i].error));
    }
    const auto log_at = [&](std::size_t i) {
      return std::log(std::max(sums[i].value, 0.0) + sums[i].error) + 0.5 * bins * cs[i] * cs[i];
    };
    const double left = log_at(count), right = log_at(count + 1);
    const double rise = 0.5 * (right - left) / outer + flat_;
    const double there = std::clamp(rise / bins, centre_ - outer, centre_ + outer);
    const double log_most = 0.5 * (left + right) + rise * (there - centre_) +
                            0.5 * bins * (tall * tall - there * there);
    const auto points = static_cast<double>(count);
    const double lebesgue = 2 / kPi * std::log(points) + 1;
    error_ = lebesgue * (error + 64 * points * kUnit * size) +
             std::exp(log_most - (points - 1) * std::log(rho)) * 4 / (rho - 1) * (1 + 1e-6);
    error_ = or_infinite(error_);
  }

  static double angle_of(std::size_t i, std::size_t count) {
    return kPi * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
  }

  Interval by_polynomial(double epsilon) const {
    const double c = std::clamp(0.5 * epsilon / epoch_.mu, centre_ - half_, centre_ + half_);
    double above = 0, below = 0;
    for (const PolynomialNode& node : nodes_) {
      const double off = c - node.c;
      if (off == 0) return delta_of(epsilon, {node.value, error_}, flat_ * (c - centre_));
      const double weight = node.weight / off;
      above += weight * node.value;
      below += weight;
    }
    return delta_of(epsilon, {above / below, error_}, flat_ * (c - centre_));
  }

  /// delta from E(S - k)+ over e^{log_scale_ - tilt}.
  Interval delta_of(double epsilon, const ReplacedIntegral::OptionSum& sum, double tilt) const {
    if (!(sum.error < kInfinity)) return {0, 1};
    const double square = epoch_.mu * epoch_.mu;
    const double exponent =
        std::log(2 / (epoch_.bins + epoch_.blank)) + 0.5 * (epsilon - square) + log_scale_ - tilt;
    const double rounding = kUnit * (64 + 8 * (std::abs(exponent) + std::abs(log_scale_) + square +
                                               epsilon + std::abs(flat_) * (centre_ + half_)));
    const double factor = std::exp(exponent);
    return within_unit({factor * (sum.value - sum.error) * (1 - rounding),
                        factor * (sum.value + sum.error) * (1 + rounding) + kTiny});
  }

  void sample() {
    constexpr std::size_t kKnots = 64;
    ReplacedIntegral integral(epoch_, centre_, half_);
    log_scale_ = integral.log_scale();
    std::vector<double> cs(kKnots);
    for (std::size_t i = 0; i < kKnots; ++i) {
      const double epsilon = from_ + (to_ - from_) * static_cast<double>(i) / (kKnots - 1);
      knots_.push_back({epsilon, {}});
      cs[i] = 0.5 * epsilon / epoch_.mu;
    }
    const auto sums = integral.at(cs);
    for (std::size_t i = 0; i < kKnots; ++i)
      knots_[i].delta = delta_of(knots_[i].epsilon, sums[i], 0);
  }

  Interval between_knots(double epsilon) const {
    const auto next =
        std::upper_bound(knots_.begin() + 1, knots_.end() - 1, epsilon,
                         [](double e, const CurveKnot& knot) { return e < knot.epsilon; });
    const auto place = static_cast<std::size_t>(next - knots_.begin());
    /// The line from one knot's value through another's, in e^eps.
    const auto line = [&](std::size_t i, double at_i, std::size_t j, double at_j) {
      const double run = std::expm1(knots_[j].epsilon - knots_[i].epsilon);
      return run == 0 ? at_i : at_i + (at_j - at_i) * std::expm1(epsilon - knots_[i].epsilon) / run;
    };
    const CurveKnot& a = knots_[place - 1];
    const CurveKnot& b = knots_[place];
    const double upper = line(place - 1, a.delta.upper, place, b.delta.upper);
    double lower = b.delta.lower;
    if (place > 1)
      lower =
          std::max(lower, line(place - 2, knots_[place - 2].delta.upper, place - 1, a.delta.lower));
    if (place + 1 < knots_.size())
      lower = std::max(lower, line(place + 1, knots_[place + 1].delta.upper, place, b.delta.lower));
    constexpr double kRounding = 1e-12;
    return within_unit(
        {lower * (1 - kRounding) - kRounding * a.delta.upper, upper + kRounding * a.delta.upper});
  }

  /// Of the polynomial in its second barycentric form.
  struct PolynomialNode {
    double c, weight, value;
  };
  struct CurveKnot {
    double epsilon;
    Interval delta;
  };
  ReplacedEpoch epoch_;
  bool has_knots_;
  double from_, to_;
  double centre_, half_;  ///< of the shifts c
  double log_scale_ = 0;
  double flat_ = 0;
  std::vector<PolynomialNode> nodes_;
  double error_ = kInfinity;  ///< of the polynomial
  std::vector<CurveKnot> knots_;
};

/// The whole curve, followed until log delta has fallen to a floor.
class Curve {
 public:
  Curve(const ReplacedEpoch& epoch, double log_floor) {
    const double longest = EpochStretch::longest_polynomial(epoch);
    double from = 0, length = 0.25 * longest;
    constexpr std::size_t kMost = 200;
    constexpr double kFall = 7, kFallOfChords = 2.5;  // of log delta along a stretch
    while (stretches_.size() < kMost) {
      stretches_.emplace_back(epoch, from, from + length);
      const double before = log_delta(from), after = log_delta(from + length);
      from += length;
      // A stretch that proves nothing ends it, too.
      if (!(after > log_floor && after < before)) break;
      const double slope = std::max(before - after, 1e-9) / length;
      double next = std::min(kFall / slope, longest);
      if (kFallOfChords / slope > 2 * longest) next = kFallOfChords / slope;
      length = std::clamp(next, 0.5 * length, 4 * length);
    }
  }

  double reach() const { return stretches_.back().to(); }
  Interval delta(double epsilon) const {
    if (epsilon > reach()) return {0, stretches_.back().delta(reach()).upper};
    const auto next =
        std::upper_bound(stretches_.begin() + 1, stretches_.end(), epsilon,
                         [](double e, const EpochStretch& stretch) { return e < stretch.from(); });
    return std::prev(next)->delta(epsilon);
  }

 private:
  double log_delta(double epsilon) const { return std::log(delta(epsilon).upper); }

  std::vector<EpochStretch> stretches_;
};

/// Such epochs as steps to be composed: the curve as a law, made when it is first asked.
class CurveSteps : public pld::LateSource {
 public:
  CurveSteps(const ReplacedEpoch& epoch, double log_floor) : epoch_(epoch), log_floor_(log_floor) {}

  Interval delta(double epsilon) const { return made().curve.delta(epsilon); }

 private:
  struct MadeSource {
    Curve curve;
    pld::CurveSource source;
    MadeSource(const ReplacedEpoch& epoch, double log_floor)
        : curve(epoch, log_floor),
          source([this](double log_k, Direction direction) { return payoff(log_k, direction); },
                 -curve.reach(), curve.reach()) {}
    /// The call or the put on dP / dQ at K = e^log_k, by parity and symmetry.
    Interval payoff(double log_k, Direction direction) const {
      const bool above = log_k >= 0, call = direction == Direction::remove;
      const Interval known = affine(0, above ? 1 : std::exp(log_k), curve.delta(std::abs(log_k)));
      if (above == call) return known;
      const double shift = call ? -std::expm1(log_k) : std::expm1(log_k);
      return {std::max(0.0, (known.lower + shift) * (1 - 8 * kUnit)),
              (known.upper + shift) * (1 + 8 * kUnit)};
    }
  };
  const pld::Source& source() const override { return made().source; }
  const MadeSource& made() const {
    if (!made_) made_ = std::make_unique<const MadeSource>(epoch_, log_floor_);
    return *made_;
  }

  ReplacedEpoch epoch_;
  double log_floor_;
  mutable std::unique_ptr<const MadeSource> made_;
};

/// A stretch that is this much of what a polynomial can follow is a point.
constexpr double kNarrow = 1e-6;

}  // namespace

Interval replaced_delta(const ReplacedEpoch& epoch, double epsilon) {
  const double wide = kNarrow * std::max(epsilon, epoch.mu / std::sqrt(epoch.bins));
  return EpochStretch(epoch, epsilon, epsilon + wide).delta(epsilon);
}

Interval replaced_epsilon(const ReplacedEpoch& epoch, double delta) {
  // No epoch shows more than a single known batch.
  Bracket between{0, gaussian::epsilon(2 * epoch.mu, delta).upper};
  if (between.high == 0 || replaced_delta(epoch, 0).upper <= delta) return {0, 0};
  const double log_target = std::log(delta);
  const auto seems_larger = [&](double e) {
    return ReplacedIntegral(epoch, 0.5 * e / epoch.mu, 0).log_delta() > log_target;
  };
  double epsilon =
      bisect({1e-6 * between.high, between.high}, {30, 0.02}, seems_larger, halfway_in_size).low;
  double part = 0.02;
  constexpr int kMostTries = 30, kMostFailures = 3;
  for (int i = 0, failures = 0; i < kMostTries && failures < kMostFailures; ++i) {
    const double reach =
        std::min(std::max(part * epsilon, 1e-9 * between.high), epoch.mu / std::sqrt(epoch.bins));
    const EpochStretch stretch(epoch, std::max(0.0, epsilon - reach), epsilon + reach);
    const Interval first = stretch.delta(stretch.from()), last = stretch.delta(stretch.to());
    if (first.upper == 1 && last.lower == 0) ++failures;
    const bool below = first.upper <= delta, above = last.lower >= delta;
    if (below && stretch.from() == 0) return {0, 0};
    if (below || above) {
      (below ? between.high : between.low) = below ? stretch.from() : stretch.to();
      const double log_first = std::log(first.upper), log_last = std::log(last.upper);
      const double slope = (log_first - log_last) / (stretch.to() - stretch.from());
      epsilon = below ? stretch.from() + (log_first - log_target) / slope
                      : stretch.to() + (log_last - log_target) / slope;
      if (!(epsilon > between.low && epsilon < between.high))
        epsilon = halfway(between.low, between.high);
      continue;
    }
    if (last.upper <= delta && (first.lower >= delta || stretch.from() == 0)) {
      const auto too_much = [&](double e) { return !(stretch.delta(e).upper <= delta); };
      const auto needed = [&](double e) { return stretch.delta(e).lower >= delta; };
      const Bracket ends{stretch.from(), stretch.to()};
      const Halvings enough{60, 1e-12};
      between = {needed(ends.low) ? bisect(ends, enough, needed).low : 0,
                 too_much(ends.low) ? bisect(ends, enough, too_much).high : ends.low};
      // Chords leave something open, which falls as the square of their length.
      const double open = between.high - between.low;
      if (epoch.blank == 0 || !(open > kNarrow * between.high) || part < kNarrow) break;
      part = std::max(0.1 * kNarrow, open / between.high);
    } else {
      part *= 0.1;
    }
    epsilon = halfway(between.low, between.high);
  }
  return {between.low, between.high};
}

Steps replaced_steps(const ReplacedEpoch& epoch, double log_floor) {
  const auto source = std::make_shared<const CurveSteps>(epoch, log_floor);
  Steps steps{source, 1, [source](Direction, double epsilon) { return source->delta(epsilon); }};
  steps.curve_is_formula = false;
  return steps;
}

}  // namespace honest_epsilon::balls_and_bins
