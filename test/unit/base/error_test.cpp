#include "base/error.h"

#include <set>

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

struct Row {
  ErrorCode code;
  const char* name;
  const char* retry;
  const char* metric;
};

// proves part: NODE-ERR-1 (names, advice and names of metrics; not that each error counts, nor what Timeout carries)
TEST(Error, TaxonomyRetryAdviceAndMetricsAreAsTabled) {
  const Row table[] = {
      {ErrorCode::kBusy, "Busy", "maybe", "busy_rejections_total"},
      {ErrorCode::kTimeout, "Timeout", "sometimes", "io_timeouts_total"},
      {ErrorCode::kCanceled, "Canceled", "no", "tasks_canceled_total"},
      {ErrorCode::kLagging, "Lagging", "no", "bus_lagged_total"},
      {ErrorCode::kBrokenPipe, "BrokenPipe", "maybe", "io_errors_total"},
      {ErrorCode::kDegraded, "Degraded", "no", "service_restarts_total"},
      {ErrorCode::kOpenCircuit, "OpenCircuit", "maybe", "circuit_open_total"},
  };
  for (const Row& row : table) {
    EXPECT_EQ(name(row.code), row.name);
    EXPECT_EQ(name(traits(row.code).retry), row.retry) << row.name;
    EXPECT_EQ(traits(row.code).metric, row.metric) << row.name;
  }
}

TEST(Error, EveryCodeHasUniqueNameAndHttpError) {
  std::set<std::string_view> names;
  std::uint16_t number = 1;
  for (; const auto code = error_code_from_number(number); ++number) {
    EXPECT_EQ(static_cast<std::uint16_t>(*code), number);
    names.insert(name(*code));
    EXPECT_GE(traits(*code).http_status, 400);
    EXPECT_LT(traits(*code).http_status, 600);
  }
  EXPECT_EQ(names.size(), number - 1U);
  EXPECT_EQ(number - 1U, static_cast<std::uint16_t>(ErrorCode::kInternal));
}

TEST(Error, NumbersOutsideTheSetAreNoCode) {
  EXPECT_EQ(error_code_from_number(0), std::nullopt);
  EXPECT_EQ(error_code_from_number(static_cast<std::uint16_t>(ErrorCode::kInternal) + 1), std::nullopt);
  EXPECT_EQ(error_code_from_number(257), std::nullopt);  // would be kBusy in 8 bits
}

TEST(Error, TextNamesCodeAndContext) {
  EXPECT_EQ((Error{ErrorCode::kBusy, "work queue is full (512)"}).to_string(), "Busy: work queue is full (512)");
  EXPECT_EQ((Error{ErrorCode::kCanceled, ""}).to_string(), "Canceled");
}

}  // namespace
}  // namespace hyperscale
