#include "tests/oracle/accountant.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/oracle/law.h"

namespace honest_epsilon::oracle {
namespace {

using wire::Phase;

double or_one(const wire::Number& value) {
  return value.value_or(1);
}
int whole(double value) {
  return static_cast<int>(std::lround(value));
}
bool is(const wire::Choice& choice, const char* name) {
  return choice.value_or("") == name;
}

// --- Chances

double binomial(int n, int k, double p) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) *
         std::pow(p, k) * std::pow(1 - p, n - k);
}
/// Pr[Bin(n, p) >= k]
double at_least(int n, int k, double p) {
  double sum = 0;
  for (int j = std::max(k, 0); j <= n; ++j) sum += binomial(n, j, p);
  return sum;
}
/// k of `drawn` are among a uniform subset of b of n.
double hypergeometric(int n, int b, int drawn, int k) {
  const auto choose = [](int of, int some) {
    return some < 0 || some > of
               ? 0
               : std::exp(std::lgamma(of + 1) - std::lgamma(some + 1) - std::lgamma(of - some + 1));
  };
  return choose(drawn, k) * choose(n - drawn, b - k) / choose(n, b);
}
/// Of a record that is drawn, the chance that a batch cut to `largest` keeps it, where each of
/// `others` is drawn with probability p.
double kept(int others, double p, double largest) {
  double sum = 0;
  for (int j = 0; j <= others; ++j)
    sum += binomial(others, j, p) * std::min(1.0, largest / (j + 1));
  return sum;
}

// --- Schedules

/// How long a phase is, for one of the lengths that an epoch may have.
struct Length {
  int per_epoch = 1;    ///< steps of an epoch
  int epochs = 1;       ///< whole ones
  int rest = 0;         ///< steps of an epoch that stopped
  int steps = 1;        ///< of samplers that draw each step afresh
  double q = 1;         ///< a record's chance to be in a step's batch
  int short_batch = 0;  ///< records of an epoch's last batch where that is smaller
  double used = 1;      ///< share of the records that an epoch uses
};

double step_batch(const Phase& p) {
  return *p.batch_size * or_one(p.accumulation_steps) * or_one(p.devices);
}

Length length(const Phase& p, bool longer_epochs) {
  Length result;
  if (p.dataset_size && p.batch_size) {
    const int n = whole(*p.dataset_size), b = whole(step_batch(p));
    result.q = static_cast<double>(b) / n;
    result.per_epoch = n / b;
    if (n % b > 0 && p.drop_last.value_or(false)) result.used = 1 - static_cast<double>(n % b) / n;
    if (n % b > 0 && !p.drop_last.value_or(false)) {
      result.per_epoch += 1;
      result.short_batch = n % b;
    }
  } else if (p.steps_per_epoch) {
    result.per_epoch = whole(*p.steps_per_epoch);
    result.q = 1 / *p.steps_per_epoch;
  } else {
    result.q = *p.sampling_probability;
    const double exact = 1 / result.q, nearest = std::round(exact);
    const bool even = std::abs(exact - nearest) < 1e-9;
    result.per_epoch = whole(even ? nearest : longer_epochs ? std::ceil(exact) : std::floor(exact));
  }
  if (p.steps) {
    result.steps = whole(*p.steps);
    result.epochs = result.steps / result.per_epoch;
    result.rest = result.steps % result.per_epoch;
  } else {
    result.epochs = whole(or_one(p.epochs));
    const bool by_rate = !p.dataset_size && !p.steps_per_epoch;
    result.steps = by_rate ? static_cast<int>(std::ceil(result.epochs / result.q - 1e-9))
                           : result.epochs * result.per_epoch;
  }
  return result;
}

// --- Steps

/// The noise of a phase, counting a noisy count of clipped gradients.
double noise(const Phase& p) {
  const double sigma = *p.noise_multiplier;
  if (!p.count_noise) return sigma;
  return 1 / std::sqrt(1 / (sigma * sigma) + 0.25 / (*p.count_noise * *p.count_noise));
}

bool is_response(const Phase& p) {
  return is(p.mechanism, "randomized-response");
}
bool is_gaussian(const Phase& p) {
  return !p.mechanism || is(p.mechanism, "gaussian");
}
bool replaces(const Phase& p) {
  return is(p.adjacency, "substitution");
}

std::vector<double> binomial_weights(int records, double q) {
  std::vector<double> weights;
  for (int j = 0; j <= records; ++j) weights.push_back(binomial(records, j, q));
  return weights;
}

