// Compiled into the tests of a mutated copy: writes which faults each test case would have met, a
// line a case: seconds, name, faults.

#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "tests/mutation/operators.h"

namespace {

struct Recorder : doctest::IReporter {
  explicit Recorder(const doctest::ContextOptions&) {
    if (mutation::kRecording) file = std::fopen(std::getenv("HONEST_EPSILON_FAULTS_SEEN"), "w");
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {
    if (file == nullptr) return;
    std::fprintf(file, "0\t\t\t");
    for (int fault = 0; fault < mutation::kMost; ++fault)
      if (impossible[fault]) std::fprintf(file, "%d ", fault);
    std::fputc('\n', file);
    std::fclose(file);
  }
  void test_case_start(const doctest::TestCaseData& data) override {
    name = data.m_name;
    path = data.m_file.c_str();
    // Constants of a file are made before any test case, and serve all of them.
    if (!begun) std::memcpy(always, mutation::seen, sizeof always);
    begun = true;
    std::memset(mutation::seen, 0, sizeof mutation::seen);
  }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    if (file == nullptr) return;
    std::fprintf(file, "%.4f\t%s\t%s\t", stats.seconds, path.c_str(), name.c_str());
    for (int fault = 0; fault < mutation::kMost; ++fault) {
      if (mutation::seen[fault] == 2 || always[fault] == 2) std::fprintf(file, "%d ", fault);
      if (mutation::seen[fault] == 1) impossible[fault] = true;
    }
    std::fputc('\n', file);
    std::fflush(file);
  }
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

  std::FILE* file = nullptr;
  std::string name, path;
  bool begun = false;
  unsigned char always[mutation::kMost] = {};
  bool impossible[mutation::kMost] = {};
};
DOCTEST_REGISTER_LISTENER("faults_seen", 1, Recorder);

}  // namespace
