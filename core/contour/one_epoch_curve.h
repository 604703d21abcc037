#pragma once

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/interval.h"
#include "core/contour/moments.h"
#include "core/contour/one_epoch_integrand.h"
#include "core/contour/own_epsilon.h"
#include "core/math/quadrature.h"

namespace honest_epsilon::contour {

/// delta and epsilon of one epoch of balls-and-bins.
///
/// **The path** (OneEpochIntegrand) runs upright on Re s = -rho; for removal the axis leads to it.
/// rho is where what the upright part adds in total is bounded best. Where few ratios decide, that
/// is next to nothing, and F on the axis has a single hump and one sign; where many decide, the
/// axis counts for nothing and the upright part is nearly Gaussian. Nothing cancels in either, and
/// between them both are summed.
///
/// **The rule.** Gauss's on panels, with the integrand bounded on an ellipse around each. A node is
/// a double, and lies up to 4 units of the largest place in its panel off the rule's: by Cauchy,
/// that moves the integrand at most by it times the bound within a distance r, over r. The path
/// ends where bounds on the rest are small.
class OneEpochCurve : public OwnCurve {
 public:
  /// Domain: T >= 2 bins and B >= 0 blank ones, T + B a double; mu > 0.
  OneEpochCurve(double bins, double blank, double mu, Direction direction);

  std::optional<Interval> delta(double epsilon, double width) override;
  std::optional<Interval> epsilon(double target, double width) override;

 private:
  using EpochStrike = OneEpochIntegrand::EpochStrike;
  using PathBound = OneEpochIntegrand::PathBound;
  using PathNode = OneEpochIntegrand::PathNode;
  /// What a part of the path contributes.
  struct PathSum {
    double value = 0, slope = 0, error = 0;  ///< slope: d value / d epsilon
    double last = 0;                         ///< the modulus at the far end
    void operator+=(const PathSum& other);
  };
  static constexpr std::size_t kNodes = 30, kEllipses = 3;
  struct PathPanel {
    std::array<std::optional<PathBound>, kEllipses> ellipses;
    std::array<std::vector<PathBound>, 3> nearby;  ///< of 1, 4 and 16 cells
    std::vector<PathNode> nodes;
    std::optional<PathBound> rest;  ///< what follows on the path
  };
  /// A part of the path: the axis, where panels follow to the left, or an upright line.
  struct PathPart {
    double unit;  ///< of a panel's ends
    std::optional<OneEpochIntegrand::Upright> line;
    std::map<std::pair<int, int>, PathPanel> panels;  ///< by both ends
  };
  /// Where an upright part may begin.
  struct PathCorner {
    PathBound total;
    std::optional<PathPart> upright;
  };
  double rho_at(int index) const;
  /// The corner at log |rho| = index / kPlaces.
  PathCorner& corner_at(int index);
  /// Where the total is bounded best, or by this.
  int corner(const EpochStrike& strike, double log_enough);
  /// log delta, roughly.
  double guess(const EpochStrike& strike);

  /// On the integrand, up to so far beyond both places, and beside.
  PathBound bound(const PathPart& part, double low, double high, double beyond,
                  double beside) const;
  /// A panel's sum; none where the rule is off by more than this.
  ///   low, high: its ends, in units
  std::optional<PathSum> panel_sum(const PathPart& part, PathPanel& panel, int low, int high,
                                   const EpochStrike& strike, double log_enough) const;
  std::optional<PathSum> part_sum(PathPart& part, int from, const EpochStrike& strike,
                                  double log_enough);
  /// delta.   log_delta: roughly
  std::optional<PathSum> path_sum(const EpochStrike& strike, double log_delta, double width);
  std::optional<OwnDelta> asked(double epsilon, double width);
  /// Where the bound on the upright part's total is the target.
  double bulk_guess(double target);

  OneEpochIntegrand integrand_;
  bool removal_;
  std::array<quadrature::Node, kNodes> rule_ = quadrature::gauss_legendre();
  std::array<quadrature::Ellipse, kEllipses> tried_{
      {quadrature::ellipse(2.2), quadrature::ellipse(1.6), quadrature::ellipse(3.2)}};
  PathPart axis_;
  std::map<int, PathCorner> corners_;
  std::map<int, PathNode> coarse_;
  std::optional<int> corner_;  ///< where it was last
};

}  // namespace honest_epsilon::contour
