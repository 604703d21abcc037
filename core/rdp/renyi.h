#pragma once

#include <functional>

/// Renyi divergences of one step, rounded up.
///   D_a(P || Q) = log E_Q[(P/Q)^a] / (a - 1)
/// Every value is an upper bound on the larger of D_a(P || Q) and D_a(Q || P), quadrature,
/// truncation and round-off included; +inf where none is known. Orders are real and above 1.
/// Divergences of independent steps add, so a run's bound is the sum over its steps.
///
/// `mu` is the distance of the two laws in units of the noise: sensitivity / noise standard
/// deviation, or / the scale for Laplace noise. `q` is the sampling probability in (0, 1].
///
/// Where a pair has a reflection that swaps its laws p and r (Gaussian, Laplace, randomised
/// response), D_a((1-q) p + q r || p) is the larger of the two directions. Cite: [MTZ19, Thm 5].
namespace honest_epsilon::rdp {

/// A Renyi bound as a function of the order.
using RenyiCurve = std::function<double(double order)>;

/// D_a = a mu^2 / 2. Cite: [Mir17, Prop 7].
double gaussian(double order, double mu);

/// ((1-q) N(0) + q N(mu), N(0)), all real orders.
///   D_a = log E[(1 - q + q e^{mu z - mu^2/2})^a] / (a - 1),   z ~ N(0, 1)
/// Cite: [MTZ19]; evaluated by the trapezoidal rule, not by their series.
/// Error: relative 4e-12 + 1e-14 a, for mu in [1e-6, 40], q in [1e-12, 1], a mu up to some
/// thousands; beyond, and for mu above 1e3, a bound of the norm, and for q or mu below 1e-100 that
/// without sampling.
double subsampled_gaussian(double order, double q, double mu);

/// Laplace noise at distance mu. Cite: [Mir17, Prop 6].
double laplace(double order, double mu);

/// ((1-q) L(0) + q L(mu), L(0)) for Laplace noise, all real orders. Error and limits as for
/// Gaussian noise.
double subsampled_laplace(double order, double q, double mu);

/// Binary randomised response with parameter epsilon0, R_0 on one value and R_1 on the other:
/// ((1-q) R_0 + q R_1, R_0), a sum over two outcomes.
double randomized_response(double order, double q, double epsilon0);

/// A batch of fixed size drawn without replacement, one record substituted, Gaussian noise: `q` the
/// batch over the dataset, `mu` the distance under substitution (2 / noise multiplier).
/// One step's privacy curve is, either way round, at most that of remove, h [AP24, Thm 14], so
///   E[R^a] - 1 <= a (a-1) int_1^inf (k^(a-2) + k^(-a-1)) h(k) dk = E[F_a(w) + F_{1-a}(w); w > 0]
/// with w = q (e^{mu z - mu^2/2} - 1) and F_s(w) = (1 + w)^s - 1 - s w. The first part is bounded
/// by the whole of subsampled_gaussian's. At every order below [WBK19, Thm 9], which it replaces.
double without_replacement_substitution(double order, double q, double mu);

/// One epoch of balls-and-bins: P = (1/bins) sum_t N(mu e_t, I), Q = N(0, I), both directions.
/// Exact at whole orders up to contour::EpochPowers::most(); between them direction remove is
/// bounded by chords of (a-1) D_a, which is convex; above them, by the bound without sampling.
/// Domain: whole bins >= 1. All orders share the moments.
RenyiCurve balls_and_bins_curve(double bins, double mu);

}  // namespace honest_epsilon::rdp
