#include "core/contour/bins_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/math/complex_functions.h"
#include "core/math/log_gamma.h"
#include "core/math/normal.h"
#include "core/math/portable.h"

namespace honest_epsilon::contour {
namespace {

using Complex = std::complex<double>;

constexpr double kPi = std::numbers::pi;
constexpr double kRootTwoPi = 2.5066282746310005;

/// Below this |z| is small and the samples reach far; lines with room to choose do without.
constexpr double kLowestPlace = 0.25;

struct Epoch {
  double bins, mu;
};

/// The grids of a ray, parts of one in log(sX).
struct Layout {
  double psi = 0;                                           ///< arg s
  double theta = 0;                                         ///< what the shift of t takes from it
  double half = 0;                                          ///< half-width of the inner strip, in t
  double room = 0;                                          ///< half-width b of the outer strip
  double step = 0;                                          ///< in log(sX)
  std::int64_t node_stride = 1, first_node = 0, nodes = 0;  ///< of log X
  std::int64_t sample_stride = 1, first_sample = 0, samples = 0;  ///< of log(s/T)

  double node_spacing() const { return step * static_cast<double>(node_stride); }
  double spacing() const { return step * static_cast<double>(sample_stride); }
  double log_x(std::int64_t i) const {
    return node_spacing() * static_cast<double>(first_node + i);
  }
  double log_share(std::int64_t j) const {
    return spacing() * static_cast<double>(first_sample + j);
  }
};

/// The scalar products of a ray's rows are summed in this many parts.
constexpr std::size_t kLanes = 8;

/// More multiplications than this for a ray are slower than the lattice transforms.
constexpr double kMostWork = 2e6;

/// phi(s/T)^T on one ray.
class Ray {
 public:
  Ray(const Epoch& epoch, const Layout& layout) : layout_(layout) {
    const double mu = epoch.mu, eta = layout.theta / mu;
    const auto n = static_cast<std::size_t>(layout.nodes);
    weight_re_.resize(n);
    weight_im_.resize(n);
    const double step_t = layout.node_spacing() / mu;
    const double sum_units = static_cast<double>(n / kLanes + kLanes + 4);
    // Rounding, against |w| = |sX| and |w|^2 / 2 at |s| = T: t carries what mu does and its own,
    // and the table's entry is off by 40 units of the smaller of the two.
    double first_order = 0, second_order = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double log_x = layout.log_x(std::int64_t(i));
      const double t = log_x / mu + 0.5 * mu;
      const double weight = step_t / kRootTwoPi * std::exp(0.5 * (eta - t) * (eta + t));
      weight_re_[i] = weight * std::cos(eta * t);
      weight_im_[i] = weight * std::sin(eta * t);
      const double place = std::abs(t) + mu + eta;
      const double x = std::exp(log_x);
      const double units = weight * x * (6 * place * place + 64 + sum_units);
      first_order += units * 2;
      second_order += units * 0.5 * x;
    }
    // The strip's edges, and both ends, where E X = 1 and E X^2 = e^{mu^2}.
    const double growth = std::exp(0.5 * eta * eta) * (1 + 1e-12);
    const double first_t = layout.log_x(0) / mu - 0.5 * mu;
    const double last_t = layout.log_x(layout.nodes - 1) / mu - 0.5 * mu;
    const auto ends = [&](double power) {
      return growth * (normal::upper_tail((power - 1) * mu - first_t) +
                       normal::upper_tail(last_t - (power - 1) * mu));
    };
    const double below = eta - layout.half, above = eta + layout.half;
    const double strip = (std::exp(0.5 * below * below) + std::exp(0.5 * above * above)) /
                         std::expm1(2 * kPi * layout.half / step_t * (1 - 8 * kUnit));
    first_order = (kUnit * first_order + 2 * ends(1) + 2 * strip) * (1 + 1e-9);
    second_order =
        (kUnit * second_order + 0.5 * std::exp(mu * mu) * (ends(2) + strip)) * (1 + 1e-9);

    fill_table();
    for (std::int64_t j = 0; j < layout.samples; ++j) {
      const double share = std::exp(layout.log_share(j));
      const double rest_error = share * std::min(first_order, share * second_order);
      samples_.push_back(power_of(epoch, share, rest_at(static_cast<std::size_t>(j)), rest_error));
    }
  }

