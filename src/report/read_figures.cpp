#include "report/read_figures.h"

#include "base/utf8.h"
#include "report/json_report.h"

#include <cmath>

#include <fmt/format.h>
#include <simdjson.h>

namespace hyperscale::report {
namespace {

using simdjson::dom::element;

constexpr double kNsPerMs = 1e6;
constexpr double kMsMax = 9e12;  // 285 years, within the range of Duration
constexpr std::size_t kQuotedBytesMax = 60;

tl::unexpected<Error> not_results(std::string_view why) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("not a results file: {}; write one with --out json", why));
}

Status check_schema(element document) {
  if (!document.is_object()) return not_results("it is JSON, but not an object");
  std::string_view schema;
  if (document["schema"].get(schema) != simdjson::SUCCESS) return not_results("the field schema is missing");
  if (schema == kResultsSchema) return {};
  return fail(ErrorCode::kInvalidArgument, fmt::format("a results file of schema \"{}\"; this version reads \"{}\"",
                                                       valid_utf8(schema.substr(0, kQuotedBytesMax)), kResultsSchema));
}

// Reads fields of `totals` and keeps the first error.
class FigureReader {
 public:
  explicit FigureReader(element document) : document_(document) {}

  double number(std::string_view pointer) {
    double value = 0;
    if (document_.at_pointer(pointer).get(value) != simdjson::SUCCESS || !(value >= 0)) complain(pointer, "number");
    return value;
  }

  std::uint64_t count(std::string_view pointer) {
    std::uint64_t value = 0;
    if (document_.at_pointer(pointer).get(value) != simdjson::SUCCESS) complain(pointer, "count");
    return value;
  }

  // Zero if an older file lacks it.
  std::uint64_t count_if_there(std::string_view pointer) {
    std::uint64_t value = 0;
    return document_.at_pointer(pointer).get(value) == simdjson::SUCCESS ? value : 0;
  }

  Duration milliseconds(std::string_view name) {
    const std::string pointer = fmt::format("/totals/duration_ms/{}", name);
    const double value = number(pointer);
    if (value > kMsMax) complain(pointer, "duration");
    return complaint_.empty() ? Duration(std::llround(value * kNsPerMs)) : Duration::zero();
  }

  const std::string& complaint() const { return complaint_; }

 private:
  void complain(std::string_view pointer, std::string_view kind) {
    if (!complaint_.empty()) return;
    std::string field(pointer.substr(1));
    for (char& c : field) c = c == '/' ? '.' : c;
    complaint_ = fmt::format("{} is missing or not a {}", field, kind);
  }

  element document_;
  std::string complaint_;
};

}  // namespace

Result<results::Figures> read_figures(std::string_view json) {
  if (json.size() > kResultsFileBytesMax) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("a results file of {} bytes; at most {} are read", json.size(), kResultsFileBytesMax));
  }
  simdjson::dom::parser parser;
  element document;
  if (const auto error = parser.parse(json.data(), json.size()).get(document); error != simdjson::SUCCESS) {
    return not_results(json.empty() ? "it is empty" : "it is not JSON");
  }
  if (Status schema = check_schema(document); !schema) return fail(schema.error());
  FigureReader read(document);
  const results::Figures figures{.rate_per_s = read.number("/totals/rate_per_s"),
                                 .requests = read.count("/totals/requests"),
                                 .errors = read.count("/totals/errors"),
                                 .redirected = read.count_if_there("/totals/outcomes/redirected"),
                                 .p50 = read.milliseconds("p50"),
                                 .p90 = read.milliseconds("p90"),
                                 .p95 = read.milliseconds("p95"),
                                 .p99 = read.milliseconds("p99"),
                                 .p99_9 = read.milliseconds("p99_9"),
                                 .max = read.milliseconds("max"),
                                 .mean = read.milliseconds("mean")};
  if (!read.complaint().empty()) return not_results(read.complaint());
  return figures;
}

}  // namespace hyperscale::report
