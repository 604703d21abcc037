#include "core/contour/cut_bins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/contour/decay.h"
#include "core/contour/jumps.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"
#include "core/math/portable.h"
#include "core/math/quadrature.h"
#include "core/math/root.h"

namespace honest_epsilon::contour {
namespace {

/// A normal law has no weight here beyond this many standard deviations.
constexpr double kNoWeight = 9;

/// Doubles hold the least of it for a bin among very many, and delta is hardly asked below it.
constexpr double kLeastMass = 1e-260, kMostMass = 0.3;

/// The most e-folds between a column's largest terms and what is left out of them.
constexpr double kMostPrecision = 36;

/// More samples of N than this are slower than other methods.
constexpr std::size_t kMostTransforms = 8000;

/// Panels as long as the normal density allows, how much longer than the last one, and how far
/// e^{sX} turns on one, in radians.
constexpr double kLongest = 4, kGrowth = 1.4, kMostRadians = 10;

/// So many panels are too many.
constexpr std::size_t kMostPanels = 400;

/// What a sample's term, a node of a panel, one of its ellipses, and a cell of an estimate cost
/// (core/base/work.h).
constexpr std::int64_t kSumWork = 40, kPanelNodeWork = 40, kEllipseWork = 3, kCellWork = 6;

/// One place's samples of N, and E[U^w; A] from them.
class CutColumn : public Column {
 public:
  CutColumn(std::shared_ptr<const CutBins> all, double power, double need);
  LogMoment log_moment(double y) const override;
  contour::Climb climb(double spacing) const override;
  double log_bound_beyond(double y) const override;

 private:
  struct TransformSample {
    double log_modulus, angle;  ///< of 1 + i tan psi
    Complex log;                ///< log N(s) - log N(sigma)
    double error;               ///< relative
  };
  /// What the samples add up to, against Gamma(w+1) sigma^{-w} N(sigma) h / (2 pi).
  struct WeightedSum {
    Complex value{};
    double error = 0;
  };
  void add_sample() const;
  /// log of the largest |1 + i tan psi|^{-p-1} e^{y psi}: sums are given against it.
  double log_top(double y) const;
  template <class Add>
  void each_term(double y, Add add) const;
  WeightedSum sum(double y) const;
  double log_beyond(double y) const;
  /// log of Gamma(w+1) sigma^{-w} N(sigma) / (2 pi) and its phase, against which sums over tan(psi)
  /// are given.
  struct Scale {
    double log, phase, error;
  };
  Scale scale(double y) const;
  /// Takes the samples that a height needs; false where these are too many.
  bool reach(double y) const;
  LogMoment evaluated(double y, const WeightedSum& total) const;
  LogMoment at_least_bounded(double y, const LogMoment& at) const;

