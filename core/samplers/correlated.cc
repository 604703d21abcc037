#include "core/samplers/correlated.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>

#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/math/fft.h"
#include "core/samplers/balls_and_bins.h"

namespace honest_epsilon {
namespace {

using Samples = std::vector<double>;

Samples::size_type whole(std::int64_t count) {
  return static_cast<Samples::size_type>(count);
}

/// m_0: what the first bin's record adds to the steps, in this epoch and in those before.
Samples first_bin(const Samples& column, std::int64_t bins, std::int64_t epochs) {
  Samples sums = column;
  sums.resize(whole(bins * epochs));
  for (std::size_t j = whole(bins); j < sums.size(); ++j) sums[j] += sums[j - whole(bins)];
  return sums;
}

std::size_t transformed_size(std::size_t steps) {
  return std::bit_ceil(2 * steps);
}

using Transformed = std::vector<std::complex<double>>;
Transformed transformed(const Samples& samples, std::size_t n) {
  Transformed in(n), out;
  std::copy(samples.begin(), samples.end(), in.begin());
  fft::forward(in, out);
  return out;
}

/// sum_u a[u] b[u + d] for d = 0, 1, ..., from the transforms of a and b.
Samples correlate(Transformed a, const Transformed& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::conj(a[i]) * b[i];
  Transformed sums;
  fft::backward(a, sums);
  Samples values;
  for (std::size_t d = 0; 2 * d < a.size(); ++d)
    values.push_back(sums[d].real() / static_cast<double>(a.size()));
  return values;
}

/// What each is off by: with r the relative error of a transform of n numbers and |a| <= |b|
/// Euclidean norms, the product of the transforms is off by (2 r + r^2 + 4 units) n |b|^2 in its
/// sum, and the transform back by r sqrt(n) |b|^2.
double correlation_error(std::size_t n, double square) {
  const double relative = fft::relative_error(n);
  return (relative * (3 + std::sqrt(static_cast<double>(n))) + 8 * kUnit) * square;
}

/// A field that promises less than this share of the one before is not looked at.
constexpr double kGain = 0.02;

}  // namespace

std::int64_t Correlation::work(std::int64_t steps) {
  return 4 * fft::work(transformed_size(whole(steps)));
}

Correlation::Correlation(const Samples& column, std::int64_t bins, std::int64_t epochs,
                         double relative_error, bool compares_bins)
    : compares_bins_(compares_bins) {
  const Samples sums = first_bin(column, bins, epochs);
  Samples seen(sums.begin(), sums.end() - (bins - 1));  // of the last bin
  // Squares of m_0 up to each step: |m_i|^2 is the one that leaves out its last i.
  Samples squares;
  double square = 0;
  for (const double x : sums) squares.push_back(square += x * x);
  const double relative =
      2 * relative_error + 4 * kUnit * (static_cast<double>(sums.size() + whole(epochs)) + 8);
  known_ = {square * (1 - relative), square * (1 + relative)};
  const std::int64_t compared = compares_bins ? bins : 1;
  Samples most, least;
  double error = 0;
  if (compared > 1) {
    const std::size_t n = transformed_size(sums.size());
    const Transformed all = transformed(sums, n);
    most = correlate(all, all);
    least = correlate(transformed(seen, n), all);
    error = correlation_error(n, square);
  }
  // Bins so far apart have no step in common.
  const auto apart = [&, length = static_cast<std::int64_t>(column.size())](std::int64_t d) {
    return d >= length && (epochs == 1 || bins - d >= length);
  };

  double shared = kInfinity;
  for (std::int64_t residues = 1; residues < compared && shared > 0; ++residues) {
    double largest = 0;
    for (std::int64_t d = residues; d < bins; d += residues) {
      if (apart(d)) continue;
      largest = std::max(largest, (most[whole(d)] + error) * (1 + relative));
    }
    largest = std::min(largest, known_.upper);
    if (largest > (1 - kGain) * shared) continue;
    shared = largest;
    above_.push_back({bins / residues, 0, shared, (known_.upper - shared) * (1 + 2 * kUnit)});
  }
  above_.push_back({1, 0, known_.upper, 0});

  double together = compared > 1 ? kInfinity : 0;
  for (std::int64_t d = 1; d < compared; ++d)
    together = std::min(together, apart(d) ? 0 : least[whole(d)] - error);
  const auto own_of = [&](std::int64_t bin) {
    return squares[squares.size() - 1 - whole(bin)] * (1 - relative);
  };
  constexpr std::int64_t kParts = 4;
  for (std::int64_t first = 1; first < bins; first += 1 + first / kParts) {
    const double own = own_of(first - 1);
    if ((1 - kGain) * own > own_of(bins - 1)) below_.push_back({first, bins - first, 0, own});
  }
  below_.push_back({bins, 0, 0, own_of(bins - 1)});
  together = std::clamp(together * (1 - relative), 0.0, own_of(bins - 1));
  if (bins > 1 && together > 0)
    below_.push_back({bins, 0, together, (own_of(bins - 1) - together) * (1 - 2 * kUnit)});
}

std::vector<double> square_root_column(std::size_t count) {
  Samples column;
  double entry = 1;
  for (std::size_t j = 0; j < count; ++j) {
    const auto order = static_cast<double>(j);
    if (j > 0) entry *= (2 * order - 1) / (2 * order);
    column.push_back(entry);
  }
  return column;
}

double square_root_error(std::size_t count) {
  return 2 * kUnit * static_cast<double>(count + 1);
}

std::vector<double> buffered_column(const std::vector<double>& weights,
                                    const std::vector<double>& decays, std::size_t count) {
  Samples column(std::min<std::size_t>(count, 1), 1.0), terms = weights;
  while (column.size() < count) {
    double sum = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      sum += terms[i];
      terms[i] *= decays[i];
      // A term that underflows is as good as none beside c_0 = 1.
      if (terms[i] < 1e-200) terms[i] = 0;
    }
    column.push_back(sum);
  }
  return column;
}

