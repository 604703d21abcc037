// Very many random questions, without sanitizers: `core_many 1000000 7` asks a million from seed 7.
// Most are short, and refused or answered at once; one in a few hundred has as many bytes as
// matter.

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

namespace {

using Random = std::mt19937_64;

std::vector<std::uint8_t> some_bytes(Random& random) {
  constexpr std::size_t kShort = 9;
  constexpr std::size_t kLong = 60;
  std::vector<std::uint8_t> bytes(random() % (random() % 400 == 0 ? kLong : kShort));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

double milliseconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

}  // namespace

int main(int count, char** words) {
  const long long questions = count > 1 ? std::atoll(words[1]) : 100000;
  const unsigned long long seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : 1;
  Random random(seed);
  double slowest = 0;
  std::array<long long, 7> slower{};  // than 0, .1, 1, 10, ... milliseconds
  int complaints = 0;
  for (long long i = 0; i < questions; ++i) {
    const auto bytes = some_bytes(random);
    const double start = milliseconds();
    const std::string complaint = honest_epsilon::fuzz::answer(bytes);
    const double spent = milliseconds() - start;
    slowest = spent > slowest ? spent : slowest;
    double bound = 0.1;
    for (std::size_t k = 0; k < slower.size(); ++k, bound *= 10) {
      if (spent < bound || k + 1 == slower.size()) {
        ++slower[k];
        break;
      }
    }
    if (complaint.empty()) continue;
    ++complaints;
    std::printf("seed %llu, question %lld: %s\n", seed, i, complaint.c_str());
  }
  std::printf("%lld questions, %d complaints, the slowest %.0f ms;", questions, complaints,
              slowest);
  double bound = 0.1;
  for (const long long number : slower) {
    std::printf(" %lld below %g ms", number, bound);
    bound *= 10;
  }
  std::printf("\n");
  return complaints > 0 ? 1 : 0;
}
