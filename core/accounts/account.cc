#include "core/accounts/account.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "core/accounts/search.h"
#include "core/accounts/trainer.h"
#include "core/base/spelling.h"
#include "core/base/work.h"
#include "core/pairs/gaussian.h"
#include "core/rdp/convert.h"
#include "core/runs/by_swaps.h"
#include "core/runs/releases.h"
#include "core/samplers/batch_cap.h"

namespace honest_epsilon::accounts {
namespace {

Parts parts_of(const wire::Release& release, const Demand& demand) {
  if (release.mu) return releases::gaussian(*release.mu);
  if (release.rho) return releases::concentrated(*release.rho, demand);
  if (release.bounded_range) return releases::bounded_range(*release.bounded_range);
  return releases::approximate(*release.epsilon, release.delta.value_or(0));
}

Parts parts_of(const std::vector<PhaseRun>& phases, const std::vector<wire::Release>& releases,
               const Demand& demand) {
  std::vector<Parts> all;
  all.reserve(phases.size() + releases.size());
  for (const PhaseRun& phase : phases) {
    Parts parts = phase.run.cap ? batch_cap::poisson_parts(phase.run, demand)
                                : phase.sampler->parts(phase.run, demand);
    if (phase.bracketed()) {
      parts = phase.least.steps > 0
                  ? between(std::move(parts), phase.sampler->parts(phase.least, demand))
                  : between(std::move(parts), Parts{});
    }
    all.push_back(phase.swapped() ? swapped(std::move(parts)) : std::move(parts));
  }
  for (const wire::Release& release : releases) all.push_back(parts_of(release, demand));
  return joined(all);
}

/// How many steps share what may be left out.
double rounds_of(const std::vector<PhaseRun>& phases, const std::vector<wire::Release>& releases) {
  double rounds = static_cast<double>(releases.size());
  for (const PhaseRun& phase : phases)
    rounds += static_cast<double>(
        phase.sampler->uses_epochs ? phase.run.epochs * phase.run.participations : phase.run.steps);
  return rounds;
}

/// The upper ends of one run with the lower ends of another, which reveals no more.
Finding from_below(Finding finding, const Directions& least) {
  finding.directions.replace_lowers(least);
  return finding;
}

Finding account_plainly(const std::vector<PhaseRun>& phases,
                        const std::vector<wire::Release>& releases, Asked asked, double given,
                        const Effort& effort) {
  if (phases.size() == 1 && releases.empty()) {
    const PhaseRun& only = phases.front();
    const auto ask = asked == Asked::epsilon ? only.sampler->epsilon : only.sampler->delta;
    Finding finding = ask(only.run, given, effort);
    if (only.bracketed()) {
      const Directions least =
          only.least.steps > 0 ? ask(only.least, given, effort).directions : Directions{{0}, {0}};
      finding = from_below(finding, least);
    }
    if (only.swapped()) std::swap(finding.directions.remove, finding.directions.add);
    return finding;
  }
  // Theory leaves a gap of several percents to shuffled batches: finer lattices would take all work
  // and gain nothing.
  Effort moderate = effort;
  constexpr int kOpenLog2Grid = 15;
  const bool open = std::any_of(phases.begin(), phases.end(), [](const PhaseRun& phase) {
    return phase.sampler->permutes && phase.run.steps_per_epoch > 1;
  });
  if (open) moderate.log2_grid_limit = std::min(effort.log2_grid_limit, kOpenLog2Grid);
  const auto make = [&](const Demand& demand) { return parts_of(phases, releases, demand); };
  return compose(make, rounds_of(phases, releases), asked, given, moderate);
}

/// Whether every maximum batch size is accounted for by the steps themselves. All phases have the
/// same number of records a person.
bool has_capped_parts(const std::vector<PhaseRun>& phases) {
  const auto capped = [](const PhaseRun& phase) { return phase.run.cap.has_value(); };
  return std::any_of(phases.begin(), phases.end(), capped) &&
         std::all_of(phases.begin(), phases.end(), [&](const PhaseRun& phase) {
           return !capped(phase) ||
                  (!phase.sampler->uses_epochs && batch_cap::has_poisson_parts(phase.run));
         });
}

/// What holds where both do: the narrower of either's ends.
void narrow(Finding& finding, const Finding& other) {
  Directions& d = finding.directions;
  const double before = d.upper();
  d.remove = intersect(d.remove, other.directions.remove);
  d.add = intersect(d.add, other.directions.add);
  if (d.upper() < before) finding.method = other.method;
}

/// The same where the other one goes record by record.
void narrow_by_single(Finding& finding, const Finding& single) {
  const bool is_lower = single.directions.lower() < finding.directions.lower();
  narrow(finding, single);
  if (is_lower && finding.method == Method::group_privacy)
    finding.method = Method::group_above_pair;
}

/// Whether something else may prove a narrower interval.
bool leaves_open(const Finding& finding) {
  constexpr double kMuch = 0.01;
  return finding.directions.lower() < (1 - kMuch) * finding.directions.upper();
}

/// The squared shift, from below, of the Gaussian pair that a programme's sums are: where every
/// record falls into as many batches an epoch, the sum of an epoch's batches tells that of all
/// records, whatever was drawn, beside the noise of its T steps:
///   (r k / (sigma sqrt(T)))^2 an epoch, r twice as large where records are replaced.
/// What phases with other batches tell is not looked at.
double summed_squared_shift(const Programme& programme) {
  double squared = 0;
  for (const PhaseRun& phase : programme.phases) {
    const Run& run = phase.least;
    if (!phase.sampler->uses_epochs || run.mechanism != Mechanism::gaussian || run.cap ||
        run.used_share < 1 || run.correlation)
      continue;
    const double shift = run.whole_shift() * static_cast<double>(run.participations);
    const auto whole = static_cast<double>(run.epochs - (run.missing_steps > 0 ? 1 : 0));
    squared += shift * shift * whole / static_cast<double>(run.steps_per_epoch);
  }
  for (const wire::Release& release : programme.releases) {
    if (release.mu) squared += *release.mu * *release.mu;
  }
  return squared * (1 - 32 * kUnit);
}

/// Raises lower ends to what holds of a programme that is no more private.
///   told: of both directions
void raise(Finding& finding, double told, Method grouped, Method known) {
  Directions& d = finding.directions;
  if (told > d.lower()) {
    if (finding.method == Method::group_privacy) finding.method = grouped;
    if (finding.method == Method::single_record) finding.method = known;
  }
  d.replace_lowers({{std::max(d.remove.lower, told), 1}, {std::max(d.add.lower, told), 1}});
}

/// The same programme with records left out where they are replaced; none where some phase's are
/// not.
std::optional<Programme> with_records_left_out(Programme programme) {
  for (PhaseRun& phase : programme.phases) {
    if (phase.run.adjacency != Adjacency::substitution) return std::nullopt;
    for (Run* run : {&phase.run, &phase.least}) {
      run->adjacency = Adjacency::add_remove;
      run->drawn_from = drawn_from(*run, *phase.sampler, phase.given.dataset_size);
    }
  }
  return programme.phases.empty() ? std::nullopt : std::optional(std::move(programme));
}

/// Whether to replace a person's records is to leave them out, at least: a gradient may be zero;
/// and in batches of fixed size, beside others that all have the gradient -g, to replace g by -g
/// moves a batch as far as to take another record. Where n is not told, the latter pair is
/// another's.
bool tells_all_at_once(const Programme& left_out) {
  return std::any_of(left_out.phases.begin(), left_out.phases.end(),
                     [](const PhaseRun& phase) { return phase.run.drawn_from > 0; });
}

/// Raises lower ends to what sums tell.
void raise_by_sums(Finding& finding, double squared_shift, Asked asked, double given) {
  if (squared_shift == 0 || !leaves_open(finding)) return;
  const double shift = std::sqrt(squared_shift);
  const double told = asked == Asked::epsilon ? gaussian::epsilon(shift, given).lower
                                              : gaussian::delta(shift, given).lower;
  raise(finding, told, Method::group_sum, Method::known_sum);
}

/// What the programme is without maximum batch sizes and with single records, where more are not
/// known, and what that leaves out.
struct Simpler {
  std::vector<PhaseRun> phases;
  Failure failure;
  Adjacency adjacency = Adjacency::zero_out;
  double group = 1;
  bool tells_groups = false;  ///< which batches drawn afresh hold a person's several records
};

/// A person's several records: one by one only where the sampler does not know them together, one
/// by one in any case, or together in known batches where each step draws afresh.
enum class Several { as_known, one_by_one, in_known_batches };

/// Whether the sampler accounts for a person's records together. Not where bits are answered and
/// each record has a batch of its own in an epoch: then as many bits may be set as there are
/// records.
bool knows_group(const PhaseRun& phase) {
  const bool separate =
      phase.run.mechanism == Mechanism::randomized_response && phase.sampler->uses_epochs;
  return (phase.sampler->knows_groups && !separate) || phase.run.drawn_from > 0;
}

/// Whether a phase may be joined with others: whole shuffled epochs that are each permuted anew,
/// with Gaussian noise.
bool may_join(const PhaseRun& phase) {
  return phase.sampler->permutes && !phase.swapped() && !phase.run.shares_draw() &&
         phase.run.missing_steps == 0 && phase.run.mechanism == Mechanism::gaussian &&
         may_use_own_proofs(phase);
}

/// Whether two such phases differ in their noise and their number of epochs alone.
bool alike_but_for_noise(const PhaseRun& a, const PhaseRun& b) {
  Run same = b.run;
  same.noise_multiplier = a.run.noise_multiplier;
  same.epochs = a.run.epochs;
  same.steps = a.run.steps;
  same.redrawn_each_epoch = a.run.redrawn_each_epoch;
  return may_join(b) && same == a.run;
}

/// Many shuffled phases that are alike but for their noise, of which each would have tables of its
/// own: those of about the same become one, which reveals no more than with the least of it and no
/// less than with the most, as noise may be added afterwards.
std::vector<PhaseRun> lumped(std::vector<PhaseRun> phases) {
  constexpr int kMostTables = 6;
  if (std::count_if(phases.begin(), phases.end(), may_join) <= kMostTables) return phases;
  const auto noise_of = [](const PhaseRun& phase) { return phase.run.noise_multiplier; };
  std::vector<PhaseRun> result;
  for (auto first = phases.begin(), end = first; first != phases.end(); first = end) {
    const auto alike = [&](const PhaseRun& other) { return alike_but_for_noise(*first, other); };
    end = may_join(*first) ? std::stable_partition(first + 1, phases.end(), alike) : first + 1;
    if (end - first <= kMostTables) {
      result.insert(result.end(), first, end);
      continue;
    }
    std::stable_sort(first, end, [&](const PhaseRun& a, const PhaseRun& b) {
      return noise_of(a) < noise_of(b);
    });
    const double ratio = std::pow(noise_of(*(end - 1)) / noise_of(*first), 1.0 / kMostTables);
    for (auto phase = first; phase != end; ++phase) {
      if (phase == first || noise_of(*phase) > ratio * noise_of(result.back())) {
        result.push_back(*phase);
        continue;
      }
      PhaseRun& joined = result.back();
      joined.run.epochs += phase->run.epochs;
      joined.run.steps += phase->run.steps;
      joined.run.redrawn_each_epoch = true;
      joined.least = joined.run;
      joined.least.noise_multiplier = noise_of(*phase);
    }
  }
  return result;
}

Simpler simpler(const Programme& programme, Several several = Several::as_known) {
  Simpler result;
  result.phases = lumped(merged(programme.phases));
  for (PhaseRun& phase : result.phases) {
    if (phase.run.places > 0) continue;
    if (several == Several::in_known_batches && !phase.sampler->uses_epochs) {
      phase.run.sampling_probability = phase.least.sampling_probability = 1;
      phase.run.drawn_from = phase.least.drawn_from = 0;
      result.tells_groups |= phase.run.records_per_user > 1;
    } else if (several == Several::one_by_one || !knows_group(phase)) {
      result.group = std::max(result.group, static_cast<double>(phase.run.records_per_user));
    }
  }
  result.failure = cap_failure(result.phases);
  for (PhaseRun& phase : result.phases) {
    result.adjacency = phase.run.adjacency;
    phase.run.cap.reset();
    phase.least.cap.reset();
    if (result.group > 1) phase.run.records_per_user = phase.least.records_per_user = 1;
  }
  return result;
}

/// Puts back what a simpler programme left out.
Finding charged(const Simpler& from, const Ask& ask, Asked asked, double given) {
  const Ask grouped = [&](Asked what, double value, Wanted wanted) {
    return for_group(ask, from.group, what, value, wanted);
  };
  return beside_failure(grouped, from.failure, from.adjacency, asked, given);
}

rdp::RenyiCurve renyi_of(const Programme& programme, const std::vector<PhaseRun>& phases) {
  std::vector<rdp::RenyiCurve> curves;
  curves.reserve(phases.size());
  for (const PhaseRun& phase : phases) curves.push_back(phase.sampler->renyi(phase.run));
  return [&programme, curves](double order) {
    double total = 0;
    for (const rdp::RenyiCurve& curve : curves) total += curve(order);
    for (const wire::Release& r : programme.releases) {
      if (r.mu) total += rdp::gaussian(order, *r.mu);
      if (r.rho) total += order * *r.rho;
      if (const double range = r.bounded_range.value_or(0); range > 0)  // [CR21]
        total += std::min(order * range * range / 8, rdp::randomized_response(order, 1, range));
      if (r.epsilon) total += rdp::randomized_response(order, 1, *r.epsilon);
    }
    return total * (1 + 1e-14);
  };
}

double certain_failure(const Programme& programme) {
  double log_survival = 0;
  for (const wire::Release& r : programme.releases)
    log_survival += std::log1p(-r.delta.value_or(0));
  return -std::expm1(log_survival);
}

/// What is left where neither memory nor work suffices.
Finding trivial_finding(Asked asked) {
  Finding nothing;
  nothing.directions = {trivial_interval(asked), trivial_interval(asked)};
  nothing.method = Method::none;
  return nothing;
}

/// Where memory or work does not suffice, a coarser grid is tried; where none does, nothing is
/// claimed.
Finding within_limits(Effort effort, Asked asked,
                      const std::function<Finding(const Effort&)>& attempt) {
  constexpr int kCoarser = 3;  // powers of two: an eighth of the memory
  constexpr int kCoarsest = 10;
  constexpr double kPart = 0.8;    // of the work that is left
  constexpr double kRough = 0.01;  // width
  bool refused = false;
  while (effort.log2_grid_limit >= kCoarsest) {
    try {
      const work::Limit limit(work::part(kPart));
      Finding finding = attempt(effort);
      finding.out_of_memory = refused;
      return finding;
    } catch (const std::bad_alloc&) {
      refused = true;
    } catch (const work::Spent&) {
      effort.width = std::max(effort.width, kRough);
    }
    effort.log2_grid_limit -= kCoarser;
  }
  Finding nothing = trivial_finding(asked);
  nothing.out_of_memory = refused;
  return nothing;
}

/// Probes orders 1.01 and 2; no bound if both are infinite.
bool has_bound(const rdp::RenyiCurve& curve) {
  return std::isfinite(curve(1.01)) || std::isfinite(curve(2));
}

/// Of the work that is left, for one point of a curve.
constexpr double kPointShare = 0.2;

/// Whether memory and work sufficed.
template <class Attempt>
bool affordable(const Attempt& attempt) {
  try {
    attempt();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const work::Spent&) {
    return false;
  }
}

/// A programme's delta from above by the best of its ways.
///   swaps: upper ends by swaps; null where these cannot help
///   own_proofs: set where they lowered it
Finding tightest_delta(Profile& profile, BySwaps* swaps, double epsilon, double negligible,
                       bool& own_proofs) {
  const work::Limit limit(work::part(kPointShare));
  Finding finding = trivial_finding(Asked::delta);
  Directions& d = finding.directions;
  double known = d.upper();
  // What was proved until then holds.
  affordable([&] {
    finding = profile.delta(epsilon);
    known = d.upper();
    if (swaps && known > negligible) swaps->lower(epsilon, d);
  });
  if (d.upper() < known) {
    finding.method = Method::swaps;
    own_proofs = true;
  }
  return finding;
}

/// Lowers wide upper ends of replaced records by way of the run without them (charge.h).
void lower_through(Finding& finding, const Programme& left_out, Asked asked, double given,
                   Effort effort) {
  constexpr double kWide = 0.7, kNegligible = 1e-10, kRough = 0.02;
  Directions& d = finding.directions;
  // Where batches are cut from an epoch, theorems for replaced records prove about as much of
  // Gaussian noise, and several records are asked for at a delta so tiny that it takes seconds.
  const bool gains_little =
      std::any_of(left_out.phases.begin(), left_out.phases.end(), [](const PhaseRun& phase) {
        return phase.sampler->uses_epochs &&
               (phase.run.mechanism == Mechanism::gaussian || phase.run.records_per_user > 1);
      });
  if (gains_little || asked == Asked::total_variation ||
      finding.method == Method::through_zero_out || d.lower() > kWide * d.upper() ||
      (asked == Asked::delta && d.upper() < kNegligible))
    return;
  effort.width = std::max(effort.width, kRough);
  constexpr int kTries = 40;
  const Ask ask = [&](Asked what, double value, Wanted) {
    return account(left_out, what, value, effort);
  };
  const double upper = through_left_out(ask, ask, asked, given, kTries);
  if (d.tighten_uppers({{0, upper}, {0, upper}})) finding.method = Method::through_left_out;
  d.clip_lowers();
}

}  // namespace

void lower_by_renyi(Finding& finding, const std::optional<Finding>& rdp) {
  if (!rdp || !finding.directions.tighten_uppers(rdp->directions)) return;
  finding.method = Method::renyi;
  finding.directions.clip_lowers();
}

namespace {

/// The largest of both ends over the parts of the records that a programme's entries use, a fixed
/// number of runs being one long run; none where nothing is known of one of the parts.
template <class AskOne>
std::optional<Finding> over_parts(const Programme& programme, const AskOne& ask) {
  std::optional<Finding> worst;
  const std::vector<Programme> parts = by_part(programme);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const work::Limit share(work::left() / static_cast<std::int64_t>(parts.size() - i));
    const bool again = parts[i].tuning.times > 1;
    const std::optional<Finding> one = ask(again ? repeated(parts[i]) : parts[i]);
    if (!one) return std::nullopt;
    if (!worst) {
      worst = one;
      continue;
    }
    if (one->directions.upper() > worst->directions.upper()) worst->method = one->method;
    Directions& d = worst->directions;
    d = {maximum(d.remove, one->directions.remove), maximum(d.add, one->directions.add)};
    worst->grid_points = std::max(worst->grid_points, one->grid_points);
    worst->limited = worst->limited || one->limited;
  }
  return worst;
}

/// The same of one part, and of one run.
Finding account_part(const Programme& programme, Asked asked, double given, const Effort& effort) {
  if (programme.tuning.random) return account_search(programme, asked, given, effort);
  const auto of = [&](const Simpler& simple) {
    // Group privacy asks several times, at tiny deltas, for what it then loses to bounds.
    constexpr int kGroupLog2Grid = 14;
    Effort each = effort;
    if (simple.group > 1) each.log2_grid_limit = std::min(each.log2_grid_limit, kGroupLog2Grid);
    // What swaps and clones hide is looked for where the ends are far apart.
    const bool may_hide =
        std::any_of(simple.phases.begin(), simple.phases.end(),
                    [](const PhaseRun& phase) { return phase.sampler->permutes; });
    const Ask ask = [&](Asked what, double value, Wanted wanted) {
      Effort limit = each;
      if (!may_hide) limit.wanted = wanted;
      const auto by = [&](const std::vector<PhaseRun>& phases) {
        return within_limits(limit, what, [&](const Effort& affordable) {
          return account_plainly(phases, programme.releases, what, value, affordable);
        });
      };
      const Finding found = by(simple.phases);
      // Published theorems cost less than our own.
      return found.method == Method::none && may_hide ? by(published(simple.phases)) : found;
    };
    return charged(simple, ask, asked, given);
  };
  const Simpler plain = simpler(programme);
  Finding finding = of(plain);
  // Samplers that know groups may bound them widely.
  const Simpler single = simpler(programme, Several::one_by_one);
  if (single.group > plain.group && leaves_open(finding)) narrow_by_single(finding, of(single));
  // Record by record, and together where the noise is tiny, the upper end may be infinite.
  const Simpler told = simpler(programme, Several::in_known_batches);
  if (told.tells_groups && leaves_open(finding)) {
    const Finding known = of(told);
    if (finding.directions.tighten_uppers(known.directions))
      finding.method = plain.group > 1 ? Method::single_record : Method::known;
  }
  const std::vector<PhaseRun> capped = merged(programme.phases);
  if (has_capped_parts(capped)) {
    narrow(finding, within_limits(effort, asked, [&](const Effort& affordable) {
             const auto make = [&](const Demand& demand) {
               return parts_of(capped, programme.releases, demand);
             };
             return compose(make, rounds_of(capped, programme.releases), asked, given, affordable);
           }));
  }
  raise_by_sums(finding, summed_squared_shift(programme), asked, given);
  if (const auto left_out =
          leaves_open(finding) ? with_records_left_out(programme) : std::nullopt) {
    if (tells_all_at_once(*left_out))
      raise(finding, account(*left_out, asked, given, effort).directions.lower(),
            Method::group_above_pair, Method::known_above_pair);
    lower_through(finding, *left_out, asked, given, effort);
  }
  return finding;
}

}  // namespace

