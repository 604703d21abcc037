#include "core/contour/bins_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/ball.h"
#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/base/work.h"
#include "core/contour/epoch_powers.h"
#include "core/contour/jumps.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/log_gamma.h"
#include "core/math/normal.h"
#include "core/math/portable.h"
#include "core/math/root.h"
#include "core/math/scalar_product.h"

namespace honest_epsilon::contour {
namespace {

struct BinsEpoch {
  double bins, mu;
  double blank = 0;  ///< more bins, which the run stopped before

  double all() const { return bins + blank; }
};

/// More powers than this are slower than the lattice transforms; of few bins, whose T-th power is
/// soon taken, more are not.
constexpr double kMostPowers = 40, kMostOfFewBins = 500;

/// Columns of few bins lie no farther out: beyond, lattice transforms are quicker.
constexpr double kFarthestOfFewBins = 400;

/// With fewer bins phi falls far where phi^T matters, and high powers of U are of use.
constexpr double kFewBins = 12;

/// Where the shift of few bins is as small, more powers may be asked for than there are.
constexpr double kQuietShift = 0.06;

/// Ratios that vary more leave the doubles.
constexpr double kWidestShift = 20;

/// Whether there are few bins, whose ratios stay within doubles.
bool are_few(double bins, double mu) {
  return mu <= kWidestShift && bins < kFewBins;
}

/// The largest power of U that stays within doubles: E X^n is e^{mu^2 n (n-1) / 2}. 0 for an epoch
/// that stopped.
int most_powers(const BinsEpoch& epoch) {
  if (epoch.blank > 0) return 0;
  if (are_few(epoch.bins, epoch.mu)) {
    const double ratio = 8 * 500 / (epoch.mu * epoch.mu);  // up to e^500
    return static_cast<int>(std::min(0.5 + 0.5 * std::sqrt(1 + ratio), kMostOfFewBins));
  }
  constexpr double kLargestExponent = 28, kLargestScale = 600;
  return static_cast<int>(std::min(
      {kLargestExponent / epoch.mu, kMostPowers, kLargestScale / (std::log(epoch.bins) + 3.5)}));
}

/// The grids of a ray, parts of one in log(sX).
struct RayLayout {
  int powers = 0;                                           ///< n of E[U^n e^{-sU}]
  double psi = 0;                                           ///< arg s
  double theta = 0;                                         ///< what the shift of t takes from it
  double widest = 0;                                        ///< of |arg w| in the inner strip
  double half = 0;                                          ///< half-width of the inner strip, in t
  double room = 0;                                          ///< half-width b of the outer strip
  double step = 0;                                          ///< in log(sX)
  std::int64_t node_stride = 1, first_node = 0, nodes = 0;  ///< of log X
  std::int64_t sample_stride = 1, first_sample = 0, samples = 0;  ///< of log(s/T)
  double excess = 1;  ///< over c, of the power that bounds what lies beyond the samples

  double node_spacing() const { return step * static_cast<double>(node_stride); }
  double spacing() const { return step * static_cast<double>(sample_stride); }
  double log_x(std::int64_t i) const {
    return node_spacing() * static_cast<double>(first_node + i);
  }
  /// Multiplications.
  double work(double bins) const {
    const double terms = 1.0 + powers, sums = static_cast<double>(nodes) * terms;
    // A series is squared for every binary digit of the bins.
    constexpr double kSquare = 1;
    const double squares = powers > 0 ? kSquare * terms * terms * std::log2(bins) : 0;
    return static_cast<double>(samples) * (sums + squares);
  }
  double log_share(std::int64_t j) const {
    return spacing() * static_cast<double>(first_sample + j);
  }
  /// Error of the rule in t, relative to the edges' moments without the growth of e^{t^2 / 2}, as a
  /// logarithm.
  double log_strip(double mu) const {
    const double below = theta / mu - half, above = theta / mu + half;
    return log_add(0.5 * below * below, 0.5 * above * above) -
           log_expm1(2 * kPi * half * mu / node_spacing() * (1 - 8 * kUnit));
  }
};

/// More multiplications than this for a ray, or for all that a column is asked, are slower than the
/// lattice transforms.
constexpr double kMostWork = 6e8;

/// So are tables with more entries than this.
constexpr double kMostEntries = 1e6;

/// Multiplications are summed in lanes, several in the time of a term of a sum.
constexpr std::int64_t kProductsPerUnit = 4;

/// Logarithms and angles of a node, or of a sample; plans of a ray; gamma functions of a height.
constexpr std::int64_t kNodeWork = 50, kPlanWork = 5000, kHeightWork = 1500;

/// A coefficient of a series, its modulus from above, and what it is off by.
struct SeriesTerm {
  Complex value;
  double size, error;
};

/// sum_j c_j x^j up to some power of x.
class Series {
 public:
  void add(const SeriesTerm& c) { terms_.push_back(c); }
  const SeriesTerm& operator[](std::size_t m) const { return terms_[m]; }
  std::size_t size() const { return terms_.size(); }

  /// A product's coefficient of x^m.
  static SeriesTerm of_product(const Series& a, const Series& b, std::size_t m) {
    SeriesTerm sum{};
    for (std::size_t j = 0; j <= m; ++j) add_term(sum, a[j], b[m - j]);
    return rounded(sum, m);
  }
  SeriesTerm of_square(std::size_t m) const {
    SeriesTerm sum{};
    for (std::size_t j = 0; 2 * j < m; ++j) add_term(sum, (*this)[j], (*this)[m - j]);
    sum = {2.0 * sum.value, 2 * sum.size, 2 * sum.error};
    if (m % 2 == 0) add_term(sum, (*this)[m / 2], (*this)[m / 2]);
    return rounded(sum, m);
  }
  Series square() const {
    Series result;
    for (std::size_t m = 0; m < size(); ++m) result.add(of_square(m));
    return result;
  }
  Series times(const Series& other) const {
    Series result;
    for (std::size_t m = 0; m < size(); ++m) result.add(of_product(*this, other, m));
    return result;
  }
  /// Its whole power, 1 or more, by squares.
  Series to_the_power(double exponent) const {
    if (exponent == 1) return *this;
    const double half = std::floor(0.5 * exponent);
    const Series even = to_the_power(half).square();
    return 2 * half == exponent ? even : even.times(*this);
  }
  /// The power's last coefficient alone.
  SeriesTerm last_of_power(double exponent) const {
    const std::size_t last = size() - 1;
    if (exponent == 1) return terms_.back();
    const double half = std::floor(0.5 * exponent);
    const Series root = to_the_power(half);
    return 2 * half == exponent ? root.of_square(last) : of_product(root.square(), *this, last);
  }

