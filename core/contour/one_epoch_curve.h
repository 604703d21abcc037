#pragma once

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/interval.h"
#include "core/contour/moments.h"
#include "core/contour/one_epoch_integrand.h"
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
    double low, high;
    std::array<std::optional<PathBound>, kEllipses> ellipses;
    std::map<std::size_t, std::vector<PathBound>> nearby;  ///< by how many cells
    std::vector<PathNode> nodes;
  };
  /// Panels by where they begin and how long they are, in units.
  using PathPanels = std::map<std::pair<int, int>, PathPanel>;
  struct UprightPart {
    PathBound total;
    std::optional<OneEpochIntegrand::Upright> line;
    std::map<int, PathBound> ends;
    PathPanels panels;
  };
  double rho_at(int index) const;
  /// The part at log |rho| = index / kPlaces.
  UprightPart& upright(int index);
  /// Where the total is bounded best, or by this.
  int corner(const EpochStrike& strike, double log_enough);
  /// log delta, roughly.
  double guess(const EpochStrike& strike);

  /// The panel's part; none where the rule is off by more than this.
  ///   bound(low, high, beyond, beside): on the integrand, up to so far beyond its ends, and beside
  template <class Node, class Edge>
  std::optional<PathSum> panel_sum(PathPanel& panel, const EpochStrike& strike, double log_enough,
                                   double nearby, Node node, Edge bound);
  std::optional<PathSum> axis_sum(int corner, const EpochStrike& strike, double log_enough);
  std::optional<PathSum> upright_sum(int corner, const EpochStrike& strike, double log_enough);
  /// delta.   log_delta: roughly
  std::optional<PathSum> path_sum(const EpochStrike& strike, double log_delta, double width);
  std::optional<PathSum> asked(double epsilon, double width);
  /// Where the bound on the upright part's total is the target.
  double bulk_guess(double target);
  /// Where delta is the target, from an epsilon near it.
  std::optional<double> root(double target, double guess, double width);

  OneEpochIntegrand integrand_;
  bool removal_;
  std::array<quadrature::Node, kNodes> rule_ = quadrature::gauss_legendre();
  std::map<int, UprightPart> uprights_;
  std::map<int, PathNode> coarse_;
  std::map<int, PathBound> left_;
  PathPanels axis_;
  std::optional<int> corner_;  ///< where it was last
};

}  // namespace honest_epsilon::contour
