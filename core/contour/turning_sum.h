#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/base/ball.h"
#include "core/math/lanes.h"

namespace honest_epsilon::contour {

/// The sum of terms that each become a factor of their own times themselves, and a number of their
/// own more, from one height to the next; that number itself grows by a step: off by 3 units of the
/// product and one of either sum.
class TurningSum {
 public:
  void clear() {
    lanes_.clear();
    count_ = 0;
  }

  void add(Complex term, Complex turn, Complex more = 0, Complex step = 0) {
    const std::size_t lane = count_++ % kLanes;
    if (lane == 0) lanes_.push_back({});
    Lanes& last = lanes_.back();
    last.re[lane] = term.real();
    last.im[lane] = term.imag();
    last.turn_re[lane] = turn.real();
    last.turn_im[lane] = turn.imag();
    last.more_re[lane] = more.real();
    last.more_im[lane] = more.imag();
    last.step_re[lane] = step.real();
    last.step_im[lane] = step.imag();
  }

  /// The sum, whose terms are turned to the next height.
  Complex next() {
    // By registers: clang 14 lets lanes of plain arrays change places in WebAssembly at -O3.
    using lanes::F64;
    constexpr std::size_t kWidth = sizeof(F64) / sizeof(double);
    std::array<F64, kLanes / kWidth> sum_re{}, sum_im{};
    for (Lanes& terms : lanes_) {
      for (std::size_t i = 0; i < sum_re.size(); ++i) {
        double* const at_re = &terms.re[i * kWidth];
        double* const at_im = &terms.im[i * kWidth];
        const auto re = lanes::load<F64>(at_re), im = lanes::load<F64>(at_im);
        const auto turn_re = lanes::load<F64>(&terms.turn_re[i * kWidth]);
        const auto turn_im = lanes::load<F64>(&terms.turn_im[i * kWidth]);
        sum_re[i] += re;
        sum_im[i] += im;
        const auto more_re = lanes::load<F64>(&terms.more_re[i * kWidth]);
        const auto more_im = lanes::load<F64>(&terms.more_im[i * kWidth]);
        lanes::store(re * turn_re - im * turn_im + more_re, at_re);
        lanes::store(re * turn_im + im * turn_re + more_im, at_im);
        lanes::store(more_re + lanes::load<F64>(&terms.step_re[i * kWidth]),
                     &terms.more_re[i * kWidth]);
        lanes::store(more_im + lanes::load<F64>(&terms.step_im[i * kWidth]),
                     &terms.more_im[i * kWidth]);
      }
    }
    F64 re{}, im{};
    for (std::size_t i = 0; i < sum_re.size(); ++i) {
      re += sum_re[i];
      im += sum_im[i];
    }
    return {re[0] + re[1], im[0] + im[1]};
  }

  /// What adding up so many terms is off by, in units of the sum of moduli.
  static double sum_error(std::size_t terms) {
    const std::size_t additions = terms / kLanes + kLanes;
    return static_cast<double>(additions);
  }

 private:
  static constexpr std::size_t kLanes = 8;
  struct Lanes {
    std::array<double, kLanes> re{}, im{}, turn_re{}, turn_im{}, more_re{}, more_im{}, step_re{},
        step_im{};
  };
  std::vector<Lanes> lanes_;
  std::size_t count_ = 0;
};

}  // namespace honest_epsilon::contour
