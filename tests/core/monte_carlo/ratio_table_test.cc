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
    if (mu <= 4) CHECK(table.error() < 1e-11);
  }
}

}  // namespace honest_epsilon