  std::shared_ptr<const CutBins> bins_;
  double power_;
  double need_;
  double sigma_ = 0;
  double spacing_ = 0;            ///< of Im s / sigma
  double log_first_ = 0;          ///< log N(sigma)
  double log_alias_ = kInfinity;  ///< of all m != 0
  double log_upper_ = kInfinity;  ///< of E[U^p; A]
  TransformFall fall_;
  std::optional<HankelDecay> decay_;
  mutable std::vector<double> decayed_;  ///< what they say beyond some heights; NaN: not yet asked
  mutable std::vector<TransformSample> samples_;
  mutable std::optional<CutBins::TransformClimb> climb_;
};

CutColumn::CutColumn(std::shared_ptr<const CutBins> all, double power, double need)
    : bins_(std::move(all)), power_(power), need_(need), sigma_(bins_->saddle(power)) {
  const CutBins& bins = *bins_;
  if (!(sigma_ > 0) || power < CutBins::kLeastPower) return;
  const LogMoment first = bins.log_transform(sigma_);
  if (!(first.error < 0.5)) return;
  log_first_ = first.value.real();
  // On either side the place, as a share of sigma, whose aliases want the fewest samples. To the
  // left N(r) is about e^r or less.
  double distance = 0;
  std::array<double, 2> nearest{};
  for (const double side : {-1.0, 1.0}) {
    double best = kInfinity;
    for (double part = 0.02; part < 0.9; part *= 1.4) {
      const double place = side * part;
      const double rise =
          side < 0 ? power * place : bins.log_transform_estimate(sigma_ * (1 + place)) - log_first_;
      const double wanted = (need + rise - power * std::log1p(place) + 3) / part;
      if (!(wanted < best)) break;
      best = wanted;
      nearest[side < 0 ? 0 : 1] = sigma_ * (1 + place);
    }
    distance = std::max(distance, best);
  }
  if (!(distance < kInfinity)) return;
  spacing_ = portable::shortened(kTwoPi / distance);
  log_alias_ = -kInfinity;
  for (const double r : nearest) {
    const LogMoment at = bins.log_transform(r);
    const double away = std::abs(sigma_ - r) * kTwoPi / (spacing_ * sigma_) * (1 - 16 * kUnit);
    const double log_many = away + std::log(-std::expm1(-away));  // e^away - 1 may overflow
    const double side = log_power_bound(power, r) + at.value.real() + at.error - log_many + 1e-12;
    log_alias_ = std::max(log_alias_, side) + std::log1p(std::exp(-std::abs(log_alias_ - side)));
  }
  if (!(log_alias_ < kInfinity)) return;
  fall_ = bins.fall(sigma_, log_first_, first.error);
  if (!reach(0)) return;
  const LogMoment at = evaluated(0, sum(0));
  if (!(at.error < 0.5)) return;
  log_upper_ = at.value.real() + at.error;
  decay_.emplace(power, sigma_, log_first_ + first.error, fall_);
}

double CutColumn::log_bound_beyond(double y) const {
  if (!(log_upper_ < kInfinity)) return kInfinity;
  // Bounds fall with y, and need not be known anew for every height.
  constexpr int kSteps = 24;  // an octave
  const double octaves = y > 1 ? std::floor(kSteps / kLogTwo * std::log(std::min(y, 1e300))) : -1;
  const auto place = static_cast<std::size_t>(octaves + 1);
  if (place >= decayed_.size()) decayed_.resize(place + 1, std::nan(""));
  double& bound = decayed_[place];
  if (!std::isnan(bound)) return bound;
  const double from = octaves < 0 ? 0 : std::exp(octaves * kLogTwo / kSteps) * (1 - 1e-12);
  return bound = std::min(log_upper_, decay_->log_bound_beyond(from));
}

void CutColumn::add_sample() const {
  const double tangent = spacing_ * static_cast<double>(samples_.size());
  if (!climb_) climb_.emplace(*bins_, sigma_, sigma_ * spacing_);
  const LogMoment at = climb_->next();
  const double slack = 2 * kUnit * std::abs(at.value) + kUnit * std::abs(log_first_);
  // |N(s)| <= N(Re s).
  const Complex log =
      at.error < 1 ? at.value - log_first_ : std::min(at.value.real() - log_first_, 1e-9);
  samples_.push_back(
      {0.5 * std::log1p(tangent * tangent), std::atan(tangent), log, std::expm1(at.error + slack)});
}

double CutColumn::log_top(double y) const {
  const double tangent = y / (power_ + 1);
  return y * std::atan(tangent) - (power_ + 1) * 0.5 * std::log1p(tangent * tangent);
}

/// The terms at a height, those of conjugate samples apart.
///   add: (term, sample, +-1 for the sample's side, what its exponent rounds by in units)
template <class Add>
void CutColumn::each_term(double y, Add add) const {
  work::spend(kSumWork * static_cast<std::int64_t>(samples_.size()));
  const double order = power_ + 1, top = log_top(y);
  for (std::size_t j = 0; j < samples_.size(); ++j) {
    const TransformSample& sample = samples_[j];
    const double fall = sample.log.real() - order * sample.log_modulus - top;
    // Three products and their sum.
    const double units =
        8 * (4 + std::abs(top) + (order + y) * (sample.log_modulus + sample.angle) +
             std::abs(sample.log));
    const double turn = y * sample.log_modulus;
    const double own = sample.log.imag() - order * sample.angle;
    add(polar(std::exp(fall + y * sample.angle), own - turn), sample, 1.0, units);
    if (j > 0) add(polar(std::exp(fall - y * sample.angle), -own - turn), sample, -1.0, units);
  }
}

CutColumn::WeightedSum CutColumn::sum(double y) const {
  WeightedSum sum;
  double size = 0;
  each_term(y, [&](Complex term, const TransformSample& sample, double, double units) {
    const double modulus = honest_epsilon::modulus(term);
    sum.value += term;
    size += modulus;
    sum.error += modulus * (sample.error + kUnit * units);
  });
  sum.error =
      (sum.error + kUnit * (2 * static_cast<double>(samples_.size()) + 8) * size) * (1 + 1e-9);
  return sum;
}

/// log of what the samples beyond the last one add, in those units.
double CutColumn::log_beyond(double y) const {
  const TransformSample& last = samples_.back();
  const double tangent = spacing_ * static_cast<double>(samples_.size() - 1);
  const double slope = (power_ - 1) * tangent * (1 - 8 * kUnit) - y;
  if (!(slope > 0)) return kInfinity;
  return std::log(2.0) - (power_ - 1) * last.log_modulus + y * last.angle - std::log(slope) -
         log_top(y) + fall_.log_size_beyond(sigma_ * tangent * (1 - 8 * kUnit)) +
         16 * kUnit * (1 + power_ * last.log_modulus + y * last.angle);
}

CutColumn::Scale CutColumn::scale(double y) const {
  const Ball weight = log_power_over_gamma({power_ + 1, y}, sigma_, 0);
  const double top = log_top(y);
  const double log = log_first_ + std::log(sigma_ / kTwoPi) - weight.value.real() + top;
  return {log, -weight.value.imag(),
          weight.error + 8 * kUnit * (2 + std::abs(log_first_) + std::abs(log) + top)};
}

bool CutColumn::reach(double y) const {
  if (samples_.empty()) add_sample();
  const double enough =
      (log_upper_ < kInfinity ? log_upper_ - scale(y).log : std::log(kTwoPi / power_) / 2) - need_;
  while (log_beyond(y) > enough) {
    if (samples_.size() >= kMostTransforms) return false;
    add_sample();
  }
  return true;
}

LogMoment CutColumn::evaluated(double y, const WeightedSum& total) const {
  const auto [log_scale, phase, slack] = scale(y);
  const double modulus = std::abs(total.value) * spacing_;
  const double error = (total.error * spacing_ + std::exp(log_beyond(y)) +
                        std::exp(log_alias_ - log_scale + slack) + slack * 1.1 * modulus) *
                       (1 + 1e-9);
  if (!(error < kInfinity)) return {0, kInfinity};
  if (error < 0.5 * modulus)
    return {{log_scale + std::log(modulus), std::arg(total.value) + phase},
            error / (modulus - error) + slack};
  return no_more_than(log_scale + std::log(modulus + error) + slack);
}

/// Where digits are gone, how small it is.
LogMoment CutColumn::at_least_bounded(double y, const LogMoment& at) const {
  if (at.error < 0.5) return at;
  const double bound = log_bound_beyond(y);
  return at.error < kInfinity && at.value.real() < bound ? at : no_more_than(bound);
}

LogMoment CutColumn::log_moment(double y) const {
  if (!(log_upper_ < kInfinity)) return {0, kInfinity};
  return at_least_bounded(y, reach(y) ? evaluated(y, sum(y)) : LogMoment{0, kInfinity});
}

/// From one height to the next each term is turned by its e^{h (+-psi - i log |1 + i tan psi|)},
/// and computed anew after a number of turns. A turn rounds by 3 units, and its factor is off by 10
/// and by 4 of its exponent's modulus.
contour::Climb CutColumn::climb(double spacing) const {
  if (!(log_upper_ < kInfinity)) return Column::climb(spacing);
  // No term grows from below the least double to where it counts before it is computed anew.
  constexpr double kMostGrowth = 300, kMostTurns = 16;
  struct TurnedBlock {
    TurningSum values, errors;
    double turns, left = 0, top = 0;
    bool known = false;
  };
  TurnedBlock made{.values = {},
                   .errors = {},
                   .turns = std::floor(std::clamp(kMostGrowth / (kPi * spacing), 1.0, kMostTurns))};
  return [this, spacing, block = std::move(made)](double y) mutable {
    if (block.left == 0) {
      const double last = y + spacing * (block.turns - 1);
      block.known = reach(y) && reach(last);
      block.values.clear();
      block.errors.clear();
      block.top = log_top(y);
      const double rounding = TurningSum::sum_error(2 * samples_.size()) + 16 * block.turns;
      each_term(y, [&](Complex term, const TransformSample& sample, double side, double units) {
        const double growth = std::exp(side * spacing * sample.angle);
        block.values.add(term, polar(growth, -spacing * sample.log_modulus));
        const double turned =
            (last - y + 4 * block.turns * spacing) * (sample.log_modulus + sample.angle);
        const double all = units + 8 * (log_top(last) + turned) + rounding;
        block.errors.add(honest_epsilon::modulus(term) * (sample.error + kUnit * all), growth);
      });
      block.left = block.turns;
    }
    --block.left;
    work::spend(2 * static_cast<std::int64_t>(samples_.size()));
    const Complex value = block.values.next();
    const double error = block.errors.next().real();
    if (!block.known) return at_least_bounded(y, {0, kInfinity});
    // Sums are given against the largest term at their height.
    const double factor = std::exp(block.top - log_top(y));
    return at_least_bounded(y, evaluated(y, {value * factor, error * factor * (1 + 1e-9) + kTiny}));
  };
}

}  // namespace

double log_power_bound(double p, double r) {
  const double ratio = std::log(p / r);
  return p * (ratio - 1) + 8 * kUnit * p * (2 + std::abs(ratio));
}

TransformEstimate::TransformEstimate(double bins, double blank, std::vector<RatioCell> cells,
                                     double missing_q, double missing_p)
    : bins_(bins),
      blank_(blank / (bins + blank)),
      cells_(std::move(cells)),
      missing_q_(missing_q),
      lost_((1 - missing_p) / (bins + blank)) {
  for (const RatioCell& cell : cells_) lost_ -= cell.mass * cell.place;
}

TransformEstimate::RealTransform TransformEstimate::at(double r) const {
  work::spend(kCellWork * static_cast<std::int64_t>(cells_.size()));
  constexpr double kFewDigits = -20;
  const double lost = r > 0 ? lost_ : 0;  // e^{rU} - 1 is bounded else
  double excess = r * lost - missing_q_, whole = 0, first = 0, second = 0;
  for (const auto& [place, mass] : cells_) {
    const double w = r * place, growth = std::expm1(w);
    const double tilted = mass * (w > kFewDigits ? 1 + growth : std::exp(w));
    excess += mass * growth;
    whole += tilted;
    first += place * tilted;
    second += place * place * tilted;
  }
  const bool near = excess > -0.5;  // its digits are those of log nu
  const double nu = near ? 1 + excess : std::max(whole, kTiny);
  const double slope = (lost + first) / nu;
  return {bins_ * (near ? std::log1p(excess) : std::log(nu)) + r * blank_, bins_ * slope + blank_,
          bins_ * (second / nu - slope * slope)};
}

/// By Newton's method between bounds, from where it was last; in log |r| where N falls slowly.
double TransformEstimate::saddle(double order, double sign) const {
  constexpr int kMostTries = 100;
  const double reach = sign > 0 ? 2 : 50;  // of a try, as a factor
  Bracket bracket{0, kInfinity};
  double s = last_saddle_ > 0 ? last_saddle_ : order;
  for (int i = 0; i < kMostTries; ++i) {
    const RealTransform here = at(sign * s);
    const double excess = s * here.slope - order;
    (excess < 0 ? bracket.low : bracket.high) = s;
    const double step = -excess / (here.slope + sign * s * here.bend);
    const double next = sign > 0 ? s + step : s * std::exp(std::min(step / s, std::log(reach)));
    if (std::abs(next - s) < 1e-6 * s) return sign * (last_saddle_ = next);
    const double highest = std::min(excess < 0 ? reach * bracket.low : kInfinity, bracket.high);
    s = next > bracket.low && next < highest ? next
        : bracket.high == kInfinity          ? reach * bracket.low
        : bracket.low > 0                    ? std::sqrt(bracket.low * bracket.high)
                                             : bracket.high / reach;
  }
  return 0;
}

double CutBins::place_beyond(double bins, double mu, double mass) {
  const double tail = std::clamp(mass, kLeastMass, kMostMass);
  return std::max(normal::upper_quantile_estimate(tail / bins),
                  mu + normal::upper_quantile_estimate(tail));
}

CutBins::CutBins(double bins, double mu, double end, const Jumps& jumps, double blank)
    : bins_(bins),
      mu_(mu),
      blank_(blank),
      all_(bins + blank),
      end_(end),
      largest_(x_at(end) * (1 + 1e-12)),
      jumps_(jumps),
      missing_q_(jump_mass(end, 0)),
      missing_p_(jump_mass(end, mu)),
      estimate_(bins, blank, estimate_cells(), missing_q_.value, missing_p_.value) {
  paths_.push_back(path(kMostRadians / largest_));
}

/// The midpoint rule, on cells that grow to the left.
std::vector<TransformEstimate::RatioCell> CutBins::estimate_cells() const {
  constexpr double kFirst = 0.025, kGrowing = 1.15, kWidest = 0.15;
  std::vector<TransformEstimate::RatioCell> cells;
  double width = std::min(kFirst / mu_, kWidest);
  for (double high = end_; high > 2 * mu_ - kNoWeight; high -= width) {
    width = std::min(kGrowing * width, kWidest);
    const double t = high - 0.5 * width;
    cells.push_back({x_at(t), width * normal::pdf(t)});
  }
  return cells;
}

double CutBins::x_at(double t) const {
  return std::exp(mu_ * t - 0.5 * mu_ * mu_) / all_;
}

/// Panels from b on that grow, down to where X^2 has hardly any mass.
CutBins::Path CutBins::path(double highest) const {
  constexpr double kFirst = 1;
  Path path{highest, end_, {}, {}, PowerSum({}, 0)};
  double length = kFirst;
  while (path.left > std::min(2 * mu_, end_) - kNoWeight && path.panels.size() < kMostPanels) {
    const double radians = highest * x_at(path.left);
    if (radians > 0.1) length = std::min(length, 1 / mu_);
    if (radians > kMostRadians)
      length = std::min(length, -std::log1p(-kMostRadians / radians) / mu_);
    add_panel(path, std::max(1.0, std::floor(length / kGrain)) * kGrain);
    length = std::min(kLongest, kGrowth * length);
  }
  // A node's t rounds with its parts: so do its weight by t^2 and X by mu (t + mu), which has mu's
  // error besides. The rule's weight and the density round by less than a hundred units.
  std::vector<PowerSum::PowerTerm> terms;
  for (const QuadratureNode& node : path.nodes) {
    const double square = (std::abs(node.t) + mu_) * (std::abs(node.t) + mu_);
    const double log_weight = std::log(node.weight);
    terms.push_back({Ball(log_weight, kUnit * (100 + 12 * square + 4 * std::abs(log_weight))),
                     rounded(node.place, 16 + 12 * square)});
  }
  const Charged& missing = missing_p_;
  path.terms = PowerSum(std::move(terms),
                        Ball((1 - missing.value) / all_, (missing.error + 4 * kUnit) / all_));
  return path;
}

const CutBins::Path& CutBins::path_for(double size) const {
  while (paths_.back().highest < size && paths_.size() < 60)
    paths_.push_back(path(2 * paths_.back().highest));
  const auto reaches = [size](const Path& path) { return path.highest >= size; };
  const auto found = std::find_if(paths_.begin(), paths_.end(), reaches);
  return found == paths_.end() ? paths_.back() : *found;
}

/// Continues a path to the left.
void CutBins::add_panel(Path& path, double length) const {
  const double half = 0.5 * length, middle = path.left - half;
  const auto rule = quadrature::gauss_legendre();
  const std::size_t pairs = rule.size() / 2;
  work::spend(kPanelNodeWork * static_cast<std::int64_t>(rule.size() + kEllipses));
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const auto& node = rule[i < pairs ? 2 * (pairs - i) - 1 : 2 * (i - pairs)];  // from the right
    const double t = middle + half * node.position;
    path.nodes.push_back({t, x_at(t), half * node.weight * normal::pdf(t)});
  }
  Panel panel;
  double rho = 1.5;
  for (CutEllipse& ellipse : panel) {
    const quadrature::Ellipse tried = quadrature::ellipse(rho);
    const double wide = half * tried.wide, high = half * tried.high;
    const double nearest = std::max(0.0, std::abs(middle) - wide);
    const double place = x_at(middle + wide) * (1 + 1e-12);
    const double log_error = tried.log_error + std::log(half) +
                             0.5 * (high - nearest) * (high + nearest) - kHalfLogTwoPi +
                             2 * std::log(place) - kLogTwo + 1e-9;
    ellipse = {log_error, place, mu_ * high < 1.5 ? std::sin(mu_ * high) + 1e-12 : 1};
    rho *= 1.2;
  }
  path.panels.push_back(panel);
  path.left -= length;
}

