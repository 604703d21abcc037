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
#include "core/contour/decay.h"
#include "core/contour/jumps.h"
#include "core/math/constants.h"
#include "core/math/lanes.h"
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

/// Nodes that are summed at once.
constexpr std::size_t kAbreast = 4;

/// Panels as long as the normal density allows, how much longer than the last one, and how far
/// e^{sX} turns on one, in radians.
constexpr double kLongest = 4, kGrowth = 1.4, kMostRadians = 10;

/// So many panels are too many.
constexpr std::size_t kMostPanels = 400;

/// e^w - 1 - w, off by at most 40 units of min(|w|^2 / 2, 2 |w|) e^{max(0, Re w)}, whose last
/// factor is `growth`.
Complex exponential_less_linear(Complex w, double& growth) {
  const double size = std::exp(w.real());
  growth = std::max(1.0, size);
  if (std::norm(w) < 0.24) return w * w * exponential_rest(w);
  return {size * std::cos(w.imag()) - 1 - w.real(), size * std::sin(w.imag()) - w.imag()};
}

/// One place's samples of N, and E[U^w; A] from them.
class CutColumn : public Column {
 public:
  CutColumn(std::shared_ptr<const CutBins> all, double power, double need);
  LogMoment log_moment(double y) const override;
  contour::Climb climb(double spacing, double height) const override;
  /// log E[U^p; A], from above; +inf where nothing is known.
  double log_upper() const { return log_upper_; }
  /// log |E[U^{p+iy'}; A]| for y' >= y, from above.
  double log_decayed(double y) const;

 private:
  struct TransformSample {
    double log_modulus, angle;  ///< of 1 + i tan psi
    Complex log;                ///< log N(s) - log N(sigma)
    double error;               ///< relative
  };
  /// What the samples add up to, against Gamma(w+1) sigma^{-w} N(sigma) h / (2 pi).
  struct WeightedSum {
    Complex value{};
    double size = 0, error = 0;
  };
  void add_sample() const;
  /// log of the largest |1 + i tan psi|^{-p-1} e^{y psi}: sums are given against it.
  double log_top(double y) const;
  class ClimbingTerms;
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
  LogMoment no_more_than(double log_bound) const {
    return {log_bound + 1e-12, std::log(3.0) + 1e-12};
  }

