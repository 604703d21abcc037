#include "core/accounts/noise_schedule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "core/accounts/answer.h"
#include "core/accounts/programme.h"
#include "tests/core/accounts/words.h"
#include "tests/core/support.h"

namespace honest_epsilon::accounts {
namespace {

using testing::answer_of;
using testing::query_of;

Interval epsilon_of(const std::string& run) {
  return answer_of(query_of(run)).epsilon;
}

void check_same(const std::string& one, const std::string& other) {
  INFO(one << " and " << other);
  const Interval a = epsilon_of(one), b = epsilon_of(other);
  // Bounds on shuffled epochs depend on how many are alike.
  const double off = one.find("shuffle") == std::string::npos ? 1e-6 : 0.01;
  CHECK(a.lower == doctest::Approx(b.lower).epsilon(off));
  CHECK(a.upper == doctest::Approx(b.upper).epsilon(off));
}

const char* const kSampledRuns[] = {"sampler=poisson", "sampler=without-replacement",
                                    "sampler=deterministic", "sampler=balls-and-bins",
                                    "sampler=shuffle"};

TEST_CASE("noise schedule: one that ends where it begins is none") {
  std::size_t place = 0;
  for (const std::string sampler : kSampledRuns) {
    ++place;  // of each sampler other lengths
    for (const std::string length : {"epochs=3", "steps=250", "steps=300 epochs=3", "epochs=1",
                                     "batch_size=300 epochs=4", "epochs=0"}) {
      if (!testing::in_share(place++, 3)) continue;
      const std::string run = sampler + " " + length;
      check_same(run + " noise_end=1", run);
    }
  }
  const std::string rated = "sampler=poisson dataset_size= batch_size= sampling_probability=0.3 ";
  check_same(rated + "epochs=7 noise_end=1", rated + "epochs=7");
  check_same(rated + "steps=17 noise_end=1", rated + "steps=17");
}

TEST_CASE("noise schedule: its epochs are those written out") {
  struct Row {
    const char *schedule, *written;
  };
  std::size_t place = 0;
  for (const std::string sampler : kSampledRuns) {
    for (const Row& row :
         {Row{" noise_multiplier=2 noise_end=0.5 epochs=3",
              " noise_multiplier=2 + noise_multiplier=1 + noise_multiplier=0.5"},
          {" noise_multiplier=2 noise_end=0.5 noise_schedule=linear epochs=4",
           " noise_multiplier=2 + noise_multiplier=1.5 + noise_multiplier=1 + "
           "noise_multiplier=0.5"},
          // The last epoch stops halfway, and has the last noise.
          {" noise_multiplier=2 noise_end=0.5 steps=250",
           " steps=100 noise_multiplier=2 + noise_multiplier=1 + steps=50 noise_multiplier=0.5"},
          {" noise_multiplier=2 noise_end=0.5", " noise_multiplier=0.5"}})
      if (testing::in_share(place++)) check_same(sampler + row.schedule, sampler + row.written);
  }
}

TEST_CASE("noise schedule: of as many epochs as there may be phases, and no more") {
  const auto is_read = [](const std::string& epochs) {
    const wire::Query query = query_of("sampler=poisson noise_end=0.5 epochs=" + epochs);
    return std::holds_alternative<Programme>(read_programme(query, nullptr));
  };
  CHECK(is_read("1000"));
  CHECK_FALSE(is_read("1001"));
}

TEST_CASE("noise schedule: the answer rests on it, and says so once") {
  for (const auto& [schedule, stride] :
       {std::pair{"geometric", "factor"}, std::pair{"linear", "amount"}}) {
    const wire::Answer answer =
        answer_of(query_of("sampler=poisson noise_multiplier=2 noise_end=0.5 epochs=3 "
                           "noise_schedule=" +
                           std::string(schedule)));
    const std::string said = "The noise multiplier changes by the same " + std::string(stride) +
                             " from one epoch to the next, to 0.5 in the last.";
    CHECK(std::count(answer.assumptions.begin(), answer.assumptions.end(), said) == 1);
  }
}

TEST_CASE("noise schedule: more epochs reveal more, and solved ones meet the target") {
  wire::Query query = query_of("sampler=poisson noise_multiplier=1.2 noise_end=0.9");
  query.question = "calibrate";
  query.solve_for = "epochs";
  query.epsilon = 2;
  const double found = answer_of(query).solution->value;
  const auto at = [](double epochs) {
    return epsilon_of("sampler=poisson noise_multiplier=1.2 noise_end=0.9 epochs=" +
                      std::to_string(static_cast<int>(epochs)));
  };
  CHECK(at(found).upper <= 2);
  CHECK(at(found + 1).upper > 2);
  for (int epochs = 1; epochs < 6; ++epochs) CHECK(at(epochs).upper < at(epochs + 1).lower);
}

TEST_CASE("noise schedule: what does not fit is refused, by field") {
  struct Misfit {
    const char *run, *field;
  };
  for (const Misfit& misfit : {
           Misfit{"sampler=poisson noise_schedule=linear", "noise_end"},
           {"sampler=poisson noise_schedule=cosine noise_end=1", "noise_schedule"},
           {"sampler=poisson noise_end=-1", "noise_end"},
           {"sampler=shuffle epochs=3 reshuffle=once noise_end=2", "noise_end"},
           {"sampler=deterministic epochs=3 matrix=square-root noise_end=2", "noise_end"},
           {"sampler=poisson epochs=3 bands=8 noise_end=2", "noise_end"},
           {"sampler=poisson batch_size=300 steps=13 epochs=4 noise_end=2", "steps"},
           {"sampler=poisson epochs=1001 noise_end=2", "epochs"},
           {"question=calibrate solve_for=noise epsilon=1 sampler=poisson noise_multiplier= "
            "noise_end=2",
            "noise_end"},
       }) {
    INFO(misfit.run);
    CHECK(testing::issue_of(answer(query_of(misfit.run))).field == misfit.field);
  }
}

}  // namespace
}  // namespace honest_epsilon::accounts
