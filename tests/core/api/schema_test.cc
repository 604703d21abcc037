#include "core/api/schema.h"

#include <doctest/doctest.h>

#include <cctype>
#include <set>
#include <string>
#include <tuple>

#include "core/api/catalog.h"
#include "core/api/initialisation.h"
#include "core/api/mixtures.h"
#include "core/api/monte_carlo.h"
#include "core/api/shuffle_model.h"
#include "core/api/tradeoff.h"
#include "core/api/two_batches.h"

namespace honest_epsilon::api {
namespace {

bool is_snake_case(const std::string& name) {
  if (name.empty() || name.front() == '_' || name.back() == '_') return false;
  for (const char letter : name) {
    const auto code = static_cast<unsigned char>(letter);
    if (!std::islower(code) && !std::isdigit(code) && letter != '_') return false;
  }
  return true;
}

template <class Owner, class Visit>
void each_field(Visit visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); },
             fields(static_cast<const Owner*>(nullptr)));
}

template <class Owner>
void check_names() {
  std::set<std::string> names;
  each_field<Owner>([&](const auto& field) {
    CAPTURE(field.name);
    CHECK(is_snake_case(field.name));
    CHECK(names.insert(field.name).second);
  });
  CHECK(!names.empty());
}

template <class Owner>
void check_inputs() {
  each_field<Owner>([&](const auto& field) {
    CAPTURE(field.name);
    CHECK(std::string(field.label).size() >= 5);
    CHECK(std::string(field.meaning).back() == '.');
    if (field.type == FieldType::choice) {
      CHECK(!std::string(field.choices).empty());
    } else if (field.type != FieldType::flag) {
      CHECK(field.least < field.most);
    }
  });
}

}  // namespace

TEST_CASE("schema: names are snake_case and unique within their type") {
  check_names<Phase>();
  check_names<Query>();
  check_names<DirectionsOut>();
  check_names<Derived>();
  check_names<Warning>();
  check_names<Issue>();
  check_names<Work>();
  check_names<Answer>();
  check_names<MonteCarloShard>();
  check_names<MonteCarloSums>();
  check_names<MonteCarloPlan>();
  check_names<MonteCarloDrawn>();
  check_names<MonteCarloEstimate>();
  check_names<Band>();
  check_names<TradeOffAnswer>();
  check_names<ShuffleModelQuery>();
  check_names<ShuffleModelAnswer>();
  check_names<InitialisationQuery>();
  check_names<TwoBatchesQuery>();
  check_names<TwoBatchesAnswer>();
  check_names<InitialisationAnswer>();
  check_names<MixturesQuery>();
  check_names<MixturesAnswer>();
}

TEST_CASE("schema: every input says what it means and what it may be") {
  check_inputs<Phase>();
  check_inputs<Query>();
  check_inputs<MonteCarloShard>();
  check_inputs<MonteCarloSums>();
  check_inputs<ShuffleModelQuery>();
  check_inputs<InitialisationQuery>();
  check_inputs<MixturesQuery>();
  check_inputs<TwoBatchesQuery>();
}

TEST_CASE("schema: the sampler's choices are the catalog's names") {
  each_field<Phase>([&](const auto& field) {
    if (std::string(field.name) != "sampler") return;
    std::set<std::string> choices, catalog;
    std::string rest = std::string(field.choices) + " ";
    for (std::size_t space; (space = rest.find(' ')) != std::string::npos;) {
      choices.insert(rest.substr(0, space));
      rest.erase(0, space + 1);
    }
    for (const Sampler& sampler : kSamplers) catalog.insert(std::string(sampler.name));
    CHECK(catalog.size() == kSamplers.size());
    CHECK(choices == catalog);
  });
}

}  // namespace honest_epsilon::api