  std::shared_ptr<const CutBins> bins_;
  double power_;
  double need_;
  double sigma_ = 0;
  double spacing_ = 0;            ///< of Im s / sigma
  double log_first_ = 0;          ///< log N(sigma)
  double log_alias_ = kInfinity;  ///< of all m != 0
  double log_upper_ = kInfinity;
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
  const ComplexEstimate first = bins.log_transform(sigma_);
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
    const ComplexEstimate at = bins.log_transform(r);
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

double CutColumn::log_decayed(double y) const {
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
  const ComplexEstimate at = climb_->next();
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

// A term's exponent is made of three products and their sum, off by 8 units of their moduli.
CutColumn::WeightedSum CutColumn::sum(double y) const {
  WeightedSum sum;
  const double order = power_ + 1, top = log_top(y);
  for (std::size_t j = 0; j < samples_.size(); ++j) {
    const TransformSample& sample = samples_[j];
    const double fall = sample.log.real() - order * sample.log_modulus - top;
    const double units =
        8 * (4 + std::abs(top) + (order + y) * (sample.log_modulus + sample.angle) +
             std::abs(sample.log));
    const double turn = y * sample.log_modulus;
    const double own = sample.log.imag() - order * sample.angle;
    const auto add = [&](double exponent, double phase) {
      const double modulus = std::exp(exponent);
      sum.value += Complex{modulus * std::cos(phase), modulus * std::sin(phase)};
      sum.size += modulus;
      sum.error += modulus * (sample.error + kUnit * units);
    };
    add(fall + y * sample.angle, own - turn);
    if (j > 0) add(fall - y * sample.angle, -own - turn);
  }
  sum.error =
      (sum.error + kUnit * (2 * static_cast<double>(samples_.size()) + 8) * sum.size) * (1 + 1e-9);
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
  const ComplexEstimate weight = log_power_over_gamma({power_ + 1, y}, sigma_, 0);
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
  const double bound = log_decayed(y);
  return at.error < kInfinity && at.value.real() < bound ? at : no_more_than(bound);
}

LogMoment CutColumn::log_moment(double y) const {
  if (!(log_upper_ < kInfinity)) return {0, kInfinity};
  return at_least_bounded(y, reach(y) ? evaluated(y, sum(y)) : LogMoment{0, kInfinity});
}

/// The sum's terms at y = 0, h, 2h, ...: from one height to the next each is turned by its
/// e^{h (+-psi - i log |1 + i tan psi|)}, and computed anew after a number of turns. A turn rounds
/// by 3 units, and its factor is off by 10 and by 4 of its exponent's modulus.
class CutColumn::ClimbingTerms {
 public:
  ClimbingTerms(const CutColumn& column, double spacing) : column_(&column), spacing_(spacing) {
    // No term grows from below the least double to where it counts before it is computed anew.
    constexpr double kMostGrowth = 300, kMostTurns = 16;
    turns_ = static_cast<std::size_t>(std::clamp(kMostGrowth / (kPi * spacing), 1.0, kMostTurns));
  }

  LogMoment next(double y) {
    if (left_ == 0) start(y);
    if (!known_) return column_->at_least_bounded(y, {0, kInfinity});
    --left_;
    WeightedSum total = turned();
    // Sums are given against the largest term at their height.
    const double top = column_->log_top(y), factor = std::exp(top_ - top);
    total.value *= factor;
    total.error = total.error * factor * (1 + 1e-9) + kTiny;
    return column_->at_least_bounded(y, column_->evaluated(y, total));
  }

 private:
  static constexpr std::size_t kLanes = 8;

  void start(double y) {
    const double last = y + spacing_ * static_cast<double>(turns_ - 1);
    known_ = column_->reach(y) && column_->reach(last);
    if (!known_) return;
    left_ = turns_;
    for (auto* list : {&re_, &im_, &error_, &turn_re_, &turn_im_, &growth_}) list->clear();
    top_ = column_->log_top(y);
    const double order = column_->power_ + 1;
    const auto roundings = static_cast<double>(2 * column_->samples_.size());
    for (std::size_t j = 0; j < column_->samples_.size(); ++j) {
      const TransformSample& sample = column_->samples_[j];
      const double fall = sample.log.real() - order * sample.log_modulus - top_;
      const double own = sample.log.imag() - order * sample.angle;
      const double units =
          8 * (5 + top_ + column_->log_top(last) +
               (order + last) * (sample.log_modulus + sample.angle) + std::abs(sample.log)) +
          static_cast<double>(turns_) * (16 + 4 * spacing_ * (sample.log_modulus + sample.angle)) +
          roundings;
      for (const double side : {1.0, -1.0}) {
        if (j == 0 && side < 0) continue;
        const double modulus = std::exp(fall + side * y * sample.angle);
        const double phase = side * own - y * sample.log_modulus;
        re_.push_back(modulus * std::cos(phase));
        im_.push_back(modulus * std::sin(phase));
        const double grown = std::exp(side * spacing_ * sample.angle);
        turn_re_.push_back(grown * std::cos(spacing_ * sample.log_modulus));
        turn_im_.push_back(-grown * std::sin(spacing_ * sample.log_modulus));
        growth_.push_back(grown);
        error_.push_back(modulus * (sample.error + kUnit * units));
      }
    }
    const std::size_t whole = (re_.size() + kLanes - 1) / kLanes * kLanes;
    for (auto* list : {&re_, &im_, &error_, &turn_re_, &turn_im_, &growth_}) list->resize(whole);
  }

  WeightedSum turned() {
    using lanes::F64;
    std::array<F64, kLanes / 2> sum_re{}, sum_im{}, sum_error{};
    for (std::size_t i = 0; i < re_.size(); i += kLanes) {
      for (std::size_t k = 0; k < kLanes / 2; ++k) {
        const std::size_t at = i + 2 * k;
        const auto x = lanes::load<F64>(&re_[at]), y = lanes::load<F64>(&im_[at]);
        const auto a = lanes::load<F64>(&turn_re_[at]), b = lanes::load<F64>(&turn_im_[at]);
        const auto error = lanes::load<F64>(&error_[at]);
        sum_re[k] += x;
        sum_im[k] += y;
        sum_error[k] += error;
        lanes::store(x * a - y * b, &re_[at]);
        lanes::store(x * b + y * a, &im_[at]);
        lanes::store(error * lanes::load<F64>(&growth_[at]), &error_[at]);
      }
    }
    WeightedSum sum;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sum.value += Complex{sum_re[lane / 2][lane % 2], sum_im[lane / 2][lane % 2]};
      sum.error += sum_error[lane / 2][lane % 2];
    }
    return sum;
  }

  const CutColumn* column_;
  double spacing_;
  std::size_t turns_ = 1, left_ = 0;
  bool known_ = false;
  double top_ = 0;
  std::vector<double> re_, im_, error_, turn_re_, turn_im_, growth_;
};

contour::Climb CutColumn::climb(double spacing, double height) const {
  if (!(log_upper_ < kInfinity)) return Column::climb(spacing, height);
  const auto terms = std::make_shared<ClimbingTerms>(*this, spacing);
  return [terms](double y) { return terms->next(y); };
}

class CutDecay : public Decay {
 public:
  explicit CutDecay(std::shared_ptr<const CutColumn> column) : column_(std::move(column)) {}
  double log_bound_beyond(double y) const override {
    return column_->log_upper() < kInfinity ? column_->log_decayed(y) : kInfinity;
  }

