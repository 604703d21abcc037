#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// The counter-based generator Philox4x32-10: block(counter, key) is a keyed bijection of 128 bits,
/// so that any part of any stream can be had at once, by anyone. Cite: [SMDS11].
namespace honest_epsilon::philox {

using Block = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

/// Ten rounds on one counter.
Block block(Block counter, Key key);

/// The stream of one (seed, chunk): the key is the seed, the counter's upper half the chunk, its
/// lower half counts blocks. 2^64 streams of 2^64 blocks for every seed, none overlapping.
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t chunk);

  /// The next words.size() / 4 blocks, word by word: first the blocks' first words, then their
  /// second ones, and so on.
  void fill(std::span<std::uint32_t> words);

 private:
  Key key_;
  std::array<std::uint32_t, 2> chunk_;
  std::uint64_t next_ = 0;
};

}  // namespace honest_epsilon::philox
