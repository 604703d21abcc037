#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cinttypes>
#include <cstdio>

#include "tests/core/counts.h"
#include "tests/core/reference_table.h"

namespace {

unsigned selected_cases = 0;

struct CountSelected : doctest::IReporter {
  explicit CountSelected(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    selected_cases = stats.numTestCasesPassingFilters;
  }
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
DOCTEST_REGISTER_LISTENER("count_selected", 1, CountSelected);

}  // namespace

namespace honest_epsilon::testing {

const char* tests_dir() {
  return HONEST_EPSILON_TESTS_DIR;
}

}  // namespace honest_epsilon::testing

// A filter that selects nothing fails: a misspelt test name must not look like a pass.
int main(int count, char** arguments) {
  doctest::Context context(count, arguments);
  const int result = context.run();
  if (context.shouldExit()) return result;  // --help, --list-test-cases
  if (selected_cases == 0) {
    std::fputs("no test case was selected\n", stderr);
    return 1;
  }
  const auto& counts = honest_epsilon::testing::counts();
  std::printf("counts: sides %" PRId64 " rows %" PRId64 " properties %" PRId64 " fuzz %" PRId64
              "\n",
              counts.sides, counts.rows, counts.properties, counts.fuzz);
  return result;
}
