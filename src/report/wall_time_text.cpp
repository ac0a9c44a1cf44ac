#include "report/wall_time_text.h"

#include <chrono>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::report {
namespace {

using SysTime = std::chrono::sys_time<std::chrono::nanoseconds>;

std::string date_and_time(WallTime time, std::string_view between) {
  const SysTime at{Duration(time.ns())};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(at - day);
  return fmt::format("{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), between,
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

Duration since_second(WallTime time) {
  return Duration(time.ns()) - std::chrono::floor<std::chrono::seconds>(Duration(time.ns()));
}

}  // namespace

std::string rfc3339(WallTime time) {
  return fmt::format("{}.{:03}Z", date_and_time(time, "T"), since_second(time) / 1ms);
}

std::string rfc3339_micros(WallTime time) {
  return fmt::format("{}.{:06}Z", date_and_time(time, "T"), since_second(time) / 1us);
}

std::string readable_time(WallTime time) {
  return date_and_time(time, " ") + " UTC";
}

}  // namespace hyperscale::report