std::vector<CutBins::CutEllipse> CutBins::ellipses(const Path& path, Complex s) {
  std::vector<CutEllipse> best;
  for (const Panel& panel : path.panels) {
    best.push_back(*std::min_element(panel.begin(), panel.end(),
                                     [s](const CutEllipse& a, const CutEllipse& b) {
                                       return a.log_error_at(s) < b.log_error_at(s);
                                     }));
  }
  return best;
}

LogMoment CutBins::log_transform(Complex s) const {
  const Complex upper{s.real(), std::abs(s.imag())};
  const Path& path = path_for(std::abs(s));
  LogMoment log = from_sum(path, ellipses(path, upper), upper, path.terms.at(upper));
  if (s.imag() < 0) log.value = std::conj(log.value);
  return log;
}

LogMoment CutBins::from_sum(const Path& path, const std::vector<CutEllipse>& ellipses, Complex s,
                            const Ball& sum) const {
  work::spend(kEllipseWork * static_cast<std::int64_t>(ellipses.size()));
  const double square = std::norm(s);
  double outside = missing_q_.error;
  for (const CutEllipse& ellipse : ellipses) outside += square * std::exp(ellipse.log_error_at(s));
  // To the left of the path.
  const double low = x_at(path.left);
  outside += 0.5 * square / (all_ * all_) * std::exp(mu_ * mu_ + s.real() * low * (1 + 1e-12)) *
             normal::upper_tail(2 * mu_ - path.left) * (1 + 1e-9);
  const LogMoment nu = log_moment_of(sum - missing_q_.value + Ball(0, outside * (1 + 1e-9)));
  const Complex blank = s * (blank_ / all_);
  return {bins_ * nu.value + blank,
          bins_ * (nu.error + 3 * kUnit * std::abs(nu.value)) + 4 * kUnit * std::abs(blank)};
}

