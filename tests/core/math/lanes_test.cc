#include "core/math/lanes.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include "core/math/philox.h"

namespace honest_epsilon {

TEST_CASE("lanes: every lane of a product is the single product") {
  philox::Stream stream(1, 0);
  std::array<std::uint32_t, 4000> words;
  stream.fill(words);
  words[0] = words[4] = 0xffffffff;
  words[1] = 0;
  for (std::size_t i = 0; i + 8 <= words.size(); i += 4) {
    const auto a = lanes::load<lanes::U32>(&words[i]);
    const auto b = lanes::load<lanes::U32>(&words[i + 4]);
    const auto products = lanes::product(a, b);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const auto single = lanes::product(words[i + lane], words[i + 4 + lane]);
      CHECK(products.high[lane] == single.high);
      CHECK(products.low[lane] == single.low);
    }
  }
}

TEST_CASE("lanes: what is stored is what was loaded, wherever it lies") {
  const std::array<double, 5> from = {1, 2, 3, 4, 5};
  std::array<double, 5> to{};
  for (const std::size_t place : {0U, 1U, 3U}) {
    lanes::store(lanes::load<lanes::F64>(&from[place]), &to[place]);
    CHECK(to[place] == from[place]);
    CHECK(to[place + 1] == from[place + 1]);
  }
}

}  // namespace honest_epsilon
