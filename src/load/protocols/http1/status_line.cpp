#include "load/protocols/http1/status_line.h"

#include "load/protocols/http1/line_scan.h"

#include <algorithm>

namespace hyperscale::load {
namespace {

constexpr std::string_view kPrefix = "HTTP/1.";
static_assert(kPrefix.size() == kStatusLinePrefixBytes);
constexpr std::size_t kMinorAt = kStatusLinePrefixBytes;
constexpr std::size_t kStatusAt = 9;
constexpr std::size_t kStatusEnd = 12;

StatusLine faulty(const char* fault) {
  return {0, 0, fault};
}

}  // namespace

bool may_be_status_line(std::string_view start) {
  const std::size_t count = std::min(start.size(), kPrefix.size());
  if (start.substr(0, count) == kPrefix.substr(0, count)) return true;
  return start.front() == '\r' || start.front() == '\n';
}

// A missing reason is accepted with and without the space before it: many servers leave out both.
StatusLine parse_status_line(std::string_view line) {
  if (line.size() <= kMinorAt || !is_digit(line[kMinorAt])) return faulty(kNotHttp1);
  if (line.size() < kStatusEnd || line[kStatusAt - 1] != ' ') return faulty("a status line without a status");
  const char* const digits = line.data() + kStatusAt;
  if (!is_digit(digits[0]) || !is_digit(digits[1]) || !is_digit(digits[2]) || digits[0] == '0' ||
      (line.size() > kStatusEnd && line[kStatusEnd] != ' ')) {
    return faulty("a status that is not a number from 100 to 999");
  }
  const int status = (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0');
  return {static_cast<std::uint16_t>(status), static_cast<std::uint8_t>(line[kMinorAt] - '0'), nullptr};
}

}  // namespace hyperscale::load