  /// phi^T: its logarithm, and its error relative to it.
  struct Sample {
    Complex log;
    double error;
  };
  const std::vector<Sample>& samples() const { return samples_; }
  const Layout& layout() const { return layout_; }

 private:
  /// e^{-w} - 1 + w along the grid of log |w|.
  void fill_table() {
    const std::int64_t entries = (layout_.samples - 1) * layout_.sample_stride +
                                 (layout_.nodes - 1) * layout_.node_stride + 1;
    const std::int64_t first =
        layout_.first_sample * layout_.sample_stride + layout_.first_node * layout_.node_stride;
    const double kappa = layout_.psi - layout_.theta;
    const double cosine = std::cos(kappa), sine = std::sin(kappa);
    table_re_.reserve(static_cast<std::size_t>(entries));
    table_im_.reserve(static_cast<std::size_t>(entries));
    for (std::int64_t k = 0; k < entries; ++k) {
      const double modulus = std::exp(layout_.step * static_cast<double>(first + k));
      const Complex w{modulus * cosine, modulus * sine};
      Complex value;
      if (modulus < 0.499) {
        value = w * w * exponential_rest(-w);
      } else if (w.real() > 745) {
        value = w - 1.0;
      } else {
        const double half_sine = std::sin(0.5 * w.imag());
        value = {std::expm1(-w.real()) * std::cos(w.imag()) - 2 * half_sine * half_sine + w.real(),
                 w.imag() - std::exp(-w.real()) * std::sin(w.imag())};
      }
      table_re_.push_back(value.real());
      table_im_.push_back(value.imag());
    }
  }

  /// E[e^{-w} - 1 + w] at a sample.
  Complex rest_at(std::size_t j) const {
    const auto stride = static_cast<std::size_t>(layout_.node_stride);
    const double* re = table_re_.data() + j * static_cast<std::size_t>(layout_.sample_stride);
    const double* im = table_im_.data() + j * static_cast<std::size_t>(layout_.sample_stride);
    const std::size_t n = weight_re_.size();
    std::array<double, kLanes> sum_re{}, sum_im{};
    for (std::size_t i = 0; i < n; i += kLanes) {
      const std::size_t count = std::min(kLanes, n - i);
      for (std::size_t lane = 0; lane < count; ++lane) {
        const double x = weight_re_[i + lane], y = weight_im_[i + lane];
        const double a = re[(i + lane) * stride], b = im[(i + lane) * stride];
        sum_re[lane] += x * a - y * b;
        sum_im[lane] += x * b + y * a;
      }
    }
    Complex sum = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum += Complex{sum_re[lane], sum_im[lane]};
    return sum;
  }

  /// share: |s|/T.   rest: E[e^{-w} - 1 + w], with its error.
  Sample power_of(const Epoch& epoch, double share, Complex rest, double rest_error) const {
    const Complex excess =
        rest - Complex{share * std::cos(layout_.psi), share * std::sin(layout_.psi)};
    const double modulus = std::abs(1.0 + excess);
    // The turned share is off by ten units of itself, the difference by one.
    const double error = rest_error + kUnit * (12 * share + 2 * std::abs(excess));
    if (!(error < 0.5 * modulus)) {
      // Nothing is known but how small it is.
      return {epoch.bins * std::log(modulus + error + kTiny), 2};
    }
    const Complex log = complex_log1p(excess);
    const double off =
        error / (modulus - error) + 8 * kUnit * std::min(std::abs(excess), 1 + std::abs(log));
    return {epoch.bins * log, std::expm1(epoch.bins * off) + 4 * kUnit};
  }

