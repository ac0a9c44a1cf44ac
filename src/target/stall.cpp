#include "target/stall.h"

#include "base/duration_text.h"
#include "target/limits.h"

#include <fmt/format.h>

namespace hyperscale::target {

Result<Stall> parse_stall(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is not a stall; write LENGTH/PERIOD, such as 200ms/2s", text));
  }
  const Result<Duration> length = parse_duration(text.substr(0, slash));
  if (!length) return fail(length.error());
  const Result<Duration> period = parse_duration(text.substr(slash + 1));
  if (!period) return fail(period.error());
  if (*length <= 0s || *length >= *period || *period > kDelayMax) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("'{}': a stall is longer than nothing and shorter than its period, which is at most 1h", text));
  }
  return Stall{*length, *period};
}

MonoTime after_stall(const Stall& stall, MonoTime server_start, MonoTime at) {
  const Duration into_period = (at - server_start) % stall.period;
  return into_period < stall.length ? at + (stall.length - into_period) : at;
}

}  // namespace hyperscale::target