int records_of(const Phase& p) {
  return whole(or_one(p.sampling_workers ? p.sampling_workers : p.records_per_user));
}

/// The rules, once for a law that reveals at most what the run does, and once for one that reveals
/// at least that.
class Rules {
 public:
  explicit Rules(Side side) : side_(side) {}

  Law phase(const Phase& p) const {
    const Law law = is(p.sampler, "deterministic")         ? deterministic(p)
                    : is(p.sampler, "poisson")             ? poisson(p)
                    : is(p.sampler, "without-replacement") ? fixed_size(p)
                    : is(p.sampler, "shuffle")             ? shuffled(p)
                                                           : balls_and_bins(p);
    return p.swapped.value_or(false) ? law.swapped() : law;
  }

  /// None where everything may be revealed.
  std::optional<Law> release(const wire::Release& r) const {
    if (r.mu) return gaussian(side_, {{*r.mu}, {1}}, kNoShift);
    if (r.rho && above()) return std::nullopt;
    if (r.rho) return gaussian(side_, {{std::sqrt(2 * *r.rho)}, {1}}, kNoShift);
    const double delta = r.delta.value_or(0), rest = 1 - delta;
    const double right = 1 / (1 + std::exp(-*r.epsilon));
    Law law = Law::unfinished(side_);
    law.add(delta, 0);
    law.add(0, delta);
    law.add(rest * right, rest * (1 - right));
    law.add(rest * (1 - right), rest * right);
    return law;
  }

 private:
  bool above() const { return side_ == Side::above; }

  /// A step whose sum moves by these many clipping norms under either law; a response's bit is set
  /// where it moves.
  Law step(const Phase& p, Shifts of_p, Shifts of_q = kNoShift) const {
    const double unit = 1 / noise(p);
    if (is_response(p)) {
      double set = 0;
      for (std::size_t i = 0; i < of_p.place.size(); ++i) {
        if (of_p.place[i] != 0) set += of_p.weight[i];
      }
      return response(side_, unit, set);
    }
    for (Shifts* shifts : {&of_p, &of_q}) {
      for (double& place : shifts->place) place *= unit;
    }
    return is_gaussian(p) ? gaussian(side_, of_p, of_q) : laplace(side_, of_p, of_q);
  }

  /// A batch known to hold so many records.
  Law known_step(const Phase& p, double records) const {
    return step(p, {{replaces(p) ? 2 * records : records}, {1}});
  }

