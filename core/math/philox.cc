#include "core/math/philox.h"

#include <utility>

namespace honest_epsilon::philox {
namespace {

constexpr std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
constexpr std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32U);
}

/// One round: two 32 x 32 -> 64 bit products, mixed crosswise. Multipliers: [SMDS11, table 2].
inline void round(Block& x, std::uint32_t key0, std::uint32_t key1) {
  const std::uint64_t product0 = std::uint64_t{x[0]} * 0xD2511F53U;
  const std::uint64_t product1 = std::uint64_t{x[2]} * 0xCD9E8D57U;
  x = {high(product1) ^ x[1] ^ key0, low(product1), high(product0) ^ x[3] ^ key1, low(product0)};
}

/// The key moves on by Weyl sequences: the golden ratio and sqrt(3) - 1, in 32 bits.
template <std::uint32_t... kRounds>
inline void rounds(Block& x, const Key& key, std::integer_sequence<std::uint32_t, kRounds...>) {
  (round(x, key[0] + kRounds * 0x9E3779B9U, key[1] + kRounds * 0xBB67AE85U), ...);
}

}  // namespace

Block block(Block counter, Key key) {
  rounds(counter, key, std::make_integer_sequence<std::uint32_t, 10>{});
  return counter;
}

Stream::Stream(std::uint64_t seed, std::uint64_t chunk)
    : key_{low(seed), high(seed)}, chunk_{low(chunk), high(chunk)} {}

void Stream::fill(std::span<std::uint32_t> words) {
  const std::size_t blocks = words.size() / 4;
  // Copies, which the words that are written cannot be suspected to overlap.
  const Key key = key_;
  const auto [chunk_low, chunk_high] = chunk_;
  const std::uint64_t first = next_;
  std::uint32_t* const out = words.data();
  // LLVM's vectors of 32-bit products are twice as slow under WebAssembly as scalar ones.
#ifdef __clang__
#pragma clang loop vectorize(disable)
#endif
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint64_t count = first + i;
    Block x = {low(count), high(count), chunk_low, chunk_high};
    rounds(x, key, std::make_integer_sequence<std::uint32_t, 10>{});
    out[i] = x[0];
    out[i + blocks] = x[1];
    out[i + 2 * blocks] = x[2];
    out[i + 3 * blocks] = x[3];
  }
  next_ += blocks;
}

}  // namespace honest_epsilon::philox
