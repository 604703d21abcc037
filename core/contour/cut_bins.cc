#include "core/contour/cut_bins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/contour/decay.h"
#include "core/math/constants.h"
#include "core/math/lanes.h"
#include "core/math/normal.h"
#include "core/math/portable.h"
#include "core/math/quadrature.h"

namespace honest_epsilon::contour {
namespace {

/// Standard deviations that are told from none.
constexpr double kFar = 9;

/// Doubles hold the least of it for a bin among very many, and delta is hardly asked below it.
constexpr double kLeastLeftOut = 1e-260, kMostLeftOut = 0.3;

/// The most e-folds between a column's largest terms and what is left out of them.
constexpr double kMostPrecision = 36;

/// More samples of N than this are slower than other methods.
constexpr std::size_t kMostTransforms = 1500;

/// Nodes that are summed at once.
constexpr std::size_t kAbreast = 4;

/// Panels as long as the normal density allows, and how long they are where e^{sX} rises.
constexpr double kLongest = 4, kLongestRise = 0.5, kGrowth = 1.4;

/// e^w - 1 - w, off by at most 40 units of min(|w|^2 / 2, 2 |w|) e^{max(0, Re w)}, whose last
/// factor is `growth`.
Complex exponential_less_linear(Complex w, double& growth) {
  const double size = std::exp(w.real());
  growth = std::max(1.0, size);
  if (std::norm(w) < 0.24) return w * w * exponential_rest(w);
  return {size * std::cos(w.imag()) - 1 - w.real(), size * std::sin(w.imag()) - w.imag()};
}

/// log (p / (e r))^p, rounded up.
double log_power_bound(double p, double r) {
  const double ratio = std::log(p / r);
  return p * (ratio - 1) + 8 * kUnit * p * (2 + std::abs(ratio));
}

/// One place's samples of N, and E[U^w; A] from them.
class CutColumn : public Column {
 public:
  CutColumn(std::shared_ptr<const CutBins> all, double power, double need);
  LogMoment log_moment(double y) const override;
  contour::Climb climb(double spacing) const override;
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
    const double side =
        log_power_bound(power, r) + at.value.real() + at.error - std::log(std::expm1(away)) + 1e-12;
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
  return std::min(log_upper_, decay_->log_bound_beyond(y));
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

contour::Climb CutColumn::climb(double spacing) const {
  if (!(log_upper_ < kInfinity)) return Column::climb(spacing);
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
  double left_out() const override { return bins_->left_out(); }

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

CutBins::CutBins(double bins, double mu, double left_out) : bins_(bins), mu_(mu) {
  const double tail = std::clamp(left_out, kLeastLeftOut, kMostLeftOut);
  cut_ = std::max(normal::upper_quantile_estimate(tail / bins),
                  mu + normal::upper_quantile_estimate(tail));
  left_out_ =
      ((bins - 1) * normal::upper_tail(cut_) + normal::upper_tail(cut_ - mu * (1 + kUnit))) *
      (1 + 1e-9);
  largest_ = std::exp(mu * cut_ - 0.5 * mu * mu) / bins * (1 + 1e-12);
  paths_.push_back(real_path());
}

/// Panels as long as the normal density allows, and near the cut as e^{sX} does, down to where X^2
/// has hardly any mass.
CutBins::Path CutBins::real_path() const {
  // Of e^{sX} over the last panel, in radians.
  constexpr double kMostTurn = 20;
  const double first = std::min(kLongest, kLongestRise / mu_);
  Path path{kMostTurn / (mu_ * first * largest_), cut_, 1, {}, {}};
  for (double length = first; path.left > 2 * mu_ - kFar;
       length = std::min(kLongest, kGrowth * length)) {
    add_panel(path, path.left, path.left - length);
    path.left -= length;
  }
  path.finish();
  return path;
}

CutBins::Path CutBins::turned_path(double highest) const {
  // X turns by at most a radian; far from the real line the density grows.
  constexpr double kMostAngle = 1, kMostHeight = 1.5, kFirstTurn = 12, kWider = 2.5;
  const double eta = std::min(kMostAngle / mu_, kMostHeight);
  Path path{highest, cut_, std::exp(0.5 * eta * eta), {}, {}};
  // Down to the cut, where e^{sX} is large near it only.
  double low = 0;
  for (double length = kFirstTurn / (mu_ * highest * largest_); low < eta; length *= kWider) {
    const double high = low + 1.5 * length < eta ? low + length : eta;
    add_panel(path, {cut_, low}, {cut_, high});
    low = high;
  }
  // To the left, by panels as long as the height where e^{sX} is not nearly 1.
  while (path.left > 2 * mu_ - kFar) {
    const double size = highest * largest_ * std::exp(mu_ * (path.left - cut_));
    const double length = size > 0.1 ? std::min(kLongest, 1.2 * eta) : kLongest;
    add_panel(path, {path.left, eta}, {path.left - length, eta});
    path.left -= length;
  }
  path.finish();
  return path;
}

void CutBins::Path::finish() {
  std::sort(nodes.begin(), nodes.end(),
            [](const auto& a, const auto& b) { return a.size > b.size; });
  const auto roundings = static_cast<double>(nodes.size());
  for (QuadratureNode& node : nodes) node.units += roundings * std::abs(node.weight);
}

const CutBins::Path& CutBins::path_for(double height) const {
  constexpr double kHigher = 2;
  constexpr std::size_t kMostPaths = 60;
  while (paths_.back().highest < height && paths_.size() < kMostPaths)
    paths_.push_back(turned_path(kHigher * paths_.back().highest));
  const auto reaches = [height](const Path& path) { return path.highest >= height; };
  const auto found = std::find_if(paths_.begin(), paths_.end(), reaches);
  return found == paths_.end() ? paths_.back() : *found;
}

/// The rule's nodes on a straight panel between two places, from the right one or the lower one.
void CutBins::add_panel(Path& path, Complex begin, Complex end) const {
  const Complex half = 0.5 * (begin - end), middle = 0.5 * (begin + end);
  const bool level = half.imag() == 0;
  const double length = std::abs(half);
  const auto rule = quadrature::gauss_legendre();
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const std::size_t pairs = rule.size() / 2;
    const auto& node = rule[i < pairs ? 2 * (pairs - i) - 1 : 2 * (i - pairs)];
    const Complex t = middle + half * node.position;
    const double place = std::abs(t.real()) + mu_;
    const double x = std::exp(mu_ * t.real() - 0.5 * mu_ * mu_) / bins_;
    const double density = normal::pdf(t.real()) * std::exp(0.5 * t.imag() * t.imag());
    const double weight = length * node.weight * density;
    const double angle = -t.real() * t.imag();
    path.nodes.push_back({std::polar(x, mu_ * t.imag()), x,
                          weight * Complex{std::cos(angle), std::sin(angle)} * (half / length),
                          weight * (220 + 12 * place * place + 8 * place * t.imag())});
  }
  // The ellipse, of those that are tried, with the smallest error where e^{sX} is about 1/left_out.
  const double typical = -std::log(left_out_) / largest_;
  Panel best{kInfinity, 0, 1};
  double least = kInfinity;
  for (double rho = 1.5; rho < 6; rho *= 1.2) {
    const double along = length * 0.5 * (rho + 1 / rho), across = length * 0.5 * (rho - 1 / rho);
    const double wide = level ? along : across, high = level ? across : along;
    const double nearest = std::max(0.0, std::abs(middle.real()) - wide);
    const double top = std::abs(middle.imag()) + high, angle = mu_ * (middle.imag() - high);
    const double place =
        std::exp(mu_ * (middle.real() + wide) - 0.5 * mu_ * mu_) / bins_ * (1 + 1e-12);
    const double log_error = quadrature::log_error(std::log(rho)) + std::log(length) +
                             0.5 * (top - nearest) * (top + nearest) - kHalfLogTwoPi +
                             2 * std::log(place) - std::log(2.0) + 1e-9;
    const bool turns = angle > -1.5 && mu_ * (middle.imag() + high) < 1.5;
    const double turn = turns ? std::sin(angle) - 1e-12 : -1;
    const double error = log_error + std::max(0.0, typical - path.highest * turn) * place;
    if (!(error < least)) continue;
    least = error;
    best = {log_error, place, turn};
  }
  path.panels.push_back(best);
}

ComplexEstimate CutBins::log_transform(Complex s) const {
  const double square = std::norm(s), size = std::sqrt(square), height = std::abs(s.imag());
  const Path& path = path_for(height);
  const Complex upper{s.real(), height};
  Complex rest = 0;
  double off = 0;
  for (std::size_t begin = 0; begin < path.nodes.size(); begin += kAbreast) {
    // By the series where all of them are small; places fall.
    std::array<Complex, kAbreast> value;
    const std::size_t end = std::min(begin + kAbreast, path.nodes.size());
    const double largest = square * path.nodes[begin].size * path.nodes[begin].size;
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
        off += node.units * node.size * node.size * square;
      }
      continue;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const QuadratureNode& node = path.nodes[i];
      const Complex w = upper * node.place;
      double growth = 1;
      rest += node.weight * exponential_less_linear(w, growth);
      const double modulus = size * node.size;
      off += node.units * growth * modulus * std::min(modulus, 4.0);
    }
  }
  ComplexEstimate log = from_rest(upper, rest, kUnit * off, path);
  if (s.imag() < 0) log.value = std::conj(log.value);
  return log;
}

ComplexEstimate CutBins::from_rest(Complex s, Complex rest, double rounding,
                                   const Path& path) const {
  const double square = std::norm(s);
  double error = rounding;
  for (const Panel& panel : path.panels)
    error += square * std::exp(panel.log_error +
                               std::max(0.0, s.real() - s.imag() * panel.turn) * panel.place);
  // To the left of the path.
  const double low = std::exp(mu_ * path.left - 0.5 * mu_ * mu_) / bins_;
  error += path.growth * 0.5 * square / (bins_ * bins_) *
           std::exp(mu_ * mu_ + s.real() * low * (1 + 1e-12)) *
           normal::upper_tail(2 * mu_ - path.left) * (1 + 1e-9);
  const Complex linear = s / bins_ * (1 - normal::upper_tail(cut_ - mu_));
  const Complex excess = rest + linear - normal::upper_tail(cut_);
  const double size = std::abs(excess);
  error = (error + kUnit * (8 * std::abs(linear) + 2 * size)) * (1 + 1e-9);
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
  const Path& path = bins_->path_for(height);
  const double highest = std::min(path.highest, std::max(2 * height, sigma_));
  path_ = {std::max(height, highest), path.left, path.growth, {}, path.panels};
  size_ = std::hypot(sigma_, path_.highest);
  powers_.fill(0);
  small_units_ = 0;
  constant_ = slope_ = 0;
  linear_units_ = {};
  turn_re_.clear();
  turn_im_.clear();
  for (const QuadratureNode& node : path.nodes) {
    if (size_ * node.size < 1) {
      Complex power = node.weight;
      const Complex place = size_ * node.place;
      for (std::size_t n = 1; n <= kPowers; ++n) {
        power *= place / static_cast<double>(n);
        if (n > 1) powers_[n] += power;
      }
      small_units_ += (node.units + 32 * std::abs(node.weight)) * node.size * node.size;
      continue;
    }
    path_.nodes.push_back(node);
    constant_ += node.weight;
    slope_ += node.weight * node.place;
    const double weight = std::abs(node.weight);
    // Of all turns, and of a term's own.
    const double turns = kTurns * (13 + 2 * spacing_ * node.size);
    path_.nodes.back().units += weight * turns;
    linear_units_[0] += path_.nodes.back().units;
    linear_units_[1] += path_.nodes.back().units * node.size;
    const double modulus = std::exp(-spacing_ * node.place.imag());
    const double angle = spacing_ * node.place.real();
    turn_re_.push_back(modulus * std::cos(angle));
    turn_im_.push_back(modulus * std::sin(angle));
  }
  const std::size_t whole = (path_.nodes.size() + kLanes - 1) / kLanes * kLanes;
  turn_re_.resize(whole);
  turn_im_.resize(whole);
  re_.assign(whole, 0);
  im_.assign(whole, 0);
  turns_left_ = 0;
}

void CutBins::TransformClimb::start(Complex s) {
  turned_units_ = 0;
  for (std::size_t i = 0; i < path_.nodes.size(); ++i) {
    const QuadratureNode& node = path_.nodes[i];
    const Complex w = s * node.place;
    const double size = std::exp(w.real());
    const Complex term =
        node.weight * Complex{size * std::cos(w.imag()), size * std::sin(w.imag())};
    re_[i] = term.real();
    im_[i] = term.imag();
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
  if (s.imag() > path_.highest) enter(s.imag());
  if (turns_left_ == 0) start(s);
  --turns_left_;
  const Complex z = s / size_;
  Complex rest = 0;
  for (std::size_t n = kPowers; n >= 2; --n) rest = rest * z + powers_[n];
  rest = rest * z * z + turned() - constant_ - s * slope_;
  const double modulus = std::abs(s);
  const double units = small_units_ * modulus * modulus + turned_units_ + linear_units_[0] +
                       linear_units_[1] * modulus;
  return bins_->from_rest(s, rest, kUnit * units, path_);
}

CutBins::RealTransform CutBins::real_transform(double r) const {
  double rest = 0, first = 0, second = 0;
  for (const QuadratureNode& node : paths_.front().nodes) {
    const double place = node.place.real(), weight = node.weight.real();
    const double w = r * place, growth = std::expm1(w);
    rest += weight * (growth - w);
    first += weight * place * growth;
    second += weight * place * place * (growth + 1);
  }
  const double nu = 1 + r / bins_ + rest;
  const double slope = (1 / bins_ + first) / nu;
  return {bins_ * std::log1p(r / bins_ + rest), bins_ * slope,
          bins_ * (second / nu - slope * slope)};
}

TransformFall CutBins::fall(double sigma, double log_first, double error) const {
  // Cells of x = X/T along t, from where hardly any mass is.
  constexpr int kCells = 100;
  constexpr double kLowest = -4;
  const double length = (cut_ - kLowest) / kCells;
  const auto x_at = [&](double t) { return std::exp(mu_ * t - 0.5 * mu_ * mu_) / bins_; };
  const auto density = [&](double t) { return normal::pdf(t) / (mu_ * x_at(t)); };
  std::vector<DensityCell> cells;
  for (int i = 0; i < kCells; ++i) {
    const double t = kLowest + i * length, next = i + 1 < kCells ? t + length : cut_;
    const double low = x_at(t), high = x_at(next);
    cells.push_back({std::exp(sigma * low) * std::min(density(t), density(next)) * (1 - 1e-12), low,
                     high, 1e-13 * high});
  }
  const std::vector<UnimodalPiece> pieces = unimodal_pieces(cells);
  // Along log f, the first t at which it falls.
  double falling = cut_;
  for (int i = 0; i < kCells && falling == cut_; ++i) {
    const double t = kLowest + i * length;
    if (sigma * mu_ * x_at(t) < (t + mu_) * (1 - 1e-9)) falling = t;
  }
  const double most = std::exp(sigma * x_at(falling) + mu_ * mu_) * bins_ / (mu_ * kSqrtTwoPi);
  const double at_cut = std::exp(sigma * x_at(cut_)) * density(cut_);
  const double nu_upper = std::exp((log_first + error) / bins_) * (1 + 1e-14);
  const double nu_lower = std::exp((log_first - error) / bins_) * (1 - 1e-14);
  const double variation = 2 * (most + at_cut) * (1 + 1e-9) / nu_lower;

  TransformFall fall;
  const auto log_size = [&](double v) {
    double cancelled = 0;
    for (const UnimodalPiece& piece : pieces) cancelled += cancelled_lower(piece, v);
    return bins_ * std::log1p(-cancelled / nu_upper * (1 - 1e-13) + 1e-16);
  };
  // More than is left out anyhow, and where the variation takes it even farther.
  constexpr double kMostFall = 90, kFinest = 0.05, kFactor = 1.15;
  constexpr int kMostSteps = 200;
  fall.steps.push_back({0, 0});
  fall.last = 2 * variation * std::exp(kMostFall / bins_);
  fall.log_last = -bins_ * kLogTwo - kMostFall;
  double v = fall.last;
  for (double size = -log_size(v); size > kFinest && v > 0; size = -log_size(v))
    v *= std::min(0.5, std::sqrt(kFinest / size));
  for (int i = 0; i < kMostSteps && v < fall.last; ++i, v *= kFactor) {
    fall.steps.push_back({v, std::min(0.0, log_size(v))});
    if (fall.steps.back().log_size < -kMostFall) break;
  }
  return fall;
}

/// By Newton's method on r N'(r) / N(r) = p + 1, from where U is 1.
double CutBins::saddle(double power) const {
  double r = power + 1;
  for (int i = 0; i < 60; ++i) {
    const RealTransform at = real_transform(r);
    if (!(std::abs(at.bend) < kInfinity)) {
      r *= 0.5;
      continue;
    }
    const double next =
        std::max(0.5 * r, r - (r * at.slope - power - 1) / (at.slope + r * at.bend));
    const bool settled = std::abs(next - r) < 1e-9 * r;
    r = next;
    if (settled) return r;
  }
  return 0;
}

double CutBins::log_moment_estimate(double power) const {
  const double r = saddle(power);
  if (!(r > 0)) return kInfinity;
  const RealTransform at = real_transform(r);
  // Laplace's method for Hankel's integral, and Stirling's formula.
  const double bend = at.bend + (power + 1) / (r * r);
  return power * (std::log(power / r) - 1) + at.log + 0.5 * std::log(power / (bend * r * r));
}

std::shared_ptr<const Rule> CutBins::rule(std::shared_ptr<const CutBins> planned,
                                          const Reach& reach) {
  if (reach.lowest + 1 < kLeastPower) return nullptr;
  // A cut ten times smaller than it may be changes no plan.
  constexpr double kAbout = 0.1;
  const double most = std::clamp(std::exp(reach.log_left_out), kLeastLeftOut, kMostLeftOut);
  const double left_out = planned->left_out();
  if (!(left_out <= most && left_out >= kAbout * most))
    planned = std::make_shared<const CutBins>(planned->bins(), planned->mu(), most);
  return std::make_shared<CutRule>(std::move(planned),
                                   std::clamp(4 - reach.log_precision, 4.0, kMostPrecision));
}

}  // namespace honest_epsilon::contour