Finding account(const Programme& programme, Asked asked, double given, const Effort& effort) {
  return *over_parts(
      programme, [&](const Programme& part) { return account_part(part, asked, given, effort); });
}

Finding account_by_best(const Programme& programme, Asked asked, double given,
                        const Effort& effort) {
  return *over_parts(programme, [&](const Programme& part) {
    Finding finding = account_part(part, asked, given, effort);
    if (leaves_open(finding)) lower_by_renyi(finding, account_by_renyi(part, asked, given));
    return finding;
  });
}

Proved account_twice(const Programme& programme, Asked asked, double given, const Effort& effort,
                     Account* ask) {
  const auto asked_first = [&] {
    const work::Limit limit(work::part(kFirstShare));
    return ask(programme, asked, given, effort);
  };
  Proved proved = {asked_first(), std::nullopt};
  if (std::none_of(programme.phases.begin(), programme.phases.end(), may_use_own_proofs))
    return proved;
  Effort upper = effort;
  upper.wanted = Wanted::upper;
  Directions published = ask(by_published(programme), asked, given, upper).directions;
  if (published.upper() > proved.finding.directions.upper()) {
    published.replace_lowers(proved.finding.directions);
    proved.published = published;
  } else if (published.upper() < proved.finding.directions.upper()) {
    proved.finding = ask(by_published(programme), asked, given, effort);
  }
  return proved;
}

