#include "workflow/script/utf16.h"

namespace hyperscale::workflow {
namespace {

constexpr char16_t kReplacement = 0xFFFD;

// Valid continuation of a first byte.
struct Sequence {
  unsigned more = 0;                         // bytes that follow; kNone: not a valid first byte
  unsigned bits = 0;                         // value bits of the first byte
  unsigned char lower = 0x80, upper = 0xBF;  // of the second byte

  static constexpr unsigned kNone = 4;
};

Sequence sequence_of(unsigned char first) {
  if (first < 0x80) return {.more = 0, .bits = first};
  if (first < 0xC2 || first > 0xF4) return {.more = Sequence::kNone};
  if (first < 0xE0) return {.more = 1, .bits = first & 0x1FU};
  if (first < 0xF0) {
    Sequence three{.more = 2, .bits = first & 0xFU};
    if (first == 0xE0) three.lower = 0xA0;
    if (first == 0xED) three.upper = 0x9F;
    return three;
  }
  Sequence four{.more = 3, .bits = first & 0x7U};
  if (first == 0xF0) four.lower = 0x90;
  if (first == 0xF4) four.upper = 0x8F;
  return four;
}

void append_utf16(std::vector<char16_t>& units, unsigned code) {
  if (code < 0x10000) return units.push_back(static_cast<char16_t>(code));
  units.push_back(static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10)));
  units.push_back(static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FF)));
}

void append_utf8(std::string& text, unsigned code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  } else if (code < 0x10000) {
    text += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
             static_cast<char>(0x80 | (code & 0x3F))};
  } else {
    text += {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
             static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
  }
}

}  // namespace

DecodedUtf8 decode_utf8(std::string_view bytes) {
  DecodedUtf8 decoded;
  decoded.units.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const Sequence sequence = sequence_of(static_cast<unsigned char>(bytes[at++]));
    unsigned code = sequence.bits;
    unsigned char lower = sequence.lower;
    unsigned char upper = sequence.upper;
    bool whole = sequence.more != Sequence::kNone;
    for (unsigned i = 0; whole && i < sequence.more; ++i) {
      const auto next = at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : static_cast<unsigned char>(0);
      // The byte that does not fit may begin another sequence: it is decoded again.
      whole = next >= lower && next <= upper;
      if (!whole) break;
      code = code << 6 | (next & 0x3FU);
      lower = 0x80;
      upper = 0xBF;
      ++at;
    }
    if (whole) {
      append_utf16(decoded.units, code);
    } else {
      decoded.units.push_back(kReplacement);
      if (!decoded.first_error) decoded.first_error = at;
    }
  }
  return decoded;
}

std::string encode_utf8(std::span<const char16_t> units) {
  std::string text;
  text.reserve(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    unsigned code = units[i];
    const bool high = code >= 0xD800 && code < 0xDC00;
    const bool pair = high && i + 1 < units.size() && units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000;
    if (pair) code = 0x10000 + ((code - 0xD800) << 10) + (units[++i] - 0xDC00U);
    if (!pair && code >= 0xD800 && code < 0xE000) code = kReplacement;
    append_utf8(text, code);
  }
  return text;
}

}  // namespace hyperscale::workflow
