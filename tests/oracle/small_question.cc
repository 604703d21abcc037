#include <algorithm>
#include <cmath>
#include <string>

#include "tests/oracle/accountant.h"

namespace honest_epsilon::oracle {
namespace {

using testing::Chance;
using wire::Phase;

/// What all phases have in common.
struct Common {
  std::string adjacency;
  double records = 1;
};

template <class... Names>
std::string one_of(Chance& chance, Names... names) {
  const std::string all[] = {names...};
  return all[chance.below(sizeof...(names))];
}

void choose_data(Phase& p, Chance& chance) {
  const double batches = chance.whole(1, 4);
  p.batch_size = chance.whole(1, 8);
  double batch = *p.batch_size;
  if (chance.happens(0.15)) batch *= *(p.accumulation_steps = 2);
  if (chance.happens(0.15)) batch *= *(p.devices = 2);
  const double rest = batches > 1 && chance.happens(0.4) ? chance.whole(1, batch) - 1 : 0;
  p.dataset_size = batch * batches - rest;
  if (chance.happens(0.5)) p.drop_last = chance.happens(0.5);
}

void choose_schedule(Phase& p, Chance& chance) {
  const std::size_t form = chance.below(3);
  if (form == 0) choose_data(p, chance);
  if (form == 1) p.steps_per_epoch = chance.whole(1, 4);
  if (form == 2)
    p.sampling_probability = chance.happens(0.5) ? 1 / chance.whole(1, 4) : chance.uniform(0.2, 1);
  const double length = chance.unit();
  if (length < 0.45) {
    p.epochs = chance.whole(1, 3);
  } else if (length < 0.9 || form == 2) {
    p.steps = chance.whole(1, 7);
  }
}

/// The fields that only some samplers take.
void choose_particulars(Phase& p, Chance& chance) {
  const std::string& sampler = *p.sampler;
  const bool poisson = sampler == "poisson", bins = sampler == "balls-and-bins";
  const bool gaussian = *p.mechanism == "gaussian", single = *p.records_per_user == 1;
  const bool counted = p.dataset_size.has_value();
  if ((bins || sampler == "shuffle") && chance.happens(0.3)) p.reshuffle = "once";
  if (bins && p.steps_per_epoch > 1.0 && p.epochs && chance.happens(0.25))
    p.participations = chance.whole(2, *p.steps_per_epoch);
  if (gaussian && chance.happens(0.1)) p.count_noise = chance.log_uniform(0.3, 5);
  if (sampler == "without-replacement" && counted && *p.mechanism != "laplace" &&
      *p.adjacency != "substitution" && *p.dataset_size > *p.records_per_user)
    p.replacement = chance.happens(0.3);
  if ((poisson || bins) && counted && !p.participations && chance.happens(0.3)) {
    p.max_batch_size = chance.whole(1, *p.dataset_size);
  } else if ((poisson || bins) && single && chance.happens(0.1)) {
    p.sampling_workers = 2;
  } else if (poisson && gaussian && single && p.steps_per_epoch > 1.0 && chance.happens(0.5)) {
    p.bands = chance.whole(1, *p.steps_per_epoch);
  }
}

Phase some_phase(Chance& chance, const Common& common) {
  Phase p;
  p.sampler = one_of(chance, "poisson", "shuffle", "balls-and-bins", "without-replacement",
                     "deterministic");
  p.mechanism = chance.happens(0.6) ? "gaussian" : one_of(chance, "laplace", "randomized-response");
  p.noise_multiplier = chance.log_uniform(0.7, 4);
  p.adjacency = common.adjacency;
  p.records_per_user = common.records;
  choose_schedule(p, chance);
  choose_particulars(p, chance);
  if (chance.happens(0.1)) p.swapped = true;
  return p;
}

wire::Release some_release(Chance& chance) {
  wire::Release release;
  const std::size_t kind = chance.below(3);
  if (kind == 0) release.mu = chance.uniform(0.1, 1);
  if (kind == 1) release.rho = chance.uniform(0.01, 0.3);
  if (kind == 2) {
    release.epsilon = chance.uniform(0, 1.5);
    if (chance.happens(0.6)) release.delta = chance.log_uniform(1e-5, 1e-2);
  }
  return release;
}

}  // namespace

wire::Query small_question(Chance& chance) {
  Common common{one_of(chance, "zero-out", "add-remove", "substitution")};
  if (chance.happens(0.35)) common.records = chance.whole(2, 3);
  wire::Query query;
  query.width = 5e-3;
  query.phases = {some_phase(chance, common)};
  if (chance.happens(0.25)) query.phases.emplace_back(some_phase(chance, common));
  if (chance.happens(0.2)) {
    for (double i = chance.whole(1, 2); i > 0; --i) query.phases.emplace_back(some_release(chance));
  } else if (chance.happens(0.1)) {
    query.tuning = "fixed";
    query.runs = 2;
  }
  return query;
}

}  // namespace honest_epsilon::oracle
