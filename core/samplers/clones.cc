#include "core/samplers/clones.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/contour/bins_moments.h"
#include "core/contour/gaussian_moments.h"
#include "core/contour/inversion.h"
#include "core/contour/mixture_moments.h"
#include "core/math/binomial.h"
#include "core/math/binomial_tail.h"
#include "core/math/root.h"
#include "core/pairs/gaussian.h"
#include "core/runs/seen_share.h"

namespace honest_epsilon::shuffle {
namespace {

/// kappa of a lambda, from above; mu is known to a unit in its last place.
double kappa_of(double lambda, double mu) {
  const double epsilon = -std::log(lambda);
  const double below = epsilon * (1 - 2 * kFunctionError * kUnit);
  return lambda * gaussian::delta(mu * (1 + 2 * kUnit), below).upper * (1 + 4 * kUnit) + kTiny;
}

/// About the largest lambda of a kappa.
double lambda_of(double kappa, double mu) {
  // Beyond e^-700 no lambda is a normal double.
  const auto exceeds = [&](double log) { return kappa_of(std::exp(-log), mu) > kappa; };
  return std::exp(-bisect({0, 700}, {50}, exceeds).high);
}

/// The largest w <= `at_most` whose complement is a double.
double with_exact_complement(double at_most) {
  double rest = 1 - at_most;
  if (1 - rest > at_most) rest = std::nextafter(rest, 2);
  return 1 - rest;
}

/// Pr[M <= m], at most: M - 1 ~ Bin(others, w).
double cumulative(double others, double w, double m) {
  return m < 1 ? 0 : binomial::cumulative_upper(others, w, m - 1);
}

/// The largest m with Pr[M < m] <= probability.
double lowest_rung(double others, double w, double probability) {
  double low = 1, high = std::max(1.0, std::floor(others * w));
  while (high - low > 0.5) {
    const double middle = std::ceil(0.5 * (low + high));
    if (cumulative(others, w, middle - 1) <= probability) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// The values to which M is rounded down: consecutive at first, then ever farther apart, by at most
/// half a standard deviation, or a whole one where M is rare.
std::vector<double> ladder(double others, double w, double first) {
  const double mean = 1 + others * w, deviation = std::sqrt(others * w * (1 - w));
  std::vector<double> rungs;
  for (double m = first; rungs.empty() || m < mean + 1.5 * deviation;) {
    rungs.push_back(m);
    const double part = m < mean - 2.5 * deviation ? 1 : 0.5;
    // Rungs grow by a quarter at most, where deviations are large compared with M.
    m += std::max(1.0, std::floor(std::min(part * deviation, 0.25 * m)));
  }
  return rungs;
}

std::shared_ptr<const contour::Moments> known_batch(double mu) {
  return std::make_shared<contour::GaussianMoments>(mu * mu, 4 * kUnit);
}

/// Balls-and-bins over each number of bins, one of which leaves nothing to draw.
std::vector<std::shared_ptr<const contour::Moments>> moments_of(const std::vector<double>& rungs,
                                                                double mu) {
  const bool single = rungs.front() == 1;
  const std::vector<double> bins(rungs.begin() + (single ? 1 : 0), rungs.end());
  auto all = contour::BinsMoments::kin(bins, mu);
  if (single) all.insert(all.begin(), known_batch(mu));
  return all;
}

/// With fewer expected clones than this, known batches give nearly the same bound.
constexpr double kFewestClones = 0.02;

/// Of an epoch that stopped: fewer clones gain nothing over known batches seen by chance.
constexpr double kFewestHidden = 2;

/// The part of what may be spent that pays for rounding M up.
constexpr double kFailurePart = 0.05;

/// Probabilities in whole multiples of 2^-52 have exact differences.
double rounded_up(double probability) {
  return std::min(1.0, std::ceil(probability * (1 + 8 * kUnit) / 0x1p-52) * 0x1p-52);
}

/// The largest lambda / (1 + kappa), and its kappa, of about what may be spent on each of the
/// others.
struct Weight {
  double w;
  double kappa;
};
Weight weight_of(double spent, double mu) {
  const double kappa = kappa_of(lambda_of(spent, mu), mu);
  return {with_exact_complement(lambda_of(spent, mu) / (1 + kappa) * (1 - 4 * kUnit)), kappa};
}

/// w^k, from below.
double in_every(double w, double epochs) {
  if (epochs == 1 || w == 0) return w;
  // The logarithm is off by its own error and the product's.
  const double log_all = epochs * std::log(w);
  const double units = 2 * kFunctionError - (kFunctionError + 2) * log_all;
  return with_exact_complement(std::exp(log_all) * (1 - units * kUnit));
}

double known_batch_delta(double mu, double epsilon) {
  return gaussian::delta(mu * (1 + 2 * kUnit), epsilon).upper;
}

/// Balls-and-bins over v bins, each with some probability and then seen with a share, summed.
class SeenBins {
 public:
  SeenBins(double bins, double mu) : mu_(mu) {
    if (bins == 1) return;
    const auto moments = std::make_shared<contour::BinsMoments>(bins, mu);
    remove_.emplace(std::vector<contour::MomentSteps>{{moments, 1}}, Direction::remove);
    add_.emplace(std::vector<contour::MomentSteps>{{moments, 1}}, Direction::add);
  }
  void add(double probability, const SeenShare& share) { shares_.push_back({probability, share}); }

  /// At most.
  double delta(Direction direction, double epsilon) {
    const bool remove = direction == Direction::remove;
    double sum = 0;
    for (const auto& [probability, share] : shares_) {
      sum += probability *
             share.upper([&](double log_k, Direction which) { return payoff(log_k, which); },
                         remove ? epsilon : -epsilon, direction);
    }
    return (remove ? 1 : std::exp(epsilon)) * sum;
  }

 private:
  /// Known batches bound what lines do not reach; neither payoff grows by more than K does.
  double payoff(double log_k, Direction direction) {
    const bool remove = direction == Direction::remove;
    const double along = remove ? log_k : -log_k, epsilon = std::max(0.0, along);
    double delta = known_batch_delta(mu_, epsilon);
    std::optional<contour::Inversion>& bins = remove ? remove_ : add_;
    if (bins) {
      if (const auto found = bins->delta(epsilon, 1e-3)) delta = std::min(delta, found->upper);
    }
    return (remove ? 1 : std::exp(log_k)) * delta + 2 * std::max(0.0, -along);
  }

  struct WeightedShare {
    double probability;
    SeenShare share;
  };
  double mu_;
  std::optional<contour::Inversion> remove_, add_;
  std::vector<WeightedShare> shares_;
};

/// Whole numbers from first to last.
struct CountRange {
  double first, last;
};

/// Cells of a number with a mean and a deviation, from `first` on, which end below the mean and
/// these multiples of the deviation.
std::vector<CountRange> cells(double mean, double deviation, double first, double largest,
                              std::initializer_list<double> multiples) {
  constexpr double kFarthest = 9;
  const double end = std::min(largest, std::ceil(mean + kFarthest * deviation + kFarthest));
  std::vector<CountRange> result;
  double from = first;
  const auto add = [&](double last) {
    if (last < from) return;
    result.push_back({from, last});
    from = last + 1;
  };
  for (const double multiple : multiples)
    add(std::min(end, std::ceil(mean + multiple * deviation) - 1));
  add(end);
  return result;
}

/// Pr[first <= Bin(trials, w) <= last], at least.
double mass_lower(double trials, double w, CountRange cell) {
  const double first = std::max(0.0, cell.first), last = std::min(trials, cell.last);
  if (!(first <= last)) return 0;
  const binomial::Probability start =
      binomial::pmf(static_cast<std::int64_t>(trials), w, static_cast<std::int64_t>(first));
  double term = std::max(0.0, start.value - start.error), sum = 0, steps = 0;
  for (double k = first; k <= last && term > 0; ++k, ++steps) {
    sum += term;
    term *= (trials - k) / (k + 1) * (w / (1 - w));
  }
  // Every ratio rounds by five units, every addition by one.
  return sum * std::max(0.0, 1 - 8 * kUnit * (steps + 1));
}

}  // namespace

std::optional<Clones> clones(double batches, double mu, double variation, double epochs) {
  const double others = batches - 1;
  if (!(others >= 1 && variation > 0)) return std::nullopt;
  const auto [once, kappa] = weight_of((1 - kFailurePart) * variation / (others * epochs), mu);
  const double w = in_every(once, epochs);
  if (!(others * w > kFewestClones)) return std::nullopt;

  const double first = lowest_rung(others, w, kFailurePart * variation);
  const std::vector<double> rungs = ladder(others, w, first);
  // From the worst kind to the best, each with the probability not yet assigned to a worse one.
  std::vector<contour::MixtureMoments::WeightedMoments> kinds;
  double given = 0;
  const auto add = [&](double up_to, std::shared_ptr<const contour::Moments> moments) {
    const double cumulated = rounded_up(up_to);
    if (cumulated <= given) return;
    kinds.push_back({cumulated - given, std::move(moments)});
    given = cumulated;
  };
  const double shift = epochs == 1 ? mu : mu * std::sqrt(epochs) * (1 + 4 * kUnit);
  const auto moments = moments_of(rungs, shift);
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    const bool last = i + 1 == rungs.size();
    const double share = last ? 1 : cumulative(others, w, rungs[i + 1] - 1);
    add(share, moments[i]);
  }
  return Clones{std::make_shared<contour::MixtureMoments>(std::move(kinds)), w,
                epochs * others * kappa * (1 + 4 * kUnit), cumulative(others, w, first - 1)};
}

PureClones pure_clones(double batches, double epsilon_0, double failure) {
  const double others = batches - 1;
  // epsilon_0 is a rounded quotient: e^-epsilon_0 is off by as many units more.
  const double units = 2 * (kFunctionError + epsilon_0);
  const double w = with_exact_complement(std::exp(-epsilon_0) * (1 - units * kUnit));
  const double bins = lowest_rung(others, w, failure);
  return {bins, cumulative(others, w, bins - 1)};
}

std::optional<StoppedClones> stopped_clones(double batches, double seen, double mu,
                                            double variation) {
  const double hidden = batches - seen;
  if (!(seen >= 1 && hidden >= 1 && variation > 0)) return std::nullopt;
  const auto [w, kappa] = weight_of((1 - kFailurePart) * variation / seen, mu);
  if (!(batches * w > kFewestHidden)) return std::nullopt;

  const double part = seen / batches * (1 - 4 * kUnit), rest = hidden / batches * (1 - 4 * kUnit);
  const double spread = std::sqrt(w * (1 - w)), rare = 0.25 * kFailurePart * variation;
  const auto seen_cells = cells(part + seen * w, std::sqrt(seen) * spread,
                                std::max(1.0, lowest_rung(seen, w, rare) - 1), seen,
                                {-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3});
  const auto hidden_cells = cells(rest + hidden * w, std::sqrt(hidden) * spread,
                                  lowest_rung(hidden, w, rare) - 1, hidden, {-2, -0.5});
  const auto one_less = [](CountRange cell) { return CountRange{cell.first - 1, cell.last - 1}; };
  // The remaining probability (rounding, rare cells) is assigned to a known batch, the worst case.
  std::vector<SeenBins> all;
  double left = 1 - rest * mass_lower(seen, w, {0, 0});
  for (const CountRange& v : seen_cells) {
    SeenBins bins(v.first, mu);
    const double where_seen = part * mass_lower(seen - 1, w, one_less(v));
    const double where_not = rest * mass_lower(seen, w, v);
    for (const CountRange& h : hidden_cells) {
      const double probability = where_seen * mass_lower(hidden, w, h) +
                                 where_not * mass_lower(hidden - 1, w, one_less(h));
      if (probability < rare / 64) continue;
      left -= probability * (1 - 8 * kUnit);
      bins.add(probability, {v.last, h.first});
    }
    all.push_back(std::move(bins));
  }
  const double known = std::max(0.0, left) + 1e-14;
  const auto shared = std::make_shared<std::vector<SeenBins>>(std::move(all));
  return StoppedClones{[shared, known, mu](Direction direction, double epsilon) {
                         double sum = known * known_batch_delta(mu, epsilon);
                         for (SeenBins& bins : *shared) sum += bins.delta(direction, epsilon);
                         return sum * (1 + 1e-12);
                       },
                       seen * kappa * (1 + 2 * kUnit)};
}

}  // namespace honest_epsilon::shuffle
