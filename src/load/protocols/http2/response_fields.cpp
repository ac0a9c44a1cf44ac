#include "load/protocols/http2/response_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace hyperscale::load::http2 {
namespace {

constexpr std::uint16_t kSwitchingProtocols = 101;
constexpr std::uint16_t kNoContent = 204;

// The characters of a token (RFC 9110, section 5.6.2) without capital letters.
constexpr std::array<bool, 256> make_name_bytes() {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"))
    table[static_cast<std::uint8_t>(c)] = true;
  return table;
}

constexpr std::array<bool, 256> make_value_bytes() {
  std::array<bool, 256> table{};
  for (std::size_t byte = 0x20; byte < table.size(); ++byte) table[byte] = byte != 0x7f;
  table['\t'] = true;
  return table;
}

constexpr std::array<bool, 256> kNameBytes = make_name_bytes();
constexpr std::array<bool, 256> kValueBytes = make_value_bytes();

bool all_in(const std::array<bool, 256>& table, std::string_view text) {
  return std::ranges::all_of(text, [&](char c) { return table[static_cast<std::uint8_t>(c)]; });
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_of_connection(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames{"connection", "keep-alive", "proxy-connection", "transfer-encoding",
                                                   "upgrade"};
  return std::ranges::find(kNames, name) != kNames.end();
}

bool says_trailers(std::string_view value) {
  constexpr std::string_view kTrailers = "trailers";
  return std::ranges::equal(value, kTrailers, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
  });
}

}  // namespace

std::string_view ResponseFields::add(std::string_view name, std::string_view value) {
  const bool pseudo = name.starts_with(':');
  const std::string_view plain = name.substr(pseudo ? 1 : 0);
  if (plain.empty() || !all_in(kNameBytes, plain)) return "a field name is empty or has forbidden characters";
  if (!all_in(kValueBytes, value)) return "a field value has control characters";
  if (pseudo) return add_pseudo(name, value);
  regular_seen_ = true;
  switch (name.size()) {  // only few names are checked; the length excludes most others
    case 2:
      return name == "te" && !says_trailers(value) ? "te says something else than trailers" : "";
    case 7:
    case 10:
    case 16:
    case 17:
      return is_of_connection(name) ? "a field belongs to a connection of HTTP/1.1" : "";
    case 14:
      return name == "content-length" ? add_length(value) : "";
    default:
      return "";
  }
}

std::string_view ResponseFields::add_pseudo(std::string_view name, std::string_view value) {
  if (kind_ == BlockKind::kTrailers) return "a pseudo field among the trailers";
  if (regular_seen_) return "a pseudo field behind a regular one";
  if (name != ":status") return "a pseudo field that answers do not have";
  if (status_seen_) return ":status comes twice";
  status_seen_ = true;
  if (value.size() != 3 || !std::ranges::all_of(value, is_digit)) return ":status is not of three digits";
  status_ = static_cast<std::uint16_t>((value[0] - '0') * 100 + (value[1] - '0') * 10 + (value[2] - '0'));
  if (status_ < 100) return ":status is below 100";
  return status_ == kSwitchingProtocols ? "HTTP/2 has no status 101" : "";
}

std::string_view ResponseFields::add_length(std::string_view value) {
  if (content_length_ != kNoLength) return "content-length comes twice";
  if (status_ != 0 && status_ < 200) return "content-length in an informational head";
  // RFC 9110, section 8.6, forbids it in 204 altogether; widely used servers send 0.
  if (status_ == kNoContent && value != "0") return "content-length in an answer without content";
  if (value.empty() || !std::ranges::all_of(value, is_digit)) return "content-length is not a number";
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), content_length_);
  if (parsed.ec == std::errc{}) return "";
  content_length_ = kNoLength;
  return "content-length is too large";
}

std::string_view ResponseFields::finish() const {
  return kind_ == BlockKind::kHead && !status_seen_ ? "there is no :status" : "";
}

}  // namespace hyperscale::load::http2
