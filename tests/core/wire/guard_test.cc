#include "core/wire/guard.h"

#include <doctest/doctest.h>

#include <limits>

#include "core/accounts/answer.h"
#include "tests/core/support.h"

namespace honest_epsilon::wire {
namespace {

using testing::kNan;

}  // namespace

TEST_CASE("guard: a sound interval passes unchanged") {
  for (const Interval sound : {Interval{0, 1}, Interval{0.25, 0.25}, Interval{1e-30, 2e-30}}) {
    bool widened = false;
    const Interval passed = guarded(sound, 1, widened);
    CHECK(passed.lower == sound.lower);
    CHECK(passed.upper == sound.upper);
    CHECK_FALSE(widened);
  }
}

TEST_CASE("guard: whatever comes in, a valid interval that is no narrower comes out") {
  const double ends[] = {-kInfinity,        -1, -0.0, 0,         1e-320, 0.3,
                         0.3 * (1 + 1e-12), 1,  7,    kInfinity, kNan};
  for (const double most : {1.0, kInfinity}) {
    for (const double lower : ends) {
      for (const double upper : ends) {
        CAPTURE(lower);
        CAPTURE(upper);
        bool widened = false;
        const Interval passed = guarded({lower, upper}, most, widened);
        CHECK(testing::is_valid(passed, most));
        // Every possible truth in [0, most] that the interval held, it still holds.
        for (const double truth : {0.0, 1e-320, 0.2, 0.3, 0.5, 1.0}) {
          if (lower <= truth && truth <= upper) CHECK(testing::contains(passed, truth));
        }
        const bool suspect = std::isnan(lower) || std::isnan(upper);
        if (suspect) CHECK(widened);
      }
    }
  }
}

TEST_CASE("guard: ends crossed by round-off are swapped, ends crossed by more are given up") {
  bool widened = false;
  const Interval swapped = guarded({0.5 * (1 + 1e-12), 0.5}, 1, widened);
  CHECK(widened);
  CHECK(swapped.lower == 0.5);
  CHECK(swapped.upper == 0.5 * (1 + 1e-12));
  widened = false;
  const Interval given_up = guarded({0.6, 0.5}, 1, widened);
  CHECK(widened);
  CHECK(given_up.lower == 0);
  CHECK(given_up.upper == 1);
}

TEST_CASE("guard: not-a-number becomes the trivial end on its side only") {
  bool widened = false;
  const Interval low = guarded({kNan, 3}, kInfinity, widened);
  CHECK(low.lower == 0);
  CHECK(low.upper == 3);
  const Interval high = guarded({3, kNan}, kInfinity, widened);
  CHECK(high.lower == 3);
  CHECK(high.upper == kInfinity);
}

TEST_CASE("guard: of two directions the larger counts, with the weaker kind unless it lies above") {
  constexpr auto kProved = IntervalKind::certified, kBound = IntervalKind::bound,
                 kEstimate = IntervalKind::estimate;
  const auto larger = [](const Interval& remove, const Interval& add) {
    bool widened = false;
    const Interval one = accounts::guarded_larger({remove, add}, kInfinity, widened);
    const Interval other = accounts::guarded_larger({add, remove}, kInfinity, widened);
    CHECK_FALSE(widened);
    CHECK(one.lower == other.lower);
    CHECK(one.upper == other.upper);
    CHECK(one.kind == other.kind);
    return one;
  };
  struct Case {
    Interval remove, add, larger;
  };
  for (const Case& one : {
           Case{{2, 3, kProved}, {0, 1, kProved}, {2, 3, kProved}},
           Case{{2, 3, kProved}, {-kInfinity, 1, kBound}, {2, 3, kProved}},
           Case{{2, 3, kProved}, {-kInfinity, 2, kBound}, {2, 3, kProved}},
           Case{{2, 3, kProved}, {-kInfinity, 2.5, kBound}, {2, 3, kBound}},
           Case{{2, 3, kProved}, {-kInfinity, 4, kBound}, {2, 4, kBound}},
           Case{{2, 3, kProved}, {5, kInfinity, kProved}, {5, kInfinity, kBound}},
           Case{{2, 3, kProved}, {kInfinity, kInfinity, kProved}, {2, kInfinity, kBound}},
           Case{{2, 3, kProved}, {2.5, 2.5, kEstimate}, {2.5, 3, kEstimate}},
       }) {
    const Interval found = larger(one.remove, one.add);
    CHECK(found.lower == one.larger.lower);
    CHECK(found.upper == one.larger.upper);
    CHECK(found.kind == one.larger.kind);
  }
  // Neither lower end is proved.
  CHECK(larger({-kInfinity, 3, kBound}, {-kInfinity, 1, kBound}).lower == -kInfinity);
}

}  // namespace honest_epsilon::wire
