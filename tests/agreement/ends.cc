#include <cstdio>

#include "core/api/answer.h"
#include "core/api/catalog.h"

// Prints the ends of a list of answers with all their digits: run natively and as wasm, and laid
// side by side by .scripts/agreement.mjs.
namespace {

using namespace honest_epsilon;

void print(const api::Query& query, const char* mechanism, double sigma, double T) {
  const api::Outcome outcome = api::answer(query);
  const auto* answers = std::get_if<std::vector<api::Answer>>(&outcome);
  if (answers == nullptr) return;
  for (const api::Answer& a : *answers) {
    for (const auto& [name, value] :
         {std::pair{"remove", a.directions.remove}, std::pair{"add", a.directions.add}}) {
      std::printf("%s\t%s\t%s\t%g\t%g\t%s\t%.0f\t%.17g\t%.17g\n", query.question->c_str(),
                  a.sampler.c_str(), mechanism, sigma, T, name, a.work.grid_points, value.lower,
                  value.upper);
    }
  }
}

}  // namespace

int main() {
  for (const char* mechanism : {"gaussian", "laplace", "randomized-response"}) {
    for (const double sigma : {0.5, 2.75}) {
      for (const double T : {1.0, 30.0, 1000.0}) {
        api::Query query;
        api::Phase phase;
        phase.mechanism = mechanism;
        phase.noise_multiplier = sigma;
        phase.steps_per_epoch = T;
        query.phases = {phase};
        for (const api::Sampler& sampler : api::kSamplers) {
          std::get<api::Phase>(query.phases.front()).sampler = std::string(sampler.name);
          query.question = "delta";
          query.delta.reset();
          query.epsilon = 0.75;
          print(query, mechanism, sigma, T);
          query.question = "epsilon";
          query.epsilon.reset();
          query.delta = 0x1p-20;
          print(query, mechanism, sigma, T);
        }
      }
    }
  }
}
