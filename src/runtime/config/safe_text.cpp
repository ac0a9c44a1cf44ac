#include "runtime/config/safe_text.h"

#include "base/check.h"

#include <cstdint>

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

struct Sequence {
  std::size_t length;  // 0 = not valid UTF-8 here
  char32_t code_point;
};

// The UTF-8 sequence at the front of a non-empty text; overlong forms and surrogates are not valid.
Sequence front_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {0, 0};
  char32_t code_point = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0, 0};
    code_point = code_point << 6 | (byte(i) & 0x3Fu);
  }
  constexpr char32_t kSmallestOfLength[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < kSmallestOfLength[length] || code_point > 0x10FFFF || surrogate) return {0, 0};
  return {length, code_point};
}

// U+2028 and U+2029 end a line for many readers of a log.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
}

}  // namespace

bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    const Sequence sequence = front_sequence(text);
    if (sequence.length == 0 || is_control(sequence.code_point)) return false;
    text.remove_prefix(sequence.length);
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    if (shown.size() >= kShownBytesMax) return shown + "...";
    const Sequence sequence = front_sequence(text);
    const std::size_t length = sequence.length == 0 ? 1 : sequence.length;
    if (sequence.length != 0 && !is_control(sequence.code_point)) {
      shown += text.substr(0, length);
    } else {
      for (const char c : text.substr(0, length)) shown += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(c));
    }
    text.remove_prefix(length);
  }
  return shown;
}

std::string toml_quoted(std::string_view text) {
  CHECK(is_plain_text(text), "{}", printable(text));
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace hyperscale::runtime
