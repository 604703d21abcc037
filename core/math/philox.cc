#include "core/math/philox.h"

#include <utility>

#include "core/math/lanes.h"

namespace honest_epsilon::philox {
namespace {

constexpr std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
constexpr std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32U);
}

/// One round of one block, or of four that lie side by side: two 32 x 32 -> 64 bit products, mixed
/// crosswise. Multipliers: [SMDS11, table 2].
template <class Word>
inline void round(std::array<Word, 4>& x, Word key0, Word key1) {
  const auto [high0, low0] = lanes::product(x[0], Word{} + 0xD2511F53U);
  const auto [high1, low1] = lanes::product(x[2], Word{} + 0xCD9E8D57U);
  x = {high1 ^ x[1] ^ key0, low1, high0 ^ x[3] ^ key1, low0};
}

/// The key moves on by Weyl sequences: the golden ratio and sqrt(3) - 1, in 32 bits.
template <class Word, std::uint32_t... kRounds>
inline void rounds(std::array<Word, 4>& x, const Key& key,
                   std::integer_sequence<std::uint32_t, kRounds...>) {
  (round(x, Word{} + (key[0] + kRounds * 0x9E3779B9U), Word{} + (key[1] + kRounds * 0xBB67AE85U)),
   ...);
}

constexpr auto kRounds = std::make_integer_sequence<std::uint32_t, 10>{};

}  // namespace

Block block(Block counter, Key key) {
  rounds(counter, key, kRounds);
  return counter;
}

Stream::Stream(std::uint64_t seed, std::uint64_t chunk)
    : key_{low(seed), high(seed)}, chunk_{low(chunk), high(chunk)} {}

void Stream::fill(std::span<std::uint32_t> words) {
  constexpr std::size_t kLanes = 4;
  const std::size_t blocks = words.size() / 4;
  // Local copies, so that the compiler need not assume that `words` aliases the members.
  const Key key = key_;
  const auto [chunk_low, chunk_high] = chunk_;
  std::uint64_t count = next_;
  std::size_t i = 0;
  for (; i + kLanes <= blocks; i += kLanes, count += kLanes) {
    const lanes::U32 lower = {low(count), low(count + 1), low(count + 2), low(count + 3)};
    const lanes::U32 upper = {high(count), high(count + 1), high(count + 2), high(count + 3)};
    std::array<lanes::U32, 4> x = {lower, upper, lanes::U32{} + chunk_low,
                                   lanes::U32{} + chunk_high};
    rounds(x, key, kRounds);
    for (std::size_t j = 0; j < 4; ++j) lanes::store(x[j], &words[i + j * blocks]);
  }
  for (; i < blocks; ++i, ++count) {
    const Block x = block({low(count), high(count), chunk_low, chunk_high}, key);
    for (std::size_t j = 0; j < 4; ++j) words[i + j * blocks] = x[j];
  }
  next_ = count;
}

}  // namespace honest_epsilon::philox
