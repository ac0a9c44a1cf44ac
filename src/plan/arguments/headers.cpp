#include "plan/arguments/headers.h"

#include "plan/ascii.h"
#include "plan/limits.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

std::string_view without_blanks_around(std::string_view value) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = value.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return value.substr(first, value.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

// The value is not repeated in a message: it may be a secret.
Status check_header(const Header& header) {
  if (header.name.empty()) return fail(ErrorCode::kInvalidArgument, "a header has no name");
  if (!is_token(header.name)) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("header name {:?} has a character other than letters, digits and !#$%&'*+-.^_`|~", header.name));
  }
  if (header.name.size() > kHeaderNameBytesMax || header.value.size() > kHeaderValueBytesMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("header {} is too long: a name has at most {} bytes, a value {}", header.name.substr(0, 40),
                            kHeaderNameBytesMax, kHeaderValueBytesMax));
  }
  if (std::ranges::any_of(header.value, [](char c) { return is_control(c) && c != '\t'; })) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the value of header {} has a line break or another control character", header.name));
  }
  return {};
}

Result<WireHeaders> prepare_headers(const std::vector<Header>& headers) {
  WireHeaders wire;
  wire.list.reserve(headers.size());
  for (const Header& header : headers) {
    if (Status checked = check_header(header); !checked) return fail(checked.error());
    const std::string_view value = without_blanks_around(header.value);
    wire.http1.append(header.name).append(": ").append(value).append("\r\n");
    wire.list.push_back({.name = lower_case(header.name), .value = std::string(value)});
  }
  return wire;
}

}  // namespace hyperscale::plan
