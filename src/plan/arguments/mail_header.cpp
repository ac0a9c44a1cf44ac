#include "plan/arguments/mail_header.h"

#include "plan/arguments/auth.h"
#include "plan/arguments/utf8.h"
#include "plan/ascii.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

// A word beside the name of its header must stay within the line.
constexpr std::size_t kWordMax = kMailColumnsMax - 12;

// Splits at single blanks. Empty if the text must be encoded to keep its meaning.
std::vector<std::string> plain_words(std::string_view text) {
  if (!std::ranges::all_of(text, [](char c) { return is_visible(c) || c == ' '; })) return {};
  if (text.find("=?") != std::string_view::npos) return {};
  std::vector<std::string> words;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    // An empty word is a blank at an end or a second one in a row, which a mail program would drop.
    if (end == start || end - start > kWordMax) return {};
    words.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

}  // namespace

Status check_mail_text(std::string_view what, std::string_view text) {
  if (text.size() > kMailTextBytesMax) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{} has more than {} bytes", what, kMailTextBytesMax));
  }
  if (std::ranges::any_of(text, is_control)) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{} has a line break or another control character", what));
  }
  if (!is_utf8(text)) return fail(ErrorCode::kInvalidArgument, fmt::format("{} is not UTF-8", what));
  return {};
}

std::vector<std::string> mail_text_pieces(std::string_view text) {
  if (text.empty()) return {};
  std::vector<std::string> words = plain_words(text);
  return words.empty() ? encoded_words(text) : words;
}

std::vector<std::string> encoded_words(std::string_view text) {
  // 52 of base64 and 12 around them: with the name of a header before it, a line stays within the 76 of RFC 2047 2.
  constexpr std::size_t kBytesMax = 39;
  std::vector<std::string> words;
  while (!text.empty()) {
    std::size_t size = std::min(text.size(), kBytesMax);
    while (size < text.size() && (static_cast<std::uint8_t>(text[size]) & 0xc0) == 0x80) --size;
    words.push_back(fmt::format("=?UTF-8?B?{}?=", base64(text.substr(0, size))));
    text.remove_prefix(size);
  }
  return words;
}

std::string folded_header(std::string_view name, const std::vector<std::string>& pieces) {
  std::string header = fmt::format("{}:", name);
  std::size_t column = header.size();
  bool first = true;
  for (const std::string& piece : pieces) {
    // The first piece stays beside the name: a line of nothing but a name confuses old readers.
    if (!first && column + 1 + piece.size() > kMailColumnsMax) {
      header += "\r\n";
      column = 0;
    }
    header.append(" ").append(piece);
    column += 1 + piece.size();
    first = false;
  }
  return header + "\r\n";
}

}  // namespace hyperscale::plan