double buffered_error(std::size_t count, std::size_t buffers) {
  return 2 * kUnit * static_cast<double>(count + buffers + 1);
}

namespace correlated {
namespace {

/// A field as parts; what it is to bound decides to which side its shifts may round.
enum class Bounds { above, below };

/// Of its two parts, the epoch.
Run epoch_of(const Run& run, const GaussianField& field, Bounds bounds) {
  Run epoch = run;
  epoch.correlation = nullptr;
  const double unit = bounds == Bounds::above ? 8 * kUnit : -8 * kUnit;
  epoch.noise_multiplier *= (1 - unit) / std::sqrt(field.own);
  epoch.epochs = 1;
  epoch.steps_per_epoch = field.bins + field.blank;
  epoch.missing_steps = field.blank;
  epoch.steps = field.bins;
  return epoch;
}

Parts parts_of(const Run& run, const GaussianField& field, Bounds bounds, const Demand& demand) {
  const double unit = bounds == Bounds::above ? 8 * kUnit : -8 * kUnit;
  const double square = run.noise_multiplier * run.noise_multiplier;
  Parts parts;
  parts.tight = true;
  if (field.own > 0) parts = balls_and_bins::parts(epoch_of(run, field, bounds), demand);
  parts.upper.squared_shift += field.shared / square * (1 + unit);
  return parts;
}

Finding ask(const Run& run, const GaussianField& field, Bounds bounds, Asked asked, double given,
            const Effort& effort) {
  if (field.shared == 0) {
    const auto epoch = asked == Asked::epsilon ? balls_and_bins::epsilon : balls_and_bins::delta;
    return epoch(epoch_of(run, field, bounds), given, effort);
  }
  return compose([&](const Demand& demand) { return parts_of(run, field, bounds, demand); }, 2,
                 asked, given, effort);
}

/// The best of some fields, to about a percent: from one to its neighbours, which come closer.
const GaussianField& best_of(const Run& run, const std::vector<GaussianField>& fields,
                             Bounds bounds, Asked asked, double given) {
  Effort rough;
  rough.width = 0.01;
  rough.log2_grid_limit = 13;
  constexpr double kShareOfField = 0.2;
  std::vector<double> costs(fields.size(), -1);
  const auto cost = [&](std::size_t i) {
    if (costs[i] < 0) {
      const work::Limit limit(work::part(kShareOfField));
      const Directions found = ask(run, fields[i], bounds, asked, given, rough).directions;
      costs[i] = bounds == Bounds::above ? found.upper() : found.lower();
    }
    return bounds == Bounds::above ? costs[i] : -costs[i];
  };
  std::size_t best = fields.size() - 1;
  for (std::size_t stride = std::bit_ceil(fields.size()); stride > 0; stride /= 2) {
    for (const std::size_t other : {best - stride, best + stride}) {
      if (other < fields.size() && cost(other) < cost(best)) best = other;
    }
  }
  return fields[best];
}

const std::vector<GaussianField>& fields_above(const Run& run, std::vector<GaussianField>& known) {
  if (!run.published_only) return run.correlation->above();
  known = {run.correlation->above().back()};
  return known;
}

}  // namespace

Finding answer(const Run& run, Asked asked, double given, const Effort& effort) {
  std::vector<GaussianField> known;
  const auto best = [&](const std::vector<GaussianField>& fields, Bounds bounds) {
    return ask(run, best_of(run, fields, bounds, asked, given), bounds, asked, given, effort);
  };
  Finding finding = best(fields_above(run, known), Bounds::above);
  finding.directions.replace_lowers(best(run.correlation->below(), Bounds::below).directions);
  finding.method = Method::correlated;
  return finding;
}

Parts parts(const Run& run, const Demand& demand) {
  // Fields are chosen for a question of their own: whichever is taken, it holds.
  constexpr double kUsualDelta = 1e-5;
  std::vector<GaussianField> known;
  const auto best = [&](const std::vector<GaussianField>& fields, Bounds bounds) {
    const GaussianField& field = best_of(run, fields, bounds, Asked::epsilon, kUsualDelta);
    return parts_of(run, field, bounds, demand);
  };
  return between(best(fields_above(run, known), Bounds::above),
                 best(run.correlation->below(), Bounds::below));
}

}  // namespace correlated
}  // namespace honest_epsilon