 private:
  std::shared_ptr<const CutColumn> column_;
};

class CutRule : public Rule {
 public:
  CutRule(std::shared_ptr<const CutBins> bins, double need) : bins_(std::move(bins)), need_(need) {}
  std::unique_ptr<const Column> column(double x) const override {
    return std::make_unique<SharedColumn>(at(x));
  }
  std::unique_ptr<const Decay> decay(double x) const override {
    return std::make_unique<CutDecay>(at(x));
  }
  std::optional<Jumps> jumps() const override { return bins_->jumps(); }

 private:
  std::shared_ptr<const CutColumn> at(double x) const {
    if (!last_ || last_place_ != x) {
      last_place_ = x;
      last_ = std::make_shared<CutColumn>(bins_, 1 + x, need_);
    }
    return last_;
  }

  std::shared_ptr<const CutBins> bins_;
  double need_;
  mutable double last_place_ = 0;
  mutable std::shared_ptr<const CutColumn> last_;
};

}  // namespace

double log_power_bound(double p, double r) {
  const double ratio = std::log(p / r);
  return p * (ratio - 1) + 8 * kUnit * p * (2 + std::abs(ratio));
}

double CutBins::place_beyond(double bins, double mu, double mass) {
  const double tail = std::clamp(mass, kLeastMass, kMostMass);
  return std::max(normal::upper_quantile_estimate(tail / bins),
                  mu + normal::upper_quantile_estimate(tail));
}

CutBins::CutBins(double bins, double mu, double end, const Jumps& jumps)
    : bins_(bins),
      mu_(mu),
      end_(end),
      largest_(x_at(end) * (1 + 1e-12)),
      jumps_(jumps),
      missing_q_(jump_mass(end, 0)),
      missing_p_(jump_mass(end, mu)) {
  paths_.push_back(path(kMostRadians / largest_));
  // The midpoint rule, on cells that grow to the left.
  constexpr double kFirst = 0.025, kGrowing = 1.15, kWidest = 0.15;
  double width = std::min(kFirst / mu, kWidest);
  for (double high = end_; high > 2 * mu - kNoWeight; high -= width) {
    width = std::min(kGrowing * width, kWidest);
    const double t = high - 0.5 * width;
    estimate_.push_back({x_at(t), width * normal::pdf(t)});
  }
}

double CutBins::x_at(double t) const {
  return std::exp(mu_ * t - 0.5 * mu_ * mu_) / bins_;
}

