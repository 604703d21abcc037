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

}  // namespace honest_epsilon::accounts
