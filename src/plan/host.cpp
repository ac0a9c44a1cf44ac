#include "plan/host.h"

#include "plan/ascii.h"
#include "plan/idna.h"
#include "plan/limits.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

constexpr std::size_t kLabelBytesMax = 63;
constexpr std::size_t kIpv6Groups = 8;

tl::unexpected<Error> bad(std::string_view host, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("host \"{}\" {}", host, why));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// Number of 16-bit groups in a colon-separated list; a valid address has at most 8. Only its end may be written as
// IPv4.
std::size_t groups_in(std::string_view list, bool may_end_in_ipv4) {
  constexpr std::size_t kBad = kIpv6Groups + 1;
  if (list.empty()) return 0;
  const std::vector<std::string_view> parts = split(list, ':');
  std::size_t groups = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    if (may_end_in_ipv4 && i + 1 == parts.size() && is_ipv4_address(part)) {
      groups += 2;
    } else if (!part.empty() && part.size() <= 4 && std::ranges::all_of(part, is_hex_digit)) {
      groups += 1;
    } else {
      return kBad;
    }
  }
  return groups;
}

Status check_name(std::string_view host) {
  if (host.size() > kHostBytesMax) return bad(host, fmt::format("is longer than {} characters", kHostBytesMax));
  std::vector<std::string_view> labels = split(host, '.');
  if (labels.back().empty() && labels.size() > 1) labels.pop_back();  // "example.com." names the root
  for (const std::string_view label : labels) {
    if (label.empty()) return bad(host, "has an empty part between two dots");
    if (label.size() > kLabelBytesMax)
      return bad(host, fmt::format("has a part of more than {} characters", kLabelBytesMax));
    for (const char c : label) {
      if (!is_letter(c) && !is_digit(c) && c != '-' && c != '_') {
        return bad(host, "may only have letters, digits, \"-\", \"_\" and dots");
      }
    }
  }
  if (is_number(labels.back()) && !is_ipv4_address(host)) {
    return bad(host, "is not an IPv4 address, which is four numbers from 0 to 255 such as 127.0.0.1");
  }
  return {};
}

}  // namespace

bool is_ipv4_address(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '.');
  return parts.size() == 4 && std::ranges::all_of(parts, [](std::string_view part) {
           if (!is_number(part) || part.size() > 3 || (part.size() > 1 && part[0] == '0')) return false;
           return part.size() < 3 || part <= "255";
         });
}

bool is_ipv6_address(std::string_view text) {
  const std::size_t gap = text.find("::");
  if (gap == std::string_view::npos) return groups_in(text, true) == kIpv6Groups;
  const std::string_view after = text.substr(gap + 2);
  return groups_in(text.substr(0, gap), false) + groups_in(after, true) < kIpv6Groups;
}

Result<std::string> parse_host(std::string_view text) {
  if (text.empty()) return fail(ErrorCode::kInvalidArgument, "the host is missing");
  if (text.front() == '[') {
    const std::string_view inside = text.substr(1, text.size() - 2);
    if (text.back() != ']' || !is_ipv6_address(inside)) {
      return bad(text, "is not an IPv6 address in brackets such as [::1] or [2001:db8::1]");
    }
    return lower_case(inside);
  }
  if (!std::ranges::all_of(text, is_ascii)) {
    Result<std::string> ascii = domain_to_ascii(text);
    if (!ascii) return ascii;
    if (Status name = check_name(*ascii); !name) return fail(name.error());
    return ascii;
  }
  if (Status name = check_name(text); !name) return fail(name.error());
  return lower_case(text);
}

}  // namespace hyperscale::plan