/// Panels from b on that grow, down to where X^2 has hardly any mass.
CutBins::Path CutBins::path(double highest) const {
  constexpr double kFirst = 1;
  Path path{highest, end_, {}, {}};
  double length = kFirst;
  while (path.left > std::min(2 * mu_, end_) - kNoWeight && path.panels.size() < kMostPanels) {
    const double radians = highest * x_at(path.left);
    if (radians > 0.1) length = std::min(length, 1 / mu_);
    if (radians > kMostRadians)
      length = std::min(length, -std::log1p(-kMostRadians / radians) / mu_);
    add_panel(path, std::max(1.0, std::floor(length / kGrain)) * kGrain);
    length = std::min(kLongest, kGrowth * length);
  }
  const auto roundings = static_cast<double>(path.nodes.size());
  for (QuadratureNode& node : path.nodes) node.units += roundings * node.weight;
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
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const auto& node = rule[i < pairs ? 2 * (pairs - i) - 1 : 2 * (i - pairs)];  // from the right
    const double t = middle + half * node.position, place = std::abs(t) + mu_;
    const double weight = half * node.weight * normal::pdf(t);
    path.nodes.push_back({x_at(t), weight, weight * (268 + 12 * place * place)});
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

ComplexEstimate CutBins::log_transform(Complex s) const {
  const double square = std::norm(s), size = std::sqrt(square), height = std::abs(s.imag());
  const Path& path = path_for(size);
  const Complex upper{s.real(), height};
  Complex rest = 0;
  double off = 0;
  for (std::size_t begin = 0; begin < path.nodes.size(); begin += kAbreast) {
    // By the series where all of them are small; places fall.
    std::array<Complex, kAbreast> value;
    const std::size_t end = std::min(begin + kAbreast, path.nodes.size());
    const double largest = square * path.nodes[begin].place * path.nodes[begin].place;
    if (largest < 0.24) {
      std::array<double, kAbreast> re{}, im{};
      for (std::size_t i = begin; i < end; ++i) {
        const Complex w = upper * path.nodes[i].place;
        re[i - begin] = w.real();
        im[i - begin] = w.imag();
      }
      const auto x = re, y = im;
      exponential_rests(largest, re, im);
      for (std::size_t i = 0; i < kAbreast; ++i)
        value[i] = Complex{x[i] * x[i] - y[i] * y[i], 2 * x[i] * y[i]} * Complex{re[i], im[i]};
      for (std::size_t i = begin; i < end; ++i) {
        const QuadratureNode& node = path.nodes[i];
        rest += node.weight * value[i - begin];
        off += node.units * node.place * node.place * square;
      }
      continue;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const QuadratureNode& node = path.nodes[i];
      const Complex w = upper * node.place;
      double growth = 1;
      rest += node.weight * exponential_less_linear(w, growth);
      const double modulus = size * node.place;
      off += node.units * growth * modulus * std::min(modulus, 4.0);
    }
  }
  ComplexEstimate log = from_rest(upper, rest, kUnit * off, path.left, ellipses(path, upper));
  if (s.imag() < 0) log.value = std::conj(log.value);
  return log;
}

ComplexEstimate CutBins::from_rest(Complex s, Complex rest, double rounding, double left,
                                   const std::vector<CutEllipse>& ellipses) const {
  const double square = std::norm(s);
  double error = rounding;
  for (const CutEllipse& ellipse : ellipses) error += square * std::exp(ellipse.log_error_at(s));
  // To the left of the path.
  const double low = x_at(left);
  error += 0.5 * square / (bins_ * bins_) * std::exp(mu_ * mu_ + s.real() * low * (1 + 1e-12)) *
           normal::upper_tail(2 * mu_ - left) * (1 + 1e-9);
  const Complex linear = s / bins_ * (1 - missing_p_.value);
  const Complex excess = rest + linear - missing_q_.value;
  const double size = std::abs(excess);
  error = (error + missing_q_.error + std::abs(s) / bins_ * missing_p_.error +
           kUnit * (8 * std::abs(linear) + 2 * size)) *
          (1 + 1e-9);
  const Complex value = 1.0 + excess;
  const double modulus = std::abs(value);
  // Only an upper bound on its modulus is known: any such number lies within 3 times that.
  if (!(error < 0.5 * modulus))
    return {bins_ * std::log(modulus + error) * (1 + 8 * kUnit), std::log(3.0) + 1e-12};
  const bool small = size < 0.5;
  const Complex log = small ? complex_log1p(excess) : Complex{std::log(modulus), std::arg(value)};
  const double units = 8 * kUnit * (small ? size : 1 + std::abs(log));
  return {bins_ * log, bins_ * (error / (modulus - error) + units)};
}

CutBins::TransformClimb::TransformClimb(const CutBins& bins, double sigma, double spacing)
    : bins_(&bins), sigma_(sigma), spacing_(spacing) {
  enter(0);
}

/// Prepares for the heights from this one to about twice as far.
void CutBins::TransformClimb::enter(double height) {
  const Path& path = bins_->path_for(std::hypot(sigma_, height));
  const double covered =
      std::sqrt(std::max(0.0, (path.highest - sigma_) * (path.highest + sigma_)));
  highest_ = std::max(height, std::min(covered, std::max(2 * height, sigma_)));
  left_ = path.left;
  ellipses_ = ellipses(path, {sigma_, highest_});
  nodes_.clear();
  size_ = std::hypot(sigma_, highest_);
  powers_.fill(0);
  small_units_ = 0;
  constant_ = slope_ = 0;
  linear_units_ = {};
  turn_re_.clear();
  turn_im_.clear();
  for (const QuadratureNode& node : path.nodes) {
    const double place = size_ * node.place;
    if (place < 1) {
      double power = node.weight * place;
      for (std::size_t n = 2; n <= kPowers; ++n) {
        power *= place / static_cast<double>(n);
        powers_[n] += power;
      }
      small_units_ += (node.units + 32 * node.weight) * node.place * node.place;
      continue;
    }
    nodes_.push_back(node);
    constant_ += node.weight;
    slope_ += node.weight * node.place;
    // Of all turns, and of a term's own.
    nodes_.back().units += node.weight * kTurns * (13 + 2 * spacing_ * node.place);
    linear_units_[0] += nodes_.back().units;
    linear_units_[1] += nodes_.back().units * node.place;
    turn_re_.push_back(std::cos(spacing_ * node.place));
    turn_im_.push_back(std::sin(spacing_ * node.place));
  }
  const std::size_t whole = (nodes_.size() + kLanes - 1) / kLanes * kLanes;
  turn_re_.resize(whole);
  turn_im_.resize(whole);
  re_.assign(whole, 0);
  im_.assign(whole, 0);
  turns_left_ = 0;
}

void CutBins::TransformClimb::start(Complex s) {
  turned_units_ = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const QuadratureNode& node = nodes_[i];
    const double size = std::exp(s.real() * node.place), angle = s.imag() * node.place;
    re_[i] = node.weight * size * std::cos(angle);
    im_[i] = node.weight * size * std::sin(angle);
    turned_units_ += node.units * size;
  }
  turns_left_ = kTurns;
}