 private:
  static void add_term(SeriesTerm& sum, const SeriesTerm& a, const SeriesTerm& b) {
    sum.value += honest_epsilon::times(a.value, b.value);
    sum.size += a.size * b.size;
    sum.error += a.error * (b.size + b.error) + a.size * b.error;
  }
  static SeriesTerm rounded(const SeriesTerm& sum, std::size_t m) {
    const double units = kUnit * (static_cast<double>(m) + 10);
    return {sum.value, sum.size * (1 + units), sum.error * (1 + units) + units * sum.size};
  }

  std::vector<SeriesTerm> terms_;
};

/// log of the unit of x in a series up to this power, which keeps its coefficients within doubles.
double log_series_unit(int powers) {
  return std::log(std::max(1, powers));
}

/// log E U^n, from above.
double log_whole_moment(EpochPowers& powers, int n) {
  if (n < 2) return 0;
  constexpr std::int64_t kOfPower = 10;
  work::spend(kOfPower * n);
  return log1p_exp(powers.log_excess_upper(static_cast<std::size_t>(n))) * (1 + 4 * kUnit);
}

/// E[U^n e^{-sU}] on one ray.
class Ray {
 public:
  Ray(const BinsEpoch& epoch, const RayLayout& layout) : epoch_(epoch), layout_(layout) {
    fill_table();
    for (int power = 0; power <= layout.powers; ++power) add_power(power);
  }

  /// Its logarithm at one of the layout's places, j; but for what a strip charges, see
  /// log_strip_share.
  LogMoment sample(std::size_t j) const {
    if (layout_.powers > 0) return by_series(j);
    const Ball phi = moment(rows_.front(), j), log = honest_epsilon::log(phi);
    const double blank = epoch_.blank * std::exp(layout_.log_share(std::int64_t(j)));
    const Complex beside{blank * std::cos(layout_.psi), blank * std::sin(layout_.psi)};
    const double error =
        epoch_.bins * (log.error + 2 * kUnit * modulus(log.value)) + 16 * kUnit * (1 + blank);
    if (error < std::log(3.0)) return {epoch_.bins * log.value - beside, error};
    return no_more_than(epoch_.bins * std::log(phi.most()) - beside.real() * (1 - 16 * kUnit));
  }

 private:
  /// Roundings of a scalar product's sum.
  double sum_units() const { return product_units(static_cast<std::size_t>(layout_.nodes)); }

  /// The index of an entry of the grid of log |w| in the tables, where the nodes of one sample are
  /// adjacent.
  std::size_t place(std::size_t entry) const {
    const auto stride = static_cast<std::size_t>(layout_.node_stride);
    return entry % stride * column_ + entry / stride;
  }
  std::size_t begin_of(std::size_t sample) const {
    return place(sample * static_cast<std::size_t>(layout_.sample_stride));
  }

  /// e^{-w}, its modulus, and what it is off by.
  void fill_table() {
    const std::int64_t entries = (layout_.samples - 1) * layout_.sample_stride +
                                 (layout_.nodes - 1) * layout_.node_stride + 1;
    const std::int64_t first =
        layout_.first_sample * layout_.sample_stride + layout_.first_node * layout_.node_stride;
    column_ = static_cast<std::size_t>((entries - 1) / layout_.node_stride + 1);
    const std::size_t room = column_ * static_cast<std::size_t>(layout_.node_stride);
    for (auto* list : {&table_re_, &table_im_, &size_, &size_error_}) list->resize(room);
    const double kappa = layout_.psi - layout_.theta;
    const double cosine = std::cos(kappa), sine = std::sin(kappa);
    live_ = entries;
    for (std::int64_t k = 0; k < entries; ++k) {
      const double modulus = std::exp(layout_.step * static_cast<double>(first + k));
      const double size = std::exp(-modulus * cosine), angle = modulus * sine;
      const std::size_t at = place(static_cast<std::size_t>(k));
      if (size == 0) live_ = std::min(live_, k);
      size_[at] = size;
      // x e^{-x cos} peaks at 1 / cos: its peak left of it.
      const double falling = std::max(modulus, 1 / cosine - 40.0 / 12);
      size_error_[at] = kUnit * (40 + 12 * falling) * std::exp(-falling * cosine) * (1 + 1e-12);
      table_re_[at] = size * std::cos(angle);
      table_im_[at] = -size * std::sin(angle);
    }
  }

  double log_unit() const { return log_series_unit(layout_.powers); }

  /// X^j / (T^j j!) times the weights of phi, in a series' units, with what they are off by: at as
  /// many of the first nodes as matter.
  struct Row {
    std::vector<double> re, im, modulus, error;
    double last_x;
    double left_out;  ///< to the left, and to the right without e^{-w}
    double right_out;
    mutable std::vector<double> rounding{};  ///< of a sample's sum and of those that follow
  };

  /// sum_i weight_i table[j + i] over the first n.
  double real_product(const std::vector<double>& weight, const std::vector<double>& table,
                      std::size_t j, std::size_t n) const {
    return scalar_product(weight.data(), table.data() + begin_of(j), n);
  }

  /// sum_i (re_i + i im_i) table[j + i] over the first n.
  Complex product(const std::vector<double>& weight_re, const std::vector<double>& weight_im,
                  const std::vector<double>& table_re, const std::vector<double>& table_im,
                  std::size_t j, std::size_t n) const {
    // On the real ray nothing is turned.
    if (layout_.psi == 0) return real_product(weight_re, table_re, j, n);
    const std::size_t first = begin_of(j);
    return scalar_product({weight_re.data(), weight_im.data()},
                          {table_re.data() + first, table_im.data() + first}, n);
  }

  /// What the sum over a row's nodes at a sample may be off by. A bound on a term falls with |w|,
  /// so that of one sample serves the next ones where e^{-w} hardly falls: of many bins.
  double rounding(const Row& row, std::size_t j) const {
    constexpr std::size_t kServed = 4;
    const std::size_t served = epoch_.bins < kFewBins ? 1 : kServed;
    const std::size_t place = j / served, first = place * served;
    if (row.rounding.size() <= place) row.rounding.resize(place + 1, -1);
    double& known = row.rounding[place];
    if (known < 0) {
      const std::size_t n = live_nodes(row, first);
      known = real_product(row.error, size_, first, n) +
              real_product(row.modulus, size_error_, first, n);
    }
    return known;
  }

