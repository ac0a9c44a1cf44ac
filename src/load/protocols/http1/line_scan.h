// Finds the end of a line, 16 bytes at a time, and classifies characters. Private to this folder.
//
// A line is scanned once: the search for its end stops at any control character, so a line that was found holds none
// but HTAB. Bytes above 0x7f (obs-text) are ordinary.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hyperscale::load {

inline constexpr std::size_t kScanBlock = 16;

constexpr bool is_control(char c) {
  const auto byte = static_cast<std::uint8_t>(c);
  return (byte < 0x20 && byte != '\t') || byte == 0x7f;
}

constexpr bool is_letter(char c) {
  return static_cast<std::uint8_t>((static_cast<std::uint8_t>(c) | 0x20) - 'a') < 26;
}

constexpr bool is_digit(char c) {
  return static_cast<std::uint8_t>(static_cast<std::uint8_t>(c) - '0') < 10;
}

// tchar of RFC 9110, section 5.6.2.
constexpr bool is_token_char(char c) {
  return is_letter(c) || is_digit(c) ||
         (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

constexpr bool is_space(char c) {
  return c == ' ' || c == '\t';
}

inline constexpr std::array<bool, 256> kTokenChars = [] {
  std::array<bool, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) table[byte] = is_token_char(static_cast<char>(byte));
  return table;
}();

// How many characters at the front are token characters. Letters and dashes, most characters of names, are checked 16
// at a time; others by a table.
inline std::size_t token_length(std::string_view text) {
  std::size_t length = 0;
#if defined(__SSE2__)
  while (text.size() - length >= kScanBlock) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + length));
    const __m128i from_a = _mm_sub_epi8(_mm_or_si128(block, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    const __m128i letters = _mm_cmpeq_epi8(_mm_min_epu8(from_a, _mm_set1_epi8(25)), from_a);
    const __m128i usual = _mm_or_si128(letters, _mm_cmpeq_epi8(block, _mm_set1_epi8('-')));
    const unsigned others = static_cast<unsigned>(_mm_movemask_epi8(usual)) ^ 0xffffu;
    if (others != 0) {
      length += static_cast<std::size_t>(std::countr_zero(others));
      break;
    }
    length += kScanBlock;
  }
#endif
  while (length < text.size() && kTokenChars[static_cast<std::uint8_t>(text[length])]) ++length;
  return length;
}

// The first control character other than HTAB, or `end`.
inline const char* find_control(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i last_control = _mm_set1_epi8(0x1f);
  const __m128i tab = _mm_set1_epi8('\t');
  const __m128i del = _mm_set1_epi8(0x7f);
  for (; static_cast<std::size_t>(end - at) >= kScanBlock; at += kScanBlock) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(block, last_control), block);
    const __m128i found = _mm_or_si128(_mm_andnot_si128(_mm_cmpeq_epi8(block, tab), low), _mm_cmpeq_epi8(block, del));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(found));
    if (mask != 0) return at + std::countr_zero(mask);
  }
#endif
  while (at != end && !is_control(*at)) ++at;
  return at;
}

// Whether there is one. The last block overlaps the one before it, so that no byte is checked on its own.
inline bool has_control(const char* at, const char* end) {
#if defined(__SSE2__)
  if (static_cast<std::size_t>(end - at) >= kScanBlock) {
    for (; static_cast<std::size_t>(end - at) > kScanBlock; at += kScanBlock)
      if (find_control(at, at + kScanBlock) != at + kScanBlock) return true;
    return find_control(end - kScanBlock, end) != end;
  }
#endif
  return find_control(at, end) != end;
}

struct ScannedLine {
  enum class Kind : std::uint8_t {
    kWhole,
    kPartial,  // no LF yet: the line is not judged
    kFaulty,   // there is an LF, and before it a byte that is not allowed in a line
  };
  Kind kind;
  bool ends_in_crlf;
  std::string_view text;   // without its end; kWhole only
  std::size_t size_bytes;  // with its end; not of kPartial
  const char* fault;       // of kFaulty
};

// The line at the front of `input`. A line is judged only when it is complete, so the result does not depend on how the
// input was cut.
inline ScannedLine scan_line(std::string_view input) {
  const char* const begin = input.data();
  const char* const end = begin + input.size();
  const char* const stop = find_control(begin, end);
  const auto length = static_cast<std::size_t>(stop - begin);
  if (end - stop >= 2 && stop[0] == '\r' && stop[1] == '\n') [[likely]] {
    return {ScannedLine::Kind::kWhole, true, {begin, length}, length + 2, nullptr};
  }
  if (stop != end && *stop == '\n') return {ScannedLine::Kind::kWhole, false, {begin, length}, length + 1, nullptr};
  const std::size_t line_feed = input.find('\n', length);
  if (line_feed == std::string_view::npos) return {ScannedLine::Kind::kPartial, false, {}, 0, nullptr};
  const char* const fault = *stop == '\r'   ? "a CR that no LF follows"
                            : *stop == '\0' ? "a NUL in the head"
                                            : "a control character in the head";
  return {ScannedLine::Kind::kFaulty, false, {}, line_feed + 1, fault};
}

}  // namespace hyperscale::load