/// The sum of all terms, which are turned to the next height.
Complex CutBins::TransformClimb::turned() {
  using lanes::F64;
  std::array<F64, kLanes / 2> sum_re{}, sum_im{};
  for (std::size_t i = 0; i < re_.size(); i += kLanes) {
    for (std::size_t k = 0; k < kLanes / 2; ++k) {
      const std::size_t at = i + 2 * k;
      const auto x = lanes::load<F64>(&re_[at]), y = lanes::load<F64>(&im_[at]);
      const auto a = lanes::load<F64>(&turn_re_[at]), b = lanes::load<F64>(&turn_im_[at]);
      sum_re[k] += x;
      sum_im[k] += y;
      lanes::store(x * a - y * b, &re_[at]);
      lanes::store(x * b + y * a, &im_[at]);
    }
  }
  Complex sum = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    sum += Complex{sum_re[lane / 2][lane % 2], sum_im[lane / 2][lane % 2]};
  return sum;
}

ComplexEstimate CutBins::TransformClimb::next() {
  const Complex s{sigma_, spacing_ * static_cast<double>(next_++)};
  if (s.imag() > highest_) enter(s.imag());
  if (turns_left_ == 0) start(s);
  --turns_left_;
  const Complex z = s / size_;
  Complex rest = 0;
  for (std::size_t n = kPowers; n >= 2; --n) rest = rest * z + powers_[n];
  rest = rest * z * z + turned() - constant_ - s * slope_;
  const double modulus = std::abs(s);
  const double units = small_units_ * modulus * modulus + turned_units_ + linear_units_[0] +
                       linear_units_[1] * modulus;
  return bins_->from_rest(s, rest, kUnit * units, left_, ellipses_);
}

