#include "core/tradeoff/audit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "core/math/normal.h"
#include "core/pairs/gaussian.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {
namespace {

using audit::Record;
using testing::rounds;
using tradeoff::Support;

std::vector<Support> gaussian_claims(double mu) {
  std::vector<Support> claims;
  for (double epsilon = 0; epsilon <= 8 * mu + 1; epsilon += 0.05)
    claims.push_back({epsilon, gaussian::delta(mu, epsilon).upper});
  return claims;
}

/// Pr[Bin(n, q) >= v], term by term.
double tail(int n, double q, int v) {
  double sum = 0;
  for (int k = v; k <= n; ++k)
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                    k * std::log(q) + (n - k) * std::log1p(-q));
  return std::min(1.0, sum);
}

/// No audit of up to 12 canaries that guesses all coins may have a probability above its bounds.
///   exact(m, v): Pr[V >= v] of the attack.
void check_all(const std::vector<Support>& claims, const std::function<double(int, int)>& exact) {
  for (int m = 1; m <= 12; ++m) {
    for (int v = 0; v <= m; ++v) {
      const Record record{static_cast<double>(m), static_cast<double>(m), static_cast<double>(v)};
      const double truth = exact(m, v) * (1 - 1e-12);
      CAPTURE(m);
      CAPTURE(v);
      CHECK(audit::p_value_upper(record, claims) >= truth);
      for (const Support& claim : claims)
        CHECK(audit::p_value_upper(record, claim.epsilon, claim.delta) >= truth);
    }
  }
}

}  // namespace

TEST_CASE("audit: the p-value of Steinke, Nasr and Jagielski") {
  for (const auto& row : testing::reference_table("audit")) {
    INFO(row.describe());
    const Record record{row.number("canaries"), row.number("guesses"), row.number("correct")};
    const double found = audit::p_value_upper(record, row.number("epsilon"), row.number("delta"));
    const double truth = row.number("p_value");
    CHECK(found >= truth);
    CHECK(found <= truth * (1 + 1e-8));
  }
}

TEST_CASE("audit: the numbers that Steinke, Nasr and Jagielski print") {
  constexpr double kError = 0.05, kLastDigit = 0.001;  // some are rounded, some cut off
  CHECK(std::abs(audit::p_value_upper({100, 100, 75}, std::log(3.0), 0) - 0.553) < kLastDigit);
  struct Printed {
    Record record;
    double delta, epsilon, found;  // here
  };
  // Appendix D, and section 7 on a run of DP-SGD; then the audits that come with three models
  // of CodeDP (huggingface.co/melihcatal/codedp-cpt-models, starcoder2-7b: base, dp3, dp8).
  for (const Printed& printed : {Printed{{500, 100, 100}, 1e-5, 3.4792, 3.4926},
                                 {{500, 100, 60}, 1e-5, 0.05074, 0.05074},
                                 {{500, 35, 23}, 1e-5, 0.01455, 0.01455},
                                 {{100, 100, 75}, 0, 0.702, 0.702},
                                 {{100, 100, 75}, 1e-4, 0.699, 0.699},
                                 {{1000, 100, 75}, 1e-4, 0.673, 0.673},
                                 {{100000, 1510, 1439}, 1e-5, 2.675, 2.7937}}) {
    const auto& [record, delta, epsilon, found] = printed;
    INFO(printed.record.canaries << " " << printed.record.guesses << " " << printed.delta);
    CHECK(audit::p_value_upper(record, epsilon - kLastDigit, delta) <= kError);
    CHECK(audit::p_value_upper(record, epsilon + kLastDigit, delta) > kError);
    CHECK(audit::epsilon_lower(record, delta, kError) >= found - kLastDigit);
  }
}

TEST_CASE("audit: exact laws of up to 12 canaries stay below every bound") {
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    CAPTURE(epsilon);
    const double q = 1 / (1 + std::exp(-epsilon));
    // Randomised response of each coin.
    check_all({{epsilon, 0}}, [&](int m, int v) { return tail(m, q, v); });
    for (const double delta : {0.01, 0.2}) {
      CAPTURE(delta);
      // Each coin revealed with probability delta, on its own; then all of them or none.
      const double each = delta + (1 - delta) * q;
      check_all({{epsilon, delta}}, [&](int m, int v) { return tail(m, each, v); });
      check_all({{epsilon, delta}},
                [&](int m, int v) { return delta + (1 - delta) * tail(m, q, v); });
    }
  }
  for (const double mu : {0.3, 1.0, 2.0}) {
    CAPTURE(mu);
    check_all(gaussian_claims(mu),
              [&](int m, int v) { return tail(m, normal::upper_tail(-0.5 * mu), v); });
  }
}