  Layout layout_;
  std::vector<double> weight_re_, weight_im_, table_re_, table_im_;
  std::vector<Sample> samples_;
};

/// m(psi) / (Gamma(c) K(c)), as a logarithm.
double log_mass(double c, double y, double psi) {
  return -y * psi - c * std::log(std::cos(psi));
}

/// log Gamma(z), the real part, with its error charged upwards.
double log_gamma_modulus_lower(Complex z) {
  const ComplexEstimate at = log_power_over_gamma(z, std::abs(z), 0);
  const double value = z.real() * std::log(std::abs(z)) - at.value.real();
  return value - at.error - 8 * kUnit * (1 + std::abs(value) + std::abs(at.value.real()));
}

/// What a column's rays should achieve.
struct Aim {
  double c;
  double log_moment;  ///< log K(c), roughly
  double need;        ///< e-folds between the largest terms and what is left out
};

/// log of h sum_{j >= 1} e^{-rate j h}.
double log_geometric(double rate, double h) {
  return std::log(h) - rate * h - std::log1p(-std::exp(-rate * h));
}

/// log of what the samples beyond v = log s leave out, against Gamma(c) K(c) cos(psi)^{-c}: at most
/// about this.
double log_beyond(const Epoch& epoch, double c, double psi, double v, double spacing) {
  const double square = epoch.mu * epoch.mu;
  double best = kInfinity;
  for (double excess = 1; excess < 1e9; excess *= 1.5) {
    const double p = c + excess;
    const double bound = p * (std::log(p / std::cos(psi)) - 1) + 0.5 * p * square +
                         0.5 * p * p * square / epoch.bins + (c - p) * v +
                         log_geometric(excess, spacing);
    if (bound > best + 50) break;
    best = std::min(best, bound);
  }
  return best;
}

std::optional<Layout> lay_out(const Epoch& epoch, const Aim& aim, double psi) {
  const double mu = epoch.mu;
  Layout layout;
  layout.psi = psi;
  // The outer strip.
  const double y = aim.c * std::tan(psi);
  double spacing = 0;
  for (double part = 0.02; part < 0.99; part *= 1.15) {
    const double room = part * (0.5 * kPi - psi);
    const double growth = std::max(log_mass(aim.c, y, psi - room), log_mass(aim.c, y, psi + room)) -
                          log_mass(aim.c, y, psi);
    const double wide = 2 * kPi * room / (aim.need + growth);
    if (wide <= spacing) continue;
    spacing = wide;
    layout.room = room;
  }
  // The inner strip.
  const double log_size = std::log(std::hypot(aim.c, y) + 1) + 2;
  double step_t = 0;
  constexpr int kShifts = 12;
  for (int i = 0; i <= kShifts; ++i) {
    const double theta = std::min(psi * i / kShifts, 2 * mu);
    const double eta = theta / mu;
    for (double part = 0.1; part < 1; part *= 1.12) {
      const double half = part * (0.5 * kPi - (psi - theta)) / mu;
      const double edge = 0.5 * (eta + half) * (eta + half);
      const double wide = 2 * kPi * half / (aim.need + log_size + edge);
      if (wide <= step_t) continue;
      step_t = wide;
      layout.theta = theta;
      layout.half = half;
    }
  }
  // One grid for both, its step that of the finer one; with few bits in it every place is exact.
  const double wide = mu * step_t;
  layout.sample_stride = std::max<std::int64_t>(1, static_cast<std::int64_t>(spacing / wide));
  layout.node_stride = std::max<std::int64_t>(1, static_cast<std::int64_t>(wide / spacing));
  layout.step = portable::shortened(std::min(wide / static_cast<double>(layout.node_stride),
                                             spacing / static_cast<double>(layout.sample_stride)));
  const double reach = std::sqrt(2 * (aim.need + log_size)) * mu;
  layout.first_node =
      static_cast<std::int64_t>(std::floor((0.5 * mu * mu - reach) / layout.node_spacing()));
  layout.nodes =
      static_cast<std::int64_t>(std::ceil((0.5 * mu * mu + reach) / layout.node_spacing())) -
      layout.first_node + 1;
  // Samples.
  const double log_gamma = std::lgamma(aim.c);
  const double whole = log_gamma + aim.log_moment - aim.c * std::log(std::cos(psi));
  const double first = (whole - aim.need) / aim.c;
  double last = std::max(std::log(aim.c), first) + 1;
  while (last < first + 400 &&
         log_beyond(epoch, aim.c, psi, last, layout.spacing()) > whole - aim.need)
    last += 0.25;
  const double log_bins = std::log(epoch.bins);
  layout.first_sample =
      static_cast<std::int64_t>(std::floor((first - log_bins) / layout.spacing()));
  layout.samples = static_cast<std::int64_t>(std::ceil((last - log_bins) / layout.spacing())) -
                   layout.first_sample + 1;
  if (!(static_cast<double>(layout.samples) * static_cast<double>(layout.nodes) < kMostWork))
    return std::nullopt;
  return layout;
}

/// A ray's samples weighted for one column: the sum over v is
///   e^{log_scale} sum_j modulus_j e^{i (y offset_j + phase_j)}.
struct WeightedRay {
  Layout layout;
  double log_share = 0;  ///< log(s/T) at the largest term
  double log_scale = 0;
  std::vector<double> modulus, phase, offset;
  double turned = 0;        ///< the largest term's own phase
  double sum = 0;           ///< of the moduli
  double sum_offset = 0;    ///< of modulus |offset|
  double sum_error = 0;     ///< of the moduli times their errors
  double log_left_out = 0;  ///< log of what lies beyond both ends, without e^{-y psi}
};

class BinsColumn : public Column {
 public:
  BinsColumn(const Epoch& epoch, const Aim& aim) : epoch_(epoch), aim_(aim) {
    log_gamma_ = -log_power_over_gamma({aim.c, 0}, 1, 0).value.real();
    log_gamma_ += 1e-13 * (1 + std::abs(log_gamma_));
    const LogMoment at = at_height(0, true);
    log_moment_upper_ = at.error < 0.5 ? at.value.real() + at.error * (1 + 1e-9) : kInfinity;
  }

