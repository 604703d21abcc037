#include "core/samplers/poisson.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/rounding.h"
#include "core/contour/inversion.h"
#include "core/contour/subsampled_moments.h"
#include "core/pairs/gaussian.h"
#include "core/pairs/glued.h"
#include "core/pairs/one_step.h"
#include "core/pairs/randomized_response.h"
#include "core/pld/source.h"
#include "core/rdp/renyi.h"
#include "core/runs/step_pair.h"

namespace honest_epsilon::poisson {
namespace {

/// Beyond this shift the density of N(0) where N(mu) lives underflows; nothing is private there.
constexpr double kLargestShift = 26;

/// Of a shift: 1 / noise_multiplier, a root and a product round once each.
constexpr double kShiftError = 4 * kUnit;

/// delta of the Gaussian pair with the rounding of mu and eps accounted for.
Interval gaussian_delta(double mu, double epsilon, double epsilon_error) {
  return {gaussian::delta(mu * (1 - kShiftError), epsilon + epsilon_error).lower,
          gaussian::delta(mu * (1 + kShiftError), epsilon - epsilon_error).upper};
}

Interval scaled(const Interval& value, double low, double high) {
  return within_unit(
      {value.lower * low * (1 - 4 * kUnit), value.upper * high * (1 + 4 * kUnit) + kTiny});
}

/// H((1-q)Q + qP || Q)(e^eps) = q H(P || Q)(e^eps'),  e^eps' = 1 + (e^eps - 1)/q.
Interval one_step_remove(double q, double mu, double epsilon) {
  const double inner = epsilon > 40 ? epsilon - std::log(q) : std::log1p(std::expm1(epsilon) / q);
  return scaled(gaussian_delta(mu, inner, 8 * kUnit * (inner + 1)), q, q);
}

/// H(Q || (1-q)Q + qP)(e^eps) = c H(Q || P)(e^eps'),  c = 1 - e^eps (1-q),  e^eps' = e^eps q / c;
/// 0 where c <= 0.
Interval one_step_add(double q, double mu, double epsilon) {
  const double exponent = epsilon + std::log1p(-q);
  const double c = -std::expm1(exponent);
  const double error = 4 * kUnit * (epsilon + std::abs(std::log1p(-q)));
  if (c + error <= 0) return {0, 0};
  // H(Q || P) falls with eps', so the smaller c gives the smaller value twice over.
  const auto at = [&](double share) -> Interval {
    if (share <= 0) return {0, 0};
    const double inner = epsilon + std::log(q / share);
    return scaled(gaussian_delta(mu, inner, 8 * kUnit * (std::abs(inner) + 1)), share, share);
  };
  return {at(c - error).lower, at(c + error).upper};
}

/// Losses of Laplace noise and responses beyond this leave the doubles.
constexpr double kLargestPureLoss = 700;

/// Whether a step's coordinates, or losses, stay where a lattice can hold them.
bool lattice_holds(const Run& run, const pairs::Records& records) {
  if (run.mechanism == Mechanism::laplace) return run.whole_shift() <= kLargestPureLoss;
  if (run.mechanism == Mechanism::randomized_response) return run.shift() <= kLargestPureLoss;
  return records.q == 1 || static_cast<double>(records.most) * run.shift() <= kLargestShift;
}

bool is_plain(const Run& run) {
  return run.mechanism == Mechanism::gaussian && run.adjacency != Adjacency::substitution &&
         run.records_per_user == 1;
}

/// The closed forms of a whole run, where there is one.
StepsCurve closed_form(const Run& run, const std::shared_ptr<const pairs::Pair>& pair) {
  const double q = run.sampling_probability;
  const double mu = run.shift();
  if (run.mechanism == Mechanism::randomized_response) {
    return
        [any = any_record(records_of(run)), mu, steps = run.steps](Direction direction, double e) {
          return randomized_response::delta(any, mu, steps, direction, e);
        };
  }
  if (run.steps > 1) return nullptr;
  if (!is_plain(run))
    return [pair](Direction direction, double e) { return pairs::one_step(*pair, direction, e); };
  return [q, mu](Direction direction, double e) {
    return direction == Direction::remove ? one_step_remove(q, mu, e) : one_step_add(q, mu, e);
  };
}

/// Whether step_pair is proved to be the worst that neighbours can do: [AP24, Props 9 and 13],
/// [GA24]; a response only ever turns one bit, but a substituted record may turn it either way, and
/// another way in each step.
bool is_worst(const Run& run) {
  const bool one = run.records_per_user == 1;
  const bool substitution = run.adjacency == Adjacency::substitution;
  if (run.mechanism == Mechanism::randomized_response) return !substitution;
  if (run.mechanism == Mechanism::gaussian) return one || !substitution;
  return one && !substitution;
}

/// With more records in a batch, or farther shifts, lattices or a wide bound are quicker.
constexpr std::int64_t kMostContourRecords = 256;
constexpr double kLargestContourShift = 80;

bool has_moments(const Run& run, const pairs::Records& records) {
  return run.mechanism == Mechanism::gaussian && records.q < 1 &&
         records.most <= kMostContourRecords &&
         static_cast<double>(records.most) * run.shift() <= kLargestContourShift;
}

/// A step's moment function, where it is known.
std::shared_ptr<const contour::Moments> moments(const Run& run, const pairs::Records& records) {
  if (!has_moments(run, records)) return nullptr;
  return std::make_shared<contour::SubsampledGaussianMoments>(
      records, run.shift(), run.adjacency == Adjacency::substitution);
}

/// Few of a person's many records are in one batch. More than `most` of them count as a failure in
/// some step: with a run's laws P = (1-f) P' + f P'' and Q, where P' has no such step,
///   P - e^eps Q <= f + (1-f) (P' - e^eps Q)   and   Q - e^eps P <= f + (1-f) (Q - e^eps P'),
/// and the lower end is that of P', which has less weight on them (pairs::group).
pairs::Records records_at_once(const Run& run, const Demand& demand) {
  constexpr std::int64_t kFew = 8;                    // are quick
  constexpr double kSmallLogFloor = -60;              // a smaller delta is told from 0
  constexpr double kSmallPart = 9, kLeastLog = -690;  // of a delta, and what doubles hold
  const pairs::Records all = records_of(run);
  if (run.mechanism != Mechanism::gaussian || !is_worst(run) || all.q == 1 || all.count <= kFew ||
      (demand.log_floor < kSmallLogFloor && has_moments(run, all)))
    return all;
  const double log_missed =
      demand.log_floor - kSmallPart - std::log(static_cast<double>(run.steps));
  pairs::Records few = all;
  few.most = rarely_more(all, std::exp(std::max(log_missed, kLeastLog)));
  return few;
}

/// Probability that in some step more of the records are in the batch.
Interval missed(const Run& run, const pairs::Records& records) {
  const double each = more_than_most(records).upper;
  return {0, -std::expm1(static_cast<double>(run.steps) * std::log1p(-each)) * (1 + 1e-12)};
}

/// For all neighbours. With p the chance that a step uses any of the records, A the law without
/// them, B and B' those with them, M(d) the farthest that any of these is from another,
///   ((1-p) M(0) + p M(d), M(0))  dominates  ((1-p) A + p B, A),
/// B being a mixture of shifts. Substitution: with K' = 1 + (K - 1) / p, K >= 1,
///   H_K((1-p) A + p B || (1-p) A + p B') = p H_K'(B || (1-b) A + b B')
///     <= p max(H_K'(B || A), H_K'(B || B')) <= p H_K'(M(d) || M(0))
///     = H_K((1-p) M(0) + p M(d) || M(0)),
/// the remove curve of the same step, and its mirror image for K < 1. Cite: advanced joint
/// convexity [BBG18, Thm 2].
std::shared_ptr<const pairs::Pair> widest_step(const Run& run) {
  if (run.mechanism == Mechanism::randomized_response)
    return std::make_shared<const pairs::Glued>(step_pair(run, records_of(run)));
  Run far = run;
  far.adjacency = Adjacency::zero_out;
  far.records_per_user = 1;
  far.noise_multiplier = 1 / run.whole_shift();
  auto pair = step_pair(far, pairs::Records{any_record(records_of(run))});
  if (run.adjacency != Adjacency::substitution) return pair;
  return std::make_shared<const pairs::Glued>(pair);
}

/// Tiny noise. Gaussian: a person's records seen in every step they may be in; else given away by
/// the first step they are in. Nothing is proved below.
Parts mixture_parts(const Run& run, const pairs::Records& records) {
  Parts parts;
  parts.symmetric = run.adjacency == Adjacency::substitution;
  const auto steps = static_cast<double>(run.steps);
  if (run.mechanism == Mechanism::gaussian) {
    const double share = static_cast<double>(records.most) / static_cast<double>(records.count);
    const double shift = share * run.whole_shift();
    parts.upper.squared_shift = steps * shift * shift;
    if (records.most < records.count) parts.failure = missed(run, records);
    return parts;
  }
  const double any = any_record(records_of(run));
  parts.failure = {0, any == 1 ? 1 : -std::expm1(steps * std::log1p(-any)) * (1 + 1e-13)};
  return parts;
}

/// The parts of the run but for its steps.
Parts tight_parts(const Run& run, const pairs::Records& records) {
  Parts parts;
  parts.tight = true;
  parts.symmetric = records.q == 1 || run.adjacency == Adjacency::substitution;
  if (records.most < records.count) parts.failure = missed(run, records);
  return parts;
}

/// Noise so small that no lattice holds a step, by contours alone.
std::optional<Parts> contour_parts(const Run& run, const Demand& demand) {
  const pairs::Records records = records_at_once(run, demand);
  const auto step = is_worst(run) ? moments(run, records) : nullptr;
  if (!step) return std::nullopt;
  Parts result = tight_parts(run, records);
  result.upper.steps.push_back({nullptr, run.steps, nullptr, step});
  return result;
}

/// As many of the records as a lattice holds, where more are rarely in one batch.
std::optional<pairs::Records> fewer_records(const Run& run, pairs::Records records) {
  constexpr double kRarely = 0.01;
  if (run.mechanism != Mechanism::gaussian || !is_worst(run)) return std::nullopt;
  records.most = static_cast<std::int64_t>(kLargestShift / run.shift());
  if (records.most < 1 || missed(run, records).upper > kRarely) return std::nullopt;
  return records;
}

Parts lattice_parts(const Run& run, const pairs::Records& records) {
  Parts result = tight_parts(run, records);
  const double q = run.sampling_probability;
  if (q == 1 && run.mechanism == Mechanism::gaussian) {
    result.upper.squared_shift =
        static_cast<double>(run.steps) * run.whole_shift() * run.whole_shift();
    return result;
  }
  const auto pair = step_pair(run, records);
  result.upper.steps.push_back({std::make_shared<pld::PairSource>(pair), run.steps,
                                closed_form(run, pair), moments(run, records)});
  if (q == 1 || is_worst(run)) return result;
  // The pair is only one attack, hence a lower side; the upper side is the wider pair.
  result.tight = false;
  result.lower = std::move(result.upper);
  result.upper = {};
  result.upper.steps.push_back({std::make_shared<pld::PairSource>(widest_step(run)), run.steps});
  return result;
}

Finding ask(const Run& run, Effort effort, Asked asked, double given) {
  // Of replaced groups the ends are far apart, and group privacy mostly has a smaller upper one
  // (account.cc).
  constexpr double kOpenWidth = 3e-2;
  constexpr int kOpenLog2Grid = 14;
  if (run.mechanism == Mechanism::gaussian && !is_worst(run)) {
    effort.width = std::max(effort.width, kOpenWidth);
    effort.log2_grid_limit = std::min(effort.log2_grid_limit, kOpenLog2Grid);
  }
  Finding finding =
      compose([&](const Demand& demand) { return parts(run, demand); }, 1, asked, given, effort);
  Directions& d = finding.directions;
  const auto settled = [&] { return contour::is_settled(maximum(d.remove, d.add), effort.width); };
  const bool tiny = !lattice_holds(run, records_of(run));
  if (tiny && !settled() && contour_parts(run, {0, effort})) {
    const Finding other = compose(
        [&](const Demand& demand) {
          return contour_parts(run, demand)
              .value_or(mixture_parts(run, records_at_once(run, demand)));
        },
        1, asked, given, effort);
    d = {intersect(d.remove, other.directions.remove), intersect(d.add, other.directions.add)};
    if (settled()) finding.method = other.method;
  }
  return finding;
}

}  // namespace

Parts parts(const Run& run, const Demand& demand) {
  const pairs::Records records = records_at_once(run, demand);
  if (lattice_holds(run, records)) return lattice_parts(run, records);
  if (const auto fewer = fewer_records(run, records)) return lattice_parts(run, *fewer);
  Parts wide = mixture_parts(run, records);
  if (const auto exact = contour_parts(run, demand)) wide.lower = exact->upper;
  return wide;
}

Finding delta(const Run& run, double epsilon, const Effort& effort) {
  return ask(run, effort, epsilon == 0 ? Asked::total_variation : Asked::delta, epsilon);
}

Finding epsilon(const Run& run, double delta, const Effort& effort) {
  return ask(run, effort, Asked::epsilon, delta);
}

bool has_gap(const Run& run) {
  const bool substituted = run.adjacency == Adjacency::substitution;
  const bool many = run.records_per_user > 1;
  if (run.mechanism == Mechanism::laplace) return substituted || many;
  if (run.mechanism == Mechanism::randomized_response) return substituted;
  return substituted && many;
}

rdp::RenyiCurve renyi(const Run& run) {
  const auto steps = static_cast<double>(run.steps);
  const double q = run.sampling_probability;
  const bool plain = run.adjacency != Adjacency::substitution && run.records_per_user == 1;
  const auto times = [steps](auto one_step) -> rdp::RenyiCurve {
    return [steps, one_step](double order) { return steps * one_step(order); };
  };
  const double mu = run.shift();
  if (run.mechanism == Mechanism::randomized_response)
    return times([any = any_record(records_of(run)), mu](double order) {
      return rdp::randomized_response(order, any, mu);
    });
  const bool gaussian = run.mechanism == Mechanism::gaussian;
  if (q == 1)
    return times([gaussian, whole = run.whole_shift()](double order) {
      return gaussian ? rdp::gaussian(order, whole) : rdp::laplace(order, whole);
    });
  if (!plain) return [](double) { return kInfinity; };
  return times([gaussian, q, mu](double order) {
    return gaussian ? rdp::subsampled_gaussian(order, q, mu)
                    : rdp::subsampled_laplace(order, q, mu);
  });
}

}  // namespace honest_epsilon::poisson
