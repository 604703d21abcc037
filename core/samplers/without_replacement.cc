#include "core/samplers/without_replacement.h"

#include <memory>

#include "core/pairs/glued.h"
#include "core/pairs/one_step.h"
#include "core/rdp/renyi.h"
#include "core/runs/step_pair.h"
#include "core/samplers/poisson.h"

namespace honest_epsilon::without_replacement {
namespace {

/// The Poisson run whose pair is R. A response's bit turns all the same, whatever took its place.
Run at_distance_two(Run run) {
  run.adjacency = Adjacency::zero_out;
  if (run.places > 0) run.records_per_user = run.places;
  if (run.mechanism != Mechanism::randomized_response) run.noise_multiplier /= 2;
  return run;
}

bool is_glued(const Run& run) {
  return run.adjacency == Adjacency::substitution && run.sampling_probability < 1;
}

Parts glued_parts(const Run& run, const Demand& demand) {
  const Run plain = at_distance_two(run);
  Parts result = poisson::parts(plain, demand);
  result.symmetric = true;
  if (!result.tight) return result;
  result.tight = false;
  result.lower = result.upper;
  const auto pair = std::make_shared<const pairs::Glued>(step_pair(plain, records_of(plain)));
  Steps steps{std::make_shared<pld::PairSource>(pair), run.steps};
  if (run.steps == 1) {
    steps.curve = [pair](Direction direction, double e) {
      return pairs::one_step(*pair, direction, e);
    };
  }
  result.upper.steps = {steps};
  return result;
}

Finding glued(const Run& run, Asked asked, double given, const Effort& effort) {
  Finding finding = compose([&](const Demand& demand) { return glued_parts(run, demand); }, 1,
                            asked, given, effort);
  finding.method = Method::glued;
  return finding;
}

}  // namespace

Finding delta(const Run& run, double epsilon, const Effort& effort) {
  if (!is_glued(run)) return poisson::delta(at_distance_two(run), epsilon, effort);
  return glued(run, epsilon == 0 ? Asked::total_variation : Asked::delta, epsilon, effort);
}

Finding epsilon(const Run& run, double delta, const Effort& effort) {
  if (!is_glued(run)) return poisson::epsilon(at_distance_two(run), delta, effort);
  return glued(run, Asked::epsilon, delta, effort);
}

Parts parts(const Run& run, const Demand& demand) {
  return is_glued(run) ? glued_parts(run, demand) : poisson::parts(at_distance_two(run), demand);
}

bool has_gap(const Run& run) {
  const bool one_by_one = run.records_per_user > 1 && run.places == 0 && run.drawn_from == 0;
  return run.adjacency == Adjacency::substitution || one_by_one;
}

rdp::RenyiCurve renyi(const Run& run) {
  if (!is_glued(run) || run.mechanism == Mechanism::randomized_response)
    return poisson::renyi(at_distance_two(run));
  if (run.mechanism != Mechanism::gaussian) return [](double) { return kInfinity; };
  const double mu = 2 * run.shift();
  return [steps = static_cast<double>(run.steps), q = run.sampling_probability, mu](double order) {
    return steps * rdp::without_replacement_substitution(order, q, mu);
  };
}

}  // namespace honest_epsilon::without_replacement
