#pragma once

#include <cstdint>

/// How much work (core/base/work.h) may be spent before a question is answered by what is known.
namespace honest_epsilon::accounts {

/// On one question: about two seconds of WebAssembly on an ordinary processor.
inline constexpr std::int64_t kQuestionWork = 400'000'000;

/// On a calibration, a privacy curve or a trade-off curve: about five.
inline constexpr std::int64_t kSearchWork = 5 * kQuestionWork / 2;

}  // namespace honest_epsilon::accounts
