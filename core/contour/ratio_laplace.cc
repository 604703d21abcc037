#include "core/contour/ratio_laplace.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/math/complex_functions.h"
#include "core/math/constants.h"
#include "core/math/normal.h"
#include "core/math/portable.h"

namespace honest_epsilon::contour {
namespace {

/// Below it e^w - 1 - w is summed by powers.
constexpr double kSmall = 0.5;

/// Of one integral: with as many, phases turn too fast for a path of few nodes.
constexpr int kMostPanels = 256;

/// Left of it phi itself has more digits than phi - 1.
constexpr double kLeastLessOne = -1;

/// The integral of e^{-u^2/2} over u > 0, sqrt(pi/2), rounded up.
constexpr double kHalfBell = 1.2534;

/// The integral of e^{-t u - u^2/2} over u > 0, at most, for t > 0.
double mills_upper(double t) {
  return std::min(1 / t, kHalfBell);
}

/// The largest cosine on [low, high], -pi < low < high.
double largest_cosine(double low, double high) {
  if ((low <= 0 && high >= 0) || high >= kTwoPi) return 1;
  return std::max(std::cos(low), std::cos(high)) + 1e-12;
}

}  // namespace

RatioLaplace::RatioLaplace(double mu)
    : mu_(mu), length_(3 * std::min(1.0, 1 / mu)), rule_(quadrature::gauss_legendre()) {
  constexpr double kFarLeft = 18;
  start_ = 2 * mu - kFarLeft;
  moments_.emplace_back();
}

RatioLaplace::RatioPanel RatioLaplace::panel(double left, double right) const {
  const double half = 0.5 * (right - left), middle = 0.5 * (right + left);
  RatioPanel panel{right,
                   std::max(std::abs(left), std::abs(right)) + mu_,
                   std::exp(2 * mu_ * half) * (1 + 1e-9),
                   {},
                   {},
                   {}};
  for (std::size_t i = 0; i < kNodes; ++i) {
    const double t = middle + half * rule_[i].position;
    panel.ratio[i] = t;
    panel.weight[i] = t * t;
  }
  portable::exp_affine(panel.ratio, mu_, -0.5 * mu_ * mu_, panel.ratio);
  // By its root, which stays within exp's domain where n(t) does not.
  portable::exp_affine(panel.weight, -0.25, -0.5 * kHalfLogTwoPi, panel.weight);
  for (std::size_t i = 0; i < kNodes; ++i)
    panel.weight[i] *= half * rule_[i].weight * panel.weight[i];
  for (std::size_t i = 0; i < kEllipses; ++i) {
    const quadrature::Ellipse& tried = tried_[i];
    const double tall = half * tried.high;
    const double nearest = std::max(0.0, std::abs(middle) - half * tried.wide);
    panel.ellipses[i] = {tried.log_error + std::log(half) +
                             0.5 * (tall - nearest) * (tall + nearest) - kHalfLogTwoPi + 1e-9,
                         std::exp(mu_ * half * (tried.wide - 1)) * (1 + 1e-9),
                         mu_ * tall * (1 + 1e-9)};
  }
  return panel;
}

double RatioLaplace::log_rule_error(const RatioPanel& panel, double w, double lean,
                                    LeftForm form) const {
  double least = kInfinity;
  for (const PanelEllipse& ellipse : panel.ellipses) {
    const double largest = w * ellipse.growth;
    const double cosine = largest_cosine(lean - ellipse.lean, lean + ellipse.lean);
    double log_size = (cosine > 0 ? largest : w / (panel.rise * ellipse.growth)) * cosine;
    if (form == LeftForm::less_one)
      log_size = 2 * std::log(largest) - kLogTwo + std::max(log_size, 0.0);
    least = std::min(least, ellipse.log_error + log_size);
  }
  return least;
}

void RatioLaplace::extend(double turn) const {
  while (start_ + length_ * static_cast<double>(panels_.size() + 1) <= turn) {
    const auto count = static_cast<double>(panels_.size());
    panels_.push_back(panel(start_ + length_ * count, start_ + length_ * (count + 1)));
    const RatioPanel& last = panels_.back();
    const double ratio = std::exp(mu_ * last.right - 0.5 * mu_ * mu_);
    // Its powers are doubles.
    constexpr double kLargestRatio = 1e16;
    if (ratio > kLargestRatio) continue;
    LeftMoments next = moments_.back();
    double second = 0;
    for (std::size_t i = 0; i < kNodes; ++i) {
      double term = last.weight[i] * last.ratio[i];
      for (std::size_t n = 2; n < kPowers; ++n) {
        term *= last.ratio[i] / static_cast<double>(n);
        next.coefficients[n] += term;
        if (n == 2) second += term;
      }
    }
    // Of w^2/2, with w <= 1/2 at the right end: the terms' rounding and the polynomial's.
    const double units = 320 + 40 * last.place * last.place;
    next.error += 1.3 * units * kUnit * second +
                  std::exp(log_rule_error(last, kSmall, 0, LeftForm::less_one)) * (ratio / kSmall) *
                      (ratio / kSmall);
    moments_.push_back(next);
  }
}

double RatioLaplace::saddle(double log_rho) const {
  constexpr double kLeast = 0.5, kMost = 38.5;  // n(t) is no number beyond
  const double nearest = (0.5 * mu_ * mu_ - log_rho - 2 * std::log(mu_)) / mu_;
  // t = (log(t / (mu rho)) + mu^2/2) / mu contracts to the larger root.
  const double constant = (0.5 * mu_ * mu_ - log_rho - std::log(mu_)) / mu_;
  double t = std::max(constant, 1.0) + 1;
  for (int i = 0; i < 40; ++i) {
    const double next = constant + std::log(std::max(t, 1e-3)) / mu_;
    const double moved = std::abs(next - t);
    t = next;
    if (moved < 1e-3) break;
  }
  return std::clamp(std::max(t, nearest), kLeast, kMost);
}

RatioLaplace::Turn RatioLaplace::turn(double rho) const {
  // Below it R counts for nothing beside phi(-rho) >= e^rho, which is Jensen's inequality.
  constexpr double kNothing = -43, kFirst = 5, kStride = 0.5, kMost = 37;
  const double log_rho = std::log(std::abs(rho));
  const double most = rho > 0 ? saddle(log_rho) : kMost;
  for (double t = kFirst; t < most; t += kStride) {
    const double log_rest =
        rho > 0 ? log_right_upper(log_rho, log_rho, t, 0, 0) : log_beyond(rho, t);
    if (log_rest < rho + kNothing) return {t, log_rest, true};
  }
  if (!(rho > 0)) return {most, log_beyond(rho, most), true};
  return {most, log_right_upper(log_rho, log_rho, most, 0, 0), false};
}

// A term's rounding: n(t) 36 units, by its argument 8 place^2; W by 8 mu place + 8 of itself, and
// the function of it by 2 + |W| times that and 40; the rest and the sum 76. Below exp's domain a
// power is e^-708, which is nothing beside what the linear part rounds by.
RatioLaplace::LaplacePart RatioLaplace::left(Complex z, double log_size, double lean, double turn,
                                             LeftForm form) const {
  extend(turn);
  const double modulus = std::abs(z);
  const double shift = 0.5 * mu_ * mu_ - log_size;  // |W| = e^{mu t - shift}
  const auto whole = static_cast<std::size_t>(
      std::clamp((turn - start_) / length_, 0.0, static_cast<double>(panels_.size())));
  const double small_up_to = (std::log(kSmall) + shift) / mu_ - 1e-9;
  const auto small = static_cast<std::size_t>(
      std::clamp((small_up_to - start_) / length_, 0.0,
                 static_cast<double>(std::min(whole, moments_.size() - 1))));
  Complex sum = 0;
  const LeftMoments& moments = moments_[small];
  for (std::size_t n = kPowers; n-- > 2;) sum = times(sum, z) + moments.coefficients[n];
  sum = times(sum, times(z, z));
  // Complex products have twice the roundings.
  double error = 2 * modulus * modulus * moments.error;
  // Phases that run far in a panel take shorter ones.
  constexpr double kNothing = -38, kShortest = 0.2;
  const double log_nothing = kNothing + (form == LeftForm::whole ? z.real() : 0);
  int splits = 0;
  const auto add = [&](const auto& self, const RatioPanel& panel, double from) -> void {
    const double w = std::exp(mu_ * panel.right - shift) * (1 + 1e-12);
    const double log_error = log_rule_error(panel, w, lean, form);
    if (splits > kMostPanels) return;
    if (log_error > log_nothing && panel.right - from > kShortest) {
      ++splits;
      const double middle = 0.5 * (from + panel.right);
      self(self, this->panel(from, middle), from);
      self(self, this->panel(middle, panel.right), middle);
      return;
    }
    std::array<double, kNodes> re, im, size;
    for (std::size_t i = 0; i < kNodes; ++i) {
      re[i] = z.real() * panel.ratio[i];
      im[i] = z.imag() * panel.ratio[i];
    }
    portable::exponentials(re, im, size);
    Complex part = 0;
    double sizes = 0;
    for (std::size_t i = 0; i < kNodes; ++i) {
      Complex value{re[i], im[i]};
      if (form == LeftForm::less_one) {
        // e^w - 1 - w, to 40 units of the size.
        const Complex exponent = z * panel.ratio[i];
        const double length = modulus * panel.ratio[i];
        const bool tiny = length < kSmall;
        value = tiny ? times(times(exponent, exponent), exponential_rest(exponent))
                     : value - 1.0 - exponent;
        size[i] = tiny ? length * length : size[i] + 1 + length;
      }
      part += panel.weight[i] * value;
      sizes += panel.weight[i] * size[i];
    }
    const double far = panel.place, off = 8 * (1 + mu_ * far) * (2 + w);
    sum += part;
    // Each panel rounds the sum once more.
    error += sizes * kUnit * (160 + 24 * far * far + off) + std::exp(log_error) +
             2 * kUnit * std::abs(sum);
  };
  for (std::size_t i = small; i < whole; ++i)
    add(add, panels_[i], start_ + length_ * static_cast<double>(i));
  const double edge = start_ + length_ * static_cast<double>(whole);
  if (turn > edge) add(add, panel(edge, turn), edge);
  if (splits > kMostPanels) return {0, kInfinity};
  // To the left of all panels.
  const double first = std::min(start_, turn);
  const double largest = std::max(0.0, z.real()) * std::exp(mu_ * first - 0.5 * mu_ * mu_);
  error += 0.5 * std::exp(mu_ * mu_ + largest) * modulus * modulus *
           normal::upper_tail(2 * mu_ - first) * (1 + 1e-9);
  // The linear part is missing before the turn, or, of the whole, where powers were summed.
  const bool less_one = form == LeftForm::less_one;
  const double powers_end = std::min(turn, start_ + length_ * static_cast<double>(small));
  const double far = less_one ? turn : -powers_end, sign = less_one ? -1 : 1;
  const double under_q = normal::upper_tail(far);
  const double under_p = normal::upper_tail(far + sign * mu_);
  const double linear = under_q + modulus * under_p, place = std::abs(far) + mu_;
  error += linear * (normal::kRelativeError + kUnit * (8 * place * place + 8)) +
           16 * kUnit * ((less_one ? modulus : 0) + std::abs(sum) + linear);
  return {(less_one ? z : Complex(0)) + sum + sign * (under_q + z * under_p), error * (1 + 1e-9)};
}

Charged RatioLaplace::left_less_one(double rho, double turn) const {
  const double lean = rho < 0 ? kPi : 0;
  const auto part = left(rho, std::log(std::abs(rho)), lean, turn, LeftForm::less_one);
  return {part.value.real(), part.error};
}

double RatioLaplace::log_beyond(double rho, double turn) const {
  return normal::log_upper_tail(turn) + rho * std::exp(mu_ * turn - 0.5 * mu_ * mu_) * (1 - 1e-12) +
         1e-9;
}

double RatioLaplace::log_upper(double rho, double turn, double log_rest) const {
  const double rest = std::exp(log_rest);
  if (rho < kLeastLessOne) {
    const auto part = left(rho, std::log(-rho), kPi, turn, LeftForm::whole);
    const double logarithm = std::log(part.value.real() + part.error + rest);
    return logarithm + 16 * kUnit * (1 + std::abs(logarithm));
  }
  const double excess = left_less_one(rho, turn).upper();
  const double whole = 1 + excess + rest;
  if (!(whole > 0 && whole < kInfinity)) return kInfinity;
  const double logarithm = std::log1p(excess + rest);
  // What the sum's rounding moves, where 1 + excess is small, too.
  return logarithm + 16 * kUnit * (std::abs(logarithm) + (std::abs(excess) + rest) / whole);
}

RatioLaplace::LaplacePart RatioLaplace::right(double turn, double w, double lean,
                                              double w_units) const {
  const double eta = (kPi - lean) / mu_, start = w * std::cos(lean);
  // At the path's lower turn, against e^{w cos psi}.
  const double log_end = 0.5 * eta * eta - w - start;
  // Digits that a sum of doubles does not hold.
  constexpr double kLogNothing = -45;
  double re = 0, im = 0, error = 0, modulus = 0, y = 0;
  const double full = std::min(4 / std::sqrt(turn * mu_), 2 / mu_);
  bool ended = false;
  int panels = 0;
  // cos(psi + mu y) - cos psi
  const auto cosine_fall = [&](double at) {
    return -2 * std::sin(0.5 * mu_ * at) * std::sin(lean + 0.5 * mu_ * at);
  };
  while (y < eta) {
    const double log_here = 0.5 * y * y + w * cosine_fall(y);
    // What follows falls and then rises along y; then the horizontal part.
    const double log_rest =
        std::log((eta - y) * std::exp(std::max(log_here, log_end) - log_end) + kHalfBell) + log_end;
    if (log_rest < kLogNothing) {
      error += std::exp(log_rest) * (1 + 1e-9);
      ended = true;
      break;
    }
    if (++panels > kMostPanels) return {0, kInfinity};
    const double end = y + 1.3 * full > eta ? eta : y + full;
    const double half = 0.5 * (end - y), middle = 0.5 * (end + y);
    std::array<double, kNodes> cosines, sines, sizes;
    for (std::size_t i = 0; i < kNodes; ++i) {
      const double at = middle + half * rule_[i].position;
      cosines[i] = 0.5 * at * at + w * cosine_fall(at);
      sines[i] = turn * at - w * std::sin(lean + mu_ * at);
    }
    portable::exponentials(cosines, sines, sizes);
    for (std::size_t i = 0; i < kNodes; ++i) {
      const double weight = half * rule_[i].weight;
      re += weight * sines[i];
      im -= weight * cosines[i];
      modulus += weight * sizes[i];
    }
    double log_error = kInfinity;
    for (const quadrature::Ellipse& tried : tried_) {
      const double tall = half * tried.high, over = half * (tried.wide - 1);
      const double c = largest_cosine(lean + mu_ * (y - over), lean + mu_ * (end + over));
      const auto edge = [&](double xi) { return -turn * xi + w * std::exp(mu_ * xi) * c - start; };
      const double far = std::max(std::abs(y - over), end + over);
      log_error = std::min(log_error, tried.log_error + std::log(half) + 0.5 * far * far +
                                          std::max(edge(tall), edge(-tall)));
    }
    error += std::exp(log_error) * (1 + 1e-9);
    y = end;
  }
  // The exponent is off by 4 units of y^2/2 and of w, the phase by 4 of t y and of w, both by w's.
  double units = 60 + 2 * y * y + 24 * w + 4 * turn * y;
  if (!ended) {
    double u = 0;
    constexpr double kLastExponent = 50;
    while (w * std::exp(mu_ * u) < kLastExponent && turn * u < kLastExponent) {
      if (++panels > kMostPanels) return {0, kInfinity};
      const double end = u + length_, half = 0.5 * length_, middle = u + half;
      std::array<double, kNodes> cosines, sines, sizes;
      for (std::size_t i = 0; i < kNodes; ++i) {
        const double at = middle + half * rule_[i].position;
        cosines[i] = 0.5 * eta * eta - start - turn * at - 0.5 * at * at - w * std::exp(mu_ * at);
        sines[i] = eta * (turn + at);
      }
      portable::exponentials(cosines, sines, sizes);
      for (std::size_t i = 0; i < kNodes; ++i) {
        const double weight = half * rule_[i].weight;
        re += weight * cosines[i];
        im += weight * sines[i];
        modulus += weight * sizes[i];
      }
      double log_error = kInfinity;
      for (const quadrature::Ellipse& tried : tried_) {
        const double tall = half * tried.high, first = u - half * (tried.wide - 1);
        if (mu_ * tall > 0.5 * kPi) continue;
        const double log_size = 0.5 * (eta + tall) * (eta + tall) - turn * first - start -
                                w * std::exp(mu_ * first) * std::cos(mu_ * tall);
        log_error = std::min(log_error, tried.log_error + std::log(half) + log_size);
      }
      error += std::exp(log_error) * (1 + 1e-9);
      u = end;
    }
    error += std::exp(0.5 * eta * eta - start - turn * u - w * std::exp(mu_ * u)) *
             mills_upper(turn) * (1 + 1e-9);
    const double last = w * std::exp(mu_ * u);
    units +=
        4 * eta * eta + 4 * eta * (turn + u) + 8 * (1 + mu_ * u) * std::min(last, kLastExponent);
  }
  // The sum rounds by a unit of all moduli a term.
  const double terms = static_cast<double>(kNodes) * panels;
  error += modulus * (kUnit * (units + terms) + 8 * w_units * std::max(w, 1.0)) * (1 + 1e-9);
  return {{re, im}, error};
}

RatioLaplace::AxisValue RatioLaplace::on_axis(double log_rho) const {
  const double t = saddle(log_rho);
  const double exponent = log_rho + mu_ * t - 0.5 * mu_ * mu_;
  const double w = std::exp(exponent);
  const double w_units = kUnit * (4 * (std::abs(log_rho) + mu_ * t + mu_ * mu_) + 8);
  const LaplacePart left = this->left(std::exp(log_rho), log_rho, 0, t, LeftForm::less_one);
  const LaplacePart after = right(t, w, 0, w_units);
  // n(t) e^w.
  const double scale = std::exp(w - 0.5 * t * t - kHalfLogTwoPi);
  const double scale_units = kUnit * (8 + 4 * w + 3 * t * t) + 2 * w * w_units;
  const double re = 1 + left.value.real() + scale * after.value.real(),
               im = scale * after.value.imag();
  const double re_error = left.error +
                          scale * (after.error + std::abs(after.value.real()) * scale_units) +
                          4 * kUnit * (1 + std::abs(left.value.real()));
  const double im_error = scale * (after.error + std::abs(after.value.imag()) * scale_units) +
                          4 * kUnit * std::abs(im) + kTiny;
  const double excess = left.value.real() + scale * after.value.real();
  const double modulus = std::hypot(re, im);
  const double least = modulus - re_error - im_error;
  if (!(least > 0)) return {{0, kInfinity}, {0, kInfinity}};
  // Without the 1 what is known of the excess is finer than 1 + excess can tell.
  const double excess_error = left.error +
                              scale * (after.error + std::abs(after.value.real()) * scale_units) +
                              2 * kUnit * std::abs(excess);
  const double ratio = im / re;
  const double log_modulus =
      excess > -0.5 ? std::log1p(excess) + 0.5 * std::log1p(ratio * ratio) : std::log(modulus);
  const double log_error = (excess_error + im_error) / least +
                           8 * kUnit * (std::abs(log_modulus) + ratio * ratio) +
                           (excess > -0.5 ? 0 : 8 * kUnit);
  const double phase = std::atan2(im, re);
  const double phase_error = (im_error + (std::abs(im) + im_error) / least * re_error) / least +
                             8 * kUnit * std::abs(phase);
  return {{log_modulus, log_error * (1 + 1e-9)}, {phase, phase_error * (1 + 1e-9)}};
}

LogMoment RatioLaplace::at(Complex z, const Turn& turn) const {
  const double size = std::abs(z), log_size = std::log(size);
  const double lean = std::clamp(-std::arg(z), 0.0, kPi);
  // High up the path leaves the real line before phases run away: they grow by mu |W| a unit of t.
  constexpr double kMostPhase = 25;
  const double earlier =
      std::max((std::log(kMostPhase / std::min(mu_, 1.0)) - log_size + 0.5 * mu_ * mu_) / mu_,
               (kPi - lean) / mu_ + 1);
  const bool high = lean > 0.25 * kPi && earlier < turn.at;
  const double t = high ? std::max(earlier, 0.5) : turn.at;
  const LeftForm form = z.real() < kLeastLessOne ? LeftForm::whole : LeftForm::less_one;
  auto [sum, error] = left(z, log_size, lean, t, form);
  if (turn.negligible && !high) {
    error += std::exp(turn.log_rest) * (1 + 1e-9);
  } else {
    const double w = std::exp(log_size + mu_ * t - 0.5 * mu_ * mu_);
    const double w_units = kUnit * (4 * (std::abs(log_size) + mu_ * std::abs(t) + mu_ * mu_) + 32);
    const LaplacePart after = right(t, w, lean, w_units);
    // n(t) e^{w cos psi}.
    const double scale = std::exp(w * std::cos(lean) - 0.5 * t * t - kHalfLogTwoPi);
    const double scale_units = kUnit * (8 + 24 * w + 3 * t * t) + 2 * w * w_units;
    sum += scale * after.value;
    error += scale * (2 * after.error + std::abs(after.value) * scale_units);
  }
  error += 2 * kUnit * std::abs(sum);
  if (form == LeftForm::whole) {
    const double modulus = std::abs(sum);
    if (!(error < modulus)) return {0, kInfinity};
    const Complex logarithm(std::log(modulus), std::arg(sum));
    return {logarithm,
            -std::log1p(-error / modulus) * (1 + 1e-9) + 8 * kUnit * (1 + std::abs(logarithm))};
  }
  const double modulus = std::abs(1.0 + sum), far = (1 + std::abs(sum)) / modulus;
  error += 8 * kUnit * std::abs(sum) * far * (1 + std::abs(sum));
  if (!(error < modulus)) return {0, kInfinity};
  return {complex_log1p(sum), -std::log1p(-error / modulus) * (1 + 1e-9)};
}

double RatioLaplace::log_right_upper(double low, double high, double turn, double b_low,
                                     double b_high) const {
  constexpr int kParts = 12;
  const double eta = (kPi + b_high) / mu_;
  const double exponent = mu_ * turn - 0.5 * mu_ * mu_;
  const double w_low = std::exp(low + exponent) * (1 - 1e-12);
  const double w_high = std::exp(high + exponent) * (1 + 1e-12);
  double sum = 0;
  for (int i = 0; i < kParts; ++i) {
    const double from = eta * i / kParts, to = eta * (i + 1) / kParts;
    const double c = largest_cosine(mu_ * from - b_high, mu_ * to - b_low);
    sum += std::exp(0.5 * to * to + (c > 0 ? w_high : w_low) * c - w_high);
  }
  // There s X has the arguments b_low - b_high to 0.
  const double least = w_low * std::cos(b_high - b_low);
  const double vertical = sum * eta / kParts;
  const double horizontal = std::exp(0.5 * eta * eta - least - w_high) * mills_upper(turn);
  return std::log(vertical + horizontal) + w_high - 0.5 * turn * turn - kHalfLogTwoPi + 1e-9;
}

}  // namespace honest_epsilon::contour