  /// A row's nodes before e^{-w} is 0 at a sample, as a double is.
  std::size_t live_nodes(const Row& row, std::size_t sample) const {
    const auto first = static_cast<std::int64_t>(sample) * layout_.sample_stride;
    const std::int64_t count = (live_ - first + layout_.node_stride - 1) / layout_.node_stride;
    return std::min(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)), row.re.size());
  }

  void add_power(int power) {
    const double mu = epoch_.mu, eta = layout_.theta / mu, j = power;
    const double log_scale = std::lgamma(j + 1) + j * (std::log(epoch_.bins) - log_unit());
    const double step_t = layout_.node_spacing() / mu;
    // The nodes reach as far beyond the peak of the highest power.
    const double fewer = layout_.powers - power;
    const std::int64_t nodes =
        layout_.nodes - static_cast<std::int64_t>(fewer * mu * mu / layout_.node_spacing());
    Row row;
    double sum = 0;
    for (std::int64_t i = 0; i < nodes; ++i) {
      const double log_x = layout_.log_x(i);
      const double t = log_x / mu + 0.5 * mu;
      const double modulus =
          step_t / kSqrtTwoPi * std::exp(0.5 * (eta - t) * (eta + t) + j * log_x - log_scale);
      const double angle = eta * t - j * layout_.theta;
      row.re.push_back(modulus * std::cos(angle));
      row.im.push_back(modulus * std::sin(angle));
      row.modulus.push_back(modulus);
      sum += modulus;
      const double place = std::abs(t) + mu + eta;
      const double units = 6 * place * place + 4 * j * std::abs(log_x) +
                           6 * (std::abs(log_scale) + 2 * j * log_unit()) + 8 * j * layout_.theta +
                           80 + sum_units();
      row.error.push_back(kUnit * units * modulus);
    }
    const double growth = 0.5 * eta * eta - log_scale;
    const double first = layout_.log_x(0), last = layout_.log_x(nodes - 1);
    const double first_t = first / mu + 0.5 * mu, last_t = last / mu + 0.5 * mu;
    row.last_x = std::exp(last);
    // Where e^{-w}, or a term itself, underflows it is less than the least double.
    const double underflow =
        (sum + static_cast<double>(nodes)) * std::numeric_limits<double>::denorm_min();
    row.left_out =
        first_t < 0
            ? std::exp(growth + j * first) * normal::upper_tail(-first_t) * (1 + 1e-9) + underflow
            : kInfinity;
    row.right_out = std::exp(growth + 0.5 * mu * mu * j * (j - 1)) *
                    normal::upper_tail(last_t - j * mu) * (1 + 1e-9);
    rows_.push_back(std::move(row));
  }

  /// A row's moment at a sample.
  Ball moment(const Row& row, std::size_t j) const {
    const double share = std::exp(layout_.log_share(static_cast<std::int64_t>(j)));
    // e^{-Re w} beyond the last node.
    const double damped = std::exp(-share * row.last_x * std::cos(layout_.psi - layout_.theta));
    const double off = rounding(row, j) + row.left_out + row.right_out * damped;
    return {product(row.re, row.im, table_re_, table_im_, j, live_nodes(row, j)),
            off * (1 + 1e-12)};
  }

  /// n! [x^n] (sum_j E[X^j e^{-w}] x^j / (T^j j!))^T.
  LogMoment by_series(std::size_t j) const {
    Series series;
    for (const Row& row : rows_) {
      const Ball m = moment(row, j);
      series.add({m.value, std::abs(m.value) * (1 + 4 * kUnit), m.error});
    }
    const SeriesTerm last = series.last_of_power(epoch_.bins);
    const double known = std::abs(last.value), off = last.error;
    const double log_factorial = std::lgamma(layout_.powers + 1.0) - layout_.powers * log_unit();
    if (!(off < 0.5 * known)) return no_more_than(std::log(known + off + kTiny) + log_factorial);
    return {Complex{std::log(known) + log_factorial, std::arg(last.value)},
            off / (known - off) + 8e-15 * (1 + layout_.powers)};
  }

  BinsEpoch epoch_;
  RayLayout layout_;
  std::size_t column_ = 0;                   ///< of the tables
  std::int64_t live_ = 0;                    ///< their entries before e^{-w} is 0
  std::vector<double> table_re_, table_im_;  ///< e^{-w}
  std::vector<double> size_, size_error_;    ///< its modulus, and what it is off by
  std::vector<Row> rows_;
};

/// m(psi) / (Gamma(c) K(c)), as a logarithm.
double log_mass(double c, double y, double psi) {
  return -y * psi - c * std::log(std::cos(psi));
}

/// log Gamma(z), the real part, with its error charged upwards.
double log_gamma_modulus_lower(Complex z) {
  const Ball at = log_power_over_gamma(z, std::abs(z), 0);
  const double value = z.real() * std::log(std::abs(z)) - at.value.real();
  return value - at.error - 8 * kUnit * (1 + std::abs(value) + std::abs(at.value.real()));
}

/// The most e-folds that Aim may ask for; more would be lost in rounding.
constexpr double kMostNeed = 38;

/// What a column's rays should achieve.
struct Aim {
  bool conjugate;     ///< K is the conjugate of E U^{n - a}
  int powers;         ///< n of E U^{n - a}
  double c;           ///< Re a
  double log_moment;  ///< log E U^{n - c}, roughly
  double log_whole;   ///< log E U^n, at most
  double need;        ///< e-folds between the largest terms and what is left out
};

/// log of h sum_{j >= 1} e^{-rate j h}.
double log_geometric(double rate, double h) {
  return std::log(h) - rate * h - std::log1p(-std::exp(-rate * h));
}

/// log of what the samples beyond v = log s leave out, against Gamma(c) K(c) cos(psi)^{-c}: at most
/// this, by the moment of order c + excess; any order from n on will do.
double log_beyond(const BinsEpoch& epoch, const Aim& aim, double psi, double excess, double v,
                  double spacing) {
  const double p = aim.c + excess, q = p - aim.powers, log_p = std::log(p / std::cos(psi));
  return p * (log_p - 1) + 0.5 * epoch.mu * epoch.mu * q * (1 + q / epoch.all()) - excess * v +
         log_geometric(excess, spacing) + 64 * kUnit * p * (2 + std::abs(v) + std::abs(log_p));
}

