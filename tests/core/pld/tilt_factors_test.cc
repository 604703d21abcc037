#include "core/pld/tilt_factors.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>

#include "core/pld/lattice_law.h"

namespace honest_epsilon::pld {

// Points apart by e^60 and more, and a last one that overflows, among them: none may take another
// one's factor to 0 or infinity.
TEST_CASE("tilt factors: each is the exponential itself, in either order, however steep") {
  constexpr std::size_t kPoints = 101;
  for (const double tilt : {-3.0, -0.01, 0.0, 1e-3, 0.7, 12.0}) {
    for (const double spacing : {0.01, 1.0, 60.0}) {
      for (const double offset : {-650.0, 0.0, 700.0}) {
        LatticeLaw law;
        law.spacing = spacing;
        law.first = -50;
        TiltFactors rising(law, kPoints, tilt, offset), falling(law, kPoints, tilt, offset);
        const auto check = [&](TiltFactors& factors, std::size_t i) {
          const double exponent = tilt * law.point(i) + offset, exact = std::exp(exponent);
          const double units = 4 * (1 + std::abs(tilt * law.point(i)) + std::abs(offset)) +
                               TiltFactors::units(tilt * spacing);
          INFO("tilt=" << tilt << " spacing=" << spacing << " offset=" << offset << " i=" << i);
          const double found = factors(i);
          if (!(exact < HUGE_VAL) || exponent < -700) {
            CHECK(((exact < HUGE_VAL) == (found < HUGE_VAL)));
          } else {
            CHECK(std::abs(found - exact) <= units * kUnit * exact);
          }
        };
        for (std::size_t i = 0; i < kPoints; ++i) check(rising, i);
        for (std::size_t i = kPoints; i-- > 0;) check(falling, i);
      }
    }
  }
}

}  // namespace honest_epsilon::pld