namespace {

PrivacyCurve curve_of(const Simpler& plain, const std::vector<wire::Release>& releases,
                      const Effort& effort, double negligible,
                      const std::shared_ptr<bool>& own_proofs) {
  // A single step leaves out no less than e^-90, which is below any delta that is asked for.
  constexpr double kFarthest = -90;
  const double rounds = std::max(1.0, rounds_of(plain.phases, releases));
  // All rounds together leave out far less than what is negligible.
  const double log_floor = std::max(kFarthest, std::log(negligible) - std::log(rounds) - 6);
  const auto swaps = std::make_shared<BySwaps>(
      [plain, releases, log_floor, effort](double aim) {
        Parts parts = parts_of(plain.phases, releases, {log_floor, effort, aim});
        parts.tight = true;
        return parts;
      },
      effort);
  PrivacyCurve curve;
  curve.own_proofs = own_proofs;
  std::shared_ptr<Profile> profile;
  const bool made = affordable([&] {
    const work::Limit limit(work::part(0.5));
    curve.by_swaps = swaps->serve();
    Effort open = effort;
    if (curve.by_swaps) open.width = std::max(effort.width, kOpenWidth);
    profile = std::make_shared<Profile>(parts_of(plain.phases, releases, {log_floor, effort}), open,
                                        negligible);
  });
  if (!made) {
    curve.delta = [](double) { return trivial_finding(Asked::delta); };
    return curve;
  }
  const bool charges = plain.group > 1 || plain.failure.announced > 0 || plain.failure.hidden > 0;
  if (!charges) curve.highest = profile->highest_loss();
  curve.delta = [plain, profile, swaps, by_swaps = curve.by_swaps, negligible,
                 own_proofs](double epsilon) {
    const Ask ask = [&](Asked, double value, Wanted) {
      return tightest_delta(*profile, by_swaps ? swaps.get() : nullptr, value, negligible,
                            *own_proofs);
    };
    return charged(plain, ask, epsilon == 0 ? Asked::total_variation : Asked::delta, epsilon);
  };
  return curve;
}

PrivacyCurve curve_of_part(const Programme& programme, const Effort& effort, double negligible) {
  const auto own_proofs = std::make_shared<bool>(false);
  const auto by = [releases = programme.releases, effort, negligible](const Simpler& simple,
                                                                      auto owned) {
    return curve_of(simple, releases, effort, negligible, owned);
  };
  const Simpler plain = simpler(programme), single = simpler(programme, Several::one_by_one);
  PrivacyCurve curve = by(plain, own_proofs);
  std::optional<PrivacyCurve> least;
  const auto left_out = with_records_left_out(programme);
  if (left_out && tells_all_at_once(*left_out))
    least = by(simpler(*left_out), std::make_shared<bool>(false));
  const auto by_single = std::make_shared<std::optional<PrivacyCurve>>();
  curve.delta = [=, delta = curve.delta,
                 squared = summed_squared_shift(programme)](double epsilon) {
    Finding finding = delta(epsilon);
    if (finding.directions.upper() >= 1)
      lower_by_renyi(finding, account_by_renyi(programme, Asked::delta, epsilon));
    raise_by_sums(finding, squared, Asked::delta, epsilon);
    if (least && leaves_open(finding))
      raise(finding, least->delta(epsilon).directions.lower(), Method::group_above_pair,
            Method::known_above_pair);
    if (single.group > plain.group && leaves_open(finding)) {
      if (!*by_single) *by_single = by(single, own_proofs);
      narrow_by_single(finding, (*by_single)->delta(epsilon));
    }
    return finding;
  };
  return curve;
}

}  // namespace

