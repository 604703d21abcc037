#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/targets.h"

// One program for each target, whose name the build puts in. A complaint ends it, and libFuzzer
// keeps the bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string complaint = honest_epsilon::fuzz::HONEST_EPSILON_FUZZ_TARGET({data, size});
  if (complaint.empty()) return 0;
  std::fprintf(stderr, "%s\n", complaint.c_str());
  std::abort();
}
