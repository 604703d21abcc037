#include "core/contour/large_bins_decay.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/interval.h"
#include "core/base/rounding.h"
#include "core/contour/cut_bins.h"
#include "core/math/log_domain.h"
#include "core/math/normal.h"

namespace honest_epsilon::contour {
namespace {

/// The ends of cells of V: short about the mean of all ratios, 1, and up to several large ones.
std::vector<double> share_ends(double largest) {
  constexpr double kFactor = 1.4, kSeveral = 6;
  std::vector<double> ends{0, 0.5, 0.7, 0.85, 0.95, 1.05, 1.15, 1.3, 1.5, 1.75};
  for (double v = 2; ends.back() < 2 + kSeveral * largest; v *= kFactor) ends.push_back(v);
  return ends;
}

/// mu eta of the paths: rising, below pi / 2.
constexpr double kLeastTurn = 0.03, kTurnFactor = 1.4;
constexpr int kTurns = 12;

double turn_of(int path) {
  double turn = kLeastTurn;
  while (path-- > 0) turn *= kTurnFactor;
  return turn;
}

/// So many softnesses beside a cut its chances hardly change.
constexpr double kDeep = 14;

/// Ends of cells of t from the first to the last: short in softnesses of either cut where its
/// chances change.
std::vector<double> cell_ends(double first, const JumpCut& large, const JumpCut& cut, double last,
                              double longest) {
  constexpr double kShort = 0.35;
  std::vector<double> ends{first};
  for (double t = first; t < last; ends.push_back(t)) {
    const auto changes = [t](const JumpCut& at) {
      return std::abs(t - at.place()) < kDeep * at.softness();
    };
    const double length = changes(large) || changes(cut) ? kShort * cut.softness() : longest;
    t = t + length < last ? t + length : last;
  }
  return ends;
}

}  // namespace

LargeBinsDecay::LargeBinsDecay(std::shared_ptr<const CutBins> bins, double power)
    : bins_(std::move(bins)), power_(power) {
  // From where three ratios of the cut's size are beside the others' mean, to where there is none.
  constexpr double kMost = 1.4, kFactor = 1.3, kSeveral = 3;
  const double largest = bins_->x_at(bins_->cut().place());
  shares_ = share_ends(largest);
  std::vector<double> log_totals;
  for (double rate = power / (1 + kSeveral * largest); rate < kMost * power; rate *= kFactor) {
    const ComplexEstimate at = bins_->log_transform(rate);
    rates_.push_back(rate);
    const double log_total = at.value.real() + at.error;
    log_totals.push_back(log_total < kInfinity ? std::max(0.0, log_total) : kInfinity);
  }
  for (const double part : {0.3, 0.55, 0.8}) {
    Threshold tried = threshold(part * std::log1p(largest), log_totals);
    if (!large_ || tried.log_none_large < large_->log_none_large) large_ = std::move(tried);
  }
}

LargeBinsDecay::Threshold LargeBinsDecay::threshold(double loss,
                                                    const std::vector<double>& log_totals) const {
  // To the right of where X^2 has hardly any mass.
  constexpr double kFar = 9, kLong = 0.1;
  const double mu = bins_->mu(), bins = bins_->bins();
  const double place = (std::log(bins * std::expm1(loss)) + 0.5 * mu * mu) / mu;
  const JumpCut large(mu, place), &cut = bins_->cut();
  const double first = std::min(2 * mu, large.place()) - kFar;
  const std::vector<double> ends = cell_ends(first, large, cut, bins_->end(), kLong);
  struct MassCell {
    double log_few, log_large;  ///< densities and chances, at most
    double place;               ///< X/T, at most
  };
  std::vector<MassCell> cells;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double low = ends[i], high = ends[i + 1];
    const double log_mass =
        std::log(high - low) + normal::log_pdf_upper(low, high) + cut.log_kept(low) + 1e-9;
    cells.push_back({log_mass + large.log_kept(low), log_mass + large.log_jump(high),
                     bins_->x_at(high) * (1 + 1e-12)});
  }
  Threshold result{large, {}, {}, kInfinity};
  for (std::size_t k = 0; k < rates_.size(); ++k) {
    const double rate = rates_[k], lowest = rate * bins_->x_at(first);
    // e^x - 1 - x <= x^2 e^x / 2. Terms below the least double, kTiny covers.
    double few = 0.5 * rate * rate / (bins * bins) * std::exp(mu * mu + lowest) *
                 normal::upper_tail(2 * mu - first);
    double many = std::exp(lowest + large.log_jump(first) + 1e-9);
    for (const MassCell& cell : cells) {
      const double x = rate * cell.place;
      constexpr double kSmall = 0.01;
      few += x < kSmall ? std::exp(cell.log_few) * 0.5 * x * x * (1 + x)
                        : std::exp(cell.log_few + x) * (1 - (1 + x) * std::exp(-x) + 1e-14);
      many += std::exp(cell.log_large + x);
    }
    const double tiny = kTiny * static_cast<double>(cells.size());
    const double log_nu = std::log1p((rate / bins + few + tiny) * (1 + 1e-9));
    const double log_none = bins * log_nu * (1 + 1e-12) + 1e-9;
    result.log_none.push_back(log_none);
    result.log_some.push_back(std::log(bins * (many + tiny)) + log_totals[k] + 1e-9);
    result.log_none_large =
        std::min(result.log_none_large, log_power_bound(power_, rate) + log_none);
  }
  return result;
}

