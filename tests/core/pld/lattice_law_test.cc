#include "core/pld/lattice_law.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "core/math/constants.h"
#include "core/pld/table_source.h"

namespace honest_epsilon::pld {
namespace {

LatticeLaw example() {
  LatticeLaw law;
  law.origin = 0.3;
  law.spacing = 0.5;
  law.first = -2;
  law.mass = {0.1, 0.0, 0.6, 0.2};
  law.infinite = 0.1;
  return law;
}

}  // namespace

TEST_CASE("lattice_law: a mirrored law holds each mass at minus its point") {
  const LatticeLaw law = example();
  const LatticeLaw mirror = mirrored(law);
  REQUIRE(mirror.mass.size() == law.mass.size());
  for (std::size_t i = 0; i < law.mass.size(); ++i) {
    const std::size_t twin = law.mass.size() - 1 - i;
    CHECK(mirror.mass[twin] == law.mass[i]);
    CHECK(mirror.point(twin) == doctest::Approx(-law.point(i)).epsilon(1e-15));
  }
  const LatticeLaw back = mirrored(mirror);
  CHECK(back.first == law.first);
  CHECK(back.origin == law.origin);
  CHECK(back.mass == law.mass);
}

TEST_CASE("lattice_law: a lattice whose points no double tells apart holds no law") {
  CHECK(too_fine(1, 0x1p-50));
  CHECK_FALSE(too_fine(1, 0x1p-49));
  CHECK(too_fine(kInfinity, 1));
  CHECK(too_fine(kInfinity, kInfinity));
  const TableSource table({{{0.5, 0}, {0.3, 0}}, {{0.5, 0}, {0.7, 0}}});
  const LatticeLaw law = table.upper(Direction::remove, 0x1p-53, {-1, 1});
  CHECK(law.infinite == 1);
  CHECK(table.upper(Direction::remove, 0x1p-20, {-1, 1}).infinite < 1e-9);
}

TEST_CASE("lattice_law: the log moment is that of the finite points") {
  const LatticeLaw law = example();
  for (const double tilt : {-3.0, 0.0, 0.7, 12.0}) {
    double sum = 0;
    for (std::size_t i = 0; i < law.mass.size(); ++i)
      sum += law.mass[i] * std::exp(tilt * law.point(i));
    CHECK(log_moment(law, tilt) == doctest::Approx(std::log(sum)).epsilon(1e-14));
  }
  CHECK(std::isinf(log_moment(LatticeLaw{}, 1)));
}

TEST_CASE("lattice_law: the log moment overflows in neither direction") {
  const LatticeLaw law = example();
  // The end point decides: 0.8 at mass 0.2 above, -0.7 at mass 0.1 below.
  CHECK(log_moment(law, 5000) == doctest::Approx(5000 * 0.8 + std::log(0.2)).epsilon(1e-14));
  CHECK(log_moment(law, -5000) == doctest::Approx(5000 * 0.7 + std::log(0.1)).epsilon(1e-14));
}

TEST_CASE("lattice_law: the moment of many copies is rounded up past the sum's own drift") {
  constexpr std::int64_t kCopies = 1'000'000'000;
  constexpr std::size_t kTerms = 200'000;
  int drifted_down = 0;
  for (const double mass : {0.1, 0.3, 0.7, 1.1, 1.3}) {
    LatticeLaw law;
    law.mass.assign(kTerms, mass);
    // With tilt 0 the moment is the sum, which adding term by term misses by more than a rounding.
    const double exact = std::log(static_cast<double>(kTerms)) + std::log(mass);
    const auto copies = static_cast<double>(kCopies);
    const double upper = log_moment_upper(law, 0, kCopies);
    CHECK(upper >= copies * exact);
    CHECK(upper <= copies * (exact + 1e-10));
    if (log_moment(law, 0) < exact - 1e-14) ++drifted_down;
  }
  CHECK(drifted_down > 0);
}

}  // namespace honest_epsilon::pld