  /// The number of a person's records in a batch, by its weights.
  Law random_step(const Phase& p, const std::vector<double>& weights, double unit = 1) const {
    Shifts there, opposite;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      there.place.push_back(unit * static_cast<double>(j));
      opposite.place.push_back(-unit * static_cast<double>(j));
    }
    there.weight = opposite.weight = weights;
    return step(p, there, replaces(p) ? opposite : kNoShift);
  }

  /// A person's records in known batches: all in one where noise is added to a sum, each in one of
  /// its own where a bit is answered.
  Law known_batches(const Phase& p, const Length& l, int uses = 1) const {
    const int records = records_of(p), epochs = uses * (l.epochs + (l.rest > 0 ? 1 : 0));
    if (!is_response(p)) return known_step(p, records).power(epochs);
    return known_step(p, 1).power(std::min(records, l.per_epoch) * epochs);
  }

  Law deterministic(const Phase& p) const { return known_batches(p, length(p, !above())); }

  Law poisson(const Phase& p) const {
    const Length l = length(p, !above());
    const int records = records_of(p), bands = whole(or_one(p.bands));
    const int steps = (l.steps + bands - 1) / bands;
    double q = l.q;
    if (p.bands && p.dataset_size) q = step_batch(p) / std::floor(*p.dataset_size / bands);
    if (p.bands && p.steps_per_epoch) q = bands / *p.steps_per_epoch;
    // Gradients worse than the largest ones in one direction are not ruled out here.
    const bool open =
        replaces(p) ? records > 1 || is(p.mechanism, "laplace") : records > 1 && !is_gaussian(p);
    if (above() && open && !is_response(p)) return known_step(p, records).power(steps);
    if (above() || !p.max_batch_size)
      return random_step(p, binomial_weights(records, q)).power(steps);
    const double share = q * kept(whole(*p.dataset_size) - 1, q, *p.max_batch_size);
    return random_step(p, {1 - share, share}).power(steps);
  }

  Law fixed_size(const Phase& p) const {
    const Length l = length(p, !above());
    const int records = records_of(p);
    // Another record takes the place of a missing one: twice the clipping norm.
    const double unit = replaces(p) ? 1 : 2;
    if (p.replacement.value_or(false)) {
      const double q = records / *p.dataset_size;
      return random_step(p, binomial_weights(whole(step_batch(p)), q), unit).power(l.steps);
    }
    const bool tight = !replaces(p) || is_response(p);
    if (p.dataset_size && is_gaussian(p) && tight) {
      const int n = whole(*p.dataset_size), b = whole(step_batch(p));
      std::vector<double> weights;
      for (int j = 0; j <= std::min(records, b); ++j)
        weights.push_back(hypergeometric(n, b, records, j));
      if (records <= n - b) return random_step(p, weights, unit).power(l.steps);
    }
    if (above() && (records > 1 || !tight)) return step(p, {{2.0 * records}, {1}}).power(l.steps);
    return random_step(p, {1 - l.q, l.q}, unit).power(l.steps);
  }

  /// A single record in one random batch an epoch; zeroed, added or removed.
  ///   chances: of each batch.   share_kept: of what is drawn, that is not cut
  Law random_batches(const Phase& p, const Length& l, const std::vector<double>& chances,
                     double share_kept) const {
    const Law shown = step(p, {{1}, {1}});
    // One of the first batches, each of which shows what its looks do.
    const auto one_of = [&](int batches, const auto& looks) {
      Law law = shown.power(looks(0));
      double all = chances[0];
      for (int t = 1; t < batches; ++t) {
        const double chance = chances[static_cast<std::size_t>(t)];
        law = law.mixed(shown.power(looks(t)), all / (all + chance));
        all += chance;
      }
      return law.diluted(std::min(1.0, all * share_kept * (1 + 1e-15)));
    };
    if (is(p.reshuffle, "once"))
      return one_of(l.per_epoch, [&](int t) { return l.epochs + (t < l.rest ? 1 : 0); });
    const auto once = [](int) { return 1; };
    Law law = one_of(l.per_epoch, once).power(l.epochs);
    return l.rest > 0 ? law.times(one_of(l.rest, once)) : law;
  }

  /// Whether all of an epoch's outputs fit on one lattice.
  static bool few_bins(const Phase& p, const Length& l) {
    const int looks = is(p.reshuffle, "once") ? l.epochs + 1 : 1;
    const double shift = std::sqrt(looks) / noise(p);
    return l.per_epoch <= 2 ? shift < 4 : l.per_epoch == 3 && shift < 1.3;
  }

  Law replaced_bins(const Phase& p, const Length& l) const {
    const auto seen = [&](int bins, const auto& looks) {
      std::vector<double> shifts;
      for (int t = 0; t < bins && looks(t) > 0; ++t)
        shifts.push_back(std::sqrt(looks(t)) / noise(p));
      return replaced_epoch(shifts, l.per_epoch);
    };
    if (is(p.reshuffle, "once"))
      return seen(l.per_epoch, [&](int t) { return l.epochs + (t < l.rest ? 1 : 0); });
    const auto once = [](int) { return 1; };
    const Law law = seen(l.per_epoch, once).power(l.epochs);
    return l.rest > 0 ? law.times(seen(l.rest, once)) : law;
  }

  /// A record in one of so many bins, of which these were seen, or its opposite: every output falls
  /// into a cell of width w. That hides what shifts smaller by about w^2 / 24 of themselves would;
  /// above, they are larger by four times as much.
  Law replaced_epoch(std::vector<double> shifts, int bins) const {
    const double largest = *std::max_element(shifts.begin(), shifts.end());
    const double w = (shifts.size() > 2 ? 0.2 : 0.1) / std::max(1.0, largest);
    if (above())
      for (double& shift : shifts) shift *= 1 + w * w / 6;
    const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    const int cells = static_cast<int>(2 * (largest + 7) / w) + 1;
    const auto mass = [&](int i, double centre) {
      const double low = (i - 0.5 * cells) * w - centre;
      return low > 0 ? below(-low) - below(-low - w) : below(low + w) - below(low);
    };
    // Of each bin's cells: with the record, with its opposite, and without.
    std::vector<std::vector<std::array<double, 3>>> masses;
    for (const double shift : shifts) {
      masses.emplace_back();
      for (int i = 0; i < cells; ++i)
        masses.back().push_back({mass(i, shift), mass(i, -shift), mass(i, 0)});
    }
    Law law = Law::unfinished(side_);
    // p and q so far with the record in one of the bins visited, and in none of them.
    const std::function<void(std::size_t, double, double, double)> visit =
        [&](std::size_t t, double p, double q, double none) {
          if (t == masses.size()) {
            const double unseen = none * (bins - static_cast<double>(t));
            law.add((p + unseen) / bins, (q + unseen) / bins);
            return;
          }
          for (const auto& [there, opposite, without] : masses[t])
            visit(t + 1, p * without + none * there, q * without + none * opposite, none * without);
        };
    visit(0, 0, 0, 1);
    return law;
  }

  Law balls_and_bins(const Phase& p) const {
    const Length l = length(p, !above());
    const int uses = whole(or_one(p.participations));
    if (uses == l.per_epoch) return known_batches(p, l, uses);
    if (uses == 1 && records_of(p) == 1 && replaces(p) && is_gaussian(p) &&
        (above() || !p.max_batch_size) && few_bins(p, l))
      return replaced_bins(p, l);
    if (above() && (uses > 1 || records_of(p) > 1 || (replaces(p) && !is_response(p))))
      return known_batches(p, l, uses);
    const double chance = 1.0 / l.per_epoch;
    const double share_kept = p.max_batch_size && !above()
                                  ? kept(whole(*p.dataset_size) - 1, chance, *p.max_batch_size)
                                  : 1;
    return random_batches(p, l, std::vector<double>(static_cast<std::size_t>(l.per_epoch), chance),
                          share_kept);
  }

  Law shuffled(const Phase& p) const {
    const Length l = length(p, !above());
    if (above()) return known_batches(p, l);
    std::vector<double> chances(static_cast<std::size_t>(l.per_epoch), l.used / l.per_epoch);
    if (l.short_batch > 0) {
      std::fill(chances.begin(), chances.end(), step_batch(p) / *p.dataset_size);
      chances.back() = l.short_batch / *p.dataset_size;
    }
    return random_batches(p, l, chances, 1);
  }

  Side side_;
};

