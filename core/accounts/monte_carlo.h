#pragma once

#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "core/wire/schema.h"

/// Monte Carlo over the wire: what is to be sampled is stated as a phase is, samples come in chunks
/// that any worker or machine can draw, and what they add up to is turned into intervals.
namespace honest_epsilon::accounts {

/// No list of any question is longer.
inline constexpr std::size_t kMostRanks = 10'000;

/// One stretch of training whose delta is to be sampled.
struct MonteCarloQuery : wire::Phase {
  wire::Choice direction;
  wire::Choice method;
  wire::Numbers epsilons;
  wire::Ranks order_statistics;
  wire::Number samples, seed;
  wire::Number confidence;
  wire::Flag simultaneous;
  wire::Choice ends;
};

inline constexpr double kMostSamples = 1e15;
inline constexpr double kMostChunks = 9007199254740991.0;  // 2^53 - 1: the last whole double

constexpr auto fields(const MonteCarloQuery*) {
  using Q = MonteCarloQuery;
  return std::tuple_cat(
      wire::inherited_fields<Q, wire::Phase>(),
      std::make_tuple(
          wire::InputField{
              "direction", &Q::direction, wire::FieldType::choice, "Direction",
              "Remove compares the run with the record to the one without it; add is the "
              "reverse.",
              0, 0, false, "remove add"},
          wire::InputField{"method", &Q::method, wire::FieldType::choice, "Method",
                           "The estimator of delta (default: conditional for one epoch of "
                           "balls-and-bins, otherwise plain).",
                           0, 0, false, "conditional plain importance"},
          wire::InputField{"epsilons", &Q::epsilons, wire::FieldType::numbers, "Epsilons",
                           "The epsilons, to find delta; all from the same samples.", 0, 500, false,
                           "", "ε"},
          wire::InputField{
              "order_statistics", &Q::order_statistics, wire::FieldType::ranks, "Order statistics",
              "Balls-and-bins: sample only these ranks of the sorted coordinates and bound "
              "the rest by "
              "their neighbours; auto, or a list such as 1,2,4,8 (default: all).",
              1, wire::kMostSteps},
          wire::InputField{"samples", &Q::samples, wire::FieldType::count, "Samples",
                           "Number of samples, rounded up to whole chunks (default: 100,000).", 1,
                           kMostSamples, false, "", "m"},
          wire::InputField{"seed", &Q::seed, wire::FieldType::count, "Random seed",
                           "The same seed gives the same samples everywhere (default: 1).", 0,
                           kMostChunks},
          wire::InputField{"confidence", &Q::confidence, wire::FieldType::number, "Confidence",
                           "Probability that an interval contains the true value (default: 0.999).",
                           0, 1, true},
          wire::InputField{"simultaneous", &Q::simultaneous, wire::FieldType::flag, "All at once",
                           "Apply the confidence to the intervals of all epsilons together, not "
                           "to each one.",
                           0, 1},
          wire::InputField{
              "ends", &Q::ends, wire::FieldType::choice, "Confidence ends",
              "Bound for the ends of an interval: Chernoff's (kl), Hoeffding's, or the better of "
              "Chernoff's and the empirical Bernstein bound (best).",
              0, 0, false, "best kl hoeffding"}));
}

/// Some of the chunks of a query: from `first_chunk` on, `chunk_count` of them.
struct MonteCarloShard : MonteCarloQuery {
  wire::Number first_chunk, chunk_count;
};

constexpr auto fields(const MonteCarloShard*) {
  using S = MonteCarloShard;
  return std::tuple_cat(
      wire::inherited_fields<S, MonteCarloQuery>(),
      std::make_tuple(wire::InputField{"first_chunk", &S::first_chunk, wire::FieldType::count,
                                       "First chunk", "The first chunk to draw.", 0, kMostChunks},
                      wire::InputField{"chunk_count", &S::chunk_count, wire::FieldType::count,
                                       "Number of chunks", "How many chunks to draw.", 1, 1e6}));
}

/// A query whose `samples` were drawn, and what they add up to.
struct MonteCarloSums : MonteCarloQuery {
  wire::Texts sums;
};

constexpr auto fields(const MonteCarloSums*) {
  using S = MonteCarloSums;
  return std::tuple_cat(
      wire::inherited_fields<S, MonteCarloQuery>(),
      std::make_tuple(wire::InputField{
          "sums", &S::sums, wire::FieldType::texts, "Sums drawn",
          "Exact sums of the samples and of their squares, 32 hexadecimal digits each.", 0, 1}));
}

/// What a query comes to before anything is drawn.
struct MonteCarloPlan : wire::Grounds {
  /// The query in its shortest full form: two that ask the same have the same one. Holds nothing of
  /// samples, seed and confidence.
  MonteCarloQuery query;
  double chunks = 0;
  double samples_per_chunk = 0;
  double samples = 0;  ///< of all chunks
  double seed = 0;
  double confidence = 0;
  bool simultaneous = false;
  double sums = 0;        ///< how many a tally has
  wire::Numbers orders;   ///< the ranks drawn, none when every coordinate is
  std::string adjacency;  ///< as in Answer
};

constexpr auto fields(const MonteCarloPlan*) {
  using P = MonteCarloPlan;
  return std::tuple_cat(
      wire::outputs<&P::query, &P::chunks, &P::samples_per_chunk, &P::samples, &P::seed,
                    &P::confidence, &P::simultaneous, &P::sums, &P::orders, &P::adjacency>(),
      wire::grounds_fields());
}

/// What the samples of some chunks add up to.
struct MonteCarloDrawn {
  double samples = 0;
  std::vector<std::string> sums;
};

constexpr auto fields(const MonteCarloDrawn*) {
  using D = MonteCarloDrawn;
  return wire::outputs<&D::samples, &D::sums>();
}

/// One epsilon's answer.
struct MonteCarloEstimate {
  double epsilon = 0;
  Interval delta;  ///< holds with the confidence asked for; no upper end where an attack's
  Interval mean;   ///< of the samples; proves nothing
  wire::Number standard_error;  ///< of its upper end
};

constexpr auto fields(const MonteCarloEstimate*) {
  using E = MonteCarloEstimate;
  return wire::outputs<&E::epsilon, &E::delta, &E::mean, &E::standard_error>();
}

/// Validates a query, and says how many chunks its samples take.
std::variant<MonteCarloPlan, Issue> monte_carlo_plan(const MonteCarloQuery& query);

/// Draws some chunks. Tables made for a query are kept on this thread for its next chunks.
std::variant<MonteCarloDrawn, Issue> monte_carlo_chunks(const MonteCarloShard& shard);

/// What the samples drawn say about each epsilon. Sums that no samples can have are refused.
std::variant<std::vector<MonteCarloEstimate>, Issue> monte_carlo_estimates(
    const MonteCarloSums& sums);

}  // namespace honest_epsilon::accounts
