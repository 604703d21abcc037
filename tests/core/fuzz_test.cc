#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/core/reference_table.h"
#include "tests/core/support.h"
#include "tests/fuzz/targets.h"

// A short run of what `npm run fuzz` does for as long as one likes: the corpus, then random bytes.
namespace honest_epsilon {
namespace {

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4U];
    text += "0123456789abcdef"[byte & 15U];
  }
  return text;
}

std::vector<std::vector<std::uint8_t>> corpus(const std::string& target) {
  std::vector<std::filesystem::path> paths;
  const std::string folder = std::string(testing::tests_dir()) + "/fuzz/corpus/";
  for (const auto& entry : std::filesystem::directory_iterator(folder + target))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::vector<std::uint8_t>> inputs;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return inputs;
}

void run(const fuzz::Target& target, const std::vector<std::uint8_t>& input) {
  const std::string complaint = target.run(input);
  CHECK_MESSAGE(complaint.empty(), target.name << ": " << complaint << "; bytes " << hex(input));
  ++testing::counts().fuzz;
}

}  // namespace

TEST_CASE("fuzz: the corpus and random bytes draw no complaint") {
  for (const fuzz::Target& target : fuzz::kTargets) {
    const auto kept = corpus(target.name);
    REQUIRE_MESSAGE(!kept.empty(), target.name);
    for (const auto& input : testing::in_share(kept, 2)) run(target, input);
    testing::Dice dice(7);
    const bool cheap = std::string(target.name) == "tally";
    const int runs = cheap ? 2000 : testing::rounds(30);
    for (int i = 0; i < runs; ++i) {
      std::vector<std::uint8_t> input(dice.below(target.longest));
      for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(dice.below(256));
      run(target, input);
    }
  }
}

}  // namespace honest_epsilon
