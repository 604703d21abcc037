#pragma once

#include "core/base/interval.h"
#include "core/tradeoff/curve.h"

/// One step of noisy gradient descent on a linear model from a random start, I ~ N(0, 1), where one
/// example (a, 1) is there or not: its gradient, clipped to [-c, c], moves the output by
///   mu_I = clip(a - I, -c, c) / sigma
/// standard deviations of the noise. An observer who is also told I sees N(0, 1) against N(mu_I,
/// 1), and the output alone tells less. So the pair
///   P = (I, N(mu_I, 1)),  Q = (I, N(0, 1)),   delta(eps) = E_I[delta of mu_I-GDP at eps],
/// bounds the step, equally in both directions. Cite: [WS23, Thm 5.1]. Without regard to I the step
/// is (c / sigma)-GDP.
namespace honest_epsilon::random_initialisation {

struct InitialisationModel {
  double offset = 1;            ///< a, any finite number
  double clip = 1;              ///< c > 0; infinity for no clipping
  double noise_multiplier = 1;  ///< sigma > 0, the noise's standard deviation
};

/// delta(eps), certified. As a function of mu the Gaussian delta has the derivative
/// pdf(eps/mu - mu/2), so that it is convex up to mu = sqrt(2 eps) and concave beyond. The starts
/// are cut into cells on which it is one or the other: with the cell's mean start given, Jensen's
/// inequality bounds the mean of a convex function from below, the chord from above, and the other
/// way round for a concave one. Cells are halved until the two agree.
/// Domain: eps >= 0. Error: upper/lower below 1 + 1e-6 for delta >= 1e-12, 1 + 2e-5
/// for delta >= 1e-100.
Interval delta(const InitialisationModel& model, double epsilon);

/// The certified band of the trade-off function.
tradeoff::TradeOffCurve trade_off(const InitialisationModel& model,
                                  const tradeoff::Sampling& sampling = {});

/// mu of the guarantee that disregards the start.
double gdp_mu(const InitialisationModel& model);

/// delta(eps) of N(m1, v1) against N(m2, v2), from the roots of the quadratic log ratio: closed
/// form, good to about 1e-12. Without clipping outputs are Gaussian: with n examples (a, 1),
/// N(n a, (n-1)^2 + sigma^2) against N((n-1) a, (n-2)^2 + sigma^2).
struct Gaussian {
  double mean = 0;
  double variance = 1;
};
double delta_estimate(const Gaussian& p, const Gaussian& q, double epsilon);

/// Renyi divergence of the pair (P, Q) above without clipping, where mu_I ~ N(a/sigma, 1/sigma^2):
///   E exp(order (order-1) mu^2 / 2) is infinite once order (order - 1) >= sigma^2,
/// though delta(eps) is small: Renyi divergence does not see what a random start gives. With
/// clipping it is at most order c^2 / (2 sigma^2).
double unclipped_renyi_divergence(double order, double offset, double noise_multiplier);

}  // namespace honest_epsilon::random_initialisation
