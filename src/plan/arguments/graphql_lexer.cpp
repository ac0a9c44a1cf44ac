#include "plan/arguments/graphql_lexer.h"

#include "plan/arguments/text_position.h"
#include "plan/ascii.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kBlockQuote = "\"\"\"";
constexpr std::uint32_t kCharacterMax = 0x10ffff;

bool starts_name(char c) {
  return is_letter(c) || c == '_';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}
bool ends_line(char c) {
  return c == '\n' || c == '\r';
}
// What the specification calls a source character, byte by byte.
bool is_source(char c) {
  return !(c >= 0 && c < ' ') || c == '\t' || ends_line(c);
}
bool is_high_surrogate(std::uint32_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}
bool is_low_surrogate(std::uint32_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

}  // namespace

GraphqlLexer::GraphqlLexer(std::string_view document) : document_(document) {
  if (document.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
}

tl::unexpected<Error> GraphqlLexer::failure_at(std::size_t offset, std::string_view why) const {
  return fail(ErrorCode::kInvalidArgument, fmt::format("GraphQL {}: {}", position_text(document_, offset), why));
}

GraphqlToken GraphqlLexer::token_since(GraphqlTokenKind kind, std::size_t start) const {
  return {.kind = kind, .text = document_.substr(start, at_ - start), .offset = start};
}

Result<GraphqlToken> GraphqlLexer::next() {
  if (Status skipped = skip_ignored(); !skipped) return fail(skipped.error());
  const std::size_t start = at_;
  if (start == document_.size()) return token_since(GraphqlTokenKind::kEnd, start);
  const char c = peek();
  if (starts_name(c)) {
    while (continues_name(peek())) ++at_;
    return token_since(GraphqlTokenKind::kName, start);
  }
  if (is_digit(c) || c == '-') return number();
  if (left().starts_with(kBlockQuote)) return block_string();
  if (c == '"') return string();
  if (left().starts_with("...")) {
    at_ += 3;
    return token_since(GraphqlTokenKind::kPunctuator, start);
  }
  if (c != 0 && std::string_view("!$&():=@[]{|}").find(c) != std::string_view::npos) {
    ++at_;
    return token_since(GraphqlTokenKind::kPunctuator, start);
  }
  if (!is_visible(c)) return failure_at(start, "a character that is allowed only inside a string or a comment");
  return failure_at(start, fmt::format("unexpected character {:?}", c));
}

Status GraphqlLexer::skip_ignored() {
  while (at_ < document_.size()) {
    if (std::string_view(" \t\r\n,").find(document_[at_]) != std::string_view::npos) {
      ++at_;
    } else if (document_[at_] == '#') {
      for (; at_ < document_.size() && !ends_line(document_[at_]); ++at_) {
        if (!is_source(document_[at_])) return failure_at(at_, "a control character in a comment");
      }
    } else {
      break;
    }
  }
  return {};
}

Status GraphqlLexer::digits() {
  if (!is_digit(peek())) return failure_at(at_, "a digit is missing here");
  while (is_digit(peek())) ++at_;
  return {};
}

Result<GraphqlToken> GraphqlLexer::number() {
  const std::size_t start = at_;
  GraphqlTokenKind kind = GraphqlTokenKind::kInt;
  if (peek() == '-') ++at_;
  if (peek() == '0') {
    ++at_;
    if (is_digit(peek())) return failure_at(start, "a number has a zero too many at its start");
  } else if (Status whole = digits(); !whole) {
    return fail(whole.error());
  }
  if (peek() == '.') {
    kind = GraphqlTokenKind::kFloat;
    ++at_;
    if (Status fraction = digits(); !fraction) return fail(fraction.error());
  }
  if (to_lower(peek()) == 'e') {
    kind = GraphqlTokenKind::kFloat;
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    if (Status exponent = digits(); !exponent) return fail(exponent.error());
  }
  if (peek() == '.' || starts_name(peek())) return failure_at(at_, "a number is followed by a letter or a point");
  return token_since(kind, start);
}

Result<GraphqlToken> GraphqlLexer::string() {
  const std::size_t start = at_++;
  while (at_ < document_.size() && document_[at_] != '"') {
    if (ends_line(document_[at_])) return failure_at(start, "a string has no end on its line");
    if (!is_source(document_[at_])) return failure_at(at_, "a control character in a string; write it as an escape");
    if (document_[at_] != '\\') {
      ++at_;
    } else if (Status escaped = escape(); !escaped) {
      return fail(escaped.error());
    }
  }
  if (at_ == document_.size()) return failure_at(start, "a string has no end");
  ++at_;
  return token_since(GraphqlTokenKind::kString, start);
}

Result<GraphqlToken> GraphqlLexer::block_string() {
  const std::size_t start = at_;
  at_ += kBlockQuote.size();
  while (!left().starts_with(kBlockQuote)) {
    if (at_ == document_.size()) return failure_at(start, "a block string has no end");
    if (!is_source(document_[at_])) return failure_at(at_, "a control character in a block string");
    at_ += left().starts_with("\\\"\"\"") ? 4 : 1;
  }
  at_ += kBlockQuote.size();
  return token_since(GraphqlTokenKind::kString, start);
}

Status GraphqlLexer::escape() {
  const std::size_t start = at_++;
  const char letter = peek();
  if (letter == 0 || std::string_view("\"\\/bfnrtu").find(letter) == std::string_view::npos) {
    return failure_at(start, "an unknown escape");
  }
  ++at_;
  if (letter != 'u') return {};
  const bool braced = peek() == '{';
  if (braced) ++at_;
  const Result<std::uint32_t> unit = braced ? hex_digits(1, 8) : hex_digits(4, 4);
  if (!unit) return failure_at(start, unit.error().context);
  if (braced && peek() != '}') return failure_at(start, "an escape \\u{ has no }");
  if (braced) ++at_;
  if (!braced && is_high_surrogate(*unit) && left().starts_with("\\u")) {
    at_ += 2;
    const Result<std::uint32_t> second = hex_digits(4, 4);
    if (second && is_low_surrogate(*second)) return {};
  }
  if (*unit > kCharacterMax || is_high_surrogate(*unit) || is_low_surrogate(*unit)) {
    return failure_at(start, "an escape that is no character");
  }
  return {};
}

Result<std::uint32_t> GraphqlLexer::hex_digits(std::size_t count_min, std::size_t count_max) {
  std::uint32_t number = 0;
  std::size_t count = 0;
  for (; count < count_max && is_hex_digit(peek()); ++count, ++at_) {
    const char digit = to_lower(peek());
    number = number * 16 + static_cast<std::uint32_t>(is_digit(digit) ? digit - '0' : digit - 'a' + 10);
  }
  if (count < count_min) return fail(ErrorCode::kInvalidArgument, "\\u needs four hexadecimal digits, or {digits}");
  return number;
}

}  // namespace hyperscale::plan
