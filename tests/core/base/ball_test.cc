#include "core/base/ball.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <string>

#include "tests/core/support.h"

namespace honest_epsilon {

// Where long functions are those of doubles there is nothing to hold them against.
#ifndef __EMSCRIPTEN__
namespace {

using Long = std::complex<long double>;

/// e^z - 1 with all digits near 0.
Long long_expm1(Long z) {
  const long double half = std::sin(0.5L * z.imag());
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half * half,
          std::exp(z.real()) * std::sin(z.imag())};
}

/// log(1 + z) with all digits near 0.
Long long_log1p(Long z) {
  return {0.5L * std::log1p(2 * z.real() + std::norm(z)), std::atan2(z.imag(), 1 + z.real())};
}

/// e^z - 1 - z, or log(1 + z) - z, near 0 by their series.
Long long_rest(Long z, bool exponential) {
  if (std::abs(z) > 0.4L) return (exponential ? long_expm1(z) : long_log1p(z)) - z;
  Long sum = 0, power = z;
  long double factorial = 1;
  for (int n = 2; n < 60; ++n) {
    power *= z;
    factorial *= n;
    sum += power / (exponential ? factorial : (n % 2 == 0 ? -1.0L : 1.0L) * n);
  }
  return sum;
}

/// A ball, and a number in it.
struct Drawn {
  Ball ball;
  Long exact;
};

/// Of a modulus between two sizes, with a radius between 1e-18 and a tenth of it.
Drawn draw(testing::Dice& dice, double least, double most) {
  const double size = dice.log_uniform(least, most), angle = dice.uniform(0, 6.3);
  const double radius = dice.uniform(0, 1) < 0.3 ? 0 : size * dice.log_uniform(1e-18, 0.1);
  const Complex value = polar(size, angle);
  const long double part = dice.uniform(0, 1), turned = dice.uniform(0, 6.3);
  const Long moved = part * radius * Long{std::cos(turned), std::sin(turned)};
  return {{value, radius}, Long{value.real(), value.imag()} + moved};
}

/// How much of its radius a result's error takes, at most 1; doubles below 1e-290 may underflow.
double share(const Ball& found, Long truth) {
  const Long off = truth - Long{found.value.real(), found.value.imag()};
  return static_cast<double>(std::abs(off) / static_cast<long double>(found.error));
}

}  // namespace

TEST_CASE("ball: every operation holds what exact numbers of its balls become") {
  struct Operation {
    std::string name;
    std::function<Ball(const Ball&, const Ball&)> of_balls;
    std::function<Long(Long, Long)> of_numbers;
    double least, most;  ///< moduli
  };
  const Operation operations[] = {{"+", [](auto& a, auto& b) { return a + b; },
                                   [](Long a, Long b) { return a + b; }, 1e-9, 1e9},
                                  {"-", [](auto& a, auto& b) { return a - b; },
                                   [](Long a, Long b) { return a - b; }, 1e-9, 1e9},
                                  {"*", [](auto& a, auto& b) { return a * b; },
                                   [](Long a, Long b) { return a * b; }, 1e-9, 1e9},
                                  {"1.7 *", [](auto& a, auto&) { return 1.7 * a; },
                                   [](Long a, Long) { return Long{1.7} * a; }, 1e-9, 1e9},
                                  {"exp", [](auto& a, auto&) { return exp(a); },
                                   [](Long a, Long) { return std::exp(a); }, 1e-9, 600},
                                  {"expm1", [](auto& a, auto&) { return expm1(a); },
                                   [](Long a, Long) { return long_expm1(a); }, 1e-12, 600},
                                  {"log", [](auto& a, auto&) { return log(a); },
                                   [](Long a, Long) { return std::log(a); }, 1e-9, 1e9},
                                  {"log1p", [](auto& a, auto&) { return log1p(a); },
                                   [](Long a, Long) { return long_log1p(a); }, 1e-12, 0.6},
                                  {"expm1_rest", [](auto& a, auto&) { return expm1_rest(a); },
                                   [](Long a, Long) { return long_rest(a, true); }, 1e-9, 0.9},
                                  {"log1p_rest", [](auto& a, auto&) { return log1p_rest(a); },
                                   [](Long a, Long) { return long_rest(a, false); }, 1e-9, 0.6}};
  testing::Dice dice(4);
  for (const Operation& operation : operations) {
    double largest = 0, smallest_exact = 1;
    for (int i = 0; i < testing::rounds(200'000); ++i) {
      const Drawn a = draw(dice, operation.least, operation.most);
      const Drawn b = draw(dice, operation.least, operation.most);
      const Ball found = operation.of_balls(a.ball, b.ball);
      Long truth = operation.of_numbers(a.exact, b.exact);
      // Logarithms may differ by a turn where the ball crosses the cut.
      if (operation.name[0] == 'l' && std::abs(a.exact.imag()) < 2 * a.ball.error &&
          a.exact.real() < 0)
        continue;
      const double taken = share(found, truth);
      INFO(operation.name << " of " << a.ball.value.real() << " + " << a.ball.value.imag()
                          << "i +- " << a.ball.error << ": " << taken);
      REQUIRE(taken <= 1);
      largest = std::max(largest, taken);
      if (a.ball.error == 0 && b.ball.error == 0)
        smallest_exact = std::min(smallest_exact, found.error / std::abs(found.value));
    }
    // Radii are no larger than they have to be: of some operands a good part is taken.
    INFO(operation.name << ": " << largest << ", " << smallest_exact / kUnit << " units");
    CHECK(largest > 0.5);
    CHECK(smallest_exact < 32 * kUnit);
  }
}

#endif

TEST_CASE("ball: where a logarithm's argument may be 0 nothing is known") {
  CHECK(log(Ball({1, 0}, 1)).error == kInfinity);
  CHECK(log1p(Ball({-0.75, 0}, 0.3)).error == kInfinity);
  CHECK(log1p(Ball({0.25, 0}, 0.3)).error < 1);
}

TEST_CASE("ball: the largest modulus of its numbers") {
  CHECK(Ball({3, 4}, 2).most() == doctest::Approx(7));
}

}  // namespace honest_epsilon
