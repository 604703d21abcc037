#include "core/monte_carlo/tally.h"

#include <algorithm>
#include <array>

namespace honest_epsilon::monte_carlo {

void FixedSum::add(double x) {
  const auto units = static_cast<std::uint64_t>(std::clamp(x, 0.0, 1.0) / kResolution);
  low_ += units;
  high_ += low_ < units ? 1 : 0;
}

FixedSum& FixedSum::operator+=(const FixedSum& other) {
  low_ += other.low_;
  high_ += other.high_ + (low_ < other.low_ ? 1 : 0);
  return *this;
}

double FixedSum::value() const {
  return (static_cast<double>(high_) * 0x1p64 + static_cast<double>(low_)) * kResolution;
}

std::string FixedSum::text() const {
  constexpr std::array<char, 17> kDigits = {"0123456789abcdef"};
  std::string text;
  for (const std::uint64_t word : {high_, low_}) {
    for (unsigned shift = 64; shift > 0; shift -= 4) {
      text += kDigits[(word >> (shift - 4)) & 15U];
    }
  }
  return text;
}

std::optional<FixedSum> FixedSum::parse(const std::string& text) {
  if (text.size() != 32) return std::nullopt;
  FixedSum sum;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char digit = text[i];
    const bool letter = digit >= 'a' && digit <= 'f';
    if (!letter && !(digit >= '0' && digit <= '9')) return std::nullopt;
    std::uint64_t& word = i < 16 ? sum.high_ : sum.low_;
    word = word << 4U | static_cast<std::uint64_t>(letter ? digit - 'a' + 10 : digit - '0');
  }
  return sum;
}

void MomentSums::add(double x) {
  sum.add(x);
  squares.add(x * x);
}

bool merge(Tally& total, const Tally& more) {
  if (total.upper.size() != more.upper.size() || total.lower.size() != more.lower.size()) {
    return false;
  }
  total.samples += more.samples;
  const auto add = [](std::vector<MomentSums>& to, const std::vector<MomentSums>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i].sum += from[i].sum;
      to[i].squares += from[i].squares;
    }
  };
  add(total.upper, more.upper);
  add(total.lower, more.lower);
  return true;
}

}  // namespace honest_epsilon::monte_carlo
