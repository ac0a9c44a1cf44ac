#include "plan/arguments/json_value.h"

#include "plan/arguments/utf8.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

tl::unexpected<Error> bad(std::string_view why) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("JSON body: {}", why));
}

// Appends the text of one value after another to one string.
class CompactWriter {
 public:
  Status write(const JsonValue& value, std::size_t depth) {
    if (depth > kJsonDepthMax) return bad(fmt::format("more than {} levels", kJsonDepthMax));
    return std::visit([&](const auto& content) { return append(content, depth); }, value.value);
  }
  std::string take() { return std::move(text_); }

 private:
  Status append(std::nullptr_t, std::size_t) { return raw("null"); }
  Status append(bool value, std::size_t) { return raw(value ? "true" : "false"); }
  Status append(std::int64_t value, std::size_t) { return raw(fmt::format("{}", value)); }
  Status append(double value, std::size_t) {
    if (!std::isfinite(value)) return bad("a number that is not finite");
    return raw(fmt::format("{}", value));
  }
  Status append(const std::string& value, std::size_t) { return quoted(value); }
  Status append(const JsonArray& items, std::size_t depth) {
    text_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) text_ += ',';
      if (Status item = write(items[i], depth + 1); !item) return item;
    }
    return raw("]");
  }
  Status append(const JsonObject& members, std::size_t depth) {
    text_ += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) text_ += ',';
      if (Status name = quoted(members[i].first); !name) return name;
      text_ += ':';
      if (Status value = write(members[i].second, depth + 1); !value) return value;
    }
    return raw("}");
  }

  Status raw(std::string_view text) {
    text_ += text;
    return {};
  }
  Status quoted(std::string_view text) {
    if (!is_utf8(text)) return bad("a text that is not UTF-8");
    text_ += '"';
    for (const char c : text) escape(c);
    return raw("\"");
  }
  void escape(char c) {
    constexpr std::string_view kShort = "\"\\\b\f\n\r\t";
    constexpr std::string_view kLetters = "\"\\bfnrt";
    if (const std::size_t at = kShort.find(c); at != std::string_view::npos) {
      text_ += {'\\', kLetters[at]};
    } else if (c >= 0 && c < ' ') {
      text_ += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      text_ += c;
    }
  }

  std::string text_;
};

}  // namespace

Result<std::string> compact_json(const JsonValue& value) {
  CompactWriter writer;
  if (Status written = writer.write(value, 1); !written) return fail(written.error());
  return writer.take();
}

}  // namespace hyperscale::plan