CutBins::RealTransform CutBins::real_transform(double r) const {
  double rest = 0, first = 0, second = 0;
  for (const auto& [place, weight] : estimate_) {
    const double w = r * place, growth = std::expm1(w);
    rest += weight * (growth - w);
    first += weight * place * growth;
    second += weight * place * place * (growth + 1);
  }
  const double linear = (1 - missing_p_.value) / bins_;
  const double excess = r * linear - missing_q_.value + rest, nu = 1 + excess;
  const double slope = (linear + first) / nu;
  return {bins_ * std::log1p(excess), bins_ * slope, bins_ * (second / nu - slope * slope)};
}

TransformFall CutBins::fall(double sigma, double log_first, double error) const {
  // Cells of x = X/T along t, from where hardly any mass is.
  constexpr int kCells = 100;
  const double lowest = std::min(-4.0, end_ - 4);
  const double length = (end_ - lowest) / kCells;
  const auto density = [&](double t) { return normal::pdf(t) / (mu_ * x_at(t)); };
  // f up to t, at most.
  const auto most_until = [&](double t) {
    return std::exp(sigma * x_at(t) + mu_ * mu_) * bins_ / (mu_ * kSqrtTwoPi);
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
  const double nu_upper = std::exp((log_first + error) / bins_) * (1 + 1e-14);
  const double nu_lower = std::exp((log_first - error) / bins_) * (1 - 1e-14);
  const double variation = 2 * (most_until(falling) + at_end) * (1 + 1e-9) / nu_lower;

  TransformFall fall;
  const auto log_size = [&](double v) {
    double cancelled = 0;
    for (const UnimodalPiece& piece : pieces) cancelled += cancelled_lower(piece, v);
    return bins_ * std::min(std::log1p(-cancelled / nu_upper * (1 - 1e-13) + 1e-16),
                            std::log(variation / v) + 1e-12);
  };
  // More than is left out anyhow, and where the variation takes it even farther.
  constexpr double kMostFall = 90, kFinest = 0.05, kFactor = 1.15, kDeep = 45;
  constexpr int kMostSteps = 200;
  fall.last = 2 * variation * std::exp(kMostFall / bins_);
  fall.log_last = -bins_ * kLogTwo - kMostFall;
  std::vector<TransformFall::FallStep> steps{{0, 0}};
  double v = fall.last;
  for (double size = -log_size(v); size > kFinest && v > 0; size = -log_size(v))
    v *= std::min(0.5, std::sqrt(kFinest / size));
  for (int i = 0; i < kMostSteps && v < fall.last; ++i, v *= kFactor) {
    steps.push_back({v, std::min(0.0, log_size(v))});
    if (steps.back().log_size < -kMostFall) break;
  }

  // Samples, up to where that has fallen far.
  constexpr double kAllowed = 2, kMostSampled = 600;
  const double second = second_moment(sigma);
  const double spacing = portable::shortened(std::sqrt(8 * kAllowed * nu_lower / (bins_ * second)));
  const double off = spacing * spacing / 8 * second / nu_lower * (1 + 1e-9);
  const auto deep = std::find_if(steps.begin(), steps.end(),
                                 [](const auto& step) { return step.log_size < -kDeep; });
  const double far = deep == steps.end() ? steps.back().v : deep->v;
  const auto count = static_cast<std::size_t>(std::min(kMostSampled, std::ceil(far / spacing)));
  std::vector<double> sizes;
  TransformClimb climb(*this, sigma, spacing);
  const auto next_share = [&] {
    const ComplexEstimate at = climb.next();
    return std::exp((at.value.real() + at.error - log_first + error) / bins_) * (1 + 1e-14);
  };
  double last = next_share();
  for (std::size_t j = 0; j < count; ++j) {
    const double next = next_share();
    sizes.push_back(bins_ * std::log(std::max(last, next) + off) * (1 - 1e-12) + 1e-12);
    last = next;
  }
  fall.steps.push_back({0, 0});
  double least = 0;
  const double end = spacing * static_cast<double>(count);
  for (const auto& step : steps) least = step.v <= end ? step.log_size : least;
  for (std::size_t j = count; j-- > 0;) sizes[j] = least = std::max(least, sizes[j]);
  auto known = steps.begin();
  for (std::size_t j = 1; j < count; ++j) {
    const double at = spacing * static_cast<double>(j);
    if (at < 1.1 * fall.steps.back().v) continue;
    while (std::next(known) != steps.end() && std::next(known)->v <= at) ++known;
    fall.steps.push_back({at, std::min({0.0, sizes[j], known->log_size})});
  }
  for (const auto& step : steps) {
    if (step.v > end) fall.steps.push_back(step);
  }
  return fall;
}

double CutBins::second_moment(double r) const {
  const Path& path = path_for(r);
  double sum = 0, error = 0;
  for (const QuadratureNode& node : path.nodes)
    sum += node.weight * node.place * node.place * std::exp(r * node.place);
  for (const CutEllipse& ellipse : ellipses(path, r)) error += std::exp(ellipse.log_error_at(r));
  const double low = x_at(path.left) * (1 + 1e-12);
  error +=
      std::exp(mu_ * mu_ + r * low) / (bins_ * bins_) * normal::upper_tail(2 * mu_ - path.left);
  return (sum + 2 * error) * (1 + 1e-9);
}

/// Where r N'(r) / N(r), which rises, is p + 1: by Newton's method between bounds, from where it
/// was last.
double CutBins::saddle(double power) const {
  Bracket bracket{0, kInfinity};
  double r = last_saddle_ > 0 ? last_saddle_ : power + 1;
  for (int i = 0; i < 60; ++i) {
    const RealTransform at = real_transform(r);
    const double excess = r * at.slope - power - 1;
    (excess < 0 ? bracket.low : bracket.high) = r;
    const double next = r - excess / (at.slope + r * at.bend);
    if (std::abs(next - r) < 1e-6 * r) return last_saddle_ = next;
    const double farthest = std::min(2 * bracket.low, bracket.high);
    r = next > bracket.low && next < (excess < 0 ? farthest : bracket.high) ? next
        : bracket.high < kInfinity ? halfway(bracket.low, bracket.high)
                                   : 2 * bracket.low;
  }
  return 0;
}

double CutBins::log_moment_estimate(double power) const {
  // The cumulant of many small ratios and a single large one's own moment; and Laplace's method for
  // Hankel's integral, with Stirling's formula: it is a few nats too large where the one and all
  // the others have saddles of their own.
  constexpr double kMostExponent = 600, kLarge = 2, kTwoSaddles = 5;
  double small = 0, large = 0;
  for (const auto& [place, weight] : estimate_) {
    const double more = place - 1 / bins_, w = power * std::log1p(more);
    if (w > kMostExponent) return kInfinity;
    (w > kLarge ? large : small) += bins_ * weight * (std::expm1(w) - power * more);
  }
  const double log_single = log_add(small, std::log(large));
  const double r = saddle(power);
  if (!(r > 0)) return kInfinity;
  const RealTransform at = real_transform(r);
  const double bend = at.bend + (power + 1) / (r * r);
  const double log_all =
      power * (std::log(power / r) - 1) + at.log + 0.5 * std::log(power / (bend * r * r));
  return log_all < log_single + kTwoSaddles ? log_single : log_all;
}

std::shared_ptr<const Rule> CutBins::rule(std::shared_ptr<const CutBins> bins, const Reach& reach) {
  if (reach.lowest + 1 < kLeastPower) return nullptr;
  return std::make_shared<CutRule>(std::move(bins),
                                   std::clamp(4 - reach.log_precision, 4.0, kMostPrecision));
}

}  // namespace honest_epsilon::contour
