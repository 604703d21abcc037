#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/interval.h"
#include "core/contour/moments.h"

namespace honest_epsilon::contour {

/// What an own curve's sum says of delta at an epsilon.
struct OwnDelta {
  double value = 0, slope = 0, error = 0;  ///< slope: d value / d epsilon

  Interval interval() const;
};

/// Asked at an epsilon, for a relative width that suffices; none where it does not serve.
using AskOwn = std::function<std::optional<OwnDelta>(double epsilon, double width)>;

/// Holds the smallest epsilon >= 0 with delta(epsilon) <= target: Newton's method on log delta from
/// `start`, and delta on either side of where it ends.
std::optional<Interval> own_epsilon(const AskOwn& asked, double target, double start, double width);

/// A curve, and another one where that comes out wide.
class EitherCurve : public OwnCurve {
 public:
  EitherCurve(std::unique_ptr<OwnCurve> first, std::unique_ptr<OwnCurve> second)
      : first_(std::move(first)), second_(std::move(second)) {}
  std::optional<Interval> delta(double epsilon, double width) override {
    return either(width, [&](OwnCurve& curve) { return curve.delta(epsilon, width); });
  }
  std::optional<Interval> epsilon(double target, double width) override {
    return either(width, [&](OwnCurve& curve) { return curve.epsilon(target, width); });
  }

 private:
  template <class Ask>
  std::optional<Interval> either(double width, Ask ask) {
    const std::optional<Interval> found = ask(*first_);
    if (found && found->upper - found->lower <= width * found->upper) return found;
    const std::optional<Interval> other = ask(*second_);
    if (found && other) return intersect(*found, *other);
    return found ? found : other;
  }
  std::unique_ptr<OwnCurve> first_, second_;
};

}  // namespace honest_epsilon::contour
