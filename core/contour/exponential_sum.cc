#include "core/contour/exponential_sum.h"

#include <algorithm>
#include <cmath>

#include "core/base/interval.h"
#include "core/base/rounding.h"

namespace honest_epsilon::contour {
namespace {

double size_of(Complex w) {
  return std::abs(w.real()) + w.imag();
}

/// Terms of less than this part of a rounding are left out.
constexpr double kLost = 1e-6;

constexpr auto kReciprocals = [] {
  std::array<double, 21> values{};
  for (std::size_t n = 1; n < values.size(); ++n) values[n] = 1.0 / static_cast<double>(n);
  return values;
}();

}  // namespace

ExponentialSum::ExponentialSum(std::size_t count) {
  for (auto* list : {&slope_re_, &slope_im_, &phase_re_, &phase_im_, &log_weight_, &weight_,
                     &units_, &slope_units_, &excess_})
    list->resize(count);
}

void ExponentialSum::set(std::size_t j, const ExponentialTerm& term) {
  slope_re_[j] = term.slope.real();
  slope_im_[j] = term.slope.imag();
  phase_re_[j] = term.phase.real();
  phase_im_[j] = term.phase.imag();
  log_weight_[j] = term.log_weight;
  weight_[j] = std::exp(term.log_weight);
  units_[j] = term.units;
  slope_units_[j] = term.slope_units;
  excess_[j] = term.excess;
}

ExponentialSum::Value ExponentialSum::at(Complex w) const {
  const double w_size = size_of(w);
  double re = 0, im = 0, units = 0;
  const std::size_t n = count();
  constexpr double kSmall = 0.5;
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t in_block = std::min(n - begin, kBlock);
    std::array<double, kBlock> block_a{}, block_b{}, sizes{}, rest_re, rest_im;
    double largest_small = 0;
    for (std::size_t i = 0; i < in_block; ++i) {
      const std::size_t j = begin + i;
      block_a[i] = w.real() * slope_re_[j] - w.imag() * slope_im_[j];
      block_b[i] = w.real() * slope_im_[j] + w.imag() * slope_re_[j];
      sizes[i] = std::abs(block_a[i]) + std::abs(block_b[i]);
      largest_small = std::max(largest_small, sizes[i] < kSmall ? sizes[i] : 0);
    }
    rest_re = block_a;
    rest_im = block_b;
    if (largest_small > 0) exponential_rests(largest_small * largest_small, rest_re, rest_im);
    double block_re = 0, block_im = 0, block_units = 0;
    for (std::size_t i = 0; i < in_block; ++i) {
      const std::size_t j = begin + i;
      const double a = block_a[i], b = block_b[i], s = sizes[i];
      // Times the weight: e^{a+ib} - 1 - (a+ib), and the sizes of first and second order.
      double x, y, first, second;
      if (s < kSmall) {
        const double square_re = (a - b) * (a + b), square_im = 2 * a * b;
        x = weight_[j] * (rest_re[i] * square_re - rest_im[i] * square_im);
        y = weight_[j] * (rest_re[i] * square_im + rest_im[i] * square_re);
        first = weight_[j] * (1.3 * s);
        second = weight_[j] * (s * s);
      } else {
        const double exponent = a + log_weight_[j];
        // An underflow leaves out less than a unit of any term of weight near 1.
        const double e = exponent < -745 ? 0 : std::exp(exponent);
        const double term_re = e * std::cos(b), term_im = e * std::sin(b);
        x = term_re - weight_[j] * (1 + a);
        y = term_im - weight_[j] * b;
        first = std::abs(term_re) + std::abs(term_im) + weight_[j];
        second = first + weight_[j] * s;
      }
      block_re += phase_re_[j] * x - phase_im_[j] * y;
      block_im += phase_re_[j] * y + phase_im_[j] * x;
      block_units +=
          (units_[j] + 24 * s) * second + w_size * slope_units_[j] * (first + excess_[j]);
    }
    re += block_re;
    im += block_im;
    units += block_units;
  }
  return {{re, im}, units};
}

ClimbingSum::ClimbingSum(const ExponentialSum& sum, double x, double spacing, std::size_t first)
    : terms_(&sum), x_(x), spacing_(spacing), next_(first), alone_(first + kAlone) {}

ExponentialSum::Value ClimbingSum::next() {
  const std::size_t k = next_++;
  const double y = static_cast<double>(k) * spacing_;
  if (k < alone_) {
    const ExponentialSum::Value value = terms_->at({x_, y});
    if (k + kAlone == alone_) log_lost_ = std::log(kLost * kUnit * value.units);
    return value;
  }
  if (turns_left_ == 0) {
    const double last = y + static_cast<double>(kTurns - 1) * spacing_;
    if (!(last <= top_)) gather(2 * last);
    start(y);
    turns_left_ = kTurns;
  }
  --turns_left_;
  const double w_size = size_of({x_, y});
  const Complex value = small(y) + turning_.next() - (others_sum_ + y * others_slope_);
  return {value, units_ + small_units_[0] + y * (small_units_[1] + y * small_units_[2]) +
                     w_size * (slope_units_ + small_slope_units_[0] + y * small_slope_units_[1])};
}