/// |E e^{-sU} - 1 + s| <= e^{log_factor} |s|^power where Re s >= 0, as E U = 1.
struct RestBound {
  double power, log_factor;
};

/// By 2 |sU| and by |sU|^2 / 2: E U^2 = 1 + T (e^{mu^2} - 1) / (T + B)^2.
std::array<RestBound, 2> rest_bounds(const BinsEpoch& epoch) {
  const double log_square = log_add(0, epoch.mu * epoch.mu - std::log(epoch.all()));
  return {{{1, kLogTwo + 1e-9}, {2, log_square - kLogTwo + 1e-9}}};
}

/// log of what the samples before v = log s leave out, likewise; without powers, in addition to 1 -
/// s.
double log_before(const BinsEpoch& epoch, const Aim& aim, double v, double spacing) {
  const auto with = [&](double power, double log_factor) {
    const double rate = aim.c + power;
    return rate * v + log_geometric(rate, spacing) + log_factor +
           16 * kUnit * rate * (std::abs(v) + std::log(epoch.all()));
  };
  if (aim.powers > 0) return with(0, aim.log_whole);
  const auto [first, second] = rest_bounds(epoch);
  return std::min(with(first.power, first.log_factor), with(second.power, second.log_factor));
}

/// A v before which that is at most e^log_most but for the spacing, roughly.
double first_needed(const BinsEpoch& epoch, const Aim& aim, double log_most) {
  if (aim.powers > 0) return (log_most - aim.log_whole) / aim.c;
  double v = -kInfinity;
  for (const RestBound& rest : rest_bounds(epoch))
    v = std::max(v, (log_most - rest.log_factor) / (aim.c + rest.power));
  return v;
}

/// A ray's strips, grids and nodes, not yet its samples.
std::optional<RayLayout> grids_of(const BinsEpoch& epoch, const Aim& aim, double psi) {
  const double mu = epoch.mu;
  RayLayout layout;
  layout.powers = aim.powers;
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
  const double log_factors = std::log(epoch.bins) + 2;  // T factors are each off by as much
  double step_t = 0;
  // Shifts of the path that a plan tries, from none to the largest.
  constexpr int kShifts = 12;
  // Rounding grows by e^{eta^2 / 2}, and once more for every power.
  const double most_eta = std::min(2.0, 2 / std::sqrt(std::max(1, aim.powers)));
  // Of what lies between psi and pi / 2, which a damped strip may reach into at a cost.
  constexpr std::array kParts = {0.0, 0.25, 0.5, 0.75};
  for (int i = 0; i <= kShifts; ++i) {
    const double theta = std::min(psi, most_eta * mu) * i / kShifts;
    const double eta = theta / mu;
    for (const double beyond : kParts) {
      const double widest = psi + beyond * (0.5 * kPi - psi);
      const double growth = aim.c * std::log(std::cos(psi) / std::cos(widest));
      const double room = widest - (psi - theta);
      double before = 0;
      for (double part = 0.1; part < 1; part *= 1.12) {
        const double half = part * room / mu;
        const double edge = 0.5 * (eta + half) * (eta + half);
        const double wide = 2 * kPi * half / (aim.need + log_factors + growth + edge);
        if (wide < before) break;
        before = wide;
        if (wide <= step_t) continue;
        step_t = wide;
        layout.theta = theta;
        layout.widest = widest;
        layout.half = half;
      }
    }
  }
  if (!(step_t > 0 && spacing > 0)) return std::nullopt;
  // One grid for both, its step that of the finer one; with few bits in it every place is exact.
  const double wide = mu * step_t;
  layout.sample_stride = std::max<std::int64_t>(1, static_cast<std::int64_t>(spacing / wide));
  layout.node_stride = std::max<std::int64_t>(1, static_cast<std::int64_t>(wide / spacing));
  layout.step = portable::shortened(std::min(wide / static_cast<double>(layout.node_stride),
                                             spacing / static_cast<double>(layout.sample_stride)));
  const double reach = std::sqrt(2 * (aim.need + log_factors)) * mu;
  // phi is a sum around t = -tilt where E U^{n - c} is decided by small ratios: there X s/T is
  // tilt / mu, and phi as small as this.
  const double tilt = 1.25 * aim.c * mu / epoch.bins;
  const double log_phi = -tilt * (0.5 * tilt + 1 / mu);
  const double nearest = -0.5 * mu * mu - mu * std::sqrt(2 * (aim.need + log_factors - log_phi));
  layout.first_node = static_cast<std::int64_t>(std::floor(nearest / layout.node_spacing()));
  const double furthest = (aim.powers - 0.5) * mu * mu + reach;
  layout.nodes = static_cast<std::int64_t>(std::ceil(furthest / layout.node_spacing())) -
                 layout.first_node + 1;
  return layout;
}

/// The same with samples.
std::optional<RayLayout> lay_out(const BinsEpoch& epoch, const Aim& aim, double psi) {
  auto grids = grids_of(epoch, aim, psi);
  if (!grids) return std::nullopt;
  RayLayout& layout = *grids;
  const double log_gamma = std::lgamma(aim.c);
  const double whole = log_gamma + aim.log_moment - aim.c * std::log(std::cos(psi));
  const double first = first_needed(epoch, aim, whole - aim.need);
  // Ratios beyond e^4000 are for other methods.
  if (!(std::abs(first) < 4000)) return std::nullopt;
  // Each power says from where on what lies beyond is small enough.
  double rare = kInfinity;
  layout.excess = std::max(1.0, aim.powers - aim.c);
  for (double excess = layout.excess; excess < 1e9; excess *= 2) {
    const double all = log_beyond(epoch, aim, psi, excess, 0, layout.spacing());
    const double v = (all - whole + aim.need) / excess;
    if (!(v < rare)) continue;
    rare = v;
    layout.excess = excess;
  }
  const double last = std::max({std::log(aim.c), first, std::min(rare, first + 400)});
  const double log_bins = std::log(epoch.all());
  layout.first_sample =
      static_cast<std::int64_t>(std::floor((first - log_bins) / layout.spacing()));
  layout.samples = static_cast<std::int64_t>(std::ceil((last - log_bins) / layout.spacing())) -
                   layout.first_sample + 1;
  const auto samples = static_cast<double>(layout.samples);
  const auto nodes = static_cast<double>(layout.nodes);
  const double entries = samples * static_cast<double>(layout.sample_stride) +
                         nodes * static_cast<double>(layout.node_stride);
  if (!(layout.work(epoch.bins) < kMostWork && entries < kMostEntries)) return std::nullopt;
  return grids;
}

