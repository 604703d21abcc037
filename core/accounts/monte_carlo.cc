#include "core/accounts/monte_carlo.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "core/accounts/programme.h"
#include "core/accounts/remarks.h"
#include "core/accounts/trainer.h"
#include "core/base/spelling.h"
#include "core/monte_carlo/estimator.h"
#include "core/monte_carlo/order_statistics.h"
#include "core/wire/check.h"
#include "core/wire/guard.h"

namespace honest_epsilon::accounts {
namespace {

namespace mc = monte_carlo;

constexpr double kDefaultSamples = 1e5;
constexpr double kDefaultSeed = 1;
constexpr double kDefaultConfidence = 0.999;

/// A valid query: what is sampled, and the programme that remarks are made about.
struct Read {
  mc::SampleRequest request;
  Programme programme;
};

/// The phase's own validity, whatever is asked about it.
std::variant<Programme, Issue> read_phase(const MonteCarloQuery& query) {
  wire::Query run;
  run.question = "delta";
  run.epsilon = 0;
  run.phases = {static_cast<const wire::Phase&>(query)};
  return read_asking(run, "delta");
}

std::variant<mc::SampledPair, Issue> pair_of(const PhaseRun& phase) {
  const Sampler& sampler = *phase.sampler;
  const Mechanism mechanism = phase.run.mechanism;
  if (mechanism == Mechanism::gaussian && sampler.gaussian_pair) return *sampler.gaussian_pair;
  if (mechanism == Mechanism::laplace && sampler.laplace_pair) return *sampler.laplace_pair;
  if (sampler.gaussian_pair) {
    return wire::contradiction(
        &wire::Phase::mechanism, phase.given,
        "be \"gaussian\" (or \"laplace\" with sampler " + samplers_with([](const Sampler& s) {
          return s.laplace_pair.has_value();
        }) + ") for Monte Carlo",
        " with " + spell_text(sampler.name));
  }
  return wire::contradiction("sampler", "be " + samplers_with([](const Sampler& s) {
                                          return s.gaussian_pair.has_value();
                                        }) + " for Monte Carlo",
                             spell_text(sampler.name));
}

/// Complains of epochs that are not drawn afresh, whole, and from all records.
std::optional<Issue> check_epochs(const PhaseRun& phase) {
  const Run& run = phase.run;
  if (phase.sampler->can_keep_draw && run.shares_draw() && !run.correlation) {
    return wire::contradiction(
        "reshuffle", "be \"each-epoch\" for Monte Carlo",
        "\"once\" (k epochs of one draw are one epoch with the noise multiplier "
        "divided by the square root of k)");
  }
  if (run.used_share < 1) {
    return wire::contradiction(
        "drop_last",
        "be absent or false for Monte Carlo of shuffled batches that do not fill, "
        "whose records are at times left out",
        "true");
  }
  if (phase.bracketed() || run.missing_steps > 0) {
    const bool by_steps = phase.given.steps.has_value();
    return Issue{
        "contradiction", by_steps ? "steps" : "sampling_probability",
        std::string(by_steps ? "steps" : "1 / samplingProbability") +
            " must make whole epochs for Monte Carlo of batches that an epoch is "
            "cut into; got " +
            spell(by_steps ? *phase.given.steps : 1 / phase.schedule.sampling_probability) +
            " (an epoch has " + spell(phase.schedule.steps_per_epoch) + " steps)"};
  }
  return std::nullopt;
}

/// Complains of what the accountants know and no sampled pair has.
std::optional<Issue> check_plain_run(const PhaseRun& phase) {
  if (phase.run.adjacency == Adjacency::substitution) {
    return wire::contradiction("adjacency", "be \"zero-out\" or \"add-remove\" for Monte Carlo",
                               "\"substitution\"");
  }
  if (auto issue = check_epochs(phase)) return issue;
  if (phase.swapped()) {
    return wire::contradiction(
        "swapped", "be absent or false for Monte Carlo, which asks for a direction", "true");
  }
  const auto whole = [](const wire::Number& n) { return static_cast<std::int64_t>(n.value_or(1)); };
  const auto ones = {std::pair{"bands", phase.run.correlation ? 1 : whole(phase.given.bands)},
                     std::pair{"sampling_workers", whole(phase.given.sampling_workers)},
                     std::pair{"records_per_user", phase.run.records_per_user}};
  for (const auto& [field, value] : ones) {
    if (value != 1) {
      return wire::contradiction(field, "be 1 or absent for Monte Carlo", std::to_string(value));
    }
  }
  if (phase.given.max_batch_size) {
    return wire::contradiction(
        &wire::Phase::max_batch_size, phase.given,
        "be absent for Monte Carlo, which has no term for the records that are cut");
  }
  return std::nullopt;
}

std::variant<std::vector<std::int64_t>, Issue> read_ranks(const wire::RankList& ranks) {
  if (ranks.automatic) return std::vector<std::int64_t>{};
  if (ranks.list.empty() || ranks.list.size() > kMostRanks) {
    return wire::refused("out-of-domain", "order_statistics",
                         "be \"auto\" or a list of 1 to 10000 ranks",
                         std::to_string(ranks.list.size()));
  }
  std::vector<std::int64_t> orders;
  for (const double rank : ranks.list) {
    if (!(rank >= 1 && rank <= wire::kMostSteps && rank == std::floor(rank))) {
      return wire::refused("out-of-domain", "order_statistics",
                           "hold whole numbers from 1 to the steps of an epoch", spell(rank));
    }
    orders.push_back(static_cast<std::int64_t>(rank));
  }
  return orders;
}

/// The sampler's own issue, with its field spelt as on the wire.
Issue respelt(const Issue& issue, bool by_steps, const wire::Phase& phase) {
  std::string field = issue.field;
  if (field == "column") field = matrix_field(phase);
  if (field == "orders") field = "order_statistics";
  if (field == "steps" && !by_steps) field = "steps_per_epoch";
  return {"out-of-domain", field, camel_case(field) + issue.text.substr(issue.field.size())};
}

bool is_poisson(mc::SampledPair pair) {
  return pair == mc::SampledPair::poisson_gaussian || pair == mc::SampledPair::poisson_laplace;
}

/// The method asked for; by default conditional where that is known, else plain.
mc::SampledMean method_of(const wire::Choice& name, mc::SampleRequest request) {
  if (name) {
    if (*name == "importance") return mc::SampledMean::importance;
    return *name == "plain" ? mc::SampledMean::plain : mc::SampledMean::conditional;
  }
  request.method = mc::SampledMean::conditional;
  return check(request) ? mc::SampledMean::plain : mc::SampledMean::conditional;
}

std::variant<Read, Issue> read(const MonteCarloQuery& asked) {
  if (asked.noise_end)
    return wire::contradiction(&wire::Phase::noise_end, asked, "be absent for Monte Carlo");
  auto programme = read_phase(asked);
  if (const Issue* issue = std::get_if<Issue>(&programme)) return *issue;
  Read result = {{}, std::get<Programme>(std::move(programme))};
  const PhaseRun& phase = result.programme.phases.front();
  const auto pair = pair_of(phase);
  if (const Issue* issue = std::get_if<Issue>(&pair)) return *issue;
  if (auto issue = check_plain_run(phase)) return *issue;

  mc::SampleRequest& request = result.request;
  request.pair = std::get<mc::SampledPair>(pair);
  request.direction =
      asked.direction.value_or("remove") == "add" ? Direction::add : Direction::remove;
  request.noise_multiplier = phase.run.noise_multiplier;
  request.steps = phase.run.steps_per_epoch;
  request.epochs = phase.run.epochs;
  request.participations = phase.run.participations;
  if (phase.run.correlation) {
    request.pair = mc::SampledPair::correlated_bins;
    request.kept_epochs = request.epochs;
    request.epochs = 1;
    std::tie(request.column, request.column_error) =
        column_of(phase.given, phase.run.steps_per_epoch * phase.run.epochs);
  }
  if (is_poisson(request.pair)) {
    request.sampling_probability = phase.run.sampling_probability;
    request.steps = phase.run.steps;
    request.epochs = 1;
  }
  request.epsilons = asked.epsilons;
  if (asked.order_statistics) {
    auto orders = read_ranks(*asked.order_statistics);
    if (const Issue* issue = std::get_if<Issue>(&orders)) return *issue;
    request.order_statistics = true;
    request.orders = std::get<0>(std::move(orders));
  }
  request.method = method_of(asked.method, request);
  if (const auto issue = check(request))
    return respelt(*issue, is_poisson(request.pair), phase.given);
  return result;
}

template <class Asked>
std::variant<Read, Issue> validated(const Asked& asked) {
  if (auto issue = wire::check_all(asked)) return *issue;
  return read(asked);
}

MonteCarloQuery shortest(const Read& read) {
  const mc::SampleRequest& from = read.request;
  MonteCarloQuery query;
  query.sampler = std::string(read.programme.phases.front().sampler->name);
  query.mechanism = from.pair == mc::SampledPair::poisson_laplace ? "laplace" : "gaussian";
  query.noise_multiplier = from.noise_multiplier;
  const auto steps = static_cast<double>(from.steps);
  if (is_poisson(from.pair)) {
    query.sampling_probability = from.sampling_probability;
    query.steps = steps;
  } else {
    query.steps_per_epoch = steps;
    query.epochs = static_cast<double>(from.epochs);
    if (from.participations > 1) query.participations = static_cast<double>(from.participations);
  }
  if (from.pair == mc::SampledPair::correlated_bins) {
    const wire::Phase& given = read.programme.phases.front().given;
    query.epochs = static_cast<double>(from.kept_epochs);
    query.reshuffle = "once";
    query.bands = given.bands;
    query.matrix = given.matrix;
    query.matrix_column = given.matrix_column;
    query.buffer_weights = given.buffer_weights;
    query.buffer_decays = given.buffer_decays;
  }
  query.direction = from.direction == Direction::add ? "add" : "remove";
  query.method = mc::name_of(from.method);
  query.epsilons = from.epsilons;
  if (from.order_statistics)
    query.order_statistics = {from.orders.empty(), {from.orders.begin(), from.orders.end()}};
  return query;
}

/// The ranks drawn of the coordinates that are sampled by rank.
wire::Numbers ranks_of(const mc::SampleRequest& request) {
  if (!request.order_statistics) return {};
  const auto orders = request.orders.empty() ? mc::automatic_orders(request.steps) : request.orders;
  return {orders.begin(), orders.end()};
}

/// The estimator of the last request, kept since its tables serve the next chunks, too.
mc::Estimator& estimator_of(const mc::SampleRequest& request) {
  struct Kept {
    mc::SampleRequest request;
    mc::Estimator estimator;
  };
  thread_local std::unique_ptr<Kept> kept;
  if (!kept || !(kept->request == request)) {
    kept.reset();  // before the next one is made: one at a time in memory
    kept = std::make_unique<Kept>(Kept{request, mc::Estimator(request)});
  }
  return kept->estimator;
}

std::size_t sums_of(const mc::SampleRequest& request, const mc::Estimator& estimator) {
  return estimator.parts().size() * (request.order_statistics ? 4 : 2);
}

std::vector<std::string> spell_sums(const mc::Tally& tally) {
  std::vector<std::string> texts;
  for (const auto* side : {&tally.upper, &tally.lower}) {
    for (const mc::MomentSums& moments : *side) {
      texts.push_back(moments.sum.text());
      texts.push_back(moments.squares.text());
    }
  }
  return texts;
}

Issue bad_sums(const std::string& text) {
  return {"bad-tally", "sums", "sums must be what samples of this query add up to; " + text};
}

/// Samples in [0, 1] add up to at most their count, and their squares to at most their sum.
bool possible(const mc::MomentSums& moments, double samples) {
  // The sums are exact; doubles that carry them are not.
  constexpr double kSumRounding = 1 + 1e-12;
  return moments.sum.value() <= samples * kSumRounding &&
         moments.squares.value() <= moments.sum.value() * kSumRounding;
}

std::variant<mc::Tally, Issue> read_tally(const mc::SampleRequest& request,
                                          const mc::Estimator& estimator, double samples,
                                          const wire::Texts& sums) {
  const auto each = static_cast<double>(samples_per_chunk(request));
  if (std::floor(samples / each) * each != samples) {
    return wire::refused("bad-tally", "samples", "be whole chunks of " + spell(each),
                         spell(samples));
  }
  const std::size_t wanted = sums_of(request, estimator);
  if (sums.size() != wanted) {
    return bad_sums("got " + std::to_string(sums.size()) + " of " + std::to_string(wanted));
  }
  mc::Tally tally;
  tally.samples = static_cast<std::int64_t>(samples);
  const std::size_t parts = estimator.parts().size();
  for (std::size_t i = 0; i < wanted; i += 2) {
    const auto sum = mc::FixedSum::parse(sums[i]);
    const auto squares = mc::FixedSum::parse(sums[i + 1]);
    if (!sum || !squares)
      return bad_sums("got " + spell_text((sum ? sums[i + 1] : sums[i]).substr(0, 40)));
    const mc::MomentSums moments = {*sum, *squares};
    if (!possible(moments, samples)) {
      return bad_sums("no " + spell(samples) + " samples make " + sums[i] + " with squares " +
                      sums[i + 1]);
    }
    (i / 2 < parts ? tally.upper : tally.lower).push_back(moments);
  }
  return tally;
}

/// attack: whether the pair sampled is that of one attack, whose delta is a lower end only.
MonteCarloEstimate estimate_of(double epsilon, const mc::DeltaEstimate& found, bool attack) {
  MonteCarloEstimate result;
  result.epsilon = epsilon;
  bool widened = false;
  result.delta = wire::guarded(found.delta, 1, widened);
  if (attack) result.delta.upper = std::numeric_limits<double>::infinity();
  result.mean = {found.mean_lower, found.mean_upper, IntervalKind::estimate};
  if (std::isfinite(found.standard_error)) result.standard_error = found.standard_error;
  return result;
}

mc::Confidence confidence_of(const MonteCarloQuery& query) {
  mc::Confidence confidence;
  confidence.error = 1 - query.confidence.value_or(kDefaultConfidence);
  confidence.simultaneous = query.simultaneous.value_or(false);
  const std::string ends = query.ends.value_or("best");
  if (ends == "kl") confidence.ends = mc::Ends::kl;
  if (ends == "hoeffding") confidence.ends = mc::Ends::hoeffding;
  return confidence;
}

std::vector<wire::Assumption> assumptions_for(const Read& read) {
  std::vector<wire::Assumption> list = assumptions_of(read.programme, false);
  // The first assumption is about the sampler's proved upper end, which has no part in this.
  if (samples_an_attack(read.request)) list.front() = wire::assumes::attack_sampled();
  return list;
}

}  // namespace

std::variant<MonteCarloPlan, Issue> monte_carlo_plan(const MonteCarloQuery& query) {
  const auto valid = validated(query);
  if (const Issue* issue = std::get_if<Issue>(&valid)) return *issue;
  const Read& read = std::get<Read>(valid);
  MonteCarloPlan plan;
  plan.query = shortest(read);
  plan.samples_per_chunk = static_cast<double>(samples_per_chunk(read.request));
  plan.chunks = std::ceil(query.samples.value_or(kDefaultSamples) / plan.samples_per_chunk);
  plan.samples = plan.chunks * plan.samples_per_chunk;
  plan.seed = query.seed.value_or(kDefaultSeed);
  plan.confidence = query.confidence.value_or(kDefaultConfidence);
  plan.simultaneous = query.simultaneous.value_or(false);
  plan.sums = static_cast<double>(sums_of(read.request, estimator_of(read.request)));
  plan.orders = ranks_of(read.request);
  plan.adjacency = adjacency_answered(read.programme);
  plan.assume(assumptions_for(read));
  plan.warnings = warnings_of(read.programme, {false, 0, 1}, {0, 0, IntervalKind::estimate}, false);
  plan.citations = citations_of(read.programme, Method::none, false);
  return plan;
}

std::variant<MonteCarloDrawn, Issue> monte_carlo_chunks(const MonteCarloShard& shard) {
  const auto valid = validated(shard);
  if (const Issue* issue = std::get_if<Issue>(&valid)) return *issue;
  if (auto issue = wire::require(&MonteCarloShard::first_chunk, shard)) return *issue;
  if (auto issue = wire::require(&MonteCarloShard::chunk_count, shard)) return *issue;
  mc::Estimator& estimator = estimator_of(std::get<Read>(valid).request);
  const auto seed = static_cast<std::uint64_t>(shard.seed.value_or(kDefaultSeed));
  const auto first = static_cast<std::uint64_t>(*shard.first_chunk);
  const auto count = static_cast<std::uint64_t>(*shard.chunk_count);
  mc::Tally tally = estimator.run_chunk(seed, first);
  for (std::uint64_t i = 1; i < count; ++i) merge(tally, estimator.run_chunk(seed, first + i));
  return MonteCarloDrawn{static_cast<double>(tally.samples), spell_sums(tally)};
}

std::variant<std::vector<MonteCarloEstimate>, Issue> monte_carlo_estimates(
    const MonteCarloSums& sums) {
  const auto valid = validated(sums);
  if (const Issue* issue = std::get_if<Issue>(&valid)) return *issue;
  wire::Number MonteCarloSums::* const samples = &MonteCarloSums::samples;
  if (auto issue = wire::require(samples, sums)) return *issue;
  const mc::SampleRequest& request = std::get<Read>(valid).request;
  const mc::Estimator& estimator = estimator_of(request);
  const auto tally = read_tally(request, estimator, *sums.samples, sums.sums);
  if (const Issue* issue = std::get_if<Issue>(&tally)) return *issue;
  const auto found = estimator.estimates(std::get<mc::Tally>(tally), confidence_of(sums));
  std::vector<MonteCarloEstimate> result;
  for (std::size_t i = 0; i < found.size(); ++i)
    result.push_back(estimate_of(request.epsilons[i], found[i], samples_an_attack(request)));
  return result;
}

}  // namespace honest_epsilon::accounts