TEST_CASE("audit: guessing only the clearest coins stays below the bounds") {
  constexpr int kCanaries = 12, kGuesses = 4;
  constexpr double kMu = 1.5;
  const int draws = 60 * rounds(1000);
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  std::vector<int> count(kGuesses + 1, 0);
  for (int i = 0; i < draws; ++i) {
    // Without loss of generality the coins are all heads; a guess is the sign.
    std::vector<double> seen(kCanaries);
    for (double& y : seen) y = 0.5 * kMu + noise(random);
    std::sort(seen.begin(), seen.end(),
              [](double a, double b) { return std::abs(a) > std::abs(b); });
    ++count[static_cast<std::size_t>(
        std::count_if(seen.begin(), seen.begin() + kGuesses, [](double y) { return y > 0; }))];
  }
  const std::vector<Support> claims = gaussian_claims(kMu);
  double share = 0;
  for (int v = kGuesses; v > 0; --v) {
    share += static_cast<double>(count[static_cast<std::size_t>(v)]) / draws;
    const double slack = 5 * std::sqrt(share * (1 - share) / draws);
    CAPTURE(v);
    CHECK(audit::least_p_value({kCanaries, kGuesses, static_cast<double>(v)}, claims) >=
          share - slack);
  }
}

TEST_CASE("audit: the trade-off function refutes what no single epsilon and delta does") {
  const std::vector<Support> claims = gaussian_claims(1);
  const Record record{1000, 100, 100};
  double single = 1;
  for (const Support& claim : claims)
    single = std::min(single, audit::p_value_upper(record, claim.epsilon, claim.delta));
  const double all = audit::p_value_upper(record, claims);
  CHECK(all < 0.01);
  CHECK(single > 0.1);
  CHECK(audit::least_p_value(record, claims) == all);
  // A share of right guesses that one draw of the noise, shared by all canaries, explains.
  CHECK(audit::least_p_value({1000, 1000, 850}, claims) > 0.2);
}

TEST_CASE("audit: that all guesses are right refutes a pure claim as randomised response does") {
  // There (3) holds with equality at every count.
  for (const double epsilon : {0.2, 1.0, 3.0}) {
    for (const double guesses : {1.0, 2.0, 6.0, 30.0}) {
      const double exact = std::pow(1 / (1 + std::exp(-epsilon)), guesses);
      const double bound =
          audit::p_value_upper({1000, guesses, guesses}, std::vector<Support>{{epsilon, 0}});
      CHECK(bound >= exact * (1 - 1e-12));
      CHECK(bound <= exact * (1 + 1e-3));
    }
  }
}

TEST_CASE("audit: the refuted epsilon grows with the right guesses, and falls with confidence") {
  double before = 0;
  for (const double correct : {500.0, 560.0, 700.0, 850.0, 990.0}) {
    const double epsilon = audit::epsilon_lower({1000, 1000, correct}, 1e-6, 0.05);
    CAPTURE(correct);
    CHECK(epsilon >= before);
    CHECK(epsilon >= audit::epsilon_lower({1000, 1000, correct}, 1e-6, 0.001));
    // Never above what the share of right guesses comes to.
    CHECK(epsilon <= std::max(0.0, std::log(correct / (1000 - correct))));
    before = epsilon;
  }
  CHECK(before > 3.5);
  CHECK(audit::epsilon_lower({1000, 1000, 500}, 1e-6, 0.05) == 0);
  CHECK(audit::epsilon_lower({10, 10, 0}, 1e-6, 0.05) == 0);
  // The right end of its bisection is not refuted.
  const double edge = audit::epsilon_lower({200, 150, 140}, 1e-5, 0.01);
  CHECK(audit::least_p_value({200, 150, 140}, {{edge, 1e-5}}) <= 0.01);
  CHECK(audit::least_p_value({200, 150, 140}, {{edge * (1 + 1e-6), 1e-5}}) > 0.01);
}