  LogMoment log_moment(double y) const override { return at_height(y, false); }

  /// log K(c), from above.
  double log_moment_upper() const { return log_moment_upper_; }

 private:
  /// At the real place, whose own value bounds the strip's edges, the equation is solved for it.
  LogMoment at_height(double y, bool real) const {
    const WeightedRay* ray = ray_for(y);
    if (!ray) return {0, kInfinity};
    const Complex z{aim_.c, y};
    const Layout& layout = ray->layout;
    double re = 0, im = 0;
    for (std::size_t j = 0; j < ray->modulus.size(); ++j) {
      const double angle = y * ray->offset[j] + ray->phase[j];
      re += ray->modulus[j] * std::cos(angle);
      im += ray->modulus[j] * std::sin(angle);
    }
    const Complex sum{re, im};
    const double size = std::abs(sum);
    const ComplexEstimate power =
        log_power_over_gamma(z, epoch_.bins * std::exp(ray->log_share), layout.psi);
    // Of z log(s/T) as it is used here and by the moduli.
    const double log_spacing = std::log(layout.spacing());
    const double rounding = kUnit * ((static_cast<double>(ray->modulus.size()) + 8) * ray->sum +
                                     4 * y * ray->sum_offset);
    // Errors relative to the rule's sum.
    const double log_gamma_z = log_gamma_modulus_lower(z);
    const double log_value = ray->log_scale + log_spacing + power.value.real() + std::log(size);
    const double log_unit = -log_gamma_z - log_value;
    const double left_out = std::exp(ray->log_left_out - y * layout.psi + log_unit);
    const double own = (ray->sum_error + rounding) / size + power.error + left_out +
                       16 * kUnit * (2 + std::abs(ray->log_scale) + std::abs(log_spacing));
    // At the real place K(c) itself is asked for: its equation is solved.
    const double log_edge = log_gamma_ + log_unit + (real ? log_value : log_moment_upper_);
    const double edges = (std::exp(log_mass(aim_.c, y, layout.psi - layout.room) + log_edge) +
                          std::exp(log_mass(aim_.c, y, layout.psi + layout.room) + log_edge)) *
                         (1 + 1e-9) /
                         std::expm1(2 * kPi * layout.room / layout.spacing() * (1 - 8 * kUnit));
    const Complex value{log_value, power.value.imag() + ray->turned + std::arg(sum)};
    // |K - V| <= own V + edges K there, and <= (own + edges) V elsewhere.
    const double error = real && edges < 0.5 ? (own + edges) / (1 - edges) : own + edges;
    if (error < 0.5) return {value, error / (1 - error)};
    if (!(error < kInfinity)) return {0, kInfinity};
    // Nothing is known but how small it is: any power of both lies within 3 times the bound's.
    return {log_value + std::log1p(error) + 1e-12, std::log(3.0) + 1e-12};
  }

