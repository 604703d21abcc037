#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/counts.h"

namespace honest_epsilon::testing {

/// Where this project's tests/ is; main.cc knows.
const char* tests_dir();

/// One row of a table in tests/reference, its cells by the name of their column.
class ReferenceRow {
 public:
  explicit ReferenceRow(std::map<std::string, std::string, std::less<>> cells)
      : cells_(std::move(cells)) {}

  const std::string& text(std::string_view column) const {
    const auto cell = cells_.find(column);
    REQUIRE_MESSAGE(cell != cells_.end(), "no column " << std::string(column));
    return cell->second;
  }

  double number(std::string_view column) const {
    const std::string& cell = text(column);
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    REQUIRE_MESSAGE((end != cell.c_str() && *end == '\0'), "not a number: " << cell);
    return value;
  }

  /// "column=value ..." for the message of a failed check.
  std::string describe() const {
    std::string result;
    for (const auto& [name, value] : cells_) result += name + "=" + value + " ";
    return result;
  }

 private:
  std::map<std::string, std::string, std::less<>> cells_;
};

/// Reads tests/reference/<name>.tsv: a header, then tab-separated rows. A table that is missing,
/// empty or ragged fails the test: it would otherwise check nothing.
inline std::vector<ReferenceRow> reference_table(const std::string& name) {
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char letter : line) {
      if (letter == '\t') {
        cells.emplace_back();
      } else if (letter != '\r') {
        cells.back() += letter;
      }
    }
    return cells;
  };
  std::ifstream file(std::string(tests_dir()) + "/reference/" + name + ".tsv");
  REQUIRE_MESSAGE(file, "cannot read the reference table " << name);
  std::string line;
  REQUIRE(std::getline(file, line));
  const std::vector<std::string> header = split(line);
  std::vector<ReferenceRow> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line);
    REQUIRE_MESSAGE(cells.size() == header.size(), name << ": ragged row: " << line);
    std::map<std::string, std::string, std::less<>> row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[header[i]] = cells[i];
    rows.emplace_back(std::move(row));
  }
  REQUIRE_MESSAGE(!rows.empty(), "the reference table " << name << " is empty");
  static std::set<std::string> counted;
  if (counted.insert(name).second) counts().rows += static_cast<std::int64_t>(rows.size());
  return rows;
}

}  // namespace honest_epsilon::testing
