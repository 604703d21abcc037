#pragma once

#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/// The lanes of one 128-bit register: WebAssembly's fixed-width SIMD, SSE2, or whatever the
/// compiler makes of them elsewhere. Arithmetic and comparisons of lanes are those of single
/// numbers, to the bit. Lanes of another width are the same bytes, the lowest first, on every
/// machine that is supported.
namespace honest_epsilon::lanes {

using F64 = double __attribute__((vector_size(16)));
using U64 = std::uint64_t __attribute__((vector_size(16)));
using U32 = std::uint32_t __attribute__((vector_size(16)));

/// As many of the numbers that start here as there are lanes, wherever they lie.
template <class Lanes, class Number>
inline Lanes load(const Number* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

template <class Lanes, class Number>
inline void store(Lanes lanes, Number* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}

/// The upper and the lower words of 64-bit products.
template <class Word>
struct Product {
  Word high;
  Word low;
};

/// All bits of a b, lane by lane. The instructions are named because compilers do not find them:
/// LLVM and GCC multiply 64-bit lanes by three multiplications each.
inline Product<U32> product(U32 a, U32 b) {
  U64 front;
  U64 back;
#if defined(__wasm_simd128__)
  asm("local.get %2\nlocal.get %3\ni64x2.extmul_low_i32x4_u\nlocal.set %0\n"
      "local.get %2\nlocal.get %3\ni64x2.extmul_high_i32x4_u\nlocal.set %1"
      : "=&r"(front), "=&r"(back)
      : "r"(a), "r"(b));
#elif defined(__SSE2__)
  const auto products = [](U32 x, U32 y) {
    return reinterpret_cast<U64>(
        _mm_mul_epu32(reinterpret_cast<__m128i>(x), reinterpret_cast<__m128i>(y)));
  };
  front = products(__builtin_shufflevector(a, a, 0, 0, 1, 1),
                   __builtin_shufflevector(b, b, 0, 0, 1, 1));
  back = products(__builtin_shufflevector(a, a, 2, 2, 3, 3),
                  __builtin_shufflevector(b, b, 2, 2, 3, 3));
#else
  front = U64{std::uint64_t{a[0]} * b[0], std::uint64_t{a[1]} * b[1]};
  back = U64{std::uint64_t{a[2]} * b[2], std::uint64_t{a[3]} * b[3]};
#endif
  const auto first = reinterpret_cast<U32>(front);
  const auto second = reinterpret_cast<U32>(back);
  return {__builtin_shufflevector(first, second, 1, 3, 5, 7),
          __builtin_shufflevector(first, second, 0, 2, 4, 6)};
}

inline Product<std::uint32_t> product(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t whole = std::uint64_t{a} * b;
  return {static_cast<std::uint32_t>(whole >> 32U), static_cast<std::uint32_t>(whole)};
}

}  // namespace honest_epsilon::lanes