  const WeightedRay* ray_for(double y) const {
    constexpr double kMostGrowth = 2;
    const double best = log_mass(aim_.c, y, std::atan2(y, aim_.c));
    const WeightedRay* found = nullptr;
    double least = kMostGrowth;
    for (const WeightedRay& ray : rays_) {
      const double growth = log_mass(aim_.c, y, ray.layout.psi) - best;
      if (growth > least) continue;
      least = growth;
      found = &ray;
    }
    if (found || failed_) return found;
    // A little ahead, as heights are asked from below.
    const double argument = std::atan2(y, aim_.c);
    const double ahead = std::sqrt(2 * aim_.c) / std::hypot(aim_.c, y);
    const double psi = y == 0 ? 0 : std::min(argument + ahead, 0.5 * (argument + 0.5 * kPi));
    const auto layout = lay_out(epoch_, aim_, psi);
    if (!layout) {
      failed_ = true;
      return nullptr;
    }
    rays_.push_back(weighted(Ray(epoch_, *layout)));
    return &rays_.back();
  }

  WeightedRay weighted(const Ray& ray) const {
    const auto& samples = ray.samples();
    const Layout& layout = ray.layout();
    WeightedRay result;
    result.layout = layout;
    const double c = aim_.c;
    const auto log_of = [&](std::size_t j) {
      return c * layout.log_share(std::int64_t(j)) + samples[j].log.real();
    };
    std::size_t top = 0;
    for (std::size_t j = 1; j < samples.size(); ++j) {
      if (log_of(j) > log_of(top)) top = j;
    }
    result.log_share = layout.log_share(std::int64_t(top));
    result.log_scale = samples[top].log.real();
    result.turned = samples[top].log.imag();
    for (std::size_t j = 0; j < samples.size(); ++j) {
      const double offset = layout.log_share(std::int64_t(j)) - result.log_share;
      const Complex log = samples[j].log - samples[top].log;
      const double exponent = c * offset + log.real();
      const double modulus = std::exp(exponent);
      result.modulus.push_back(modulus);
      result.phase.push_back(log.imag());
      result.offset.push_back(offset);
      result.sum += modulus;
      result.sum_offset += modulus * std::abs(offset);
      const double units = 24 + 4 * std::abs(c * offset) + 4 * std::abs(log) +
                           4 * std::abs(samples[j].log) + 4 * std::abs(samples[top].log);
      result.sum_error += modulus * (samples[j].error + kUnit * units);
    }
    const double h = layout.spacing();
    const double log_bins = std::log(epoch_.bins);
    const double left = c * (layout.log_share(0) + log_bins) + log_geometric(c, h);
    const double right =
        log_beyond(epoch_, c, layout.psi, layout.log_share(layout.samples - 1) + log_bins, h);
    const double larger = std::max(left, right);
    result.log_left_out =
        larger + std::log(std::exp(left - larger) + std::exp(right - larger)) + 1e-9;
    return result;
  }

  Epoch epoch_;
  Aim aim_;
  double log_gamma_ = 0;  ///< log Gamma(c), from above
  double log_moment_upper_ = kInfinity;
  mutable std::vector<WeightedRay> rays_;
  mutable bool failed_ = false;
};

class BinsDecay : public Decay {
 public:
  BinsDecay(const Epoch& epoch, double log_moment)
      : log_moment_(log_moment), half_(0.5 * epoch.mu * epoch.mu / epoch.bins * (1 - 16 * kUnit)) {}
  double log_bound_beyond(double y) const override {
    return log_moment_ < kInfinity ? log_moment_ - half_ * y * y + 8 * kUnit * std::abs(log_moment_)
                                   : kInfinity;
  }

 private:
  double log_moment_;
  double half_;
};

class BinsRule : public Rule {
 public:
  BinsRule(const BinsMoments& moments, const Epoch& epoch, double need)
      : moments_(moments), epoch_(epoch), need_(need) {}
  std::unique_ptr<const Column> column(double x) const override { return make(x); }
  std::unique_ptr<const Decay> decay(double x) const override {
    return std::make_unique<BinsDecay>(epoch_, make(x)->log_moment_upper());
  }

