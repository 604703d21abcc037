#pragma once

/// The largest coordinate alone, as an attack on shuffled batches.
namespace honest_epsilon::shuffle {

/// Bound (7) of [HP24] in direction remove, P(max >= C) - e^eps Q(max >= C) at the best real C, and
/// its twin in direction add, Q(max < C) - e^eps P(max < C). Certified. mu = 1 / noise multiplier,
/// used: the probability that a record is in some batch.
double threshold_lower(double batches, double mu, double epsilon, bool remove, double used = 1);

/// The largest eps at which such an event proves delta > 0: log((P - delta) / Q) of an event of
/// probabilities P and Q, at the best C. Certified; 0 where none proves any.
double threshold_epsilon(double batches, double mu, double delta, bool remove, double used = 1);

/// Bounds of an event's probabilities, P from below and Q from above; in direction add the two laws
/// change places.
struct EventBounds {
  double p_lower = 0;
  double q_upper = 0;
};

/// Those of the event max >= z, or max < z in direction add; z may be below 0.
EventBounds threshold_event(double batches, double mu, bool remove, double used, double z);

/// log Pr[max of the coordinates < z], with one of them shifted where the record is used.
double log_all_below(double batches, double z, double shift, double used);

/// What the share that is used adds to that probability's error, absolutely: the share and the
/// product round, which counts where hardly more than the rest of it is left.
double used_error(double batches, double z, double shift, double used);

/// Relative error of a normal tail at z - shift, the rounding of the argument included.
double tail_error(double z, double shift);

}  // namespace honest_epsilon::shuffle