/// The number of terms of a sum over a ray that are turned together.
constexpr std::int64_t kBlock = 16;

/// e^{w x} sum_{j >= 1} e^{-w j h} e^{log_factor} = e^{w x + log_factor} / (e^{w h} - 1), Re w > 0.
Ball geometric(const Ball& w, double x, double h, const Ball& log_factor) {
  return exp(w * x + log_factor - log(expm1(w * h)));
}

/// A ray's samples weighted for one column: the sum over v is
///   e^{log_scale} sum_j (re_j + i im_j) e^{i y offset_j},
/// offset_j the distance of log(s/T) from where it is at the origin of the phases; and, without
/// powers of U, what comes before the samples as long as M(s) is 1 - s.
struct WeightedRay {
  RayLayout layout;
  double log_damped = 0;  ///< c log(cos(psi)), of log_mass
  double log_origin = 0;  ///< log(s/T) at the origin
  double log_scale = 0;   ///< of the largest term's modulus, against (s/T)^c at the origin
  double turned = 0;      ///< its own phase
  std::int64_t first_block = 0;
  std::vector<double> re, im;  ///< the weights, with zeros to fill the first and last block
  double sum = 0;              ///< of the moduli
  double sum_offset = 0;       ///< of modulus |offset|
  double sum_error = 0;        ///< of the moduli times their errors
  double log_left_out = 0;     ///< log of what lies beyond both ends, without e^{-y psi}
  double log_all = 0;          ///< log(T + B)

  /// The sum at z, Im z = y, without e^{log_scale}, and its rounding.
  Ball sum_at(Complex z) const {
    // Additions, and y log(s/T) as it is used here and by the moduli.
    const double y = z.imag(), additions = static_cast<double>(re.size()) + 24;
    Ball found{turned_sum(y), kUnit * (additions * sum + 8 * y * sum_offset)};
    if (layout.powers > 0) return found;
    const double h = layout.spacing(), before = layout.log_share(0) - log_origin;
    const double units =
        4 * kUnit * (modulus({log_scale, turned}) + std::abs(log_origin) + log_all);
    const Ball log_factor{{-log_scale, -turned}, units};
    const Ball log_s{{log_origin + log_all, layout.psi}, units};
    return found + geometric(z, before, h, log_factor) -
           geometric(Ball(z) + 1.0, before, h, log_factor + log_s);
  }

 private:
  /// Blocks are turned as a whole, and their sum's entries each by its place in a block.
  Complex turned_sum(double y) const {
    const auto turn = [&](std::int64_t k) {
      return polar(1.0, y * (layout.spacing() * static_cast<double>(k)));
    };
    const auto blocks = static_cast<std::int64_t>(re.size()) / kBlock;
    std::array<double, kBlock> sum_re{}, sum_im{};
    for (std::int64_t block = 0; block < blocks; ++block) {
      const Complex whole = turn((first_block + block) * kBlock);
      const auto begin = static_cast<std::size_t>(block * kBlock);
      for (std::size_t i = 0; i < kBlock; ++i) {
        sum_re[i] += re[begin + i] * whole.real() - im[begin + i] * whole.imag();
        sum_im[i] += re[begin + i] * whole.imag() + im[begin + i] * whole.real();
      }
    }
    Complex total = 0;
    for (std::size_t i = 0; i < kBlock; ++i)
      total += times({sum_re[i], sum_im[i]}, turn(static_cast<std::int64_t>(i)));
    return total;
  }
};

/// log |K(c + iy)|, at most: see Decay in the header; log K(c), without it, where an epoch stopped.
double log_decayed(const BinsEpoch& epoch, double log_moment, double y) {
  if (epoch.blank > 0) return log_moment;
  const double half = 0.5 * epoch.mu * epoch.mu / epoch.bins * (1 - 16 * kUnit);
  return log_moment - half * y * y + 8 * kUnit * std::abs(log_moment);
}

class BinsColumn : public Column {
 public:
  /// alone: whether no place but the real one is asked for
  BinsColumn(const BinsEpoch& epoch, const Aim& aim, bool alone = false)
      : epoch_(epoch), aim_(aim), alone_(alone) {
    const Ball reciprocal = log_power_over_gamma({aim.c, 0}, 1, 0);
    log_gamma_ = reciprocal.error - reciprocal.value.real();
    const LogMoment at = at_height(0, ray_for(0, kUsualGrowth), true);
    log_moment_upper_ = at.error < 0.5 ? at.value.real() + at.error * (1 + 1e-9) : kInfinity;
  }

  LogMoment log_moment(double y) const override {
    // A ray farther away costs digits, which there may be to spare.
    LogMoment at = at_height(y, ray_for(y, kUsualGrowth + 0.5 * (kMostNeed - aim_.need)), false);
    if (aim_.conjugate) at.value = std::conj(at.value);
    return at;
  }

  double log_bound_beyond(double y) const override {
    return log_moment_upper_ < kInfinity ? log_decayed(epoch_, log_moment_upper_, y) : kInfinity;
  }
  /// log K(c), from above.
  double log_moment_upper() const { return log_moment_upper_; }

 private:
  static constexpr double kUsualGrowth = 2;

  static LogMoment finer(const LogMoment& a, const LogMoment& b) {
    return a.value.real() + std::log(a.error) <= b.value.real() + std::log(b.error) ? a : b;
  }

