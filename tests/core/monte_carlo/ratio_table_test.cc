#include "core/monte_carlo/ratio_table.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

#include "core/math/portable.h"
#include "tests/core/support.h"

namespace honest_epsilon {

TEST_CASE("monte_carlo: the table of ratios keeps its stated error") {
  testing::Dice dice(1);
  for (const double mu : {1e-6, 0.1, 1.0, 2.5, 4.0, 8.0, 20.0, 30.0}) {
    const monte_carlo::RatioTable table(mu);
    std::vector<double> p = {0x1p-54, 0x1p-55, 1e-300, 0.5, 0.25, 1 - 0x1p-53};
    for (int i = 0; i < 20000; ++i) {
      p.push_back(i % 2 == 0 ? dice.log_uniform(1e-20, 0.999) : dice.uniform(0, 1));
    }
    std::vector<double> ratio(p.size());
    table(p, ratio);
    double worst = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double truth = portable::exp(mu * portable::upper_quantile(p[i]) - 0.5 * mu * mu);
      worst = std::max(worst, std::abs(ratio[i] / truth - 1));
    }
    INFO("mu=" << mu << " worst=" << worst);
    CHECK(worst < table.error());
    if (mu <= 4) CHECK(table.error() < 1e-12);
  }
}

TEST_CASE("monte_carlo: a ratio does not depend on its neighbours, to the bit") {
  testing::Dice dice(2);
  const monte_carlo::RatioTable table(2.5);
  for (const std::size_t size : {1U, 2U, 3U, 256U, 301U}) {
    std::vector<double> p(size);
    for (double& value : p) value = dice.log_uniform(1e-17, 1);
    p.front() = 1e-20;
    std::vector<double> ratio(size);
    table(p, ratio);
    for (std::size_t i = 0; i < size; ++i) {
      double alone = 0;
      table({&p[i], 1}, {&alone, 1});
      CHECK(ratio[i] == alone);
    }
  }
}

}  // namespace honest_epsilon
