#include "core/pairs/laplace.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"
#include "core/math/constants.h"
#include "core/math/log_domain.h"
#include "core/math/root.h"

namespace honest_epsilon::pairs {

LaplaceMixture::Coefficient LaplaceMixture::Coefficient::seen_from(double distance) const {
  if (log == -kInfinity) return *this;
  return {log - distance, error + kUnit * (2 * std::abs(distance) + std::abs(log - distance))};
}

LaplaceMixture::Coefficient LaplaceMixture::Coefficient::plus(double log_weight) const {
  const double sum = log_add(log, log_weight);
  if (sum == -kInfinity) return {sum, 0};
  return {sum, std::exp(log - sum) * error + kUnit * (6 + 2 * std::abs(sum))};
}

LaplaceMixture::LaplaceMixture(const ShiftWeights& p, const ShiftWeights& q)
    : symmetric_(mirrored(p, q)) {
  std::vector<double> log_p;
  std::vector<double> log_q;
  const auto add = [&](double shift, double weight_p, double weight_q) {
    if (weight_p == -kInfinity && weight_q == -kInfinity) return;
    shift_.push_back(shift);
    log_p.push_back(weight_p);
    log_q.push_back(weight_q);
  };
  for (std::size_t j = q.log_weight.size(); j-- > 1;) add(q.shift(j), -kInfinity, q.log_weight[j]);
  add(0, p.log_weight.front(), q.log_weight.front());
  for (std::size_t j = 1; j < p.log_weight.size(); ++j)
    add(p.shift(j), p.log_weight[j], -kInfinity);
  for (const ShiftWeights* side : {&p, &q}) {
    for (std::size_t j = 0; j < side->error.size(); ++j) {
      // A smaller weight is too small to be missed.
      if (side->log_weight[j] < -700) continue;
      weight_error_ =
          std::max(weight_error_, side->error[j] + 4 * kUnit * (1 - side->log_weight[j]));
    }
  }
  build(log_p, log_q);
}

void LaplaceMixture::build(const std::vector<double>& log_p, const std::vector<double>& log_q) {
  const std::size_t n = shift_.size();
  constexpr Coefficient kZero{-kInfinity, 0};
  constexpr ShiftSums kNone{kZero, kZero};
  const auto extended = [&](const ShiftSums& side, double gap, std::size_t i) {
    return ShiftSums{side.p.seen_from(gap).plus(log_p[i]), side.q.seen_from(gap).plus(log_q[i])};
  };
  piece_.assign(n + 1, {0, 0, kNone, kNone});
  for (std::size_t k = 1; k <= n; ++k) {
    const double gap = k > 1 ? shift_[k - 1] - shift_[k - 2] : 0;
    piece_[k].falling = extended(piece_[k - 1].falling, gap, k - 1);
    piece_[k].left = shift_[k - 1];
    piece_[k].right = shift_[std::min(k, n - 1)];
  }
  for (std::size_t k = n; k-- > 0;) {
    const double gap = k + 1 < n ? shift_[k + 1] - shift_[k] : 0;
    piece_[k].rising = extended(piece_[k + 1].rising, gap, k);
  }
  piece_[0].left = piece_[0].right = shift_[0];
  loss_at_.push_back(ratio(piece_.front(), shift_.front(), shift_.front()).loss);
  for (std::size_t k = 1; k < n; ++k) {
    const double here = ratio(piece_[k + 1], shift_[k], shift_[k]).loss;
    loss_at_.push_back(std::max(loss_at_.back(), here));
  }
}

/// Over a cell, both densities are those of a single place whose distance to the shifts on the left
/// is that of the cell's low end, and to those on the right that of its high end.
LaplaceMixture::LossPoint LaplaceMixture::ratio(const Piece& piece, double low, double high) const {
  // The outermost pieces have shifts on one side only, and one ratio.
  const bool outer = piece.left == piece.right;
  const double to_right = outer ? 0 : piece.right - high;
  const double to_left = outer ? 0 : low - piece.left;
  const Coefficient rising_p = piece.rising.p.seen_from(to_right);
  const Coefficient rising_q = piece.rising.q.seen_from(to_right);
  const Coefficient falling_p = piece.falling.p.seen_from(to_left);
  const Coefficient falling_q = piece.falling.q.seen_from(to_left);
  const double log_p = log_add(rising_p.log, falling_p.log);
  const double log_q = log_add(rising_q.log, falling_q.log);
  const double share_p = std::exp(rising_p.log - log_p);
  const double share_q = std::exp(rising_q.log - log_q);
  return {log_p - log_q,
          share_p * rising_p.error + (1 - share_p) * falling_p.error + share_q * rising_q.error +
              (1 - share_q) * falling_q.error + 2 * weight_error_ +
              4 * kUnit * (3 + std::abs(log_p) + std::abs(log_q)),
          outer ? 0 : 2 * (share_p - share_q)};
}

std::size_t LaplaceMixture::piece_of(double z) const {
  return static_cast<std::size_t>(std::upper_bound(shift_.begin(), shift_.end(), z) -
                                  shift_.begin());
}

Cell LaplaceMixture::cell_within(const Piece& piece, double low, double high) const {
  if (!(high > low)) return {};
  const double part = -0.5 * std::expm1(low - high);
  const auto mass = [&](const Coefficient& from_right, const Coefficient& from_left) -> Mass {
    const Coefficient right = from_right.seen_from(piece.right - high);
    const Coefficient left = from_left.seen_from(low - piece.left);
    const double rising = std::exp(right.log);
    const double falling = std::exp(left.log);
    const double value = part * (rising + falling);
    return {value, part * (rising * right.error + falling * left.error) +
                       value * (weight_error_ + 8 * kUnit) + kTiny};
  };
  const LossPoint mean = ratio(piece, low, high);
  return {mass(piece.rising.p, piece.falling.p), mass(piece.rising.q, piece.falling.q), mean.loss,
          mean.error};
}

Cell LaplaceMixture::cell(double low, double high) const {
  if (!(high > low)) return {};
  const std::size_t last = piece_of(high);
  Cell whole;
  for (std::size_t k = piece_of(low); k <= last; ++k) {
    const double from = k == 0 ? low : std::max(low, shift_[k - 1]);
    const double to = k == shift_.size() ? high : std::min(high, shift_[k]);
    whole = joined(whole, cell_within(piece_[k], from, to));
  }
  return whole;
}

double LaplaceMixture::loss(double z) const {
  if (z <= shift_.front()) return lowest_loss();
  if (z >= shift_.back()) return highest_loss();
  return std::clamp(ratio(piece_[piece_of(z)], z, z).loss, lowest_loss(), highest_loss());
}

double LaplaceMixture::slope(double z) const {
  if (z <= shift_.front() || z >= shift_.back()) return 0;
  return ratio(piece_[piece_of(z)], z, z).slope;
}

double LaplaceMixture::position(double loss) const {
  if (loss <= lowest_loss()) return -kInfinity;
  if (loss >= highest_loss()) return kInfinity;
  const auto k = static_cast<std::size_t>(std::upper_bound(loss_at_.begin(), loss_at_.end(), loss) -
                                          loss_at_.begin());
  const Piece& piece = piece_[k];
  const auto log_difference = [](double more, double less) {
    if (less == -kInfinity) return more;
    return more > less ? less + log_expm1(more - less) : -kInfinity;
  };
  // dP/dQ = (A_P x + B_P) / (A_Q x + B_Q), x = e^{2z - left - right}: solved for x.
  const double log_x = log_difference(loss + piece.falling.q.log, piece.falling.p.log) -
                       log_difference(piece.rising.p.log, loss + piece.rising.q.log);
  const double middle = halfway(piece.left, piece.right);
  return std::isnan(log_x) ? middle : std::clamp(middle + 0.5 * log_x, piece.left, piece.right);
}

double LaplaceMixture::log_density_q(double z) const {
  const Piece& piece = piece_[piece_of(z)];
  return log_add(piece.rising.q.seen_from(piece.right - z).log,
                 piece.falling.q.seen_from(z - piece.left).log) -
         kLogTwo;
}

double LaplaceMixture::reach() const {
  return 691 + std::max(std::abs(shift_.front()), std::abs(shift_.back()));
}

double LaplaceMixture::feature() const {
  return std::min(1.0, shift_.back() - shift_.front());
}

double LaplaceMixture::misplacement(double z, double loss) const {
  const LossPoint at = ratio(piece_[piece_of(z)], z, z);
  if (std::isinf(z)) return at.error;
  return std::abs(at.loss - loss) + at.error + 4 * kUnit * std::abs(loss);
}

}  // namespace honest_epsilon::pairs
