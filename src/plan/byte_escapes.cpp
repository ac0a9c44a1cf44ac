#include "plan/byte_escapes.h"

#include "base/append_format.h"
#include "plan/ascii.h"

#include <optional>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

std::optional<unsigned> digit_of(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

// Decodes the escape at the start of `text` to a byte; `size` is the length of the escape.
std::optional<char> byte_of(std::string_view text, std::size_t& size) {
  if (text.size() < 2) return std::nullopt;
  size = 2;
  switch (text[1]) {
    case 'r':
      return '\r';
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case '\\':
      return '\\';
    case 'x':
      break;
    default:
      return std::nullopt;
  }
  if (text.size() < 4) return std::nullopt;
  size = 4;
  const auto high = digit_of(text[2]);
  const auto low = digit_of(text[3]);
  if (!high || !low) return std::nullopt;
  return static_cast<char>(*high * 16 + *low);
}

}  // namespace

Result<std::string> unescaped(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\') {
      bytes += text[at++];
      continue;
    }
    std::size_t size = 0;
    const auto byte = byte_of(text.substr(at), size);
    if (!byte) {
      const std::size_t shown = at + 1 < text.size() && text[at + 1] == 'x' ? 4 : 2;
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("\"{}\" at position {} is not an escape; there are \\r \\n \\t \\xNN and \\\\",
                              escaped(text.substr(at + 1, shown - 1)).insert(0, "\\"), at + 1));
    }
    bytes += *byte;
    at += size;
  }
  return bytes;
}

std::string escaped(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    if (c == '\r') {
      text += "\\r";
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (c == '\\') {
      text += "\\\\";
    } else if (c == ' ' || is_visible(c)) {
      text += c;
    } else {
      append_format(text, "\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

}  // namespace hyperscale::plan
