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
  return {sum, std::exp(log - sum) * error + kUnit * (4 + 2 * std::abs(sum))};
}

LaplaceMixture::LaplaceMixture(const ShiftWeights& p, const ShiftWeights& q)
    : symmetric_(mirrored(p, q)) {
  std::vector<double> log_p;
  std::vector<double> log_q;
  std::vector<double> change;
  const auto add = [&](double shift, double weight_p, double weight_q, double difference) {
    if (weight_p == -kInfinity && weight_q == -kInfinity) return;
    shift_.push_back(shift);
    log_p.push_back(weight_p);
    log_q.push_back(weight_q);
    change.push_back(difference);
  };
  for (std::size_t j = q.log_weight.size(); j-- > 1;)
    add(q.shift(j), -kInfinity, q.log_weight[j], -std::exp(q.log_weight[j]));
  // Where both weights are near one, their difference is that of what they lack.
  const double zero_p = p.log_weight.front();
  const double zero_q = q.log_weight.front();
  add(0, zero_p, zero_q, std::expm1(zero_p) - std::expm1(zero_q));
  for (std::size_t j = 1; j < p.log_weight.size(); ++j)
    add(p.shift(j), p.log_weight[j], -kInfinity, std::exp(p.log_weight[j]));
  for (const ShiftWeights* side : {&p, &q}) {
    for (std::size_t j = 0; j < side->error.size(); ++j) {
      // A weight that underflows in a difference is too small to be missed there.
      if (side->log_weight[j] < -700) continue;
      weight_error_ =
          std::max(weight_error_, side->error[j] + 4 * kUnit * (1 - side->log_weight[j]));
    }
  }
  build(log_p, log_q, change);
}

void LaplaceMixture::build(const std::vector<double>& log_p, const std::vector<double>& log_q,
                           const std::vector<double>& change) {
  const std::size_t n = shift_.size();
  constexpr Coefficient kZero{-kInfinity, 0};
  constexpr ShiftSums kNone{kZero, kZero, 0, 0, 0, 0, 0, 0};
  const auto extended = [&](const ShiftSums& side, double gap, std::size_t i) {
    const double keep = std::exp(-gap);
    const double lose = std::expm1(-gap);
    const double size = std::abs(change[i]);
    return ShiftSums{side.p.seen_from(gap).plus(log_p[i]),
                     side.q.seen_from(gap).plus(log_q[i]),
                     side.change * keep + change[i],
                     side.change_size * keep + size,
                     side.offset * keep + side.total * lose,
                     side.offset_size * keep - side.total_size * lose,
                     side.total + change[i],
                     side.total_size + size};
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
  const ShiftSums& a = piece.rising;
  const ShiftSums& b = piece.falling;
  // The outermost pieces have shifts on one side only, and one ratio.
  const bool outer = piece.left == piece.right;
  const double to_right = outer ? 0 : piece.right - high;
  const double to_left = outer ? 0 : low - piece.left;
  const Coefficient rising_q = a.q.seen_from(to_right);
  const Coefficient falling_q = b.q.seen_from(to_left);
  const double rising = std::exp(rising_q.log);
  const double falling = std::exp(falling_q.log);
  const double q = rising + falling;
  const double lose_right = std::expm1(-to_right);
  const double lose_left = std::expm1(-to_left);
  const double keep_right = std::exp(-to_right);
  const double keep_left = std::exp(-to_left);
  // P - Q as a sum over e^-d, or over expm1(-d), whichever cancels less.
  const double size = a.change_size * keep_right + b.change_size * keep_left;
  const double offset_size =
      a.offset_size + b.offset_size - a.change_size * lose_right - b.change_size * lose_left;
  const double change = size < offset_size
                            ? a.change * keep_right + b.change * keep_left
                            : a.offset + b.offset + a.change * lose_right + b.change * lose_left;
  if (q > 1e-250 && change / q > -0.5 && change / q < 1e250) {
    const double excess = change / q;
    const double units = kUnit * (8 + 4 * static_cast<double>(shift_.size()));
    const double edge = std::max(std::abs(piece.left), std::abs(piece.right));
    const double change_error =
        (units + weight_error_) * std::min(size, offset_size) + 2 * kUnit * edge * size;
    const double slope = a.change * keep_right - b.change * keep_left - excess * (rising - falling);
    return {std::log1p(excess),
            1.01 *
                    (change_error / q +
                     std::abs(excess) * ((rising * rising_q.error + falling * falling_q.error) / q +
                                         weight_error_ + 8 * kUnit)) /
                    (1 + excess) +
                4 * kUnit * std::abs(std::log1p(excess)),
            outer ? 0 : slope / (q * (1 + excess))};
  }
  return log_ratio(piece, to_left, to_right, rising_q, falling_q);
}

LaplaceMixture::LossPoint LaplaceMixture::log_ratio(const Piece& piece, double to_left,
                                                    double to_right, const Coefficient& rising_q,
                                                    const Coefficient& falling_q) const {
  const Coefficient rising_p = piece.rising.p.seen_from(to_right);
  const Coefficient falling_p = piece.falling.p.seen_from(to_left);
  const double log_p = log_add(rising_p.log, falling_p.log);
  const double log_q = log_add(rising_q.log, falling_q.log);
  const double share_p = std::exp(rising_p.log - log_p);
  const double share_q = std::exp(rising_q.log - log_q);
  return {log_p - log_q,
          share_p * rising_p.error + (1 - share_p) * falling_p.error + share_q * rising_q.error +
              (1 - share_q) * falling_q.error + 2 * weight_error_ +
              4 * kUnit * (2 + std::abs(log_p) + std::abs(log_q)),
          piece.left == piece.right ? 0 : 2 * (share_p - share_q)};
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
  double low = piece.left;
  double high = piece.right;
  // dP/dQ = (A_P x + B_P) / (A_Q x + B_Q), x = e^{2z - left - right}: solved for x at excess t.
  const double t = std::expm1(loss);
  const double x = (t * std::exp(piece.falling.q.log) - piece.falling.change) /
                   (piece.rising.change - t * std::exp(piece.rising.q.log));
  double z = 0.5 * (low + high + std::log(x));
  if (!(z > low && z < high)) z = 0.5 * (low + high);
  return newton({low, high}, z, [&](double at) {
    const LossPoint here = ratio(piece, at, at);
    return Tangent{here.loss - loss, here.slope};
  });
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
  if (std::isinf(z)) return 0;
  const LossPoint at = ratio(piece_[piece_of(z)], z, z);
  return std::abs(at.loss - loss) + at.error + 4 * kUnit * std::abs(loss);
}

SubsampledLaplace::SubsampledLaplace(double q, double mu)
    : LaplaceMixture(shifts_of({q}, mu), {0, {0}, {0}}) {}

LaplaceMixture group_laplace(const Records& records, double mu) {
  return {shifts_of(records, mu), {0, {0}, {0}}};
}

LaplaceMixture substituted_group_laplace(const Records& records, double mu) {
  return {shifts_of(records, mu), shifts_of(records, -mu)};
}

}  // namespace honest_epsilon::pairs
