// Sanitizers have an operator new of their own.
#ifndef __SANITIZE_ADDRESS__

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include "core/accounts/catalog.h"
#include "tests/core/support.h"

namespace {

/// No single allocation above this succeeds.
std::size_t largest_allocation = std::numeric_limits<std::size_t>::max();

// Out of line: a compiler that sees through operator new takes free for the wrong partner of it.
[[gnu::noinline]] void* allocate(std::size_t size) {
  return size <= largest_allocation ? std::malloc(std::max<std::size_t>(size, 1)) : nullptr;
}
[[gnu::noinline]] void release(void* memory) {
  std::free(memory);
}

}  // namespace

// Replaced for the whole program, so that a test can play a machine with little memory.
void* operator new(std::size_t size) {
  void* memory = allocate(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}

namespace honest_epsilon::accounts {
namespace {

using testing::answer_of;
using testing::epsilon_query;
using testing::show;
using testing::warns;

class Memory {
 public:
  explicit Memory(std::size_t bytes) { largest_allocation = bytes; }
  ~Memory() { largest_allocation = std::numeric_limits<std::size_t>::max(); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
};

}  // namespace

TEST_CASE("memory: a grid that does not fit gives way to a coarser one, and the answer says so") {
  for (const Sampler& sampler : kSamplers) {
    wire::Query query = epsilon_query(std::string(sampler.name));
    testing::phase(query).steps_per_epoch = 1e5;
    query.width = 1e-6;
    const wire::Answer ample = answer_of(query);
    CHECK_FALSE(warns(ample, "memory-limit"));
    if (ample.work.grid_points < 1 << 18) continue;
    for (const std::size_t bytes : {1u << 21, 1u << 18}) {
      const Memory scarce(bytes);
      const wire::Answer answer = answer_of(query);
      INFO(sampler.name << " in " << bytes << ": " << show(answer.epsilon) << " "
                        << show(ample.epsilon));
      CHECK(warns(answer, "memory-limit"));
      CHECK(testing::overlap(answer.epsilon, ample.epsilon));
      CHECK(answer.epsilon.upper - answer.epsilon.lower >=
            ample.epsilon.upper - ample.epsilon.lower);
    }
  }
}

TEST_CASE("memory: where no grid fits nothing is claimed") {
  wire::Query query = epsilon_query();
  query.accountant = "pld";
  const Memory none(1 << 12);
  const wire::Answer answer = answer_of(query);
  CHECK(warns(answer, "memory-limit"));
  CHECK(answer.epsilon.lower == 0);
  CHECK(answer.epsilon.upper == kInfinity);
  CHECK(answer.epsilon.kind == IntervalKind::bound);
  // Rényi divergences need none.
  query.accountant = "best";
  CHECK(answer_of(query).epsilon.upper == answer_of(query).rdp->upper);
}

}  // namespace honest_epsilon::accounts

#endif
