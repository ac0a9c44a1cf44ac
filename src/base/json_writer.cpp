#include "base/json_writer.h"

#include "base/check.h"
#include "base/utf8.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace hyperscale {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : valid_utf8(text)) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string exact_decimal(std::int64_t ns, std::uint64_t unit_ns, int digits) {
  const bool negative = ns < 0;
  const std::uint64_t size = negative ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  std::string text = fmt::format("{}{}.{:0{}}", negative ? "-" : "", size / unit_ns, size % unit_ns, digits);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

void JsonWriter::new_line() {
  text_ += '\n';
  text_.append(2 * levels_.size(), ' ');
}

void JsonWriter::before_item() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) text_ += level.layout == Layout::kInline ? ", " : ",";
  if (level.layout == Layout::kLines) new_line();
  level.empty = false;
}

void JsonWriter::raw(std::string_view text) {
  before_item();
  text_ += text;
}

void JsonWriter::open(char bracket, Layout layout) {
  before_item();
  text_ += bracket;
  levels_.push_back({levels_.empty() ? layout : std::max(layout, levels_.back().layout)});
}

void JsonWriter::close(char bracket) {
  CHECK(!levels_.empty() && !after_key_, "a bracket {} too many", bracket);
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && level.layout == Layout::kLines) new_line();
  text_ += bracket;
}

void JsonWriter::key(std::string_view name) {
  CHECK(!after_key_, "key {} follows a key", name);
  before_item();
  text_ += quoted(name);
  text_ += !levels_.empty() && levels_.back().layout == Layout::kCompact ? ":" : ": ";
  after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
  raw(quoted(text));
}

void JsonWriter::value(bool yes) {
  raw(yes ? "true" : "false");
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  // Millionths are finer than any of our figures and keep noise out of the text.
  const double rounded = std::round(number * 1e6) / 1e6;
  raw(fmt::format("{}", std::isfinite(rounded) ? rounded : number));
}

void JsonWriter::value(std::uint64_t number) {
  raw(fmt::format("{}", number));
}

void JsonWriter::value(std::int64_t number) {
  raw(fmt::format("{}", number));
}

void JsonWriter::fixed(double number, int digits) {
  if (!std::isfinite(number)) return null();
  raw(fmt::format("{:.{}f}", number, digits));
}

void JsonWriter::null() {
  raw("null");
}

void JsonWriter::number_text(std::string_view digits) {
  raw(digits);
}

void JsonWriter::verbatim(std::string_view json) {
  raw(json);
}

void JsonWriter::milliseconds(Duration duration) {
  raw(exact_decimal(duration.count(), 1'000'000, 6));
}

void JsonWriter::seconds(Duration duration) {
  raw(exact_decimal(duration.count(), 1'000'000'000, 9));
}

std::string JsonWriter::take() {
  return take_text() + "\n";
}

std::string JsonWriter::take_text() {
  CHECK(levels_.empty(), "{} brackets are open", levels_.size());
  return std::exchange(text_, {});
}

}  // namespace hyperscale