  /// At the real place, whose own value bounds the strip's edges, the equation is solved for it.
  ///   ray: none where nothing can be summed
  LogMoment at_height(double y, const WeightedRay* ray, bool real) const {
    if (!ray) return known_small(y);
    work::spend(kHeightWork);
    const Complex z{aim_.c, y};
    const RayLayout& layout = ray->layout;
    const Ball sum = ray->sum_at(z);
    // A sum below its own rounding error counts as that error.
    const double modulus = std::abs(sum.value), size = std::max(modulus, kUnit * ray->sum);
    const Ball power =
        log_power_over_gamma(z, epoch_.all() * std::exp(ray->log_origin), layout.psi);
    const double log_spacing = std::log(layout.spacing());
    // Errors relative to the rule's sum.
    const double log_gamma_z = log_gamma_modulus_lower(z);
    const double log_value = ray->log_scale + log_spacing + power.value.real() + std::log(size);
    const double log_unit = -log_gamma_z - log_value;
    // Exponents of some y and c cancel in what follows, and round by themselves.
    const double slack = 32 * kUnit *
                         (2 * y + aim_.c * (1 - std::log(std::cos(layout.psi + layout.room))) +
                          std::abs(log_gamma_) + std::abs(log_gamma_z) + std::abs(log_value));
    const double left_out = std::exp(ray->log_left_out - y * layout.psi + log_unit + slack);
    const double own = (ray->sum_error + sum.error + (size - modulus)) / size +
                       std::expm1(power.error) + left_out +
                       16 * kUnit * (2 + std::abs(ray->log_scale) + std::abs(log_spacing));
    // At the real place K(c) itself is asked for: its equation is solved.
    const double log_edge = log_gamma_ + log_unit + slack + (real ? log_value : log_moment_upper_);
    const double log_inner = -y * layout.psi - aim_.c * std::log(std::cos(layout.widest));
    const double inner = std::exp(log_strip_share(layout) + log_inner + log_edge);
    const double log_outer =
        log_edge - log_expm1(2 * kPi * layout.room / layout.spacing() * (1 - 8 * kUnit));
    const double edges =
        inner + (std::exp(log_mass(aim_.c, y, layout.psi - layout.room) + log_outer) +
                 std::exp(log_mass(aim_.c, y, layout.psi + layout.room) + log_outer)) *
                    (1 + 1e-9);
    const Complex value{log_value, power.value.imag() + ray->turned + std::arg(sum.value)};
    // |K - V| <= own V + edges K there, and <= (own + edges) V elsewhere.
    const double error = real && edges < 0.5 ? (own + edges) / (1 - edges) : own + edges;
    if (error < 0.5) return {value, error / (1 - error)};
    return error < kInfinity ? finer(no_more_than(log_value + std::log1p(error)), known_small(y))
                             : known_small(y);
  }

  LogMoment known_small(double y) const {
    if (!(log_moment_upper_ < kInfinity)) return {0, kInfinity};
    return no_more_than(log_decayed(epoch_, log_moment_upper_, y));
  }

  /// What the inner strips of E[X^j e^{-w}] may cost, against e^{-y psi} cos(widest)^{-c} Gamma(c)
  /// E U^{n - c}: each is off by a share of the same at r = |s| cos(widest), T of them are
  /// multiplied, and the rule in v sums E[U^n e^{-rU}] to at most 1 + c (c+1) h^2 / 12 times its
  /// integral, by its Fourier series and |Gamma(c + iy)| <= Gamma(c) c (c+1) / y^2.
  double log_strip_share(const RayLayout& layout) const {
    const double h = layout.spacing(), log_strip = layout.log_strip(epoch_.mu);
    // (1 + x)^T - 1 <= T x e^{T x}; a tenth more covers rounding.
    return std::log(1.1 * epoch_.bins * (1 + aim_.c * (aim_.c + 1) * h * h / 12)) + log_strip +
           epoch_.bins * std::exp(log_strip);
  }

  /// most_growth: e-folds of K's modulus that a ray may lose by the distance of its angle from y's.
  const WeightedRay* ray_for(double y, double most_growth) const {
    const double argument = std::atan2(y, aim_.c), best = log_mass(aim_.c, y, argument);
    const WeightedRay* nearest = nullptr;
    double least = kInfinity;
    for (const WeightedRay& ray : rays_) {
      const double growth = -y * ray.layout.psi - ray.log_damped - best;
      if (growth > least) continue;
      least = growth;
      nearest = &ray;
    }
    if (nearest) spend(static_cast<double>(nearest->re.size()));
    if (work_ > kMostWork) return nullptr;
    if (least <= most_growth || failed_) return nearest;
    // With powers of X a ray costs so much that the real one serves small heights, too.
    const double real_psi = aim_.powers > 0 && !alone_ ? std::min(0.4, std::sqrt(2 / aim_.c)) : 0;
    const double psi = std::max(real_psi, argument);
    work::spend(kPlanWork);
    const auto layout = lay_out(epoch_, aim_, psi);
    if (!layout) {
      failed_ = true;
      return nearest;
    }
    spend(layout->work(epoch_.bins));
    work::spend(kNodeWork * (layout->nodes * (1 + layout->powers) +
                             layout->samples * (1 + layout->sample_stride)));
    rays_.push_back(weighted(Ray(epoch_, *layout), *layout));
    return &rays_.back();
  }

  void spend(double products) const {
    work_ += products;
    work::spend(static_cast<std::int64_t>(products) / kProductsPerUnit);
  }

  WeightedRay weighted(const Ray& ray, const RayLayout& layout) const {
    std::vector<LogMoment> samples;
    for (std::int64_t j = 0; j < layout.samples; ++j)
      samples.push_back(ray.sample(static_cast<std::size_t>(j)));
    WeightedRay result;
    result.layout = layout;
    const double c = aim_.c;
    result.log_damped = c * std::log(std::cos(layout.psi));
    const auto log_of = [&](std::size_t j) {
      return c * layout.log_share(std::int64_t(j)) + samples[j].value.real();
    };
    std::size_t top = 0;
    for (std::size_t j = 1; j < samples.size(); ++j) {
      if (log_of(j) > log_of(top)) top = j;
    }
    result.turned = samples[top].value.imag();
    const auto origin = static_cast<std::int64_t>(top);
    result.log_origin = layout.log_share(origin);
    result.log_scale = samples[top].value.real();
    const double log_top = std::abs(samples[top].value);
    // A block begins at every kBlock-th place from the origin.
    const std::int64_t before = ((-origin) % kBlock + kBlock) % kBlock;
    result.first_block = (-origin - before) / kBlock;
    const auto whole = (before + layout.samples + kBlock - 1) / kBlock * kBlock;
    result.re.resize(static_cast<std::size_t>(whole));
    result.im.resize(static_cast<std::size_t>(whole));
    for (std::size_t j = 0; j < samples.size(); ++j) {
      const double offset = layout.log_share(std::int64_t(j)) - layout.log_share(std::int64_t(top));
      const Complex log = samples[j].value - samples[top].value;
      if (c * offset + log.real() < -746) continue;  // it underflows
      const double modulus = std::exp(c * offset + log.real());
      const std::size_t place = j + static_cast<std::size_t>(before);
      result.re[place] = modulus * std::cos(log.imag());
      result.im[place] = modulus * std::sin(log.imag());
      result.sum += modulus;
      // A turn is made of two, whose angles round by themselves.
      result.sum_offset +=
          modulus *
          (std::abs(layout.log_share(std::int64_t(j)) - result.log_origin) + 16 * layout.spacing());
      const double units = 24 + 4 * std::abs(c * offset) + 4 * honest_epsilon::modulus(log) +
                           4 * honest_epsilon::modulus(samples[j].value) + 4 * log_top;
      result.sum_error += modulus * (std::expm1(samples[j].error) + kUnit * units);
    }
    const double h = layout.spacing(), log_bins = std::log(epoch_.all());
    result.log_all = log_bins;
    const double left = log_before(epoch_, aim_, layout.log_share(0) + log_bins, h);
    const double right = log_beyond(epoch_, aim_, layout.psi, layout.excess,
                                    layout.log_share(layout.samples - 1) + log_bins, h);
    const double larger = std::max(left, right);
    result.log_left_out =
        larger + std::log(std::exp(left - larger) + std::exp(right - larger)) + 1e-9;
    return result;
  }

