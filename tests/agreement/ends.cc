#include <cstdio>

#include "core/accounts/answer.h"
#include "core/accounts/catalog.h"

// Prints the ends of a list of answers with all their digits: run natively and as wasm, and laid
// side by side by .scripts/agreement.mjs.
namespace {

using namespace honest_epsilon;

void print(const wire::Query& query) {
  const accounts::Outcome outcome = accounts::answer(query);
  const auto* answers = std::get_if<std::vector<wire::Answer>>(&outcome);
  if (answers == nullptr) return;
  const auto& phase = std::get<wire::Phase>(query.phases.front());
  for (const wire::Answer& a : *answers) {
    for (const auto& [name, value] :
         {std::pair{"remove", a.directions.remove}, std::pair{"add", a.directions.add}}) {
      std::printf("%s\t%s\t%s\t%s\tsigma=%g\tT=%g\tepochs=%g\t%s\t%.0f\t%.17g\t%.17g\n",
                  query.question->c_str(), a.sampler.c_str(), phase.mechanism->c_str(),
                  phase.adjacency->c_str(), *phase.noise_multiplier, *phase.steps_per_epoch,
                  *phase.epochs, name, a.work.grid_points, value.lower, value.upper);
    }
  }
}

/// Both questions about every sampler's batches of a run.
void ask(wire::Phase phase) {
  wire::Query query;
  for (const accounts::Sampler& sampler : accounts::kSamplers) {
    phase.sampler = std::string(sampler.name);
    query.phases = {phase};
    query.question = "delta";
    query.delta.reset();
    query.epsilon = 0.75;
    print(query);
    query.question = "epsilon";
    query.epsilon.reset();
    query.delta = 0x1p-20;
    print(query);
  }
}

}  // namespace

int main() {
  wire::Phase phase;
  for (const double sigma : {0.5, 2.75}) {
    phase.noise_multiplier = sigma;
    for (const double T : {1.0, 30.0, 1000.0}) {
      phase.steps_per_epoch = T;
      for (const char* mechanism : {"gaussian", "laplace", "randomized-response"}) {
        phase.mechanism = mechanism;
        phase.adjacency = "zero-out";
        phase.epochs = 1;
        ask(phase);
      }
      if (T != 30) continue;
      phase.mechanism = "gaussian";
      phase.epochs = 3;
      ask(phase);
      phase.adjacency = "substitution";
      ask(phase);
    }
  }
}
