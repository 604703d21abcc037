// Very many random questions, without sanitizers: `core_many answer 1000000 7` asks a million from
// seed 7. Most are short, and refused or answered at once; one in a few hundred has as many bytes
// as matter. `core_many corners 100000 7` asks at the corners of the domain, where each takes a
// little longer. A complaint, a crash and an answer of more than eight seconds print the bytes that
// made them, and `core_many corners 616263...` asks those alone. `core_many engines 100000 7` holds
// the contour's answers against the transforms', and `core_many shuffled 10000 7` the ends of
// shuffled batches against one another. `node build/wasm/tests/core_many.cjs` takes the same words.

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "tests/core/counts.h"
#include "tests/fuzz/targets.h"

namespace {

using Random = std::mt19937_64;
using Bytes = std::vector<std::uint8_t>;

/// Nobody waits longer than this for an answer.
constexpr double kMostMilliseconds = 8000;

Bytes some_bytes(Random& random, const honest_epsilon::fuzz::Target& target) {
  constexpr std::size_t kShort = 9;
  constexpr std::size_t kLong = 60;
  const bool whole = target.run != honest_epsilon::fuzz::answer;
  Bytes bytes(whole ? target.longest : random() % (random() % 400 == 0 ? kLong : kShort));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// The bytes under way, in hexadecimal digits: a crash's handler may only write what is there.
std::array<char, 1024> underway{};

void spell(const Bytes& bytes) {
  std::size_t at = 0;
  for (const std::uint8_t byte : bytes) {
    underway.at(at++) = "0123456789abcdef"[byte >> 4U];
    underway.at(at++) = "0123456789abcdef"[byte & 15U];
  }
  underway.at(at) = 0;
}

Bytes spelt(const std::string& digits) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

void on_crash(int signal) {
  std::fprintf(stderr, "signal %d: bytes %s\n", signal, underway.data());
  std::_Exit(2);
}

void expect_crashes() {
#ifndef __EMSCRIPTEN__  // A trap raises no signal there: trap.cjs asks bytes_under_way.
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(signal, on_crash);
#endif
}

/// Of processor time: others may keep the machine busy. WebAssembly has the wall's clock alone.
double milliseconds() {
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

const honest_epsilon::fuzz::Target& target_named(const std::string& name) {
  for (const auto& target : honest_epsilon::fuzz::kTargets) {
    if (name == target.name) return target;
  }
  std::fprintf(stderr, "no target \"%s\"\n", name.c_str());
  std::exit(2);
}

}  // namespace

/// Nothing once main has returned.
extern "C" const char* bytes_under_way() {
  return underway.data();
}

int main(int count, char** words) {
  const auto& target = target_named(count > 1 ? words[1] : "answer");
  expect_crashes();
  const std::string wanted = count > 2 ? words[2] : "100000";
  if (wanted.size() > 15) {
    const Bytes bytes = spelt(wanted);
    spell(bytes);
    const double start = milliseconds();
    const std::string complaint = target.run(bytes);
    std::printf("%s (%.0f ms)\n", complaint.c_str(), milliseconds() - start);
    std::printf("%s\n", honest_epsilon::fuzz::described(target, bytes).c_str());
    spell({});
    return complaint.empty() ? 0 : 1;
  }
  const long long questions = std::atoll(wanted.c_str());
  const unsigned long long seed = count > 3 ? std::strtoull(words[3], nullptr, 10) : 1;
  Random random(seed);
  double slowest = 0;
  std::array<long long, 7> slower{};  // than 0, .1, 1, 10, ... milliseconds
  int complaints = 0;
  for (long long i = 0; i < questions; ++i) {
    const auto bytes = some_bytes(random, target);
    spell(bytes);
    const double start = milliseconds();
    std::string complaint = target.run(bytes);
    const double spent = milliseconds() - start;
    slowest = spent > slowest ? spent : slowest;
    double bound = 0.1;
    for (std::size_t k = 0; k < slower.size(); ++k, bound *= 10) {
      if (spent < bound || k + 1 == slower.size()) {
        ++slower[k];
        break;
      }
    }
    if (spent > kMostMilliseconds) complaint += " takes " + std::to_string(spent) + " ms";
    if (complaint.empty()) continue;
    complaint += "; " + honest_epsilon::fuzz::described(target, bytes);
    ++complaints;
    std::printf("seed %llu, question %lld: %s; bytes %s\n", seed, i, complaint.c_str(),
                underway.data());
    std::fflush(stdout);
  }
  const auto& counts = honest_epsilon::testing::counts();
  std::printf("%lld questions, ", questions);
  if (counts.answered > 0) std::printf("%lld answered, ", static_cast<long long>(counts.answered));
  std::printf("%lld sides, %d complaints, the slowest %.0f ms;",
              static_cast<long long>(counts.sides), complaints, slowest);
  double bound = 0.1;
  for (const long long number : slower) {
    std::printf(" %lld below %g ms", number, bound);
    bound *= 10;
  }
  std::printf("\n");
  spell({});
  return complaints > 0 ? 1 : 0;
}