LogMoment CutBins::TransformClimb::next() {
  const Complex s{sigma_, spacing_ * static_cast<double>(next_)};
  const double size = std::abs(s);
  if (!sum_ || size > path_->highest) {
    path_ = &bins_->path_for(size);
    ellipses_ = ellipses(*path_, {sigma_, path_->highest});
    constexpr double kMostError = 1e-10;  // of N
    sum_.emplace(path_->terms, sigma_, spacing_, kMostError / bins_->bins_, next_);
  }
  ++next_;
  return bins_->from_sum(*path_, ellipses_, s, sum_->next());
}

TransformFall CutBins::fall(double sigma, double log_first, double error) const {
  // Cells of x = X/T along t, from where hardly any mass is.
  constexpr int kCells = 100;
  const double lowest = std::min(-4.0, end_ - 4);
  const double length = (end_ - lowest) / kCells;
  const auto density = [&](double t) { return normal::pdf(t) / (mu_ * x_at(t)); };
  // f up to t, at most.
  const auto most_until = [&](double t) {
    return std::exp(sigma * x_at(t) + mu_ * mu_) * all_ / (mu_ * kSqrtTwoPi);
  };
  std::vector<DensityCell> cells;
  for (int i = 0; i < kCells; ++i) {
    const double t = lowest + i * length, next = i + 1 < kCells ? t + length : end_;
    const double low = x_at(t), high = x_at(next);
    cells.push_back({std::exp(sigma * low) * std::min(density(t), density(next)) * (1 - 1e-10), low,
                     high, 1e-13 * high});
  }
  const std::vector<UnimodalPiece> pieces = unimodal_pieces(cells);
  // Along log f, the first t at which it falls.
  double falling = end_;
  for (int i = 0; i < kCells && falling == end_; ++i) {
    const double t = lowest + i * length;
    if (sigma * mu_ * x_at(t) < (t + mu_) * (1 - 1e-9)) falling = t;
  }
  const double at_end = std::exp(sigma * x_at(end_)) * density(end_);
  const double log_nu = (log_first - sigma * (blank_ / all_)) / bins_;
  const double off = (error + 4 * kUnit * (std::abs(log_first) + sigma)) / bins_;
  const double nu_upper = std::exp(log_nu + off) * (1 + 1e-14);
  const double nu_lower = std::exp(log_nu - off) * (1 - 1e-14);
  const double variation = 2 * (most_until(falling) + at_end) * (1 + 1e-9) / nu_lower;

  TransformFall fall;
  const auto log_size = [&](double v) {
    double cancelled = 0;
    for (const UnimodalPiece& piece : pieces) cancelled += cancelled_lower(piece, v);
    return bins_ * std::min(std::log1p(-cancelled / nu_upper * (1 - 1e-13) + 1e-16),
                            std::log(variation / v) + 1e-12);
  };
  // More than is left out anyhow, and where the variation takes it even farther.
  constexpr double kMostFall = 90, kFinest = 0.05, kFactor = 1.25;
  constexpr int kMostSteps = 200;
  fall.last = 2 * variation * std::exp(kMostFall / bins_);
  fall.log_last = -bins_ * kLogTwo - kMostFall;
  fall.steps = {{0, 0}};
  double v = fall.last;
  for (double size = -log_size(v); size > kFinest && v > 0; size = -log_size(v))
    v *= std::min(0.5, std::sqrt(kFinest / size));
  for (int i = 0; i < kMostSteps && v < fall.last; ++i, v *= kFactor) {
    fall.steps.push_back({v, std::min(0.0, log_size(v))});
    if (fall.steps.back().log_size < -kMostFall) break;
  }

  return fall;
}

