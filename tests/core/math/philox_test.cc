#include "core/math/philox.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace honest_epsilon {
namespace {

std::vector<std::uint32_t> words_of(std::uint64_t seed, std::uint64_t chunk, std::size_t words) {
  philox::Stream stream(seed, chunk);
  std::vector<std::uint32_t> result(words);
  stream.fill(result);
  return result;
}

}  // namespace

// The vectors that Random123 (version 1.14) publishes for philox4x32 with ten rounds.
TEST_CASE("philox: known answers") {
  struct Answer {
    philox::Block counter;
    philox::Key key;
    philox::Block block;
  };
  const Answer answers[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  for (const Answer& answer : answers) {
    CHECK(philox::block(answer.counter, answer.key) == answer.block);
  }
}

TEST_CASE("philox: a stream is the blocks of its counters, word by word, however it is cut") {
  constexpr std::uint64_t kSeed = 0x299f31d0a4093822;
  constexpr std::uint64_t kChunk = 0x0370734413198a2e;
  philox::Stream stream(kSeed, kChunk);
  std::uint32_t next = 0;
  for (const std::size_t blocks : {1U, 7U, 64U}) {
    std::vector<std::uint32_t> words(4 * blocks);
    stream.fill(words);
    for (std::size_t i = 0; i < blocks; ++i, ++next) {
      const philox::Block block =
          philox::block({next, 0, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0});
      for (std::size_t w = 0; w < 4; ++w) CHECK(words[w * blocks + i] == block[w]);
    }
  }
}

TEST_CASE("philox: another seed or another chunk is another stream") {
  const auto words = words_of(7, 0, 64);
  CHECK(words == words_of(7, 0, 64));
  CHECK(words != words_of(8, 0, 64));
  CHECK(words != words_of(7, 1, 64));
  CHECK(words != words_of(7 + (std::uint64_t{1} << 32U), 0, 64));
  CHECK(words != words_of(7, std::uint64_t{1} << 32U, 64));
}

}  // namespace honest_epsilon
