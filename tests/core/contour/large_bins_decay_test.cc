#include "core/contour/large_bins_decay.h"

#include <doctest/doctest.h>

#include "core/contour/cut_bins.h"
#include "tests/core/contour/cut_bins.h"
#include "tests/core/reference_table.h"

namespace honest_epsilon {
namespace {

using contour::CutBins;
using contour::LargeBinsDecay;
using contour::LogMoment;
using testing::cut_bins;

/// Epochs in which one large ratio decides over moments, and others.
struct LargeBinCase {
  double bins, mu, place, power;
};
constexpr LargeBinCase kCases[] = {{1e6, 1, 14.5, 140},  {1e6, 1, 16.5, 110}, {1e4, 2.5, 6.6, 20},
                                   {1000, 1, 8.5, 60},   {226, 0.6, 9.5, 57}, {40, 0.9, 6, 30},
                                   {2e5, 1.9, 10.5, 25}, {14, 1.2, 4, 12}};

/// Asks of every case's bound, beside its column.
template <class Ask>
void for_each_case(Ask ask) {
  for (const LargeBinCase& at : kCases) {
    const auto epoch = cut_bins(at.bins, at.mu, at.place);
    const auto rule = CutBins::rule(epoch, {at.power - 1, at.power - 1, -30});
    REQUIRE(rule);
    INFO("bins=" << at.bins << " mu=" << at.mu << " place=" << at.place << " power=" << at.power);
    ask(LargeBinsDecay(epoch, at.power), *rule->column(at.power - 1), at.power);
  }
}

}  // namespace

TEST_CASE("large bins: no moment of an epoch without jumps exceeds their bound") {
  for (const auto& row : testing::reference_table("kept_bins")) {
    const double power = row.number("power"), y = row.number("height");
    const LargeBinsDecay decay(cut_bins(row.number("bins"), row.number("mu"), row.number("place")),
                               power);
    INFO(row.describe());
    for (const double part : {0.0, 0.5, 1.0})
      CHECK(decay.log_bound_beyond(part * y) >= row.number("log_modulus"));
  }
  int known = 0;
  for_each_case([&](const LargeBinsDecay& decay, const contour::Column& column, double power) {
    for (double y = 0; y < 40 * power; y = 1.15 * y + 1) {
      const LogMoment value = column.log_moment(y);
      if (!(value.error < 0.5)) continue;
      ++known;
      INFO("y=" << y << " log K=" << value.value.real());
      CHECK(decay.log_bound_beyond(y) >= value.value.real() - value.error);
    }
  });
  CHECK(known >= 100);
}

TEST_CASE("large bins: the bound falls as a single ratio's phase turns, and never rises") {
  int one_decides = 0;
  for_each_case([&](const LargeBinsDecay& decay, const contour::Column& column, double power) {
    CHECK(decay.log_bound_beyond(kInfinity) <= decay.log_bound_beyond(1e9) + 1e-9);
    const double top = column.log_moment(0).value.real();
    if (top < 15) return;
    ++one_decides;
    CHECK(decay.log_bound_beyond(400 * power) < top - 12);
  });
  CHECK(one_decides >= 5);
}

}  // namespace honest_epsilon
