#pragma once

#include <optional>
#include <string>

#include "core/wire/schema.h"

/// What a phase says in other words than the accountant's: its noise by a standard deviation, its
/// records as clients.
namespace honest_epsilon::wire {

inline bool of_clients(const Phase& phase) {
  return phase.privacy_unit == "client";
}
inline bool of_average(const Phase& phase) {
  return phase.noise_unit == "average";
}

/// Complains of noise that is stated by too little or too much.
///   solve_for: what is sought, the query's field
std::optional<Issue> check_noise(const Phase& phase, const std::string& solve_for);

/// The phase with the noise multiplier that its standard deviation is.
Phase with_multiplier(Phase phase);

/// The same sentence for clients: "one client's update is replaced by zero".
std::string in_client_words(std::string text);

}  // namespace honest_epsilon::wire
