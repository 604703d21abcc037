#include "tests/oracle/law.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace honest_epsilon::oracle {
namespace {

// Smaller masses change no third digit of a delta above 1e-6.
constexpr double kNegligible = 1e-13;

double normal_mass(double low, double high) {
  const double root = std::sqrt(0.5);
  return low > 0 ? 0.5 * (std::erfc(low * root) - std::erfc(high * root))
                 : 0.5 * (std::erfc(-high * root) - std::erfc(-low * root));
}

double laplace_mass(double low, double high) {
  if (low >= 0) return 0.5 * (std::exp(-low) - std::exp(-high));
  if (high <= 0) return 0.5 * (std::exp(high) - std::exp(low));
  return 1 - 0.5 * (std::exp(low) + std::exp(-high));
}

double mass_of(const Shifts& shifts, double (*mass)(double, double), double low, double high) {
  double sum = 0;
  for (std::size_t i = 0; i < shifts.place.size(); ++i)
    sum += shifts.weight[i] * mass(low - shifts.place[i], high - shifts.place[i]);
  return sum;
}

/// The line in cells so small that what they hide is far below what a lattice does.
///   reach: unit noise is not farther away
Law of_line(Side side, const Shifts& p, const Shifts& q, double (*mass)(double, double),
            double reach) {
  constexpr int kCells = 16000;
  double low = 0, high = 0;
  for (const Shifts* shifts : {&p, &q}) {
    for (const double place : shifts->place) {
      low = std::min(low, place - reach);
      high = std::max(high, place + reach);
    }
  }
  Law law = Law::unfinished(side);
  for (int i = 0; i < kCells; ++i) {
    const double from = low + (high - low) * i / kCells, to = low + (high - low) * (i + 1) / kCells;
    law.add(mass_of(p, mass, from, to), mass_of(q, mass, from, to));
  }
  return law;
}

}  // namespace

void Law::add(double p, double q) {
  constexpr double kFarthest = 60;  // a loss beyond this is as good as certain
  if (p <= 0 && q <= 0) return;
  if (q <= p * std::exp(-kFarthest)) {
    only_p_ += p;
  } else if (p <= q * std::exp(-kFarthest)) {
    only_q_ += q;
  } else {
    add(p, q, std::log(p / q));
  }
}

Law::Outcome& Law::at(int place) {
  if (outcomes_.empty()) first_ = place;
  if (place < first_) {
    outcomes_.insert(outcomes_.begin(), static_cast<std::size_t>(first_ - place), Outcome());
    first_ = place;
  }
  const auto index = static_cast<std::size_t>(place - first_);
  if (index >= outcomes_.size()) outcomes_.resize(index + 1);
  return outcomes_[index];
}

void Law::add(double p, double q, double loss) {
  const int place = static_cast<int>(std::floor(loss / kStep));
  if (side_ == Side::below) {
    Outcome& cell = at(place);
    cell.p += p;
    cell.q += q;
    return;
  }
  // The shares of q that go up and down keep p.
  const double up = std::clamp(std::expm1(loss - place * kStep) / std::expm1(kStep), 0.0, 1.0);
  for (const auto& [where, share] :
       {std::pair(place, q * (1 - up)), std::pair(place + 1, q * up)}) {
    if (share == 0) continue;
    Outcome& point = at(where);
    point.p += share * std::exp(where * kStep);
    point.q += share;
  }
}

void Law::trim() {
  std::size_t from = 0, to = outcomes_.size();
  const auto small = [&](std::size_t i) { return outcomes_[i].p + outcomes_[i].q < kNegligible; };
  while (from < to && small(from)) ++from;
  while (from < to && small(to - 1)) --to;
  outcomes_.erase(outcomes_.begin() + static_cast<std::ptrdiff_t>(to), outcomes_.end());
  outcomes_.erase(outcomes_.begin(), outcomes_.begin() + static_cast<std::ptrdiff_t>(from));
  first_ += static_cast<int>(from);
}

std::vector<double> Law::losses() const {
  std::vector<double> result;
  for (const Outcome& o : outcomes_) result.push_back(o.q > 0 ? std::log(o.p / o.q) : 0);
  return result;
}

Law Law::swapped() const {
  Law result = unfinished(side_);
  for (const Outcome& o : outcomes_) result.add(o.q, o.p);
  result.only_p_ += only_q_;
  result.only_q_ += only_p_;
  return result;
}

Law Law::times(const Law& other) const {
  Law result = unfinished(side_);
  const std::vector<double> here = losses(), there = other.losses();
  for (std::size_t i = 0; i < here.size(); ++i) {
    const Outcome& a = outcomes_[i];
    if (a.p + a.q == 0) continue;
    for (std::size_t j = 0; j < there.size(); ++j) {
      const Outcome& b = other.outcomes_[j];
      if (b.p + b.q == 0) continue;
      if (side_ == Side::below) {
        result.add(a.p * b.p, a.q * b.q, here[i] + there[j]);
      } else {
        Outcome& point = result.at(first_ + other.first_ + static_cast<int>(i + j));
        point.p += a.p * b.p;
        point.q += a.q * b.q;
      }
    }
  }
  result.only_p_ = 1 - (1 - only_p_) * (1 - other.only_p_);
  result.only_q_ = 1 - (1 - only_q_) * (1 - other.only_q_);
  result.trim();
  return result;
}

Law Law::power(int n) const {
  Law result(side_);
  for (int i = 0; i < n; ++i) result = result.times(*this);
  return result;
}

Law Law::mixed(const Law& other, double w) const {
  Law result = unfinished(side_);
  for (const Outcome& a : outcomes_) {
    for (const Outcome& b : other.outcomes_)
      result.add(w * a.p * b.q + (1 - w) * a.q * b.p, a.q * b.q);
    result.add(w * a.p * other.only_q_, a.q * other.only_q_);
  }
  for (const Outcome& b : other.outcomes_) result.add((1 - w) * only_q_ * b.p, only_q_ * b.q);
  // Where one of the two reveals that Q did not draw it, P drew it.
  result.only_p_ += w * only_p_ + (1 - w) * other.only_p_;
  result.only_q_ += only_q_ * other.only_q_;
  result.trim();
  return result;
}

double Law::remove(double epsilon) const {
  double sum = only_p_;
  for (const Outcome& o : outcomes_) sum += std::max(0.0, o.p - std::exp(epsilon) * o.q);
  return std::min(1.0, sum);
}

double Law::add_direction(double epsilon) const {
  return swapped().remove(epsilon);
}

Law gaussian(Side side, const Shifts& p, const Shifts& q) {
  return of_line(side, p, q, normal_mass, 8);
}

Law laplace(Side side, const Shifts& p, const Shifts& q) {
  return of_line(side, p, q, laplace_mass, 30);
}

Law response(Side side, double e0, double set) {
  const double right = 1 / (1 + std::exp(-e0)), wrong = 1 - right;
  Law law = Law::unfinished(side);
  law.add(set * right + (1 - set) * wrong, wrong);
  law.add(set * wrong + (1 - set) * right, right);
  return law;
}

}  // namespace honest_epsilon::oracle
