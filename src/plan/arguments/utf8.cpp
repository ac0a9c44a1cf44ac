#include "plan/arguments/utf8.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::plan {
namespace {

// Valid continuation of a first byte: how many bytes, and the range of the next one. The range excludes overlong forms,
// surrogates and numbers beyond the last.
struct Lead {
  std::size_t following;
  std::uint8_t low;
  std::uint8_t high;
};

constexpr std::uint8_t kFirst = 0x80;
constexpr std::uint8_t kLast = 0xbf;

Lead lead_of(std::uint8_t byte) {
  if (byte < 0x80) return {0, kFirst, kLast};
  if (byte < 0xc2) return {4, 1, 0};  // not a valid first byte
  if (byte < 0xe0) return {1, kFirst, kLast};
  if (byte == 0xe0) return {2, 0xa0, kLast};
  if (byte == 0xed) return {2, kFirst, 0x9f};
  if (byte < 0xf0) return {2, kFirst, kLast};
  if (byte == 0xf0) return {3, 0x90, kLast};
  if (byte < 0xf4) return {3, kFirst, kLast};
  if (byte == 0xf4) return {3, kFirst, 0x8f};
  return {4, 1, 0};
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Lead lead = lead_of(static_cast<std::uint8_t>(text[at++]));
    if (lead.following > text.size() - at) return false;
    for (std::size_t i = 0; i < lead.following; ++i) {
      const auto byte = static_cast<std::uint8_t>(text[at++]);
      if (byte < (i == 0 ? lead.low : kFirst) || byte > (i == 0 ? lead.high : kLast)) return false;
    }
  }
  return true;
}

}  // namespace hyperscale::plan
