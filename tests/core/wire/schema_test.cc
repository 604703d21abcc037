#include "core/wire/schema.h"

#include <doctest/doctest.h>

#include <cctype>
#include <set>
#include <string>
#include <tuple>

#include "core/accounts/catalog.h"
#include "core/accounts/initialisation.h"
#include "core/accounts/mixtures.h"
#include "core/accounts/monte_carlo.h"
#include "core/accounts/shuffle_model.h"
#include "core/accounts/tradeoff.h"
#include "core/accounts/two_batches.h"

namespace honest_epsilon::wire {
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
  check_names<Directions>();
  check_names<Derived>();
  check_names<Warning>();
  check_names<Issue>();
  check_names<Work>();
  check_names<Answer>();
  check_names<accounts::MonteCarloShard>();
  check_names<accounts::MonteCarloSums>();
  check_names<accounts::MonteCarloPlan>();
  check_names<accounts::MonteCarloDrawn>();
  check_names<accounts::MonteCarloEstimate>();
  check_names<accounts::Band>();
  check_names<accounts::TradeOffAnswer>();
  check_names<accounts::ShuffleModelQuery>();
  check_names<accounts::ShuffleModelAnswer>();
  check_names<accounts::InitialisationQuery>();
  check_names<accounts::TwoBatchesQuery>();
  check_names<accounts::TwoBatchesAnswer>();
  check_names<accounts::InitialisationAnswer>();
  check_names<accounts::MixturesQuery>();
  check_names<accounts::MixturesAnswer>();
}

TEST_CASE("schema: every input says what it means and what it may be") {
  check_inputs<Phase>();
  check_inputs<Query>();
  check_inputs<accounts::MonteCarloShard>();
  check_inputs<accounts::MonteCarloSums>();
  check_inputs<accounts::ShuffleModelQuery>();
  check_inputs<accounts::InitialisationQuery>();
  check_inputs<accounts::MixturesQuery>();
  check_inputs<accounts::TwoBatchesQuery>();
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
    for (const accounts::Sampler& sampler : accounts::kSamplers)
      catalog.insert(std::string(sampler.name));
    CHECK(catalog.size() == accounts::kSamplers.size());
    CHECK(choices == catalog);
  });
}

}  // namespace honest_epsilon::wire
