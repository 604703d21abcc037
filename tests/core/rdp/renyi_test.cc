#include "core/rdp/renyi.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/interval.h"
#include "core/math/log_domain.h"
#include "tests/core/reference_table.h"
#include "tests/core/support.h"

namespace honest_epsilon {

namespace {

double divergence_of(const std::string& mechanism, double order, double q, double mu) {
  if (mechanism == "gaussian") return rdp::subsampled_gaussian(order, q, mu);
  if (mechanism == "laplace") return rdp::subsampled_laplace(order, q, mu);
  return rdp::randomized_response(order, q, mu);
}

/// [WBK19, Thm 9] for Gaussian noise: whole orders, D_j = j mu^2 / 2, no finite D_inf.
double older_substitution_bound(int order, double q, double mu) {
  LogSum sum;
  double log_binomial = 0;
  for (int j = 1; j <= order; ++j) {
    log_binomial += std::log(static_cast<double>(order - j + 1) / j);
    if (j == 1) continue;
    const double base = log_binomial + j * std::log(q);
    const double moment = 0.5 * j * (j - 1) * mu * mu + std::log(2.0);
    const double first = std::log(4 * std::expm1(mu * mu));
    sum.add(base + (j == 2 ? std::min(first, moment) : moment));
  }
  return log1p_exp(sum.log()) / (order - 1);
}

}  // namespace

TEST_CASE("rdp: divergences are not below 25-digit values, and barely above") {
  for (const auto& row : testing::reference_table("renyi")) {
    const double order = row.number("order");
    const double value =
        divergence_of(row.text("mechanism"), order, row.number("q"), row.number("mu"));
    INFO(row.describe() << value);
    CHECK(value >= row.number("divergence"));
    CHECK(value <= row.number("divergence") * (1 + 4e-12 + 1e-14 * order));
  }
}

TEST_CASE("rdp: substitution lies between its exact value and the older bound") {
  for (const auto& row : testing::reference_table("renyi_substitution")) {
    const double order = row.number("order");
    const double q = row.number("q");
    const double mu = row.number("mu");
    const double value = rdp::without_replacement_substitution(order, q, mu);
    INFO(row.describe() << value);
    CHECK(value >= row.number("divergence"));
    CHECK(value >= rdp::subsampled_gaussian(order, q, mu));
    CHECK(value <= 1.8 * row.number("divergence"));
    if (order == std::floor(order))
      CHECK(value <= older_substitution_bound(static_cast<int>(order), q, mu));
  }
}

TEST_CASE("rdp: without sampling the base mechanism is left") {
  for (const double order : {1.01, 2.0, 30.5}) {
    for (const double mu : {1e-3, 1.0, 12.0}) {
      INFO("order=" << order << " mu=" << mu);
      CHECK(rdp::subsampled_gaussian(order, 1, mu) == rdp::gaussian(order, mu));
      CHECK(rdp::without_replacement_substitution(order, 1, mu) == rdp::gaussian(order, mu));
      CHECK(rdp::subsampled_laplace(order, 1, mu) == rdp::laplace(order, mu));
      CHECK(rdp::balls_and_bins_curve(1, mu)(order) == rdp::gaussian(order, mu));
      // and nearly so just below it
      const double nearly = rdp::subsampled_gaussian(order, 1 - 1e-12, mu);
      CHECK(nearly <= rdp::gaussian(order, mu));
      CHECK(nearly >= rdp::gaussian(order, mu) * (1 - 1e-9));
    }
  }
}

TEST_CASE("rdp: divergences grow with the order, the probability and the distance") {
  testing::Dice dice(7);
  for (int i = 0; i < 300; ++i) {
    const double order = 1 + dice.log_uniform(1e-3, 300);
    const double q = dice.log_uniform(1e-9, 0.5);
    const double mu = dice.log_uniform(1e-4, 8);
    const double more = 1 + dice.log_uniform(1e-3, 1);
    INFO("order=" << order << " q=" << q << " mu=" << mu << " more=" << more);
    using Divergence = double (*)(double, double, double);
    for (const Divergence divergence :
         {Divergence{rdp::subsampled_gaussian}, Divergence{rdp::subsampled_laplace},
          Divergence{rdp::randomized_response}}) {
      const double value = divergence(order, q, mu) * (1 - 1e-10);
      CHECK(value <= divergence(1 + (order - 1) * more, q, mu));
      CHECK(value <= divergence(order, q * more, mu));
      CHECK(value <= divergence(order, q, mu * more));
    }
  }
}

TEST_CASE("rdp: (a-1) D_a is convex in the order") {
  testing::Dice dice(11);
  for (int i = 0; i < 200; ++i) {
    const double q = dice.log_uniform(1e-6, 1);
    const double mu = dice.log_uniform(0.01, 5);
    const double low = dice.log_uniform(1e-2, 100);
    const double high = low * (1 + dice.log_uniform(1e-2, 1));
    const double middle = 0.5 * (low + high);
    INFO("q=" << q << " mu=" << mu << " order=1+" << middle);
    CHECK(2 * middle * rdp::subsampled_gaussian(1 + middle, q, mu) <=
          (low * rdp::subsampled_gaussian(1 + low, q, mu) +
           high * rdp::subsampled_gaussian(1 + high, q, mu)) *
              (1 + 1e-10));
  }
}

TEST_CASE("rdp: extremes give a number, not below a simple lower bound") {
  for (const double order : {1 + 1e-6, 1.5, 1e3, 1e6}) {
    for (const double q : {1e-300, 1e-12, 0.5, 1 - 1e-15}) {
      for (const double mu : {1e-200, 1e-6, 1.0, 40.0, 1e3, 1e6, 1e200}) {
        INFO("order=" << order << " q=" << q << " mu=" << mu);
        const double gaussian = rdp::subsampled_gaussian(order, q, mu);
        CHECK(gaussian > 0);
        CHECK(gaussian <= rdp::gaussian(order, mu));
        // E[g^a] >= q^a E[e^{a (mu z - mu^2/2)}]
        const double floor = 0.5 * order * mu * mu + order / (order - 1) * std::log(q);
        CHECK_FALSE(gaussian < floor * (1 - 1e-12));
        const double laplace = rdp::subsampled_laplace(order, q, mu);
        CHECK(laplace > 0);
        CHECK(laplace <= rdp::laplace(order, mu));
        CHECK(rdp::without_replacement_substitution(order, q, mu) >= gaussian);
      }
    }
  }
}

TEST_CASE("rdp: balls-and-bins lies between Poisson's leading term and no sampling") {
  for (const double bins : {2.0, 64.0, 5000.0}) {
    for (const double mu : {0.01, 0.3, 1.0, 2.5}) {
      const rdp::RenyiCurve curve = rdp::balls_and_bins_curve(bins, mu);
      double last = 0;
      for (const double order : {1.2, 2.0, 2.5, 3.0, 10.0, 40.5, 100.0}) {
        const double value = curve(order);
        INFO("bins=" << bins << " mu=" << mu << " order=" << order << " " << value);
        CHECK(value == rdp::balls_and_bins_curve(bins, mu)(order));
        CHECK(value <= rdp::gaussian(order, mu));
        CHECK(value >= last * (1 - 1e-12));
        last = value;
      }
      // D_2 = log(1 + (e^{mu^2} - 1)/T), as for one of T Poisson steps of probability 1/T, T times.
      const double exact = std::log1p(std::expm1(mu * mu) / bins);
      CHECK(curve(2) >= exact);
      // Direction add is known to a few units of 1 for every bin, not of itself.
      CHECK(curve(2) <= exact * (1 + 1e-10) + 3e-14 * bins);
    }
  }
}

}  // namespace honest_epsilon
