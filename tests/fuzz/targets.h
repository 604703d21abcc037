#pragma once

#include <cstdint>
#include <span>
#include <string>

/// What the fuzzer runs, and the core's tests on a small corpus: bytes in, a complaint out, empty
/// when all is well.
namespace honest_epsilon::fuzz {

using Bytes = std::span<const std::uint8_t>;

/// A question made over the schema's lists of fields, from ordinary to absurd: an answer in order,
/// or one Issue; nothing that is not a number.
std::string answer(Bytes bytes);

/// A question at the corners of the domain: tiny and huge noise, one batch and a billion, several
/// phases and releases, whatever is asked. No exception, nothing that is not a number, and no upper
/// end below what a simple attack proves, above all no zero; no lower end above what any batches
/// allow; and none that the inverse question refutes.
std::string corners(Bytes bytes);

/// Runs whose steps have moment functions and lattice laws: what the contour proves and what the
/// transforms prove overlap, on either side and in both directions.
std::string engines(Bytes bytes);

/// Shuffled batches between what is proved on either side by other means: the upper end above every
/// lower one, above balls-and-bins, and no higher than known batches.
std::string shuffled(Bytes bytes);

/// A run that somebody may have trained, and one of the laws.
std::string laws(Bytes bytes);

/// Sums and tallies: any order of merging gives the same bits, text and back is the same sum, and
/// other text is refused.
std::string tally(Bytes bytes);

struct Target {
  const char* name;
  std::string (*run)(Bytes bytes);
  std::size_t longest;  ///< bytes that can matter
};

inline constexpr Target kTargets[] = {
    {"answer", answer, 200},    {"corners", corners, 150}, {"engines", engines, 80},
    {"shuffled", shuffled, 40}, {"laws", laws, 80},        {"tally", tally, 400},
};

/// The question that bytes make for a target; empty where they make something else.
std::string described(const Target& target, Bytes bytes);

}  // namespace honest_epsilon::fuzz