/// The probability that a cut batch would have held one of the person's records: of all that is cut
/// nothing more is known.
double cut(const Phase& p) {
  if (!p.max_batch_size) return 0;
  const Length l = length(p, false);
  const int records = records_of(p);
  const double least = *p.max_batch_size - records + 1;
  const bool bins = is(p.sampler, "balls-and-bins");
  const double q = bins ? 1.0 / l.per_epoch : l.q;
  const double draws = bins ? l.epochs + (l.rest > 0 ? 1 : 0) : l.steps * q;
  return draws * records * at_least(whole(*p.dataset_size) - 1, whole(least), q);
}

}  // namespace

struct Accountant::Laws {
  Law least{Side::below};
  std::optional<Law> most{Side::above};  ///< none where everything may be revealed
  bool symmetric = false;                ///< each of two neighbours may be the one with the record
  double cut = 0;
};

Accountant::~Accountant() = default;

Accountant::Accountant(const wire::Query& query) : laws_(std::make_unique<Laws>()) {
  const int runs = is(query.tuning, "fixed") ? whole(*query.runs) : 1;
  for (const wire::Entry& entry : query.phases) {
    const Phase* phase = std::get_if<Phase>(&entry);
    const auto law = [&](Side side) {
      return phase ? Rules(side).phase(*phase)
                   : Rules(side).release(std::get<wire::Release>(entry));
    };
    laws_->least = laws_->least.times(law(Side::below)->power(runs));
    const std::optional<Law> most = law(Side::above);
    laws_->most =
        laws_->most && most ? std::optional(laws_->most->times(most->power(runs))) : std::nullopt;
    if (phase) {
      laws_->cut += runs * cut(*phase);
      laws_->symmetric = replaces(*phase);
    }
  }
}

Deltas Accountant::at(double epsilon) const {
  const auto between = [&](double (Law::*direction)(double) const) {
    const double cut = (1 + std::exp(epsilon)) * laws_->cut;
    const double most = laws_->most ? ((*laws_->most).*direction)(epsilon) + cut : 1;
    return Between{(laws_->least.*direction)(epsilon), std::min(1.0, most)};
  };
  const Between remove = between(&Law::remove), add = between(&Law::add_direction);
  if (!laws_->symmetric) return {remove, add};
  const Between larger = {std::max(remove.least, add.least), std::max(remove.most, add.most)};
  return {larger, larger};
}

}  // namespace honest_epsilon::oracle
