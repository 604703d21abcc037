#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/math/philox.h"

/// Random variates from one stream, in the order they are asked for. Only portable arithmetic
/// (core/math/portable.h): the same bits everywhere.
///
/// What "exact" means here: each method is exact for ideal uniforms. Uniforms are odd multiples of
/// 2^-53; of a normal variate's law this drops a mass of 2^-53 beyond |z| = 8.57.
namespace honest_epsilon::variates {

class Generator {
 public:
  Generator(std::uint64_t seed, std::uint64_t chunk) : stream_(seed, chunk) {}

  /// Uniform on (0, 1), never 0 or 1.
  double uniform();

  /// Standard normal: Box and Muller's transform, r cos(phi) and r sin(phi) with r = sqrt(-2 log
  /// u). The angle is one of 2^33 equally spaced ones: for given r, every trigonometric polynomial
  /// in it of degree below 2^33 has its exact mean, among them e^(mu z) to any digit. Cite: [BM58].
  double normal();

  /// Gamma law of this shape, scale 1: for shape 1 -log u, above 1 by rejection from a cubed
  /// normal. Domain: shape >= 1. Cite: [MT00].
  double gamma(double shape);

  /// Upper-tail probability of a standard normal given that it is not above the point with upper
  /// tail `cut`: uniform on (cut, 1).
  double truncated_tail(double cut) { return cut + (1 - cut) * uniform(); }

  /// Fills with uniforms.
  void uniforms(std::span<double> out);

  /// The next normals, at least one and at most `most`; valid until the next call.
  std::span<const double> normals(std::size_t most);

 private:
  /// Numbers generated at once: small enough for the first-level cache, large enough for
  /// vectorisation to pay.
  static constexpr std::size_t kTile = 256;
  void refill_uniforms();
  void refill_normals();

  philox::Stream stream_;
  std::array<double, kTile> uniform_{};
  std::array<double, kTile> normal_{};
  std::size_t next_uniform_ = kTile;
  std::size_t next_normal_ = kTile;
};

/// Gamma variates with a fixed list of shapes, drawn together.
class GammaBatch {
 public:
  explicit GammaBatch(std::span<const double> shapes);
  std::size_t size() const { return exponential_.size() + rejection_.size(); }

  /// out[i] has shape shapes[i].
  void draw(Generator& source, std::span<double> out);

 private:
  /// Marsaglia and Tsang's constants of a shape.
  struct Rejection {
    std::size_t index;
    double shape;
    double d;
    double c;
  };
  std::vector<std::size_t> exponential_;  ///< where the shape is 1
  std::vector<Rejection> rejection_;
  std::vector<double> uniform_;
  std::vector<double> normal_;
};

}  // namespace honest_epsilon::variates