PrivacyCurve privacy_curve(const Programme& programme, const Effort& effort, double negligible) {
  const std::vector<Programme> parts = by_part(programme);
  if (parts.size() == 1) return curve_of_part(parts.front(), effort, negligible);
  std::vector<PrivacyCurve> curves;
  PrivacyCurve worst;
  for (const Programme& part : parts) {
    const PrivacyCurve& one = curves.emplace_back(curve_of_part(part, effort, negligible));
    worst.by_swaps = worst.by_swaps || one.by_swaps;
  }
  const auto own_proofs = std::make_shared<bool>(false);
  worst.own_proofs = own_proofs;
  worst.delta = [programme, curves, own_proofs](double epsilon) {
    std::size_t at = 0;
    const auto found =
        over_parts(programme, [&](const Programme&) { return curves[at++].delta(epsilon); });
    for (const PrivacyCurve& one : curves) *own_proofs = *own_proofs || *one.own_proofs;
    return *found;
  };
  return worst;
}

namespace {

/// The same of one part.
std::optional<double> failure_of(const Programme& programme, double delta) {
  const double failure = certain_failure(programme);
  // What is left of delta then is nothing, at which bounded losses alone have an epsilon.
  const auto is_bounded = [](const PhaseRun& phase) {
    return phase.run.steps == 0 || phase.run.mechanism != Mechanism::gaussian;
  };
  const bool bounded =
      std::all_of(programme.phases.begin(), programme.phases.end(), is_bounded) &&
      std::all_of(programme.releases.begin(), programme.releases.end(), [](const wire::Release& r) {
        return r.mu.value_or(0) == 0 && r.rho.value_or(0) == 0;
      });
  constexpr double kRounding = 1e-14;
  const double least = bounded ? delta * (1 + kRounding) : delta * (1 - kRounding);
  if (failure == 0 || programme.tuning.random || failure <= least) return std::nullopt;
  return failure * (1 - kRounding);
}

}  // namespace

