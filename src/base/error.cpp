#include "base/error.h"

#include "base/check.h"

#include <array>

#include <fmt/format.h>

namespace hyperscale {
namespace {

struct Row {
  ErrorCode code;
  ErrorTraits traits;
};

constexpr std::array kRows{
    Row{ErrorCode::kBusy, {"Busy", RetryAdvice::kMaybe, 429, "busy_rejections_total"}},
    Row{ErrorCode::kTimeout, {"Timeout", RetryAdvice::kSometimes, 504, "io_timeouts_total"}},
    Row{ErrorCode::kCanceled, {"Canceled", RetryAdvice::kNo, 499, "tasks_canceled_total"}},
    Row{ErrorCode::kLagging, {"Lagging", RetryAdvice::kNo, 500, "bus_lagged_total"}},
    Row{ErrorCode::kBrokenPipe, {"BrokenPipe", RetryAdvice::kMaybe, 502, "io_errors_total"}},
    Row{ErrorCode::kDegraded, {"Degraded", RetryAdvice::kNo, 503, "service_restarts_total"}},
    Row{ErrorCode::kOpenCircuit, {"OpenCircuit", RetryAdvice::kMaybe, 503, "circuit_open_total"}},
    Row{ErrorCode::kUnavailable, {"Unavailable", RetryAdvice::kMaybe, 503, ""}},
    Row{ErrorCode::kInvalidArgument, {"InvalidArgument", RetryAdvice::kNo, 400, ""}},
    Row{ErrorCode::kUnauthorized, {"Unauthorized", RetryAdvice::kNo, 401, ""}},
    Row{ErrorCode::kNotFound, {"NotFound", RetryAdvice::kNo, 404, ""}},
    Row{ErrorCode::kConflict, {"Conflict", RetryAdvice::kNo, 409, ""}},
    Row{ErrorCode::kTooLarge, {"TooLarge", RetryAdvice::kNo, 413, ""}},
    Row{ErrorCode::kProtocol, {"Protocol", RetryAdvice::kNo, 400, "io_errors_total"}},
    Row{ErrorCode::kInternal, {"Internal", RetryAdvice::kNo, 500, ""}},
};

constexpr bool rows_follow_the_enum() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].code) != i + 1) return false;
  }
  return true;
}
static_assert(rows_follow_the_enum());

}  // namespace

const ErrorTraits& traits(ErrorCode code) {
  const auto index = static_cast<std::size_t>(code) - 1;
  CHECK(index < kRows.size(), "error code {}", static_cast<int>(code));
  return kRows[index].traits;
}

std::string_view name(ErrorCode code) {
  return traits(code).name;
}

std::string_view name(RetryAdvice advice) {
  switch (advice) {
    case RetryAdvice::kNo:
      return "no";
    case RetryAdvice::kMaybe:
      return "maybe";
    case RetryAdvice::kSometimes:
      return "sometimes";
  }
  UNREACHABLE("retry advice {}", static_cast<int>(advice));
}

std::optional<ErrorCode> error_code_from_number(std::uint16_t number) {
  if (number == 0 || number > kRows.size()) return std::nullopt;
  return static_cast<ErrorCode>(number);
}

std::string Error::to_string() const {
  return context.empty() ? std::string(name(code)) : fmt::format("{}: {}", name(code), context);
}

}  // namespace hyperscale
