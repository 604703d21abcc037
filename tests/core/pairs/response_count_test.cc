#include "core/pairs/response_count.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/base/direction.h"
#include "core/pairs/one_step.h"
#include "tests/core/pairs/responses.h"
#include "tests/core/support.h"

namespace honest_epsilon::pairs {

TEST_CASE("response_count: delta of every answer that an epoch may give, added up") {
  for (const int seen : {1, 2, 3, 7}) {
    for (const int missing : {0, 1, 4}) {
      for (const double epsilon0 : {0.05, 1.0, 4.0, 30.0}) {
        const ResponseCount pair(seen, missing, epsilon0);
        const std::vector<testing::Outcome> outcomes =
            testing::epoch_of_responses(seen, missing, epsilon0);
        for (const Direction direction : {Direction::remove, Direction::add}) {
          for (const double share : {0.0, 0.2, 0.6, 0.95, 1.0}) {
            const double epsilon = share * epsilon0;
            const auto exact = static_cast<double>(testing::delta_of(outcomes, direction, epsilon));
            const Interval found = one_step(pair, direction, epsilon);
            INFO("seen " << seen << " missing " << missing << " epsilon0 " << epsilon0
                         << " epsilon " << epsilon << " " << testing::show(found) << " " << exact);
            CHECK(found.lower <= exact + 1e-18);
            CHECK(found.upper >= exact * (1 - 1e-15));
            CHECK(testing::is_narrow(found, 1e-11, 1e-12));
          }
        }
      }
    }
  }
}

TEST_CASE("response_count: its cells add up, and losses rise with the count") {
  const ResponseCount pair(1000, 40, 0.7);
  double p = 0, q = 0, last = -kInfinity;
  for (double z = 0; z <= 1000; z += 0.25) {
    const Cell cell = pair.cell(z, z + 0.25);
    p += cell.p.value;
    q += cell.q.value;
    CHECK(pair.loss(z) >= last);
    last = pair.loss(z);
  }
  const Cell top = pair.cell(1000.25, kInfinity);
  CHECK(p + top.p.value == doctest::Approx(1).epsilon(1e-12));
  CHECK(q + top.q.value == doctest::Approx(1).epsilon(1e-12));
  const Cell all = pair.cell(-kInfinity, kInfinity);
  CHECK(all.p.lower() <= 1);
  CHECK(all.p.upper() >= 1);
  CHECK(all.q.lower() <= 1);
  CHECK(all.q.upper() >= 1);
  CHECK(std::abs(all.loss) <= all.loss_error);
  for (const double loss : {-0.5, -0.01, 0.0, 0.02, 0.3}) {
    const double z = pair.position(loss);
    CHECK(pair.loss(z) >= loss);
    CHECK(pair.loss(z - 0.5) < loss);
  }
}

}  // namespace honest_epsilon::pairs