  BinsEpoch epoch_;
  Aim aim_;
  bool alone_;
  double log_gamma_ = 0;  ///< log Gamma(c), from above
  double log_moment_upper_ = kInfinity;
  mutable std::deque<WeightedRay> rays_;  ///< where they were made
  mutable bool failed_ = false;
  mutable double work_ = 0;
};

/// A column's own a is at least this.
constexpr double kLeastPlace = 0.25;

/// The n for a column of E U^w, Re w = power, that costs least, with log E U^n: 0 wherever that
/// will do.
struct WholePower {
  int n = 0;
  double log_moment = 0;
};
WholePower powers_for(const BinsEpoch& epoch, EpochPowers& powers, double power) {
  // The nats that a plan wants, and a height that most lines climb to.
  constexpr double kNeed = 38, kUsualHeight = 40;
  const bool few = are_few(epoch.bins, epoch.mu);
  // Powers tried beyond the first.
  const double comfortable = 6 + (few ? 0.5 * power : 0);
  const int first = std::max(0, static_cast<int>(std::ceil(power + kLeastPlace)));
  if (first == 0) return {};
  const int most =
      std::max(first, static_cast<int>(std::min<double>(most_powers(epoch), power + comfortable)));
  WholePower best{most, kInfinity};
  double least = kInfinity;
  for (int n = most; n >= first; --n) {
    const double log_moment = log_whole_moment(powers, n);
    const double c = n - power, reach = (kNeed + log_moment) / c;
    // A ray of few bins takes a product of series for each sample; a steep one has more samples.
    const double cost = few ? (reach + 2) * (1 + kUsualHeight / c) * n * n : reach + n;
    if (cost >= least) continue;
    least = cost;
    best = {n, log_moment};
  }
  return best;
}

/// What a column at x is to achieve; none where there are not enough powers of U for it.
std::optional<Aim> aim_of(const BinsMoments& moments, const BinsEpoch& epoch, EpochPowers& powers,
                          Direction direction, double x, double log_precision) {
  const bool removes = direction == Direction::remove;
  const double power = removes ? 1 + x : -x;
  if (most_powers(epoch) - power < kLeastPlace) return std::nullopt;
  if (are_few(epoch.bins, epoch.mu) && power > kFarthestOfFewBins) return std::nullopt;
  const auto [n, log_whole] = powers_for(epoch, powers, power);
  const double need = std::clamp(4 - log_precision, 4.0, kMostNeed);
  return Aim{removes, n, n - power, moments.log_moment_estimate(direction, x), log_whole, need};
}

}  // namespace

std::unique_ptr<const Column> BinsMoments::column(Direction direction, double x,
                                                  double log_precision) const {
  if (direction == Direction::remove && cut_) return CutBins::column(cut_, x, log_precision);
  const BinsEpoch epoch{bins_, mu_, blank_};
  const auto aim = aim_of(*this, epoch, *powers_, direction, x, log_precision);
  return aim ? std::make_unique<BinsColumn>(epoch, *aim) : nullptr;
}

double BinsMoments::log_moment_upper(Direction direction, double x, double log_precision) const {
  if (direction == Direction::remove && cut_)
    return Moments::log_moment_upper(direction, x, log_precision);
  const BinsEpoch epoch{bins_, mu_, blank_};
  const auto aim = aim_of(*this, epoch, *powers_, direction, x, log_precision);
  return aim ? BinsColumn(epoch, *aim, true).log_moment_upper() : kInfinity;
}

namespace {

/// For plans: the step is bounded where ratios are huge, and densities of 0 are left out.
TransformEstimate estimate_of(const BinsEpoch& epoch) {
  constexpr double kFinest = 0.01, kFirstNode = -37, kLastNode = 39, kLargestExponent = 600;
  // High powers of 1/U are those of small ratios, unless there are many.
  constexpr double kHighPower = 1000, kNoWeight = 7;
  const double mu = epoch.mu, step = std::clamp(0.6 / mu, kFinest, 0.5);
  const double first = std::max(kFirstNode, -kNoWeight - kHighPower * mu / epoch.bins);
  std::vector<TransformEstimate::RatioCell> cells;
  for (double t = first; t < std::min(kNoWeight + mu, kLastNode); t += step) {
    const double log_x = std::min(kLargestExponent, mu * t - 0.5 * mu * mu);
    cells.push_back({std::exp(log_x) / epoch.all(), step * normal::pdf(t)});
  }
  return {epoch.bins, epoch.blank, std::move(cells)};
}

}  // namespace

BinsMoments::BinsMoments(double bins, double mu, double blank)
    : bins_(bins),
      mu_(mu),
      blank_(blank),
      estimate_(std::make_shared<TransformEstimate>(estimate_of({bins, mu, blank}))),
      powers_(std::make_shared<EpochPowers>(bins, mu)) {}

