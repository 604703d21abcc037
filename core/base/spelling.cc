#include "core/base/spelling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace honest_epsilon {
namespace {

/// d_1.d_2 d_3 ... times a power of ten; the last digit is not 0.
struct Decimal {
  std::string digits;
  int exponent;
};

/// All digits of whole * 2^power, or of whole * 5^-power where power < 0, which are those of
/// whole * 2^power.
std::string exact_digits(std::uint64_t whole, int power) {
  constexpr std::uint64_t kBase = 1'000'000'000;
  std::vector<std::uint64_t> limbs;
  for (; whole > 0; whole /= kBase) limbs.push_back(whole % kBase);
  const std::uint64_t factor = power < 0 ? 5 : 2;
  for (int i = 0; i < std::abs(power); ++i) {
    std::uint64_t carry = 0;
    for (std::uint64_t& limb : limbs) {
      carry += limb * factor;
      limb = carry % kBase;
      carry /= kBase;
    }
    if (carry > 0) limbs.push_back(carry);
  }
  std::string digits;
  for (std::size_t i = limbs.size(); i-- > 0;) {
    const std::string limb = std::to_string(limbs[i]);
    if (!digits.empty()) digits.append(9 - limb.size(), '0');
    digits += limb;
  }
  return digits;
}

/// Rounded to its first digits, half to even, the others 0; one digit longer where it carries.
std::string rounded(std::string digits, std::size_t kept) {
  if (kept >= digits.size()) return digits;
  const bool even = kept > 0 && (digits[kept - 1] - '0') % 2 == 0;
  const bool half =
      digits[kept] == '5' && digits.find_first_not_of('0', kept + 1) == std::string::npos;
  bool up = digits[kept] >= '5' && !(half && even);
  digits.replace(kept, std::string::npos, digits.size() - kept, '0');
  for (std::size_t i = kept; up && i-- > 0;) {
    up = digits[i] == '9';
    digits[i] = up ? '0' : static_cast<char>(digits[i] + 1);
  }
  return up ? '1' + digits : digits;
}

/// The shortest decimal that reads back as a value > 0, and the nearest of those.
///
/// All decimals strictly between a double's midpoints with its neighbours read back as it, and the
/// midpoints do where its last bit is 0. A library's number formatting would be a fortieth of the
/// engine that every reader of the page loads.
Decimal shortest_decimal(double value) {
  int power = 0;
  const double mantissa = std::frexp(value, &power);
  constexpr int kBits = 53, kLeastPower = -1074;
  const int scale = std::max(power - kBits, kLeastPower);
  const auto whole = static_cast<std::uint64_t>(std::ldexp(mantissa, power - scale));
  // Below a power of two neighbours are half as far. In quarters of a unit:
  const bool near = whole == std::uint64_t{1} << (kBits - 1) && scale > kLeastPower;
  const std::string digits = exact_digits(4 * whole, scale - 2);
  const std::string above = exact_digits(4 * whole + 2, scale - 2);
  const std::string below = exact_digits(4 * whole - (near ? 1 : 2), scale - 2);
  // Numbers without leading zeros: the longer is the larger.
  const auto precedes = [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  const bool odd = whole % 2 == 1;
  std::string shortest = digits;
  for (std::size_t kept = 1; kept < digits.size(); ++kept) {
    const std::string tried = rounded(digits, kept);
    const bool lower = odd ? precedes(below, tried) : !precedes(tried, below);
    const bool higher = odd ? precedes(tried, above) : !precedes(above, tried);
    if (!lower || !higher) continue;
    shortest = tried;
    break;
  }
  const int exponent = static_cast<int>(shortest.size()) - 1 + std::min(0, scale - 2);
  shortest.erase(shortest.find_last_not_of('0') + 1);
  return {shortest, exponent};
}

std::string spell(const Decimal& decimal) {
  constexpr int kLeastExponent = -4, kMostExponent = 14;
  const auto& [digits, exponent] = decimal;
  const int places = static_cast<int>(digits.size()) - 1 - exponent;
  const auto zeros = [](int count) { return std::string(static_cast<std::size_t>(count), '0'); };
  // A whole number of moderate size reads better in full: 60000, not 6e4.
  if (exponent < kLeastExponent || (places < 0 && exponent > kMostExponent)) {
    const std::string fraction = digits.size() > 1 ? '.' + digits.substr(1) : "";
    return digits[0] + fraction + 'e' + std::to_string(exponent);
  }
  if (exponent < 0) return "0." + zeros(-1 - exponent) + digits;
  if (places <= 0) return digits + zeros(-places);
  return std::string(digits).insert(static_cast<std::size_t>(exponent) + 1, ".");
}

}  // namespace

std::string spell(double value) {
  if (value != value) return "NaN";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (value == 0) return sign + '0';
  if (!std::isfinite(value)) return sign + "Infinity";
  return sign + spell(shortest_decimal(std::abs(value)));
}

std::string spell_four(double value, bool up) {
  if (!(value > 0) || !std::isfinite(value)) return spell(value);
  Decimal decimal = shortest_decimal(value);
  constexpr std::size_t kKept = 4;
  if (decimal.digits.size() > kKept) {
    decimal.digits.resize(kKept);
    if (up) {
      const std::string next = std::to_string(std::stoi(decimal.digits) + 1);
      decimal.exponent += static_cast<int>(next.size() - kKept);
      decimal.digits = next.substr(0, kKept);
    }
  }
  return spell(decimal);
}

}  // namespace honest_epsilon
