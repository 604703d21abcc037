#include "core/samplers/shuffle_epochs.h"

#include <vector>

#include "core/pairs/pair.h"
#include "core/runs/attack.h"
#include "core/samplers/adaptive_attack.h"

namespace honest_epsilon::shuffle {

std::vector<Steps> epochs_attack(const Shape& shape, bool replaced, double epsilon) {
  std::vector<Steps> all;
  const auto add = [&](const Shape& epoch, double epochs) {
    const AttackedEpoch attacked{epoch.batches, epoch.mu, epoch.mu, replaced ? -epoch.mu : 0,
                                 epoch.used};
    const std::vector<pairs::Cell> events = adaptive_cells(attacked, epsilon);
    if (events.empty()) return;
    all.push_back(attack_steps(events, static_cast<std::int64_t>(epochs)));
  };
  if (shape.rounds > 0) add(shape, shape.rounds);
  if (shape.last > 0) add(shape.last_epoch(), 1);
  return all;
}

}  // namespace honest_epsilon::shuffle
