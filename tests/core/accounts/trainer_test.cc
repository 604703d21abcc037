#include "core/accounts/trainer.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/core/accounts/words.h"

namespace honest_epsilon::accounts {

TEST_CASE("trainer: a batch's places draw from all records, whatever the others do") {
  const auto asked = [](const std::string& run) {
    return testing::answer_of(testing::query_of("noise_multiplier=1.3 " + run));
  };
  const std::string places =
      "sampler=without-replacement dataset_size=500 batch_size=10 devices=2 epochs=3 ";
  const wire::Answer distinct = asked(places), found = asked(places + "replacement=true");
  CHECK(found.epsilon.lower > distinct.epsilon.upper);
  CHECK_FALSE(found.rdp);
  CHECK_FALSE(found.gdp);
  const std::string person =
      "sampler=poisson adjacency=add-remove records_per_user=20 "
      "dataset_size= batch_size= steps=75 sampling_probability=";
  struct Row {
    const char *places, *person;
  };
  // A response tells of any of the places.
  for (const Row& row : {Row{"", "0.002 noise_multiplier=0.65"},
                         Row{"records_per_user=3", "0.006 noise_multiplier=0.65"},
                         Row{"records_per_user=3 mechanism=randomized-response",
                             "0.006 mechanism=randomized-response"}}) {
    CAPTURE(row.places);
    const wire::Answer one = asked(places + "replacement=true " + row.places);
    const wire::Answer other = asked(person + row.person);
    CHECK(one.epsilon.lower == other.epsilon.lower);
    CHECK(one.epsilon.upper == other.epsilon.upper);
    CHECK(one.adjacency == other.adjacency);
  }
}

TEST_CASE("trainer: bands beside a cap are the truncated steps of a group") {
  const auto asked = [](const std::string& run) {
    return testing::answer_of(testing::query_of("sampler=poisson noise_multiplier=1.3 " + run));
  };
  // 1002 records in four groups of 250; 105 steps are 27 of the first group.
  const wire::Answer banded = asked(
      "dataset_size=1002 batch_size=50 epochs= steps=105 bands=4 "
      "max_batch_size=60");
  const wire::Answer group =
      asked("dataset_size=250 batch_size=50 epochs= steps=27 max_batch_size=60");
  CHECK(banded.epsilon.lower == group.epsilon.lower);
  CHECK(banded.epsilon.upper == group.epsilon.upper);
  CHECK(banded.epsilon.upper !=
        asked("dataset_size=1002 batch_size=50 epochs= steps=105 bands=4").epsilon.upper);
  const wire::Answer rated = asked(
      "dataset_size=1002 batch_size= epochs= steps=105 bands=4 "
      "sampling_probability=0.2 max_batch_size=60");
  CHECK(rated.epsilon.upper == group.epsilon.upper);
}

}  // namespace honest_epsilon::accounts
