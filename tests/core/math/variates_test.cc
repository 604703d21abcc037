#include "core/math/variates.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/math/portable.h"
#include "tests/core/chance.h"

// Statistical checks are at 7 standard deviations of the statistic, exceeded once in 4e11 normal
// ones; the seeds are fixed.
namespace honest_epsilon {
namespace {

using testing::kDeviations;

constexpr int kSamples = 200000;

/// The mean of f over samples agrees with `mean`, given the standard deviation of one.
void check_mean(const std::function<double()>& draw, double mean, double deviation) {
  double sum = 0;
  for (int i = 0; i < kSamples; ++i) sum += draw();
  CHECK(std::abs(sum / kSamples - mean) < kDeviations * deviation / std::sqrt(double{kSamples}));
}

}  // namespace

TEST_CASE("variates: the same bits on every machine") {
  variates::Generator source(2024, 3);
  std::uint64_t mixed = 0;
  const auto mix = [&mixed](double x) {
    mixed = (mixed ^ portable::bits_as<std::uint64_t>(x)) * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 32U;
  };
  for (int i = 0; i < 1000; ++i) {
    mix(source.uniform());
    mix(source.normal());
    mix(source.gamma(1 + i % 50));
    mix(portable::upper_quantile(source.truncated_tail(1e-3)));
  }
  CHECK(mixed == 0xb2b1a3f41de98976U);
}

TEST_CASE("variates: uniforms stay inside (0, 1) and are odd multiples of 2^-53") {
  variates::Generator source(1, 0);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kSamples; ++i) {
    const double u = source.uniform();
    CHECK_MESSAGE((u > 0 && u < 1), u);
    CHECK_MESSAGE(std::fmod(u * 0x1p53, 2.0) == 1, u);
    sum += u - 0.5;
    squares += u * u - 1.0 / 3;
  }
  CHECK(std::abs(sum) < kDeviations * std::sqrt(kSamples / 12.0));
  CHECK(std::abs(squares) < kDeviations * std::sqrt(kSamples * 4.0 / 45));
}

TEST_CASE("variates: normals have the normal law's tails and moment generating function") {
  for (const double z : {-3.0, -1.0, 0.0, 0.5, 2.0, 3.5}) {
    variates::Generator source(2, 0);
    const double tail = portable::upper_tail(z);
    check_mean([&] { return source.normal() > z ? 1.0 : 0.0; }, tail, std::sqrt(tail * (1 - tail)));
  }
  for (const double mu : {-1.0, 0.5, 1.0}) {
    variates::Generator source(3, 0);
    check_mean([&] { return std::exp(mu * source.normal() - 0.5 * mu * mu); }, 1,
               std::sqrt(std::expm1(mu * mu)));
  }
  // The two halves of a pair, 128 apart, are uncorrelated.
  variates::Generator source(4, 0);
  std::vector<double> tile;
  double sum = 0;
  int pairs = 0;
  for (int i = 0; i < 500; ++i) {
    tile.assign(256, 0);
    for (double& z : tile) z = source.normal();
    for (std::size_t j = 0; j < 128; ++j, ++pairs) sum += tile[j] * tile[j + 128];
  }
  CHECK(std::abs(sum) < kDeviations * std::sqrt(double(pairs)));
}

TEST_CASE("variates: gamma laws have their moments") {
  for (const double shape : {1.0, 1.5, 2.0, 10.0, 1000.0}) {
    variates::Generator source(5, 0);
    check_mean([&] { return source.gamma(shape); }, shape, std::sqrt(shape));
    // Var (x - a)^2 = 2 a^2 + 6 a.
    check_mean([&] { return std::pow(source.gamma(shape) - shape, 2); }, shape,
               std::sqrt(2 * shape * shape + 6 * shape));
  }
}

TEST_CASE("variates: a batch of gammas has the laws of its shapes") {
  const std::vector<double> shapes = {1, 1, 10, 1, 1000, 2};
  variates::GammaBatch batch(shapes);
  CHECK(batch.size() == shapes.size());
  variates::Generator source(7, 0);
  std::vector<double> out(shapes.size());
  std::vector<double> sum(shapes.size());
  std::vector<double> squares(shapes.size());
  constexpr int kDraws = 50000;
  for (int i = 0; i < kDraws; ++i) {
    batch.draw(source, out);
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      sum[j] += out[j] - shapes[j];
      squares[j] += std::pow(out[j] - shapes[j], 2) - shapes[j];
    }
  }
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    const double a = shapes[j];
    CHECK(std::abs(sum[j]) < kDeviations * std::sqrt(kDraws * a));
    CHECK(std::abs(squares[j]) < kDeviations * std::sqrt(kDraws * (2 * a * a + 6 * a)));
  }
}

TEST_CASE("variates: truncated tails are uniform above the cut") {
  constexpr double kCut = 0.3;
  variates::Generator source(8, 0);
  check_mean([&] { return source.truncated_tail(kCut); }, 0.5 * (1 + kCut),
             (1 - kCut) / std::sqrt(12.0));
  for (int i = 0; i < 1000; ++i) {
    const double tail = source.truncated_tail(kCut);
    CHECK((tail > kCut && tail < 1));
  }
}

}  // namespace honest_epsilon
