#include "tests/fuzz/targets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/api/answer.h"
#include "core/api/schema.h"
#include "core/monte_carlo/tally.h"
#include "tests/core/api/laws.h"
#include "tests/core/chance.h"

namespace honest_epsilon::fuzz {
namespace {

using api::Choice;
using api::Number;
using testing::Chance;

/// Choices read from bytes, two a choice; zeros when they have run out.
class Reader : public Chance {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  double unit() override {
    const unsigned high = byte();
    return (high * 256 + byte()) * 0x1p-16;
  }
  unsigned byte() { return at_ < bytes_.size() ? bytes_[at_++] : 0; }
  bool done() const { return at_ >= bytes_.size(); }
  /// Any double, the unwelcome ones among them.
  double raw() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8U | byte();
    double value = 0;  // std::bit_cast is not in every library that compiles this
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  std::string text() {
    std::string text(byte() % 12, ' ');
    for (char& letter : text) letter = static_cast<char>(byte());
    return text;
  }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
};

// ---------------------------------------------------------------------------------------------
// A question from bytes.

template <class Owner>
void set(const api::InputField<Owner, Choice>& field, Owner& owner, Reader& reader) {
  std::vector<std::string> values(1);
  for (const char* letter = field.choices; *letter != '\0'; ++letter) {
    if (*letter == ' ') {
      values.emplace_back();
    } else {
      values.back() += *letter;
    }
  }
  const unsigned which = reader.byte();
  if (which == 255) {
    owner.*field.member = reader.text();
  } else {
    owner.*field.member = values[which % values.size()];
  }
}

/// Ordinary values stay small, so that an ordinary question is answered in milliseconds.
template <class Owner>
void set(const api::InputField<Owner, Number>& field, Owner& owner, Reader& reader) {
  const bool count = field.type == api::FieldType::count;
  Number& value = owner.*field.member;
  switch (reader.byte() % 12) {
    case 0:
      value = field.least;
      return;
    case 1:
      value = field.most;
      return;
    case 2:
      value = std::nextafter(reader.happens(0.5) ? field.least : field.most, kInfinity);
      return;
    case 3:
      value = std::nextafter(reader.happens(0.5) ? field.least : field.most, -kInfinity);
      return;
    case 4:
      value = reader.raw();
      return;
    case 5:
      value = reader.log_uniform(1e-30, 1e15);
      return;
    case 6:
      value = std::floor(reader.log_uniform(1, 1e10));
      return;
    default:
      break;
  }
  const double least = std::max(field.least, count ? 1.0 : 1e-6);
  const double most = std::min(field.most, count ? 500.0 : 20.0);
  const double ordinary = reader.log_uniform(least, std::max(least, most));
  value = count ? std::round(ordinary) : ordinary;
}

template <class Owner>
void set(const api::InputField<Owner, api::Flag>& field, Owner& owner, Reader& reader) {
  owner.*field.member = reader.byte() % 2 == 1;
}

template <class Owner>
void set(const api::InputField<Owner, api::Numbers>& field, Owner& owner, Reader& reader) {
  api::Numbers& list = owner.*field.member;
  list.resize(reader.byte() % 6);
  for (double& value : list) value = reader.byte() % 4 == 0 ? reader.raw() : reader.unit();
}

/// Sets, or clears, one field of the list.
template <class Owner>
void change(Owner& owner, Reader& reader) {
  const auto list = api::fields(static_cast<const Owner*>(nullptr));
  const std::size_t which = reader.byte() % std::tuple_size_v<std::remove_const_t<decltype(list)>>;
  std::size_t i = 0;
  std::apply(
      [&](const auto&... field) {
        const auto visit = [&](const auto& f) {
          if (i++ != which) return;
          if (reader.byte() % 4 == 0) {
            owner.*f.member = {};
          } else {
            set(f, owner, reader);
          }
        };
        (visit(field), ...);
      },
      list);
}

api::Query question(Reader& reader) {
  api::Query query;
  if (reader.byte() % 8 != 0) {
    query = testing::random_run(reader, api::kSamplers.at(reader.byte() % api::kSamplers.size()));
  }
  constexpr std::array kQuestions = {"epsilon", "delta", "compare", "calibrate"};
  const std::string asked = kQuestions.at(reader.byte() % kQuestions.size());
  query.question = asked;
  if (asked != "delta") query.delta = reader.log_uniform(1e-15, 0.9);
  if (asked == "delta" || asked == "calibrate") query.epsilon = reader.log_uniform(1e-3, 30);
  if (asked == "calibrate") query.solve_for = "noise";
  while (!reader.done()) {
    switch (reader.byte() % 6) {
      case 0:
        change(query, reader);
        break;
      case 1:
        if (query.phases.size() < 4) query.phases.emplace_back(api::Release{});
        break;
      case 2:
        if (query.phases.size() < 4)
          query.phases.push_back(query.phases.empty() ? api::Phase{} : query.phases.front());
        break;
      default:
        if (query.phases.empty()) break;
        std::visit([&](auto& entry) { change(entry, reader); },
                   query.phases.at(reader.byte() % query.phases.size()));
    }
  }
  return query;
}

// ---------------------------------------------------------------------------------------------
// What came back.

std::string complaint_about(double value, const char*) {
  return std::isnan(value) ? "is not a number" : "";
}

std::string complaint_about(const Interval& i, const char*) {
  if (std::isnan(i.lower) || std::isnan(i.upper)) return "has an end that is not a number";
  if (!(i.lower <= i.upper)) return "has its ends crossed";
  if (i.lower < 0 && i.lower != -kInfinity) return "has a lower end below 0";
  const bool proves = i.kind == IntervalKind::certified;
  return proves && i.lower < 0 ? "claims to be certified without a lower end" : "";
}

std::string complaint_about(const std::string& text, const char* name) {
  return text.empty() && std::string(name) != "sampler" ? "is empty" : "";
}

template <class T>
  requires requires(const T& owner) { api::fields(&owner); }
std::string complaint_about(const T& owner, const char* name);

template <class T>
std::string complaint_about(const std::optional<T>& value, const char* name) {
  return value ? complaint_about(*value, name) : "";
}

template <class T>
std::string complaint_about(const std::vector<T>& list, const char* name) {
  for (const T& element : list) {
    const std::string text = complaint_about(element, name);
    if (!text.empty()) return text;
  }
  return "";
}

template <class T>
  requires requires(const T& owner) { api::fields(&owner); }
std::string complaint_about(const T& owner, const char*) {
  std::string found;
  std::apply(
      [&](const auto&... field) {
        const auto visit = [&](const auto& f) {
          if (!found.empty()) return;
          const std::string text = complaint_about(owner.*f.member, f.name);
          if (!text.empty()) found = std::string(f.name) + " " + text;
        };
        (visit(field), ...);
      },
      api::fields(&owner));
  return found;
}

std::string complaint_about(const api::Query& query, const api::Outcome& outcome) {
  if (const Issue* issue = std::get_if<Issue>(&outcome)) return complaint_about(*issue, "issue");
  const auto& answers = std::get<std::vector<api::Answer>>(outcome);
  if (answers.empty()) return "no answer";
  for (const api::Answer& answer : answers) {
    const std::string text = complaint_about(answer, "answer");
    if (!text.empty()) return text;
    if (answer.delta.upper > 1 && answer.delta.kind != IntervalKind::estimate &&
        answer.delta.upper != kInfinity)
      return "a delta above 1";
    if (query.question == "calibrate" && answer.solution &&
        query.accountant.value_or("best") == "best" && query.solve_for != "delta" &&
        !(answer.epsilon.upper <= *query.epsilon * (1 + 1e-9)) && query.delta)
      return "a solution that misses its target";
  }
  return "";
}

// ---------------------------------------------------------------------------------------------
// Tallies.

using monte_carlo::FixedSum;
using monte_carlo::Tally;

Tally some_tally(Reader& reader, std::size_t parts, bool two_sided) {
  Tally tally;
  tally.samples = static_cast<std::int64_t>(reader.byte());
  tally.upper.resize(parts);
  if (two_sided) tally.lower.resize(parts);
  for (auto* list : {&tally.upper, &tally.lower}) {
    for (monte_carlo::Moments& moments : *list) {
      const double x = reader.byte() % 2 == 0 ? reader.unit() : std::abs(reader.raw());
      moments.add(std::isnan(x) ? 1 : std::min(x, 1.0));
    }
  }
  return tally;
}

std::string merging(Reader& reader) {
  const std::size_t parts = reader.byte() % 4;
  const bool two_sided = reader.byte() % 2 == 1;
  const Tally a = some_tally(reader, parts, two_sided);
  const Tally b = some_tally(reader, parts, two_sided);
  const Tally c = some_tally(reader, parts, two_sided);
  Tally left = a;
  Tally right = c;
  if (!merge(left, b) || !merge(left, c)) return "tallies of one shape do not merge";
  if (!merge(right, b) || !merge(right, a)) return "tallies of one shape do not merge";
  if (!(left == right)) return "the order of merging matters";
  const Tally before = left;
  const Tally other = some_tally(reader, parts + 1, two_sided);
  if (merge(left, other)) return "tallies of two shapes merge";
  if (!(left == before)) return "a refused tally left its trace";
  for (const monte_carlo::Moments& moments : left.upper) {
    const auto back = FixedSum::parse(moments.sum.text());
    if (!back || !(*back == moments.sum)) return "a sum's text is another sum";
    const double value = moments.sum.value();
    if (!(value >= 0 && value <= 3)) return "three numbers in [0, 1] sum to something else";
  }
  return "";
}

}  // namespace

std::string answer(Bytes bytes) {
  Reader reader(bytes);
  const api::Query query = question(reader);
  const std::string text = complaint_about(query, api::answer(query));
  return text.empty() ? text : text + ": " + testing::describe(query);
}

std::string laws(Bytes bytes) {
  Reader reader(bytes);
  const auto all = testing::laws();
  const testing::Law& law = all[reader.byte() % all.size()];
  const api::Query query =
      testing::random_run(reader, api::kSamplers.at(reader.byte() % api::kSamplers.size()));
  const testing::Verdict verdict = law.check(query, reader);
  if (verdict.broken.empty()) return "";
  return std::string(law.name) + ": " + verdict.broken + ": " + testing::describe(query);
}

std::string tally(Bytes bytes) {
  Reader reader(bytes);
  const std::string complaint = merging(reader);
  if (!complaint.empty()) return complaint;
  const std::string text(bytes.begin(), bytes.end());
  const auto sum = FixedSum::parse(text);
  return sum && sum->text() != text ? "text that is not a sum's was read" : "";
}

}  // namespace honest_epsilon::fuzz
