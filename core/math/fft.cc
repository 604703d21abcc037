#include "core/math/fft.h"

#include <cmath>
#include <kissfft/kissfft.hh>
#include <map>
#include <memory>
#include <utility>

#include "core/base/rounding.h"

namespace honest_epsilon::fft {
namespace {

using Transform = kissfft<double>;

/// Plans are kept: their twiddles cost as much as a transform.
Transform& plan(std::size_t n, bool inverse) {
  thread_local std::map<std::pair<std::size_t, bool>, std::unique_ptr<Transform>> plans;
  auto& slot = plans[{n, inverse}];
  if (!slot) slot = std::make_unique<Transform>(n, inverse);
  return *slot;
}

void transform(const std::vector<std::complex<double>>& in, std::vector<std::complex<double>>& out,
               bool inverse) {
  out.resize(in.size());
  plan(in.size(), inverse).transform(in.data(), out.data());
}

}  // namespace

double relative_error(std::size_t n) {
  return 8 * kUnit * std::log2(static_cast<double>(n));
}

void forward(const std::vector<std::complex<double>>& in, std::vector<std::complex<double>>& out) {
  transform(in, out, false);
}

void backward(const std::vector<std::complex<double>>& in, std::vector<std::complex<double>>& out) {
  transform(in, out, true);
}

}  // namespace honest_epsilon::fft
