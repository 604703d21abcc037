#pragma once

/// The best event of the log-likelihood statistic, as an attack on shuffled batches.
namespace honest_epsilon::shuffle {

/// P(E) - e^eps Q(E) for E = {sum_t W(x_t) >= y}: W is the log-likelihood statistic rounded to a
/// lattice, which makes another event, not a wrong one, and y the best for it, near 0. Certified; 0
/// when round-off drowns it.
double event_lower(double batches, double mu, double epsilon, bool remove);

}  // namespace honest_epsilon::shuffle
