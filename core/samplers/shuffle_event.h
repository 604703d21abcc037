#pragma once

/// The best event of the log-likelihood statistic, as an attack on shuffled batches.
namespace honest_epsilon::shuffle {

/// P(E) - e^eps Q(E) for E = {sum_t W(x_t) >= y}: W is the log-likelihood statistic rounded to a
/// lattice, which makes another event, not a wrong one, and y the best for it, near 0. Certified; 0
/// when round-off drowns it. In direction add the two laws change places.
double event_lower(double batches, double mu, double epsilon, bool remove);

/// The largest eps at which one such event proves delta: log((P(E) - delta) / Q(E)), since E is an
/// event whatever eps the statistic is made for. Certified; 0 when none proves any.
///   near: the eps that the statistic is made for.
double event_epsilon(double batches, double mu, double delta, double near, bool remove);

}  // namespace honest_epsilon::shuffle
