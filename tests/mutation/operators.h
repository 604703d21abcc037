#pragma once

#include <algorithm>
#include <concepts>
#include <cstdlib>
#include <type_traits>

/// Operators that a mutated copy of the core has in place of its own: `a < b` is written
/// `a < mutation::Less{7} < b`, which has the same precedence and is `a < b` unless the environment
/// chose fault 7. So all faults are compiled once. While a baseline is recorded each of them notes
/// whether its fault would have made a difference.
namespace mutation {

/// As in .scripts/mutation.mjs.
inline constexpr int kMost = 1 << 19;

inline int from_environment(const char* name) {
  const char* chosen = std::getenv(name);
  return chosen == nullptr ? -1 : std::atoi(chosen);
}

inline const int kChosen = from_environment("HONEST_EPSILON_FAULT");
inline const bool kRecording = std::getenv("HONEST_EPSILON_FAULTS_SEEN") != nullptr;

/// Of each fault, whether it was met where it makes a difference (2), or nowhere can make one (1).
inline unsigned char seen[kMost];

/// Whether the fault is the chosen one.   differs: -> whether it makes a difference here
template <class Differs>
[[gnu::always_inline]] constexpr bool is_chosen(int fault, Differs differs) {
  if (std::is_constant_evaluated()) return false;
  if (kRecording && seen[fault] < 2 && differs()) seen[fault] = 2;
  return kChosen == fault;
}

inline constexpr auto kAlways = [] { return true; };

constexpr void cannot_be(int fault) {
  if (!std::is_constant_evaluated()) seen[fault] = std::max<unsigned char>(seen[fault], 1);
}

template <class A, class B>
constexpr bool differ(const A& a, const B& b) {
  if constexpr (requires { static_cast<bool>(a == b); }) {
    return !static_cast<bool>(a == b);
  } else {
    return true;
  }
}

template <class A, class Operator>
struct Left {
  const A& a;
  int fault;
};

// A comparison is turned round, by the fault; by the next one it tells equals otherwise.
#define HONEST_EPSILON_TURNED(Name, op, is_ordering)                                              \
  struct Name {                                                                                   \
    int fault;                                                                                    \
  };                                                                                              \
  template <class A>                                                                              \
  [[gnu::always_inline]] constexpr Left<A, Name> operator op(const A& a, Name n) {                \
    return {a, n.fault};                                                                          \
  }                                                                                               \
  template <class A, class B>                                                                     \
  [[gnu::always_inline]] constexpr bool operator op(const Left<A, Name>& left, const B& b) {      \
    const bool result = static_cast<bool>(left.a op b);                                           \
    if (is_chosen(left.fault, kAlways)) return !result;                                           \
    if constexpr (is_ordering && std::integral<A> && std::integral<B>) {                          \
      if (is_chosen(left.fault + 1, [&] { return left.a == b; })) return result != (left.a == b); \
    } else {                                                                                      \
      cannot_be(left.fault + 1);                                                                  \
    }                                                                                             \
    return result;                                                                                \
  }
HONEST_EPSILON_TURNED(Less, <, true)
HONEST_EPSILON_TURNED(Greater, >, true)
HONEST_EPSILON_TURNED(AtMost, <=, true)
HONEST_EPSILON_TURNED(AtLeast, >=, true)
HONEST_EPSILON_TURNED(Equal, ==, false)
HONEST_EPSILON_TURNED(Unequal, !=, false)
#undef HONEST_EPSILON_TURNED

// A term or a factor is dropped.
#define HONEST_EPSILON_DROPPED(Name, op)                                                      \
  struct Name {                                                                               \
    int fault;                                                                                \
  };                                                                                          \
  template <class A>                                                                          \
  [[gnu::always_inline]] constexpr Left<A, Name> operator op(const A& a, Name n) {            \
    return {a, n.fault};                                                                      \
  }                                                                                           \
  template <class A, class B>                                                                 \
  [[gnu::always_inline]] constexpr auto operator op(const Left<A, Name>& left, const B& b) {  \
    using Result = std::decay_t<decltype(left.a op b)>;                                       \
    if constexpr (std::is_constructible_v<Result, const A&>) {                                \
      if (is_chosen(left.fault, [&] { return differ(Result(left.a), Result(left.a op b)); })) \
        return Result(left.a);                                                                \
    } else {                                                                                  \
      cannot_be(left.fault);                                                                  \
    }                                                                                         \
    return Result(left.a op b);                                                               \
  }
HONEST_EPSILON_DROPPED(Plus, +)
HONEST_EPSILON_DROPPED(Minus, -)
HONEST_EPSILON_DROPPED(Times, *)
HONEST_EPSILON_DROPPED(Over, /)
#undef HONEST_EPSILON_DROPPED

/// Whether an assignment such as `sum += term` is left out.
constexpr bool dropped(int fault) {
  return is_chosen(fault, kAlways);
}

template <class T>
constexpr T least(int fault, const T& a, const T& b) {
  return is_chosen(fault, [&] { return differ(a, b); }) ? std::max(a, b) : std::min(a, b);
}
template <class T>
constexpr T most(int fault, const T& a, const T& b) {
  return is_chosen(fault, [&] { return differ(a, b); }) ? std::min(a, b) : std::max(a, b);
}

/// A constant, a thousandth larger.
constexpr double scaled(int fault, double value) {
  return is_chosen(fault, kAlways) ? value * 1.001 : value;
}

/// A condition, turned round.
template <class T>
[[gnu::always_inline]] constexpr bool turned(int fault, const T& condition) {
  return static_cast<bool>(condition) != is_chosen(fault, kAlways);
}

/// The other direction's, or the other end's.
template <class T>
constexpr T& exchanged(int fault, T& own, T& other) {
  return is_chosen(fault, [&] { return differ(own, other); }) ? other : own;
}
template <class T>
constexpr T exchanged(int fault, T&& own, T&& other)
  requires(!std::is_lvalue_reference_v<T>)
{
  return is_chosen(fault, [&] { return differ(own, other); }) ? other : own;
}

}  // namespace mutation
