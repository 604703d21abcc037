#include "core/wire/schedule.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/core/support.h"

namespace honest_epsilon::wire {
namespace {

// Unset numbers are given as 0, which no field of a schedule may be.
Phase phase_of(double n, double b, double k, double T, double q, double steps) {
  Phase phase;
  const auto set = [](Number& field, double value) {
    if (value != 0) field = value;
  };
  set(phase.dataset_size, n);
  set(phase.batch_size, b);
  set(phase.epochs, k);
  set(phase.steps_per_epoch, T);
  set(phase.sampling_probability, q);
  set(phase.steps, steps);
  return phase;
}

Schedule schedule_of(const Phase& phase) {
  const auto read = read_schedule(phase);
  if (const Issue* issue = std::get_if<Issue>(&read)) FAIL(issue->text);
  return std::get<Schedule>(read);
}

}  // namespace

TEST_CASE("schedule: every way of saying it is understood") {
  struct Case {
    const char* name;
    Phase phase;
    double q, T, steps;
    std::int64_t epochs;
  };
  const std::vector<Case> cases = {
      {"n, b", phase_of(1000, 10, 0, 0, 0, 0), 0.01, 100, 100, 1},
      {"n, b, k", phase_of(1000, 10, 7, 0, 0, 0), 0.01, 100, 700, 7},
      {"n, b, k; b does not divide n", phase_of(60000, 256, 10, 0, 0, 0), 256.0 / 60000, 235, 2350,
       10},
      {"n, b, steps", phase_of(1000, 10, 0, 0, 0, 250), 0.01, 100, 250, 3},
      {"n, b, steps of whole epochs", phase_of(1000, 10, 0, 0, 0, 300), 0.01, 100, 300, 3},
      {"n = b", phase_of(10, 10, 3, 0, 0, 0), 1, 1, 3, 3},
      {"n, b, T: the last short batch dropped", phase_of(60000, 256, 10, 234, 0, 0), 256.0 / 60000,
       234, 2340, 10},
      {"n, b, q: said twice", phase_of(1000, 10, 1, 0, 0.01, 0), 0.01, 100, 100, 1},
      {"n, b, k, steps: said twice", phase_of(1000, 10, 7, 0, 0, 700), 0.01, 100, 700, 7},
      {"n, b, k, steps: short batches dropped", phase_of(60000, 256, 10, 0, 0, 2340), 256.0 / 60000,
       234, 2340, 10},
      {"T", phase_of(0, 0, 0, 50, 0, 0), 0.02, 50, 50, 1},
      {"T, k", phase_of(0, 0, 4, 50, 0, 0), 0.02, 50, 200, 4},
      {"T, steps", phase_of(0, 0, 0, 50, 0, 60), 0.02, 50, 60, 2},
      {"T = 1", phase_of(0, 0, 0, 1, 0, 0), 1, 1, 1, 1},
      {"n, T", phase_of(500, 0, 0, 50, 0, 0), 0.02, 50, 50, 1},
      {"q, steps", phase_of(0, 0, 0, 0, 0.001, 10000), 0.001, 1000, 10000, 10},
      {"q, steps; 1/q whole but not in binary", phase_of(0, 0, 0, 0, 0.0002, 5000), 0.0002, 5000,
       5000, 1},
      {"q, steps; less than an epoch", phase_of(0, 0, 0, 0, 0.001, 10), 0.001, 1000, 10, 1},
      {"q, steps; 1/q not whole", phase_of(0, 0, 0, 0, 0.3, 7), 0.3, 3, 7, 3},
      {"q, k", phase_of(0, 0, 5, 0, 0.01, 0), 0.01, 100, 500, 5},
      {"q, k; 1/q not whole", phase_of(0, 0, 3, 0, 0.3, 0), 0.3, 3, 10, 3},
      {"q, steps; 1/q not whole by less than was typed", phase_of(0, 0, 0, 0, 1.00000000001e-7, 5),
       1.00000000001e-7, 1e7, 5, 1},
      {"q, T; q as it was typed", phase_of(0, 0, 1, 1e7, 1.0000003e-7, 0), 1.0000003e-7, 1e7, 1e7,
       1},
      {"q, steps; 49 of 1/q in binary", phase_of(0, 0, 0, 0, 1.0 / 49, 98), 1.0 / 49, 49, 98, 2},
      {"q, T: the batches an epoch has", phase_of(0, 0, 2, 4, 0.3, 0), 0.3, 4, 8, 2},
      {"q = 1, steps", phase_of(0, 0, 0, 0, 1, 3), 1, 1, 3, 3},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const Schedule s = schedule_of(c.phase);
    CHECK(s.sampling_probability == c.q);
    CHECK(s.steps_per_epoch == c.T);
    CHECK(s.steps == c.steps);
    CHECK(s.epochs == c.epochs);
    CHECK_FALSE(check_epochs(s));
  }
}

TEST_CASE("schedule: rounding is reported, and only rounding") {
  CHECK(schedule_of(phase_of(60000, 256, 1, 0, 0, 0)).short_last == 96);
  CHECK(schedule_of(phase_of(60000, 250, 1, 0, 0, 0)).short_last == 0);
  CHECK(schedule_of(phase_of(0, 0, 0, 0, 0.3, 3)).steps_per_epoch_rounded);
  CHECK_FALSE(schedule_of(phase_of(0, 0, 0, 0, 0.001, 1000)).steps_per_epoch_rounded);
  CHECK(schedule_of(phase_of(0, 0, 0, 0, 0.001, 1500)).epochs_rounded);
  CHECK_FALSE(schedule_of(phase_of(0, 0, 0, 0, 0.001, 3000)).epochs_rounded);
  CHECK_FALSE(schedule_of(phase_of(0, 0, 4, 50, 0, 0)).epochs_rounded);
}

TEST_CASE("schedule: a step's batch is what all devices accumulate") {
  Phase phase = phase_of(60000, 8, 2, 0, 0, 0);
  phase.accumulation_steps = 5;
  phase.devices = 6;
  const Schedule s = schedule_of(phase);
  CHECK(*s.batch_size == 240);
  CHECK(s.sampling_probability == 240.0 / 60000);
  CHECK(s.steps_per_epoch == 250);
  CHECK(s.steps == 500);
  CHECK_FALSE(schedule_of(phase_of(0, 0, 2, 50, 0, 0)).batch_size);
}

TEST_CASE("schedule: a short last batch is kept or dropped as told") {
  Phase phase = phase_of(60000, 256, 10, 0, 0, 0);
  const auto with = [&](Flag drop) {
    phase.drop_last = drop;
    return schedule_of(phase);
  };
  CHECK(with({}).steps_per_epoch == 235);
  CHECK(with(false).steps_per_epoch == 235);
  CHECK(with(false).left_out == 0);
  CHECK(with(true).steps_per_epoch == 234);
  CHECK(with(true).steps == 2340);
  CHECK(with(true).left_out == 96);
  phase.batch_size = 250;  // nothing is left
  CHECK(with(true).steps_per_epoch == 240);
  CHECK(with(true).left_out == 0);
  // What the steps of an epoch or of the run tell.
  CHECK(schedule_of(phase_of(60000, 256, 10, 234, 0, 0)).left_out == 96);
  CHECK(schedule_of(phase_of(60000, 256, 10, 0, 0, 2340)).left_out == 96);
  CHECK(schedule_of(phase_of(60000, 256, 10, 0, 0, 2350)).left_out == 0);
}

TEST_CASE("schedule: large counts are divided exactly") {
  const Schedule s = schedule_of(phase_of(1e12, 3e3, 1, 0, 0, 0));
  CHECK(s.steps_per_epoch == 333333334);
  CHECK(schedule_of(phase_of(999999999999, 1e4, 1, 0, 0, 0)).steps_per_epoch == 1e8);
}

TEST_CASE("schedule: a tiny sampling probability serves samplers without epochs only") {
  const Schedule s = schedule_of(phase_of(0, 0, 0, 0, 1e-12, 100));
  CHECK(s.steps == 100);
  const auto issue = check_epochs(s);
  REQUIRE(issue);
  CHECK(issue->field == "sampling_probability");
}

}  // namespace honest_epsilon::wire
