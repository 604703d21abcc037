#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/interval.h"
#include "core/tradeoff/curve.h"

/// The data behind figures and tables of [WS23], ready to be drawn.
namespace honest_epsilon::tradeoff {

/// A line of a figure.
struct Line {
  std::string name;
  std::vector<Point> points;
};

/// Figure 1: for each eps0, the trade-off function of Theorem 4.2 (from below) beside the
/// (eps, delta) guarantee of [FMT23, Thm 3.2] at delta = n^-1.5, where its condition holds.
/// The paper has n = 10000; its eps0 are not printed.
std::vector<Line> figure_shuffle(const std::vector<double>& local_epsilons,
                                 std::int64_t users = 10000);

/// Figure 2: for each clip c, random initialisation's trade-off function (from below) beside
/// c-GDP, sigma = 1. The paper has offset 1; its values of c are not printed.
std::vector<Line> figure_initialisation(const std::vector<double>& clips, double offset = 1);

/// Figure 3: the shuffle model's mixtures for w = 1/3 (eps0 = log 2): the exact trade-off function
/// between its two polygons, joint concavity and advanced joint concavity. The paper does not print
/// its n. No n gives both numbers in its caption: delta(.5) = 1.5e-6 of the advanced bound needs
/// n = 93 (1.6e-6, but joint concavity .0034), .0020 of joint concavity needs n = 110 (3.2e-7).
std::vector<Line> figure_concavity(std::int64_t users = 93);

/// Table 1: delta of [FMT23]'s closed form (and whether its condition holds there), of Corollary
/// 4.3, and the exact one, at an epsilon. The paper has eps0 = 4.444, n = 10000.
struct DeltaRow {
  double epsilon = 0;
  double closed_form = 0;
  bool covered = false;
  Interval corollary;
  Interval exact;
};
std::vector<DeltaRow> table_delta(const std::vector<double>& epsilons, double local_epsilon = 4.444,
                                  std::int64_t users = 10000);

/// Table 2: epsilon of Corollary 4.3, the closed form's (eps0 where its condition fails), and the
/// exact one, at a delta. The table's third row, a numerical lower bound by a search it does not
/// describe, is not reproduced; the exact values are between it and the first row.
struct EpsilonRow {
  double delta = 0;
  Interval corollary;
  double closed_form = 0;
  bool covered = false;
  Interval exact;
};
std::vector<EpsilonRow> table_epsilon(const std::vector<double>& deltas,
                                      double local_epsilon = 4.444, std::int64_t users = 10000);

}  // namespace honest_epsilon::tradeoff