 private:
  std::unique_ptr<const BinsColumn> make(double x) const {
    return std::make_unique<BinsColumn>(
        epoch_, Aim{x, moments_.log_moment_estimate(Direction::add, x), need_});
  }
  BinsMoments moments_;
  Epoch epoch_;
  double need_;
};

/// Where the estimate's table begins and ends, in log(s/T), and its step.
constexpr double kFirstShare = -26;
constexpr double kLastShare = 20;
constexpr double kShareStep = 0.25;

/// Where log phi is still told from that of smaller coordinates, in t.
constexpr double kFurthest = 30;

}  // namespace

std::shared_ptr<const Rule> BinsMoments::rule(Direction direction, const Reach& reach) const {
  if (direction != Direction::add || reach.lowest < kLowestPlace) return nullptr;
  const double need = std::clamp(4 - reach.log_precision, 24.0, 38.0);
  return std::make_shared<BinsRule>(*this, Epoch{bins_, mu_}, need);
}

BinsMoments::BinsMoments(double bins, double mu) : bins_(bins), mu_(mu) {
  const double step = std::min(0.5, 0.6 / mu);
  const auto count = static_cast<int>((kLastShare - kFirstShare) / kShareStep) + 1;
  for (int k = 0; k < count; ++k) {
    const double log_share = kFirstShare + k * kShareStep;
    const double low = std::clamp(-log_share / mu - 6, -37.0, -7.0);
    double phi = 0, excess = 0, slope = 0;
    for (double t = low; t < 7 + mu; t += step) {
      const double x = std::exp(std::min(600.0, log_share + mu * t - 0.5 * mu * mu));
      const double weight = step / kRootTwoPi * std::exp(-0.5 * t * t);
      phi += weight * std::exp(-x);
      excess += weight * std::expm1(-x);
      slope -= weight * x * std::exp(-x);
    }
    phi = std::max(excess > -0.5 ? 1 + excess : phi, 1e-300);
    const double log_phi = excess > -0.5 ? std::log1p(excess) : std::log(phi);
    slope /= phi * log_phi;
    estimate_.push_back({std::log(-log_phi), slope});
  }
}

BinsMoments::Power BinsMoments::power_estimate(double log_share) const {
  const double place = std::clamp((log_share - kFirstShare) / kShareStep, 0.0,
                                  static_cast<double>(estimate_.size()) - 1.001);
  const auto k = static_cast<std::size_t>(place);
  const double u = place - static_cast<double>(k);
  const auto [left, left_slope] = estimate_[k];
  const auto [right, right_slope] = estimate_[k + 1];
  // The cubic with these values and slopes.
  const double a = left_slope * kShareStep - (right - left);
  const double b = -right_slope * kShareStep + (right - left);
  const double at = left + u * (right - left) + u * (1 - u) * (a * (1 - u) + b * u);
  const double slope =
      (right - left + (1 - 2 * u) * (a * (1 - u) + b * u) + u * (1 - u) * (b - a)) / kShareStep;
  const double value = -bins_ * std::exp(at);
  return {value, value * slope};
}

double BinsMoments::log_moment_estimate(Direction direction, double x) const {
  if (direction != Direction::add) return kInfinity;
  // log K(x) is about x (x+1) times what varies slowly.
  constexpr double kSmall = 3;
  if (x < kSmall)
    return x * (x + 1) / (kSmall * (kSmall + 1)) * log_moment_estimate(direction, kSmall);
  // Laplace's method in v: x v + log phi^T is largest where its slope vanishes.
  const double log_bins = std::log(bins_);
  double low = kFirstShare, high = std::min(kLastShare, kFurthest * mu_);
  if (x + power_estimate(high).slope > 0) return kInfinity;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (x + power_estimate(middle).slope > 0 ? low : high) = middle;
  }
  constexpr double kAhead = 1e-2;
  const double bend =
      (power_estimate(low - kAhead).slope - power_estimate(low + kAhead).slope) / (2 * kAhead);
  const double peak = x * (low + log_bins) + power_estimate(low).value;
  // Gamma(x) by the same method, so that its errors cancel.
  return peak - 0.5 * std::log(std::max(bend, 1e-3) / x) - x * (std::log(x) - 1);
}

double BinsMoments::largest_loss(Direction) const {
  return kInfinity;
}

double BinsMoments::lowest_place(Direction direction) const {
  return direction == Direction::add ? kLowestPlace : kInfinity;
}

}  // namespace honest_epsilon::contour
