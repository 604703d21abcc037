#include "tests/core/accounts/laws.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/core/counts.h"

namespace honest_epsilon::testing {
namespace {

using wire::Answer;
using wire::Entry;
using wire::Flag;
using wire::Number;
using wire::Numbers;
using wire::Phase;
using wire::Query;
using wire::Release;

// Two ends computed apart may each stray by the rounding they are charged for, no more.
constexpr double kSlack = 1e-12;

Phase& first(Query& query) {
  return std::get<Phase>(query.phases.front());
}
const Phase& first(const Query& query) {
  return std::get<Phase>(query.phases.front());
}

const accounts::Sampler& sampler_of(const Query& query) {
  return accounts::sampler_named(*first(query).sampler);
}
bool is(const Query& query, std::string_view sampler) {
  return *first(query).sampler == sampler;
}
bool is_gaussian(const Query& query) {
  return first(query).mechanism.value_or("gaussian") == "gaussian";
}
std::string neighbours(const Query& query) {
  return first(query).adjacency.value_or("zero-out");
}

std::string show(const Interval& interval) {
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "[%.17g, %.17g]", interval.lower, interval.upper);
  return text.data();
}

std::string spelt(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

// ---------------------------------------------------------------------------------------------
// Asking.

std::optional<Answer> ask(const Query& query) {
  const accounts::Outcome outcome = accounts::answer(query);
  if (const auto* answers = std::get_if<std::vector<Answer>>(&outcome)) return answers->front();
  return std::nullopt;
}

std::optional<Answer> ask_epsilon(Query query, double delta) {
  query.question = "epsilon";
  query.delta = delta;
  return ask(query);
}

std::optional<Answer> ask_delta(Query query, double epsilon) {
  query.question = "delta";
  query.epsilon = epsilon;
  return ask(query);
}

double some_delta(Chance& chance) {
  return chance.log_uniform(1e-12, 0.1);
}
double some_epsilon(Chance& chance) {
  return chance.happens(0.1) ? 0 : chance.log_uniform(0.01, 10);
}

/// The same run asked either way; what is asked is the same for all questions of one law.
class Either {
 public:
  explicit Either(Chance& chance)
      : for_epsilon_(chance.happens(0.5)),
        given_(for_epsilon_ ? some_delta(chance) : some_epsilon(chance)) {}
  std::optional<Answer> operator()(const Query& query) const {
    return for_epsilon_ ? ask_epsilon(query, given_) : ask_delta(query, given_);
  }
  Interval value(const Answer& answer) const {
    return for_epsilon_ ? answer.epsilon : answer.delta;
  }
  std::string name() const {
    return (for_epsilon_ ? "epsilon at delta " : "delta at epsilon ") + spelt(given_);
  }

 private:
  bool for_epsilon_;
  double given_;
};

// ---------------------------------------------------------------------------------------------
// Judging.

constexpr auto kSilent = [] { return Verdict{false, {}}; };

Verdict holds() {
  return {};
}

Verdict at_most(const Interval& a, const Interval& b, const std::string& what) {
  counts().sides += 2;
  if (!(a.lower > b.upper * (1 + kSlack))) return holds();
  return {true, what + ": " + show(a) + " is above " + show(b)};
}

Verdict alike(const Interval& a, const Interval& b, const std::string& what) {
  Verdict one = at_most(a, b, what);
  return one.broken.empty() ? at_most(b, a, what) : one;
}

Verdict all(std::initializer_list<Verdict> verdicts) {
  for (const Verdict& v : verdicts) {
    if (!v.broken.empty()) return v;
  }
  return holds();
}

/// One run costs at most as much as another, in either direction and in all.
Verdict cheaper(const Query& cheap, const Query& dear, Chance& chance) {
  const Either either(chance);
  const auto a = either(cheap);
  const auto b = either(dear);
  if (!a || !b) return kSilent();
  return all({at_most(either.value(*a), either.value(*b), either.name()),
              at_most(a->directions.remove, b->directions.remove, either.name() + ", remove"),
              at_most(a->directions.add, b->directions.add, either.name() + ", add")});
}

/// Two runs cost the same, and so do their directions.
Verdict same(const Query& one, const Query& other, Chance& chance) {
  const Either either(chance);
  const auto a = either(one);
  const auto b = either(other);
  if (!a || !b) return kSilent();
  return all({alike(either.value(*a), either.value(*b), either.name()),
              alike(a->directions.remove, b->directions.remove, either.name() + ", remove"),
              alike(a->directions.add, b->directions.add, either.name() + ", add")});
}

// ---------------------------------------------------------------------------------------------
// The laws of one interval.

std::string disorder(const Interval& interval, double most, const char* what) {
  counts().sides += 2;
  const bool open = interval.kind != IntervalKind::certified && interval.lower == -kInfinity;
  const bool fine = (open || interval.lower >= 0) && interval.lower <= interval.upper &&
                    (interval.upper <= most || interval.upper == kInfinity) &&
                    !(interval.lower == kInfinity);
  return fine ? std::string() : std::string(what) + " is " + show(interval);
}

Verdict ordered(const Query& query, Chance& chance) {
  const Either either(chance);
  const auto answer = either(query);
  if (!answer) return kSilent();
  const bool gives_delta = either.name().starts_with("delta");
  const double most = gives_delta ? 1 : kInfinity;
  for (const auto& [interval, what] :
       {std::pair{either.value(*answer), "the answer"},
        std::pair{answer->directions.remove, "remove"}, std::pair{answer->directions.add, "add"},
        std::pair{answer->rdp.value_or(Interval{0, 0}), "rdp"},
        std::pair{answer->gdp.value_or(Interval{0, 0}), "gdp"}}) {
    const std::string text = disorder(interval, most, what);
    if (!text.empty()) return {true, either.name() + ": " + text};
  }
  const Interval larger = maximum(answer->directions.remove, answer->directions.add);
  const Interval value = either.value(*answer);
  if (value.lower != larger.lower || value.upper != larger.upper)
    return {true, either.name() + ": " + show(value) + " is not the larger direction"};
  if (answer->rdp) return at_most({value.lower, value.lower}, *answer->rdp, "Renyi accounting");
  return holds();
}

Verdict delta_falls(const Query& query, Chance& chance) {
  const double epsilon = some_epsilon(chance);
  const double larger = epsilon * chance.uniform(1.01, 2) + 0.01;
  const auto a = ask_delta(query, epsilon);
  const auto b = ask_delta(query, larger);
  if (!a || !b) return kSilent();
  const std::string what = "delta at " + spelt(epsilon) + " and " + spelt(larger);
  // E[(P - K Q)+] falls by at most the step in K.
  const double step = std::exp(epsilon) * std::expm1(larger - epsilon) * (1 + kSlack);
  const auto slower = [&](const Interval& near, const Interval& far) {
    return at_most(near, {far.lower + step, far.upper + step}, what + ", its slope");
  };
  return all({at_most(b->delta, a->delta, what),
              at_most(b->directions.remove, a->directions.remove, what + ", remove"),
              at_most(b->directions.add, a->directions.add, what + ", add"),
              slower(a->directions.remove, b->directions.remove),
              slower(a->directions.add, b->directions.add)});
}

Verdict delta_is_convex(const Query& query, Chance& chance) {
  const double left = some_epsilon(chance);
  const double right = left + chance.log_uniform(0.01, 2);
  const double share = chance.uniform(0.05, 0.95);
  // The middle's own K, as exp has it; the share is what that makes of it.
  const double middle = left + std::log1p(share * std::expm1(right - left));
  const double part = std::expm1(middle - left) / std::expm1(right - left);
  const auto a = ask_delta(query, left);
  const auto b = ask_delta(query, middle);
  const auto c = ask_delta(query, right);
  if (!a || !b || !c || !(part > 0 && part < 1)) return kSilent();
  const std::string what =
      "delta between " + spelt(left) + " and " + spelt(right) + " at " + spelt(middle);
  const auto below = [&](const Interval& l, const Interval& m, const Interval& r) {
    const double chord = ((1 - part) * l.upper + part * r.upper) * (1 + 1e-9);
    return at_most(m, {0, chord}, what);
  };
  return all({below(a->delta, b->delta, c->delta),
              below(a->directions.remove, b->directions.remove, c->directions.remove),
              below(a->directions.add, b->directions.add, c->directions.add)});
}

Verdict epsilon_falls(const Query& query, Chance& chance) {
  const double delta = some_delta(chance);
  const double larger = std::min(0.5, delta * chance.uniform(1.05, 5));
  const auto a = ask_epsilon(query, delta);
  const auto b = ask_epsilon(query, larger);
  if (!a || !b) return kSilent();
  return at_most(b->epsilon, a->epsilon, "epsilon at " + spelt(delta) + " and " + spelt(larger));
}

Verdict inverse(const Query& query, Chance& chance) {
  const double delta = some_delta(chance);
  const auto there = ask_epsilon(query, delta);
  if (!there) return kSilent();
  const Interval epsilon = there->epsilon;
  const Interval given = {delta, delta};
  const std::string what = "epsilon " + show(epsilon) + " at delta " + spelt(delta) + ", back";
  Verdict verdict = holds();
  if (epsilon.upper < 1e4) {
    const auto back = ask_delta(query, epsilon.upper);
    if (back) verdict = at_most(back->delta, given, what + " from the upper end");
  }
  if (!verdict.broken.empty() || !(epsilon.lower > 0)) return verdict;
  const auto back = ask_delta(query, epsilon.lower);
  return back ? at_most(given, back->delta, what + " from the lower end") : holds();
}

Verdict refines(const Query& query, Chance& chance) {
  const Either either(chance);
  std::vector<Interval> found;
  Query asked = query;
  for (const double width : {0.2, 0.01, 1e-4}) {
    asked.width = width;
    const auto answer = either(asked);
    if (!answer) return kSilent();
    found.push_back(either.value(*answer));
  }
  const auto size = [](const Interval& i) { return i.upper - i.lower; };
  Verdict verdict = all({alike(found[0], found[1], either.name() + ", finer"),
                         alike(found[1], found[2], either.name() + ", finer"),
                         alike(found[0], found[2], either.name() + ", finer")});
  // A wide question may be answered better than asked; then the narrow one need only be as asked.
  const double enough = std::max(size(found[0]) * (1 + 1e-6), 1e-4 * found[2].upper) + 1e-300;
  if (verdict.broken.empty() && std::isfinite(size(found[0])) && size(found[2]) > enough)
    return {true, either.name() + ": " + show(found[2]) + " was asked to be narrower than " +
                      show(found[0])};
  return verdict;
}

Verdict replays(const Query& query, Chance& chance) {
  const Either either(chance);
  const auto a = either(query);
  const auto b = either(query);
  if (!a || !b) return kSilent();
  const Interval x = either.value(*a);
  const Interval y = either.value(*b);
  if (x.lower == y.lower && x.upper == y.upper) return holds();
  return {true, either.name() + ": first " + show(x) + ", then " + show(y)};
}

// ---------------------------------------------------------------------------------------------
// The laws of runs that differ in one thing.

Verdict noise_helps(const Query& query, Chance& chance) {
  Query noisier = query;
  *first(noisier).noise_multiplier *= chance.uniform(1.02, 2);
  return cheaper(noisier, query, chance);
}

void lengthen(Phase& phase, double more) {
  Number& length = phase.epochs ? phase.epochs : phase.steps;
  *length += more;
}

Verdict length_costs(const Query& query, Chance& chance) {
  Query longer = query;
  lengthen(first(longer), chance.whole(1, 5));
  return cheaper(query, longer, chance);
}

/// Fewer batches an epoch, or a higher rate: the record is in more of what is released. (Nothing is
/// proved about shuffled batches.)
Verdict rate_costs(const Query& query, Chance& chance) {
  if (is(query, "shuffle")) return kSilent();
  Query rarer = query;
  Phase& p = first(rarer);
  if (p.steps_per_epoch) {
    *p.steps_per_epoch += chance.whole(1, 1000);
  } else if (p.replacement) {
    *p.dataset_size += chance.whole(1, 1000);
  } else {
    *p.sampling_probability *= chance.uniform(0.3, 0.99);
  }
  return cheaper(rarer, query, chance);
}

Verdict people_cost(const Query& query, Chance& chance) {
  Query more = query;
  first(more).records_per_user = first(query).records_per_user.value_or(1) + chance.whole(1, 2);
  return cheaper(query, more, chance);
}

/// A record may be replaced by one whose gradient is zero.
Verdict substitution_costs(const Query& query, Chance& chance) {
  if (neighbours(query) == "substitution") return kSilent();
  Query substituted = query;
  first(substituted).adjacency = "substitution";
  return cheaper(query, substituted, chance);
}

Verdict directions_meet(const Query& query, Chance&) {
  const auto answer = ask_delta(query, 0);
  if (!answer) return kSilent();
  return alike(answer->directions.remove, answer->directions.add, "total variation");
}

/// Known batches and substituted records: what is true of (P, Q) is true of (Q, P).
Verdict directions_are_alike(const Query& query, Chance& chance) {
  if (!is(query, "deterministic") && neighbours(query) != "substitution") return kSilent();
  const Either either(chance);
  const auto answer = either(query);
  if (!answer) return kSilent();
  return alike(answer->directions.remove, answer->directions.add, either.name());
}

// ---------------------------------------------------------------------------------------------
// The laws of one sampler against another.

Query drawn_by(const Query& query, const char* sampler) {
  Query other = query;
  first(other).sampler = sampler;
  return other;
}

Verdict known_batches_cost_most(const Query& query, Chance& chance) {
  const accounts::Sampler& sampler = sampler_of(query);
  if (!sampler.uses_epochs || first(query).participations) return kSilent();
  return cheaper(query, drawn_by(query, "deterministic"), chance);
}

/// [BB25]: for Gaussian noise and a zeroed record, shuffling costs at least what bins do.
Verdict bins_cost_least(const Query& query, Chance& chance) {
  if (!is(query, "balls-and-bins") || !is_gaussian(query) || first(query).participations ||
      neighbours(query) == "substitution" || first(query).records_per_user)
    return kSilent();
  return cheaper(query, drawn_by(query, "shuffle"), chance);
}

/// One batch that holds everything leaves a sampler nothing to draw; only without replacement does
/// a removed record make room for another one.
Verdict nothing_to_draw(const Query& query, Chance& chance) {
  if (is(query, "without-replacement") && neighbours(query) != "substitution") return kSilent();
  Query whole = query;
  Phase& p = first(whole);
  p.participations.reset();
  if (p.steps_per_epoch) {
    p.steps_per_epoch = 1;
  } else {
    p.sampling_probability = 1;
  }
  return same(whole, drawn_by(whole, "deterministic"), chance);
}

// ---------------------------------------------------------------------------------------------
// Scaling.

/// A Gaussian step is the square root of k steps of k times the noise.
Verdict shifts_add_their_squares(const Query& query, Chance& chance) {
  const bool kept = first(query).reshuffle.value_or("each-epoch") == "once";
  if (!is_gaussian(query) || !first(query).epochs) return kSilent();
  if (!is(query, "deterministic") && !(sampler_of(query).can_keep_draw && kept)) return kSilent();
  if (first(query).participations) return kSilent();
  Query once = query;
  *first(once).noise_multiplier /= std::sqrt(*first(query).epochs);
  first(once).epochs = 1;
  // The square root and the quotient round: sigma is off by a unit or two, which the values follow.
  const Either either(chance);
  const auto a = either(query);
  const auto b = either(once);
  if (!a || !b) return kSilent();
  const auto widened = [](Interval i) {
    return Interval{i.lower * (1 - 1e-9), i.upper * (1 + 1e-9), i.kind};
  };
  return alike(widened(either.value(*a)), widened(either.value(*b)), either.name());
}

/// With known batches, more records a person and a substituted record only move the sum further.
Verdict distances_scale(const Query& query, Chance& chance) {
  const std::string mechanism = first(query).mechanism.value_or("gaussian");
  if (!is(query, "deterministic") || mechanism == "randomized-response") return kSilent();
  Query near = query;
  near.phases.resize(1);
  Phase& p = first(near);
  const double factor =
      p.records_per_user.value_or(1) * (neighbours(query) == "substitution" ? 2 : 1);
  if (factor == 1) return kSilent();
  p.records_per_user.reset();
  p.adjacency = "zero-out";
  *p.noise_multiplier /= factor;
  const Either either(chance);
  const auto a = either(query);
  const auto b = either(near);
  if (!a || !b) return kSilent();
  const Interval x = either.value(*a);
  return alike({x.lower * (1 - 1e-9), x.upper * (1 + 1e-9), x.kind}, either.value(*b),
               either.name());
}

// ---------------------------------------------------------------------------------------------
// Identities.

Release nothing_released(Chance& chance) {
  Release release;
  switch (chance.below(3)) {
    case 0:
      release.mu = 0;
      break;
    case 1:
      release.rho = 0;
      break;
    default:
      release.epsilon = 0;
      break;
  }
  return release;
}

Verdict nothing_changes_nothing(const Query& query, Chance& chance) {
  Query beside = query;
  if (chance.happens(0.5)) {
    beside.phases.insert(beside.phases.begin() + static_cast<std::ptrdiff_t>(chance.below(2)),
                         nothing_released(chance));
  } else {
    Phase none = first(query);
    none.steps.reset();
    none.epochs = 0;
    *none.noise_multiplier *= 3;
    beside.phases.emplace_back(none);
  }
  return same(query, beside, chance);
}

Verdict no_steps_cost_nothing(const Query& query, Chance& chance) {
  Query none = query;
  first(none).steps.reset();
  first(none).epochs = 0;
  const Either either(chance);
  const auto answer = either(none);
  if (!answer) return kSilent();
  const Interval value = either.value(*answer);
  if (value.lower == 0 && value.upper == 0) return holds();
  return {true, either.name() + " of no steps is " + show(value)};
}

/// A cap that no batch can exceed.
Verdict an_idle_cap_changes_nothing(const Query& query, Chance& chance) {
  if (!sampler_of(query).cap) return kSilent();
  Query told = query;
  Phase& p = first(told);
  const double records = chance.whole(1000, 1e6);
  p.dataset_size = records;
  Query capped = told;
  first(capped).max_batch_size = records;
  return same(told, capped, chance);
}

/// T batches an epoch, of b records each, from T b records.
Verdict schedules_say_the_same(const Query& query, Chance& chance) {
  const Phase& p = first(query);
  if (!p.steps_per_epoch) return kSilent();
  Query told = query;
  Phase& other = first(told);
  other.batch_size = chance.whole(1, 1000);
  other.dataset_size = *other.batch_size * *p.steps_per_epoch;
  other.steps_per_epoch.reset();
  const Either either(chance);
  const auto a = either(query);
  const auto b = either(told);
  if (!a || !b) return kSilent();
  const Interval x = either.value(*a);
  const Interval y = either.value(*b);
  if (x.lower == y.lower && x.upper == y.upper) return holds();
  return {true, either.name() + ": by steps " + show(x) + ", by records " + show(y)};
}

// ---------------------------------------------------------------------------------------------
// Composition.

/// Another phase whose neighbours mean the same.
Phase another(const Query& query, Chance& chance) {
  const accounts::Sampler& sampler =
      accounts::kSamplers.at(chance.below(accounts::kSamplers.size()));
  Query other = random_run(chance, sampler);
  first(other).adjacency = first(query).adjacency;
  first(other).records_per_user = first(query).records_per_user;
  return first(other);
}

Query beside(const Query& query, const Phase& more) {
  Query both = query;
  both.phases.emplace_back(more);
  return both;
}

Verdict parts_cost_less(const Query& query, Chance& chance) {
  return cheaper(query, beside(query, another(query, chance)), chance);
}

Verdict wholes_cost_no_more_than_parts(const Query& query, Chance& chance) {
  const Phase more = another(query, chance);
  Query alone = query;
  alone.phases = {more};
  const double delta = some_delta(chance) / 2;
  const auto a = ask_epsilon(query, delta);
  const auto b = ask_epsilon(alone, delta);
  const auto both = ask_epsilon(beside(query, more), 2 * delta);
  if (!a || !b || !both) return kSilent();
  return at_most(both->epsilon,
                 {0, (a->epsilon.upper + b->epsilon.upper) * (1 + kSlack), IntervalKind::bound},
                 "epsilon at twice delta " + spelt(delta) + " beside " + describe(alone));
}

Verdict order_does_not_matter(const Query& query, Chance& chance) {
  const Query there = beside(query, another(query, chance));
  Query back = there;
  std::reverse(back.phases.begin(), back.phases.end());
  return same(there, back, chance);
}

// ---------------------------------------------------------------------------------------------
// Calibration.

Verdict calibration_meets_its_target(const Query& query, Chance& chance) {
  Query target = query;
  target.question = "calibrate";
  target.solve_for = "noise";
  target.delta = some_delta(chance);
  target.epsilon = chance.log_uniform(0.1, 10);
  const auto found = ask(target);
  if (!found || !found->solution) return kSilent();
  Query at = query;
  first(at).noise_multiplier = found->solution->value;
  const auto answer = ask_epsilon(at, *target.delta);
  if (!answer) return {true, "a solution that is refused: " + spelt(found->solution->value)};
  if (answer->epsilon.upper <= *target.epsilon) return holds();
  return {true, "noise " + spelt(found->solution->value) + " makes " + show(answer->epsilon) +
                    " of the target " + spelt(*target.epsilon)};
}

constexpr std::array kLaws = {
    Law{"ends are ordered, in range, and below what Renyi accounting allows", ordered},
    Law{"delta falls as epsilon rises, no faster than e^epsilon rises", delta_falls},
    Law{"delta is convex in e^epsilon", delta_is_convex},
    Law{"epsilon falls as delta rises", epsilon_falls},
    Law{"epsilon and delta lead back to each other", inverse},
    Law{"narrower answers overlap wider ones", refines, 0.5},
    Law{"the same question gets the same bits", replays, 0.5},
    Law{"more noise never costs more", noise_helps},
    Law{"more steps never cost less", length_costs},
    Law{"rarer use never costs more", rate_costs},
    Law{"more records a person never cost less", people_cost},
    Law{"substituting costs at least zeroing", substitution_costs},
    Law{"at epsilon 0 both directions are one total variation", directions_meet},
    Law{"symmetric pairs know no direction", directions_are_alike, 3},
    Law{"known batches cost most", known_batches_cost_most},
    Law{"shuffling costs at least what balls-and-bins does", bins_cost_least, 3},
    Law{"a batch that holds everything leaves nothing to draw", nothing_to_draw},
    Law{"Gaussian shifts add their squares", shifts_add_their_squares, 3},
    Law{"distances scale with the noise", distances_scale, 10},
    Law{"an empty part changes nothing", nothing_changes_nothing, 0.5},
    Law{"no steps cost nothing", no_steps_cost_nothing},
    Law{"a cap that no batch exceeds changes nothing", an_idle_cap_changes_nothing},
    Law{"schedules told in other words are the same", schedules_say_the_same},
    Law{"a part costs at most the whole", parts_cost_less, 0.5},
    Law{"the whole costs at most its parts' sum", wholes_cost_no_more_than_parts, 0.5},
    Law{"the order of phases does not matter", order_does_not_matter, 0.25},
    Law{"calibration meets its target", calibration_meets_its_target, 0.25},
};

/// One of a choice field's values, the usual one more often.
std::string some_choice(const char* field, Chance& chance) {
  std::string found;
  std::apply(
      [&](const auto&... candidate) {
        const auto pick = [&](const auto& f) {
          if (std::string_view(f.name) != field) return;
          std::vector<std::string> values(1);
          for (const char* letter = f.choices; *letter != '\0'; ++letter) {
            if (*letter == ' ') {
              values.emplace_back();
            } else {
              values.back() += *letter;
            }
          }
          found = values[chance.happens(0.4) ? 0 : chance.below(values.size())];
        };
        (pick(candidate), ...);
      },
      wire::fields(static_cast<const Phase*>(nullptr)));
  return found;
}

}  // namespace

std::span<const Law> laws() {
  return kLaws;
}

wire::Query random_run(Chance& chance, const accounts::Sampler& sampler) {
  Query query;
  query.width = 0.02;
  Phase p;
  p.sampler = std::string(sampler.name);
  p.mechanism = some_choice("mechanism", chance);
  p.adjacency = some_choice("adjacency", chance);
  p.noise_multiplier = chance.log_uniform(0.35, 6);
  const double T = chance.whole(1, 2000);
  const double epochs = chance.happens(0.6) ? 1 : chance.whole(2, 8);
  if (sampler.uses_epochs) {
    p.steps_per_epoch = T;
    p.epochs = epochs;
    if (sampler.can_keep_draw) p.reshuffle = some_choice("reshuffle", chance);
    if (sampler.can_repeat && T >= 4 && chance.happens(0.2)) p.participations = chance.whole(2, 4);
  } else {
    p.sampling_probability = 1 / T;
    p.steps = chance.whole(1, T * epochs);
  }
  if (chance.happens(0.15)) p.records_per_user = chance.whole(2, 3);
  if (sampler.can_replace && p.mechanism != "laplace" && p.adjacency != "substitution" && T > 1 &&
      chance.happens(0.3)) {
    p.sampling_probability.reset();
    p.batch_size = chance.whole(1, 300);
    p.dataset_size = *p.batch_size * std::max(T, 4.0);
    p.replacement = true;
  }
  query.phases = {p};
  return query;
}

namespace {

std::string words(const char* name, const Number& value) {
  return value ? std::string(name) + "=" + spelt(*value) + " " : "";
}
std::string words(const char* name, const wire::Choice& value) {
  return value ? std::string(name) + "=" + *value + " " : "";
}
std::string words(const char* name, const wire::Flag& value) {
  return value ? std::string(name) + (*value ? "=true " : "=false ") : "";
}
std::string words(const char* name, const wire::Numbers& list) {
  std::string text;
  for (const double value : list) text += (text.empty() ? "" : ",") + spelt(value);
  return text.empty() ? text : std::string(name) + "=" + text + " ";
}

}  // namespace

std::string describe(const wire::Query& query) {
  std::string text;
  const auto add = [&](const auto& owner) {
    std::apply(
        [&](const auto&... field) {
          const auto put = [&](const auto& f) { text += words(f.name, owner.*f.member); };
          (put(field), ...);
        },
        wire::fields(&owner));
  };
  add(query);
  for (const Entry& entry : query.phases) {
    text += "| ";
    std::visit(add, entry);
  }
  return text;
}

}  // namespace honest_epsilon::testing