LargeBinsDecay::TurnedCells LargeBinsDecay::path(double eta) const {
  // From where hardly any bin is large; in the end down to the real line.
  constexpr double kDown = 4, kLong = 0.06;
  const JumpCut &large = large_->cut, &cut = bins_->cut();
  const double mu = bins_->mu(), end = bins_->end();
  const double first = large.place() - kDeep * large.softness();
  const double down = std::max(first, end - kDown * cut.softness());
  const double slope = eta / (end - down);
  TurnedCells path;
  const auto add = [&](double low, double high, double log_mass) {
    const double top = std::min(eta, slope * (end - low));
    const double turn = mu * std::min(eta, slope * (end - high));
    TurnedCell cell{log_mass + 0.5 * top * top + large.log_jump_upper(low, high, top) +
                        cut.log_kept_upper(low, high, top) + 1e-9,
                    bins_->x_at(high) * (1 + 1e-12),
                    {},
                    {}};
    const double least = bins_->x_at(low) * (1 - 1e-12);
    const double along = least * std::cos(turn), across = least * std::sin(turn);
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      cell.logs.push_back(std::log(cell.ratio + shares_[k]));
      if (k > 0) cell.angles.push_back(std::atan2(across, along + shares_[k]) * (1 - 1e-12));
    }
    cell.angles.push_back(0);
    path.push_back(std::move(cell));
  };
  add(-kInfinity, first, 0);
  const std::vector<double> ends = cell_ends(first, large, cut, end, kLong / mu);
  const double longer = std::log(std::hypot(1.0, slope));
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double low = ends[i], high = ends[i + 1];
    add(low, high,
        std::log(high - low) + (high > down ? longer : 0) + normal::log_pdf_upper(low, high));
  }
  return path;
}

double LargeBinsDecay::log_turned(const TurnedCells& path, double y) const {
  const double largest = bins_->x_at(bins_->cut().place());
  LogSum sum;
  for (const TurnedCell& cell : path) {
    sum.add(cell.log_weight + log_supremum(cell, y, power_ / (1 + cell.ratio), large_->log_none));
    sum.add(cell.log_weight +
            log_supremum(cell, y, power_ / (1 + cell.ratio + largest), large_->log_some));
  }
  const double value = sum.log_upper() + std::log(bins_->bins());
  const double sizes = std::abs(value) + power_ * (4 + std::log(power_)) + rates_.back();
  return value + 1e-9 + 1e-12 * sizes;
}

double LargeBinsDecay::log_supremum(const TurnedCell& cell, double y, double likely,
                                    const std::vector<double>& log_weights) const {
  // The rates beside the likely one.
  const std::size_t tried = std::min<std::size_t>(4, rates_.size());
  const auto next = std::lower_bound(rates_.begin(), rates_.end(), likely);
  const auto after = static_cast<std::size_t>(next - rates_.begin());
  const std::size_t first = std::min(after > 1 ? after - 2 : 0, rates_.size() - tried);
  double least = kInfinity;
  for (std::size_t w = first; w < first + tried; ++w) {
    if (!(log_weights[w] < kInfinity)) continue;
    const double rate = rates_[w];
    const double top = power_ / rate - cell.ratio;  // of (u + V)^p e^{-rV}
    const auto value = [&](std::size_t k) { return power_ * cell.logs[k] - rate * shares_[k]; };
    double largest = -kInfinity;
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      const bool is_last = k + 1 == shares_.size();
      const bool inside = top > shares_[k] && (is_last || top < shares_[k + 1]);
      const double most = inside    ? power_ * std::log(power_ / rate) - rate * top
                          : is_last ? value(k)
                                    : std::max(value(k), value(k + 1));
      largest = std::max(largest, cell.angles[k] > 0 ? most - y * cell.angles[k] : most);
    }
    least = std::min(least, largest + log_weights[w]);
  }
  return least;
}

double LargeBinsDecay::log_bound_beyond(double y) const {
  // What eta gains of y alpha, against what it costs, and how far it may go at all.
  constexpr double kMostGrowth = 45;
  const double u = bins_->x_at(bins_->cut().place()), s = bins_->cut().softness();
  const double wide = large_->cut.softness(), mu = bins_->mu();
  const double cost = 1 + 1 / (s * s) + 1 / (wide * wide);
  const double turn = mu * std::min(y * u / (1 + u) * mu / cost, std::sqrt(2 * kMostGrowth / cost));
  const double steps = std::log(std::max(turn / kLeastTurn, 1.0)) / std::log(kTurnFactor);
  const int best = static_cast<int>(std::min(steps, kTurns - 1.0));
  double turned = kInfinity;
  for (int i = std::max(0, best - 1); i <= best; ++i) {
    const auto [known, is_new] = paths_.try_emplace(i);
    if (is_new) known->second = path(turn_of(i) / mu);
    turned = std::min(turned, log_turned(known->second, y));
  }
  return log_add(large_->log_none_large, turned) + 1e-12;
}

}  // namespace honest_epsilon::contour
