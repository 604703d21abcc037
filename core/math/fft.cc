#include "core/math/fft.h"

#include <array>
#include <bit>
#include <kissfft/kissfft.hh>
#include <memory>

#include "core/base/rounding.h"
#include "core/base/work.h"

namespace honest_epsilon::fft {
namespace {

using Transform = kissfft<double>;

/// Plans are kept: their twiddles cost as much as a transform.
Transform& plan(std::size_t n, bool inverse) {
  thread_local std::array<std::array<std::unique_ptr<Transform>, 2>, 64> plans;
  auto& slot = plans.at(static_cast<std::size_t>(std::countr_zero(n)))[inverse ? 1 : 0];
  if (!slot) slot = std::make_unique<Transform>(n, inverse);
  return *slot;
}

void transform(const std::vector<std::complex<double>>& in, std::vector<std::complex<double>>& out,
               bool inverse) {
  work::spend(work(in.size()));
  out.resize(in.size());
  plan(in.size(), inverse).transform(in.data(), out.data());
}

}  // namespace

std::int64_t work(std::size_t n) {
  const auto digits = static_cast<std::int64_t>(std::bit_width(n));
  return static_cast<std::int64_t>(n) * digits * 5 / 4;
}

double relative_error(std::size_t n) {
  return 8 * kUnit * static_cast<double>(std::bit_width(n - 1));
}

void forward(const std::vector<std::complex<double>>& in, std::vector<std::complex<double>>& out) {
  transform(in, out, false);
}

void backward(const std::vector<std::complex<double>>& in, std::vector<std::complex<double>>& out) {
  transform(in, out, true);
}

}  // namespace honest_epsilon::fft