TEST_CASE("audit: over many runs the p-value is one, whatever the attack's rates") {
  // All outcomes of 7 members and 5 non-members, under attacks that reach the trade-off function.
  constexpr int kMembers = 7, kOthers = 5;
  for (const std::vector<Support>& claims :
       {std::vector<Support>{{0.7, 0.01}}, gaussian_claims(1)}) {
    const auto most = [&](double rate) {
      double least = 1;
      for (const Support& claim : claims)
        least = std::min({least, claim.delta + std::exp(claim.epsilon) * rate,
                          1 - std::exp(-claim.epsilon) * (1 - claim.delta - rate)});
      return least;
    };
    std::vector<std::vector<double>> values;
    for (int a = 0; a <= kMembers; ++a) {
      values.emplace_back();
      for (int b = 0; b <= kOthers; ++b)
        values.back().push_back(audit::least_p_value(
            audit::AttackCounts{
                kMembers, kOthers, {{static_cast<double>(a), static_cast<double>(b)}}},
            claims));
    }
    for (const double rate : {0.001, 0.03, 0.1, 0.3, 0.6, 0.9}) {
      const auto mass = [](int n, double q, int k) { return tail(n, q, k) - tail(n, q, k + 1); };
      for (const auto& row : values) {
        for (const double level : row) {
          double below = 0;
          for (int a = 0; a <= kMembers; ++a)
            for (int b = 0; b <= kOthers; ++b)
              if (values[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] <= level)
                below += mass(kMembers, most(rate), a) * mass(kOthers, rate, b);
          CHECK(below <= level * (1 + 1e-9) + 1e-12);
        }
      }
    }
  }
}

TEST_CASE("audit: over many runs a claim is refuted as by Clopper and Pearson") {
  // A perfect attack on 500 runs of either kind, at 99 %: 4.54 in [JUO20].
  const double most = audit::epsilon_lower(audit::AttackCounts{500, 500, {{500, 0}}}, 0, 0.01);
  CHECK(most == doctest::Approx(4.54).epsilon(0.002));
  // 4.922 % and .174 % of 100,000 runs of either kind, at 1 - 1e-10: above 2.79 in
  // arXiv:2202.12219.
  const double case_study =
      audit::epsilon_lower(audit::AttackCounts{1e5, 1e5, {{4922, 174}}}, 1e-5, 1e-10);
  CHECK(case_study == doctest::Approx(2.79).epsilon(0.002));
  // Ends of both rates, each at half the error, from their defining equations by bisection.
  const auto end = [](int n, int k, double error, bool upper) {
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
      const double q = (low + high) / 2;
      const bool beyond = upper ? 1 - tail(n, q, k + 1) < error : tail(n, q, k) >= error;
      (beyond ? high : low) = q;
    }
    return upper ? high : low;
  };
  for (const audit::Positives& seen : {audit::Positives{90, 3}, {60, 20}, {100, 80}}) {
    const double delta = 1e-3, hit = end(100, static_cast<int>(seen.members), 0.025, false),
                 alarm = end(100, static_cast<int>(seen.non_members), 0.025, true);
    const double expected =
        std::max({0.0, std::log((hit - delta) / alarm), std::log((1 - alarm - delta) / (1 - hit))});
    const double found = audit::epsilon_lower(audit::AttackCounts{100, 100, {seen}}, delta, 0.05);
    INFO(seen.members << " " << seen.non_members << " " << found << " " << expected);
    CHECK(found == doctest::Approx(expected).epsilon(1e-6));
  }
}

TEST_CASE("audit: several thresholds cost their number, and inverted attacks prove nothing") {
  const audit::AttackCounts one{300, 300, {{200, 10}}};
  audit::AttackCounts two = one;
  two.thresholds.push_back({10, 290});
  const std::vector<Support> claim{{0.5, 1e-5}};
  CHECK(audit::least_p_value(two, claim) ==
        doctest::Approx(2 * audit::least_p_value(one, claim)).epsilon(1e-12));
  CHECK(audit::least_p_value(audit::AttackCounts{300, 300, {{10, 290}}}, claim) == 1);
  CHECK(audit::epsilon_lower(audit::AttackCounts{1, 1, {{0, 1}}}, 0, 0.05) == 0);
}

}  // namespace honest_epsilon
