#include "core/tradeoff/figures.h"

#include <cmath>
#include <cstdio>

#include "core/tradeoff/random_initialisation.h"
#include "core/tradeoff/shuffle_model.h"

namespace honest_epsilon::tradeoff {
namespace {

using shuffle_model::Clone;
using shuffle_model::Model;

std::string labelled(const char* text, double value) {
  char label[64];
  std::snprintf(label, sizeof label, "%s %g", text, value);
  return label;
}

/// The curve that a bound on both directions' delta proves.
std::vector<Point> proved_by(const PrivacyCurve& bound) {
  return Curve(sample_symmetric(bound)).lower_points();
}

/// The polygon of one guarantee: its two lines and where they end.
std::vector<Point> guarantee_points(double epsilon, double delta) {
  const double corner = (1 - delta) / (1 + std::exp(epsilon));
  return {{0, 1 - delta}, {corner, corner}, {1 - delta, 0}, {1, 0}};
}

std::vector<Point> gaussian_points(double mu) {
  constexpr int kPoints = 200;
  std::vector<Point> points;
  points.reserve(kPoints + 1);
  for (int i = 0; i <= kPoints; ++i) {
    // Closer together at both ends, where the curve bends.
    const double share = static_cast<double>(i) / kPoints;
    const double alpha = share * share * (3 - 2 * share);
    points.push_back({alpha, gdp_false_negative_rate(mu, alpha).lower});
  }
  return points;
}

}  // namespace

std::vector<Line> figure_shuffle(const std::vector<double>& local_epsilons, std::int64_t users) {
  const double delta = std::pow(static_cast<double>(users), -1.5);
  std::vector<Line> lines;
  for (const double local_epsilon : local_epsilons) {
    const Model model{local_epsilon, users, Clone::stronger};
    lines.push_back({labelled("Theorem 4.2, eps0 =", local_epsilon),
                     proved_by([&](double e) { return delta_advanced_joint(model, e); })});
    const shuffle_model::ClosedForm printed = closed_form_epsilon(model, delta);
    if (printed.covered) {
      lines.push_back({labelled("(eps, delta), eps0 =", local_epsilon),
                       guarantee_points(printed.value, delta)});
    }
  }
  return lines;
}

std::vector<Line> figure_initialisation(const std::vector<double>& clips, double offset) {
  std::vector<Line> lines;
  for (const double clip : clips) {
    const random_initialisation::Model model{offset, clip, 1};
    lines.push_back({labelled("random initialisation, c =", clip),
                     random_initialisation::trade_off(model).lower_points()});
    lines.push_back({labelled("GDP, c =", clip), gaussian_points(clip)});
  }
  return lines;
}

std::vector<Line> figure_concavity(std::int64_t users) {
  const Model model{std::log(2.0), users, Clone::stronger};
  const Curve exact = shuffle_model::trade_off(model);
  return {{"exact, from below", exact.lower_points()},
          {"exact, from above", exact.upper_points()},
          {"joint concavity", proved_by([&](double e) { return delta_joint(model, e); })},
          {"advanced joint concavity",
           proved_by([&](double e) { return delta_advanced_joint(model, e); })}};
}

std::vector<DeltaRow> table_delta(const std::vector<double>& epsilons, double local_epsilon,
                                  std::int64_t users) {
  const Model model{local_epsilon, users, Clone::stronger};
  std::vector<DeltaRow> rows;
  for (const double epsilon : epsilons) {
    const shuffle_model::ClosedForm printed = closed_form_delta(model, epsilon);
    rows.push_back({epsilon, printed.value, printed.covered, delta_advanced_joint(model, epsilon),
                    delta(model, epsilon)});
  }
  return rows;
}

std::vector<EpsilonRow> table_epsilon(const std::vector<double>& deltas, double local_epsilon,
                                      std::int64_t users) {
  const Model model{local_epsilon, users, Clone::stronger};
  std::vector<EpsilonRow> rows;
  for (const double delta : deltas) {
    const shuffle_model::ClosedForm printed = closed_form_epsilon(model, delta);
    rows.push_back({delta, epsilon_advanced_joint(model, delta),
                    printed.covered ? printed.value : local_epsilon, printed.covered,
                    epsilon(model, delta)});
  }
  return rows;
}

}  // namespace honest_epsilon::tradeoff