std::shared_ptr<const Moments> BinsMoments::without_jumps(Direction direction,
                                                          const CutRequest& request) const {
  if (!has_jumps(direction) || !(request.loss < kInfinity)) return nullptr;
  // A single epoch of few bins falls so slowly along a line that transforms are quicker.
  const bool few = bins_ < kFewBins && blank_ == 0;
  if (request.steps == 1 && few) return nullptr;
  // A Gaussian pair's column for such a tail lies at the tail's place over the shift of all epochs.
  const double column = std::sqrt(-request.log_mass * bins_ / request.steps) / mu_;
  if (few && 1.5 * column < kFarthestOfFewBins) return nullptr;
  const double loss = request.loss, a = request.power, all = bins_ + blank_;
  // The loss is that of a jump and the other bins' share together, which is seldom smaller than m;
  // where jumps are so rare that they hardly matter, they may be any.
  const double rarest = CutBins::place_beyond(bins_, mu_, std::exp(request.log_mass) / 3);
  const double log_other = log_moment_estimate(Direction::add, a);
  const double share =
      std::exp(loss - log_other / (1 + a)) - (1 - 1 / all) * std::exp(-log_other / a);
  if (!(share > 0)) return nullptr;
  const double last = (std::log(share * all) + 0.5 * mu_ * mu_) / mu_;
  const double place = std::ceil(std::min(last, rarest) / CutBins::kGrain) * CutBins::kGrain;
  auto other = std::make_shared<BinsMoments>(*this);
  other->cut_ = std::make_shared<const CutBins>(bins_, mu_, place, jumps_beyond(place, a), blank_);
  return other;
}

Jumps BinsMoments::jumps_beyond(double place, double a) const {
  AnyStep under_p, under_q;
  under_q.add(bins_, jump_mass(place, 0));
  under_p.add(bins_ - 1, jump_mass(place, 0));
  under_p.add(1, jump_mass(place, mu_));
  const double all = bins_ + blank_;
  Jumps jumps{under_p.mass(), under_q.mass(), a, kInfinity};
  // A record in a blank bin makes no jump likelier.
  const Charged hit = jumps.under_p, &missed = jumps.under_q;
  if (blank_ > 0) {
    const double value = (bins_ * hit.value + blank_ * missed.value) / all;
    jumps.under_p = {value, std::max(hit.error, missed.error) + 4 * kUnit * value};
  }
  // The other bins' m, from below; that of a single one and of blank ones is no less than its own.
  LogMoment at{0.5 * mu_ * mu_ * a * (a + 1) * (1 + 16 * kUnit), 0};
  if (bins_ > 2) {
    const auto column = BinsMoments(bins_ - 1, mu_).column(Direction::add, a, -3);
    at = column ? column->log_moment(0) : LogMoment{0, kInfinity};
  }
  const double others = (1 - 1 / all) * std::exp(-(at.value.real() + at.error) / a);
  if (!(others > 0)) return jumps;
  const auto log_f = [&](double t) {
    const double share = std::exp(mu_ * t - 0.5 * mu_ * mu_) / all;
    return -a * std::log((share + others) * (1 - 1e-12));
  };
  jumps.log_shortfall = log_jump_expectation(place, log_f) + std::log(bins_) + 1e-12;
  return jumps;
}

double BinsMoments::log_moment_estimate(Direction direction, double x) const {
  if (direction == Direction::remove)
    return cut_ ? cut_->log_moment_estimate(1 + x) : log_power_moment_estimate(1 + x);
  // log K(x) is about x (x+1) times what varies slowly.
  const double small = are_few(bins_, mu_) ? 0.5 : 3;
  if (x < small) return x * (x + 1) / (small * (small + 1)) * log_moment_estimate(direction, small);
  // Laplace's method in log s, and Gamma(x) by the same, so that its errors cancel.
  const double r = estimate_->saddle(x, -1);
  if (r == 0) return kInfinity;
  const TransformEstimate::RealTransform at = estimate_->at(r);
  const double bend = std::max(-r * (at.slope + r * at.bend), 1e-3);
  return x * (std::log(-r / x) + 1) + at.log - 0.5 * std::log(bend / x);
}

/// In direction remove that of one huge ratio plus the others' mean: of E (X - T (e^eps - 1))+.
double BinsMoments::log_delta_estimate(Direction direction, double epsilon) const {
  if (!has_jumps(direction)) return -kInfinity;
  const double t = (std::log(bins_ + blank_) + log_expm1(epsilon) + 0.5 * mu_ * mu_) / mu_;
  constexpr double kLeast = 2;  // the others decide
  if (t < mu_ + kLeast) return 0;
  // Of two tails' difference, as X(t) n(t) = n(t - mu).
  const double log_density = -0.5 * (t - mu_) * (t - mu_) - kHalfLogTwoPi;
  return log_density + std::log(normal::mills_difference(t - mu_, t));
}

/// log E U^w for w >= 0, roughly: by what a single bin's moment lacks at whole powers. Of few bins
/// none stands out.
double BinsMoments::log_power_moment_estimate(double w) const {
  const double bins = bins_ + blank_;
  const auto square = [&](double power) { return 0.5 * power * (power - 1) * mu_ * mu_; };
  // E[(X/T)^w] T.
  const auto single = [&](double power) {
    return power > 1 ? log_add(0, (1 - power) * std::log(bins) + log_expm1(square(power))) : 0;
  };
  const int most = most_powers({bins_, mu_, blank_});
  // Either all bins contribute a little, or a single one does.
  if (w > most - 1) return std::max(square(w) / bins, single(w));
  const auto known = [&](double power) { return bins_ < kFewBins ? 0 : single(power); };
  // The cubic through four of them.
  const int first = std::clamp(static_cast<int>(w) - 1, 0, std::max(0, most - 3));
  const int last = std::min(first + 3, most);
  double sum = known(w);
  for (int i = first; i <= last; ++i) {
    double part = log_whole_moment(*powers_, i) - known(i);
    for (int j = first; j <= last; ++j) {
      if (j != i) part *= (w - j) / (i - j);
    }
    sum += part;
  }
  return sum;
}

bool BinsMoments::has_jumps(Direction direction) const {
  const bool explodes = !are_few(bins_, mu_), is_small = bins_ < kFewBins && mu_ < kQuietShift;
  return direction == Direction::remove && (explodes || is_small || blank_ > 0);
}

std::optional<Jumps> BinsMoments::jumps(Direction direction) const {
  return cut_ && direction == Direction::remove ? std::optional<Jumps>(cut_->jumps())
                                                : std::nullopt;
}

double BinsMoments::largest_loss(Direction) const {
  return kInfinity;
}

double BinsMoments::lowest_place(Direction direction) const {
  if (cut_ && direction == Direction::remove) return CutBins::kLeastPower - 1;
  // With fewer powers a column left of 0 gains hardly anything.
  if (most_powers({bins_, mu_, blank_}) >= 3) return -1;
  return direction == Direction::add ? kLeastPlace : kInfinity;
}

}  // namespace honest_epsilon::contour