std::optional<double> failure_beyond(const Programme& programme, double delta) {
  std::optional<double> most;
  for (const Programme& part : by_part(programme)) most = std::max(most, failure_of(part, delta));
  return most;
}

namespace {

std::optional<Finding> part_by_renyi(const Programme& programme, Asked asked, double given) {
  const Simpler plain = simpler(programme);
  const rdp::RenyiCurve curve = renyi_of(programme, plain.phases);
  if (!has_bound(curve)) return std::nullopt;
  const double failure = certain_failure(programme) * (1 + 1e-14);
  const Ask ask = [&](Asked what, double value, Wanted) {
    double upper = 0;
    if (what == Asked::epsilon) {
      const double rest = rest_of(value, failure) * (1 - 1e-14);
      upper = rest > 0 ? rdp::epsilon_upper(curve, rest).value : kInfinity;
    } else {
      const double rest = rdp::delta_upper(curve, value).value;
      upper = std::min(1.0, (failure + (1 - failure) * rest) * (1 + 1e-14));
    }
    Finding finding;
    finding.directions = {{0, upper}, {0, upper}};
    return finding;
  };
  Finding finding = charged(plain, ask, asked, given);
  finding.method = Method::renyi;
  for (Interval* value : {&finding.directions.remove, &finding.directions.add})
    *value = {-kInfinity, value->upper, IntervalKind::bound};
  return finding;
}

std::optional<Finding> part_by_limit(const Programme& programme, Asked asked, double given) {
  double squared = 0;
  for (const PhaseRun& phase : programme.phases) {
    if (phase.run.steps > 0) squared += phase.sampler->squared_shift_estimate(phase.run);
  }
  for (const wire::Release& r : programme.releases) {
    if (r.epsilon || r.bounded_range) return std::nullopt;
    squared += r.mu ? *r.mu * *r.mu : 2 * *r.rho;
  }
  if (!std::isfinite(squared)) return std::nullopt;
  const double shift = std::sqrt(squared);
  const Interval exact = squared == 0              ? Interval{0, 0}
                         : asked == Asked::epsilon ? gaussian::epsilon(shift, given)
                                                   : gaussian::delta(shift, given);
  const double middle = exact.lower + 0.5 * (exact.upper - exact.lower);
  const Interval estimate = {middle, middle, IntervalKind::estimate};
  return Finding{{estimate, estimate}, Method::central_limit};
}

}  // namespace

std::optional<Finding> account_by_renyi(const Programme& programme, Asked asked, double given) {
  if (programme.tuning.random) return std::nullopt;
  return over_parts(programme,
                    [&](const Programme& part) { return part_by_renyi(part, asked, given); });
}

std::optional<Finding> estimate_by_limit(const Programme& programme, Asked asked, double given) {
  if (programme.tuning.random) return std::nullopt;
  return over_parts(programme,
                    [&](const Programme& part) { return part_by_limit(part, asked, given); });
}

std::optional<Finding> account_by(std::string_view accountant, const Programme& programme,
                                  Asked asked, double given, const Effort& effort) {
  if (accountant == "rdp") return account_by_renyi(programme, asked, given);
  if (accountant == "gdp") return estimate_by_limit(programme, asked, given);
  return (accountant == "pld" ? account : account_by_best)(programme, asked, given, effort);
}

}  // namespace honest_epsilon::accounts
