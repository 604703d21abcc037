#include "core/wire/noise_unit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/core/accounts/words.h"

namespace honest_epsilon::wire {
namespace {

using testing::asked;

bool is_assumed(const Answer& answer, const std::string& text) {
  return std::find(answer.assumptions.begin(), answer.assumptions.end(), text) !=
         answer.assumptions.end();
}

constexpr const char* kSizes =
    "sampler=poisson steps_per_epoch= epochs= dataset_size=60000 batch_size=128 devices=2 "
    "steps=500 ";

}  // namespace

TEST_CASE("noise unit: a standard deviation is the noise multiplier that it comes to") {
  const std::string sizes = kSizes;
  const Answer plain = asked(sizes + "noise_multiplier=1.1");
  const std::string clipped = sizes + "noise_multiplier= clipping_norm=4 ";
  const Answer sum = asked(clipped + "noise_unit=sum noise_stddev=4.4");
  // Of an average over both devices' batches.
  const Answer average = asked(clipped + "noise_unit=average noise_stddev=0.0171875");
  for (const Answer& one : {sum, average}) {
    CHECK(one.epsilon.lower == plain.epsilon.lower);
    CHECK(one.epsilon.upper == plain.epsilon.upper);
    CHECK(one.derived.noise_multiplier == 1.1);
  }
  CHECK_FALSE(plain.derived.noise_multiplier);
  CHECK(is_assumed(
      average,
      "Noise of standard deviation 0.0171875 on the average of gradients clipped to norm "
      "4 is a noise multiplier of 1.1."));
}

TEST_CASE("noise unit: a multiplier that is sought takes the place of a deviation") {
  const Query query = testing::query_of(
      std::string(kSizes) +
      "noise_multiplier= noise_unit=sum noise_stddev=4.4 clipping_norm=4 question=calibrate "
      "solve_for=noise epsilon=2 delta=1e-5");
  const Answer found = testing::answer_of(query);
  REQUIRE(found.solution);
  CHECK(found.solution->field == "noiseMultiplier");
  CHECK(found.epsilon.upper <= 2);
}

TEST_CASE("privacy unit: a client is a record by another name") {
  const std::string run =
      "sampler=poisson steps_per_epoch= epochs= dataset_size=3400 batch_size=100 steps=500 "
      "noise_multiplier=0.7 ";
  const Answer example = asked(run), client = asked(run + "privacy_unit=client local_epochs=5");
  CHECK(client.epsilon.upper == example.epsilon.upper);
  CHECK(client.privacy_unit == "client");
  CHECK_FALSE(example.privacy_unit);
  CHECK(is_assumed(client, "Zero-out neighbours: one client's update is replaced by zero."));
  CHECK(is_assumed(client,
                   "The 5 local epochs of a client change nothing: its update is clipped whatever "
                   "they are."));
  CHECK(in_client_words("A step's records, recordsPerUser and the batch size") ==
        "A round's clients, recordsPerUser and the number of clients per round");
  CHECK(is_assumed(
      client, "Each client joins each batch independently; numbers of clients per round vary."));
}

}  // namespace honest_epsilon::wire