double CutBins::log_moment_estimate(double power) const {
  // The cumulant of many small ratios and a single large one's own moment; and Laplace's method for
  // Hankel's integral, with Stirling's formula: it is a few nats too large where the one and all
  // the others have saddles of their own.
  constexpr double kMostExponent = 600, kLarge = 2, kTwoSaddles = 5;
  const auto& cells = estimate_.cells();
  work::spend(2 * kCellWork * static_cast<std::int64_t>(cells.size()));
  double small = 0, large = 0;
  for (const auto& [place, weight] : cells) {
    const double more = place - 1 / all_, w = power * std::log1p(more);
    if (w > kMostExponent) return kInfinity;
    (w > kLarge ? large : small) += bins_ * weight * (std::expm1(w) - power * more);
  }
  const double log_single = log_add(small, std::log(large));
  const double r = saddle(power);
  if (!(r > 0)) return kInfinity;
  const TransformEstimate::RealTransform at = estimate_.at(r);
  const double bend = at.bend + (power + 1) / (r * r);
  const double log_all =
      power * (std::log(power / r) - 1) + at.log + 0.5 * std::log(power / (bend * r * r));
  return log_all < log_single + kTwoSaddles ? log_single : log_all;
}

std::unique_ptr<const Column> CutBins::column(std::shared_ptr<const CutBins> bins, double x,
                                              double log_precision) {
  if (x + 1 < kLeastPower) return nullptr;
  const double need = std::clamp(4 - log_precision, 4.0, kMostPrecision);
  return std::make_unique<CutColumn>(std::move(bins), 1 + x, need);
}

}  // namespace honest_epsilon::contour
