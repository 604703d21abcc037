#pragma once

#include "core/samplers/run.h"

/// Balls-and-bins: every epoch, each record is put into one of the T batches, chosen at random on
/// its own. Dominating pair P = (1/T) sum_t N(e_t, s^2 I), Q = N(0, s^2 I); tight. Cite: [BB25,
/// Thm 3.1].
///
/// Under Q the likelihood ratio is the average S of T independent lognormals U_t of mean one, so
///   delta(P||Q)(eps) = E[(S - K)+],   delta(Q||P)(eps) = K E[(1/K - S)+],   K = e^eps:
/// a call and a put. What a single U_t above T K contributes is known in closed form; the rest is a
/// sum of bounded independent terms, composed under a tilt (core/pld).
namespace honest_epsilon::balls_and_bins {

Finding delta(const Run& run, double epsilon, const Effort& effort);
Finding epsilon(const Run& run, double delta, const Effort& effort);

/// One epoch of `bins` bins at shift mu = 1 / noise multiplier: P(max x_t >= C) - e^eps Q(max x_t
/// >= C) at the best C, a lower bound on direction remove. Cite: [BB25, (6)].
double threshold_lower(double bins, double mu, double epsilon);

}  // namespace honest_epsilon::balls_and_bins