/// Which terms are small up to there, and their polynomial.
void ClimbingSum::gather(double top) {
  const ExponentialSum& t = *terms_;
  const std::size_t n = t.count();
  if (starts_.empty()) {
    starts_.resize(n);
    others_.resize(n);
    for (std::size_t j = 0; j < n; ++j) {
      Start& start = starts_[j];
      start.re = x_ * t.slope_re_[j];
      start.im = x_ * t.slope_im_[j];
      start.size = std::abs(start.re) + std::abs(start.im);
    }
  }
  top_ = top;
  coefficients_.fill(0);
  small_units_.fill(0);
  small_slope_units_.fill(0);
  other_count_ = 0;
  others_sum_ = others_slope_ = 0;
  PowerCoefficients block{};
  Complex block_sum = 0, block_slope = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double size = std::abs(t.slope_re_[j]) + std::abs(t.slope_im_[j]);
    const Start& start = starts_[j];
    if (start.size < 0.5 && start.size + top * size <= 1) {
      add_small(j, size, block);
    } else {
      others_[other_count_++] = j;
      const Complex p = t.weight_[j] * Complex(t.phase_re_[j], t.phase_im_[j]);
      block_sum += times(p, {1 + start.re, start.im});
      block_slope += times(p, {-t.slope_im_[j], t.slope_re_[j]});
    }
    if ((j + 1) % ExponentialSum::kBlock != 0 && j + 1 < n) continue;
    for (std::size_t m = 0; m <= kPowers; ++m) coefficients_[m] += block[m];
    block.fill(0);
    others_sum_ += block_sum;
    others_slope_ += block_slope;
    block_sum = block_slope = 0;
  }
}

void ClimbingSum::add_small(std::size_t j, double size, PowerCoefficients& block) {
  const ExponentialSum& t = *terms_;
  const Complex p = t.weight_[j] * Complex(t.phase_re_[j], t.phase_im_[j]);
  const Complex u{starts_[j].re, starts_[j].im};
  const Complex by{-top_ * t.slope_im_[j], top_ * t.slope_re_[j]};
  const Complex second = times(exponential_rest(u), times(u, u)), first = u + second;
  block[0] += times(p, second);
  block[1] += times(times(p, by), first);
  Complex power = times(times(p, by), 1.0 + first);
  for (std::size_t m = 2; m <= kPowers; ++m) {
    power = times(power, kReciprocals[m] * by);
    block[m] += power;
  }
  const double start = starts_[j].size;
  const double units = t.weight_[j] * (t.units_[j] + 48), slope_units = t.slope_units_[j];
  small_units_[0] += units * start * start;
  small_units_[1] += units * 2 * start * size;
  small_units_[2] += units * size * size;
  small_slope_units_[0] += slope_units * (1.72 * t.weight_[j] * start + t.excess_[j]);
  small_slope_units_[1] += slope_units * (1.72 * t.weight_[j] * size);
}

/// Finds the other terms at a height, from which those at the next ones are turned.
void ClimbingSum::start(double bottom) {
  const ExponentialSum& t = *terms_;
  const double last = bottom + static_cast<double>(kTurns - 1) * spacing_;
  turning_.clear();
  units_ = slope_units_ = 0;
  const double lost = std::exp(log_lost_) / kUnit, additions = TurningSum::sum_error(other_count_);
  for (std::size_t i = 0; i < other_count_; ++i) {
    const std::size_t j = others_[i];
    Start& begin = starts_[j];
    const double slope_size = std::abs(t.slope_re_[j]) + std::abs(t.slope_im_[j]);
    const double s = begin.size + last * slope_size;
    const double exponent = begin.re - bottom * t.slope_im_[j] + t.log_weight_[j];
    double size = 0;
    if (exponent < log_lost_) {
      units_ += lost;
    } else {
      const Complex term = times({t.phase_re_[j], t.phase_im_[j]},
                                 polar(std::exp(exponent), begin.im + bottom * t.slope_re_[j]));
      if (begin.turn == 0.0)
        begin.turn = polar(std::exp(-spacing_ * t.slope_im_[j]), spacing_ * t.slope_re_[j]);
      turning_.add(term, begin.turn);
      const double turns = static_cast<double>(kTurns) * (16 + 2 * spacing_ * slope_size);
      // A modulus is at least 1 / sqrt(2) of its parts' sum.
      size = 1.42 * honest_epsilon::modulus(term);
      units_ += size * (turns + additions);
    }
    const double first = size + t.weight_[j];
    units_ += (t.units_[j] + 24 * s) * (first + t.weight_[j] * s);
    slope_units_ += t.slope_units_[j] * (first + t.excess_[j]);
  }
}

Complex ClimbingSum::small(double y) const {
  const double part = y / top_;
  double re = 0, im = 0;
  for (std::size_t m = kPowers + 1; m-- > 0;) {
    re = re * part + coefficients_[m].real();
    im = im * part + coefficients_[m].imag();
  }
  return {re, im};
}

}  // namespace honest_epsilon::contour
