// Times the core as callers use it: whole answers through the api, of those questions and samplers
// whose names hold the second argument, if there is one; with the argument "growth", the same at
// every size; with "monte_carlo", chunks of samples. Prints a tab-separated row for each case;
// .scripts/bench.mjs lays the rows of the native and the WebAssembly build side by side.

#include <algorithm>
#include <bit>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/accounts/answer.h"
#include "core/accounts/catalog.h"
#include "core/math/fft.h"
#include "core/monte_carlo/estimator.h"

namespace honest_epsilon {
namespace {

double milliseconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

struct Timing {
  double first = 0;   ///< with every table still to be made
  double median = 0;  ///< of the runs after it
};

template <class Work>
Timing time(Work&& work) {
  constexpr std::size_t kFewest = 5;
  constexpr std::size_t kMost = 101;
  constexpr double kEnough = 1000;  // milliseconds
  Timing timing;
  const double start = milliseconds();
  work();
  timing.first = milliseconds() - start;
  std::vector<double> runs;
  for (double spent = 0; runs.size() < kFewest || (spent < kEnough && runs.size() < kMost);) {
    const double begin = milliseconds();
    work();
    runs.push_back(milliseconds() - begin);
    spent += runs.back();
  }
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::nth_element(runs.begin(), middle, runs.end());
  timing.median = *middle;
  return timing;
}

/// One bare transform of a length, as a yardstick.
double transform(std::size_t points) {
  if (points == 0) return 0;
  const std::vector<std::complex<double>> in(std::bit_ceil(points), {1, 0.5});
  std::vector<std::complex<double>> out;
  return time([&] { fft::forward(in, out); }).median;
}

struct Setting {
  double sigma;
  double steps;
};
constexpr Setting kSettings[] = {{0.7, 1e3}, {0.4, 1e4}, {1, 1e6}};
constexpr double kDelta = 1e-6;
constexpr double kEpsilon = 1;

void run(const char* question, const std::string& sampler, const Setting& setting) {
  wire::Phase phase;
  if (!sampler.empty()) phase.sampler = sampler;
  phase.noise_multiplier = setting.sigma;
  phase.steps_per_epoch = setting.steps;
  wire::Query query;
  query.question = question;
  query.phases = {phase};
  if (std::string_view(question) == "delta") {
    query.epsilon = kEpsilon;
  } else {
    query.delta = kDelta;
  }
  double points = 0;
  double width = 0;  // relative, of the widest answer
  const Timing timing = time([&] {
    const accounts::Outcome outcome = accounts::answer(query);
    const auto* answers = std::get_if<std::vector<wire::Answer>>(&outcome);
    if (answers == nullptr) {
      std::fprintf(stderr, "%s\n", std::get<Issue>(outcome).text.c_str());
      std::exit(1);
    }
    for (const wire::Answer& answer : *answers) {
      points = std::max(points, answer.work.grid_points);
      const Interval& value = query.delta ? answer.epsilon : answer.delta;
      if (value.upper > 0) width = std::max(width, 1 - value.lower / value.upper);
    }
  });
  std::printf("%s\t%s\t%g\t%g\t%.4f\t%.4f\t%.0f\t%.4f\t%.1e\n", question,
              sampler.empty() ? "(all)" : sampler.c_str(), setting.sigma, setting.steps,
              timing.first, timing.median, points, transform(static_cast<std::size_t>(points)),
              width);
  std::fflush(stdout);
}

void run_all(std::string_view only) {
  const auto run_if = [&](const char* question, std::string_view sampler, const Setting& setting) {
    const std::string name = std::string(question) + " " + std::string(sampler);
    if (name.find(only) != std::string::npos) run(question, std::string(sampler), setting);
  };
  for (const Setting& setting : kSettings) {
    for (const accounts::Sampler& sampler : accounts::kSamplers) {
      run_if("delta", sampler.name, setting);
      run_if("epsilon", sampler.name, setting);
    }
    run_if("compare", "", setting);
  }
}

/// One epoch of T batches, at every T: the probability of a batch is 1/T.
void run_growth() {
  for (const accounts::Sampler& sampler : accounts::kSamplers) {
    for (const char* question : {"delta", "epsilon"}) {
      for (double steps = 1e2; steps <= 1e7; steps *= 10)
        run(question, std::string(sampler.name), {1, steps});
    }
  }
}

/// 1 to 400 singly, then every 10th, 100th, 1000th rank: 590 of them. [BB25, Fig 4]
std::vector<std::int64_t> paper_orders() {
  std::vector<std::int64_t> orders;
  std::int64_t order = 0;
  for (const auto& [step, last] :
       {std::pair{1, 400}, std::pair{10, 1000}, std::pair{100, 10000}, std::pair{1000, 50000}}) {
    while (order + step <= last) orders.push_back(order += step);
  }
  return orders;
}

/// One chunk of Monte Carlo, of 12 epsilons. The last column is not a transform's time but
/// nanoseconds per sample and coordinate (with order statistics: per sample and rank).
void run_monte_carlo(const char* name, monte_carlo::SampleRequest query, double coordinates) {
  for (int epsilon = 1; epsilon <= 12; ++epsilon) query.epsilons.push_back(epsilon);
  monte_carlo::Estimator estimator(query);
  std::uint64_t chunk = 0;
  const Timing timing = time([&] { estimator.run_chunk(1, chunk++); });
  const auto samples = static_cast<double>(samples_per_chunk(query));
  std::printf("%s\tballs_and_bins\t%g\t%g\t%.4f\t%.4f\t%.0f\t%.4f\n", name, query.noise_multiplier,
              static_cast<double>(query.steps), timing.first, timing.median, samples,
              1e6 * timing.median / samples / coordinates);
  std::fflush(stdout);
}

void run_all_monte_carlo() {
  monte_carlo::SampleRequest query;
  query.noise_multiplier = 0.4;
  query.steps = 5000;
  run_monte_carlo("monte_carlo conditional", query, 5000);
  query.noise_multiplier = 0.32;
  query.steps = 100000;
  query.method = monte_carlo::SampledMean::plain;
  run_monte_carlo("monte_carlo plain", query, 100000);
  query.order_statistics = true;
  query.orders = paper_orders();
  const auto ranks = static_cast<double>(query.orders.size());
  run_monte_carlo("monte_carlo orders", query, ranks);
  query.method = monte_carlo::SampledMean::conditional;
  run_monte_carlo("monte_carlo conditional orders", query, ranks);
}

}  // namespace
}  // namespace honest_epsilon

int main(int count, char** arguments) {
  const std::string_view what = count > 1 ? arguments[1] : "";
  if (what == "monte_carlo") {
    honest_epsilon::run_all_monte_carlo();
  } else if (what == "growth") {
    honest_epsilon::run_growth();
  } else {
    honest_epsilon::run_all(count > 2 ? arguments[2] : "");
  }
}
