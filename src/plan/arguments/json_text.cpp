#include "plan/arguments/json_text.h"

#include "plan/arguments/json_value.h"
#include "plan/arguments/text_position.h"
#include "plan/arguments/utf8.h"
#include "plan/ascii.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

// Scans the text once and copies all but the blanks.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Result<JsonText> read() {
    skip_blanks();
    json_.is_object = peek() == '{';
    if (Status value = read_value(1); !value) return fail(value.error());
    skip_blanks();
    if (at_ != text_.size()) return bad("something after the end of the value");
    return std::move(json_);
  }

 private:
  tl::unexpected<Error> bad(std::string_view why) const {
    return fail(ErrorCode::kInvalidArgument, fmt::format("JSON {}: {}", position_text(text_, at_), why));
  }

  // Zero at the end; a zero byte is not valid in JSON either.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  void copy(std::size_t count) {
    json_.compact += text_.substr(at_, count);
    at_ += count;
  }

  Status read_value(std::size_t depth) {
    if (depth > kJsonDepthMax) return bad(fmt::format("more than {} levels", kJsonDepthMax));
    if (peek() == '{') return read_items('}', depth, true);
    if (peek() == '[') return read_items(']', depth, false);
    if (peek() == '"') return read_string();
    if (peek() == '-' || is_digit(peek())) return read_number();
    for (const std::string_view word : {"true", "false", "null"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      copy(word.size());
      return {};
    }
    return bad(at_ == text_.size() ? "a value is missing at the end" : "a value is missing here");
  }

  // The inside of an object or an array; only objects have names.
  Status read_items(char end, std::size_t depth, bool named) {
    copy(1);
    skip_blanks();
    if (peek() == end) {
      copy(1);
      return {};
    }
    for (;;) {
      if (Status name = named ? read_name(depth) : Status(); !name) return name;
      if (Status value = read_value(depth + 1); !value) return value;
      skip_blanks();
      if (peek() != ',' && peek() != end) return bad(fmt::format("a comma or {:?} is missing here", end));
      const bool last = peek() == end;
      copy(1);
      if (last) return {};
      skip_blanks();
    }
  }

  Status read_name(std::size_t depth) {
    if (peek() != '"') return bad("a name in double quotes is missing here");
    const std::size_t start = at_;
    if (Status name = read_string(); !name) return name;
    if (depth == 1) json_.members.emplace_back(text_.substr(start + 1, at_ - start - 2));
    skip_blanks();
    if (peek() != ':') return bad("a colon is missing here");
    copy(1);
    skip_blanks();
    return {};
  }

  Status read_string() {
    copy(1);
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] >= 0 && text_[at_] < ' ') return bad("a control character in a text; write it as an escape");
      if (text_[at_] != '\\') {
        copy(1);
      } else if (Status escape = read_escape(); !escape) {
        return escape;
      }
    }
    if (at_ == text_.size()) return bad("a text has no end");
    copy(1);
    return {};
  }

  Status read_escape() {
    const std::string_view left = text_.substr(at_ + 1);
    if (left.empty() || left[0] == 0 || std::string_view("\"\\/bfnrtu").find(left[0]) == std::string_view::npos) {
      return bad("an unknown escape");
    }
    if (left[0] != 'u') {
      copy(2);
      return {};
    }
    if (left.size() < 5 || !std::ranges::all_of(left.substr(1, 4), is_hex_digit)) {
      return bad("\\u needs four hexadecimal digits");
    }
    copy(6);
    return {};
  }

  Status read_number() {
    if (peek() == '-') copy(1);
    const bool zero = peek() == '0';
    const std::size_t first = at_;
    if (Status whole = read_digits(); !whole) return whole;
    if (zero && at_ - first > 1) return bad("a number has a zero too many at its start");
    if (peek() == '.') {
      copy(1);
      if (Status fraction = read_digits(); !fraction) return fraction;
    }
    if (peek() == 'e' || peek() == 'E') {
      copy(1);
      if (peek() == '+' || peek() == '-') copy(1);
      if (Status exponent = read_digits(); !exponent) return exponent;
    }
    return {};
  }

  Status read_digits() {
    if (!is_digit(peek())) return bad("a digit is missing here");
    while (is_digit(peek())) copy(1);
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  JsonText json_;
};

}  // namespace

Result<JsonText> read_json_text(std::string_view text) {
  if (!is_utf8(text)) return fail(ErrorCode::kInvalidArgument, "JSON: a text that is not UTF-8");
  return JsonReader(text).read();
}

}  // namespace hyperscale::plan
