#include "base/utf8.h"

#include "base/check.h"

#include <array>

namespace hyperscale {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// Smallest code that needs a sequence of so many bytes.
constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};

unsigned length_from(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

}  // namespace

Utf8Char first_char(std::string_view text) {
  CHECK(!text.empty(), "there is no first character");
  const auto lead = static_cast<unsigned char>(text.front());
  const Utf8Char invalid{lead, 1, false};
  const unsigned length = length_from(lead);
  if (length == 0 || length > text.size()) return invalid;
  if (length == 1) return {lead, 1, true};
  char32_t code = lead & (0xffu >> (length + 1));
  for (unsigned i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return invalid;
    code = (code << 6) | (next & 0x3fu);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest[length] || code > 0x10ffff || surrogate) return invalid;
  return {code, static_cast<std::uint8_t>(length), true};
}

bool is_invisible(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
         (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

std::string valid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Char next = first_char(text);
    result += next.valid ? text.substr(0, next.bytes) : kReplacement;
    text.remove_prefix(next.bytes);
  }
  return result;
}

}  // namespace hyperscale
