#include "runtime/log/log_line.h"

#include "base/append_format.h"

#include <array>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

constexpr std::array<std::string_view, 5> kLevelNames{"trace", "debug", "info", "warn", "error"};
constexpr std::array<std::string_view, 5> kLevelColours{"\x1b[90m", "\x1b[36m", "\x1b[32m", "\x1b[33m", "\x1b[31m"};
constexpr std::string_view kFaint = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";
constexpr std::string_view kCut = "...";

enum class Escape : std::uint8_t { kText, kJson };

// Bytes of the well-formed UTF-8 sequence at the start of `text`, 0 if there is none.
std::size_t sequence_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (at(i) & 0xC0U) == 0x80U; };
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool overlong = lead == 0xE0 && at(1) < 0xA0;
    const bool surrogate = lead == 0xED && at(1) > 0x9F;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool overlong = lead == 0xF0 && at(1) < 0x90;
    const bool beyond = lead == 0xF4 && at(1) > 0x8F;
    return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

// The code point of a well-formed sequence of two or three bytes; 0 for any other.
unsigned wide_code_point(std::string_view sequence) {
  const auto bits = [&](std::size_t i, unsigned mask) { return static_cast<unsigned char>(sequence[i]) & mask; };
  if (sequence.size() == 2) return bits(0, 0x1F) << 6 | bits(1, 0x3F);
  if (sequence.size() == 3) return bits(0, 0x0F) << 12 | bits(1, 0x3F) << 6 | bits(2, 0x3F);
  return 0;
}

// Controls beyond ASCII that terminals or readers obey: C1, line and paragraph separator, and what reorders text.
bool is_wide_control(unsigned code_point) {
  return (code_point >= 0x80 && code_point <= 0x9F) || (code_point >= 0x2028 && code_point <= 0x202E) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

void append_byte_escaped(std::string& out, unsigned char byte, Escape escape) {
  switch (byte) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  // JSON has no byte escapes: what is no text becomes the code point of the same number.
  if (escape == Escape::kJson)
    append_format(out, "\\u{:04x}", byte);
  else
    append_format(out, "\\x{:02x}", byte);
}

void append_escaped(std::string& out, std::string_view text, Escape escape, std::size_t bytes_max) {
  const bool cut = text.size() > bytes_max;
  if (cut) text = text.substr(0, bytes_max);
  while (!text.empty()) {
    const std::size_t bytes = sequence_bytes(text);
    const std::string_view sequence = text.substr(0, bytes == 0 ? 1 : bytes);
    const auto first = static_cast<unsigned char>(sequence[0]);
    if (bytes == 1 && escape == Escape::kJson && (first == '"' || first == '\\')) {
      out += '\\';
      out += sequence;
    } else if (bytes == 0 || first < 0x20 || first == 0x7F) {
      append_byte_escaped(out, first, escape);
    } else if (is_wide_control(wide_code_point(sequence))) {
      append_format(out, "\\u{:04x}", wide_code_point(sequence));
    } else {
      out += sequence;
    }
    text.remove_prefix(sequence.size());
  }
  if (cut) out += kCut;
}

void append_time(std::string& out, WallTime time) {
  const std::int64_t ms = time.ms();
  const std::time_t seconds = ms / 1000;
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  append_format(out, "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                utc.tm_hour, utc.tm_min, utc.tm_sec, ms % 1000);
}

void append_json_string(std::string& out, std::string_view text, std::size_t bytes_max) {
  out += '"';
  append_escaped(out, text, Escape::kJson, bytes_max);
  out += '"';
}

struct JsonValue {
  std::string& out;
  void operator()(std::string_view text) const { append_json_string(out, text, kLogFieldBytesMax); }
  void operator()(bool flag) const { out += flag ? "true" : "false"; }
  void operator()(double number) const {
    if (std::isfinite(number))
      append_format(out, "{}", number);
    else
      out += "null";
  }
  void operator()(std::integral auto number) const { append_format(out, "{}", number); }
};

struct TextValue {
  std::string& out;
  void operator()(std::string_view text) const {
    const bool plain = !text.empty() && text.find_first_of(" =\"\\") == std::string_view::npos;
    if (plain)
      append_escaped(out, text, Escape::kText, kLogFieldBytesMax);
    else
      append_json_string(out, text, kLogFieldBytesMax);
  }
  void operator()(bool flag) const { out += flag ? "true" : "false"; }
  void operator()(auto number) const { append_format(out, "{}", number); }
};

template <std::size_t Count>
std::size_t index_of(const std::array<std::string_view, Count>& names, std::string_view text) {
  std::size_t index = 0;
  while (index < Count && names[index] != text) ++index;
  return index;
}

}  // namespace

std::string_view name(LogLevel level) {
  return kLevelNames[static_cast<std::size_t>(level)];
}

Result<LogLevel> parse_log_level(std::string_view text) {
  const std::size_t index = index_of(kLevelNames, text);
  if (index < kLevelNames.size()) return static_cast<LogLevel>(index);
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("'{}' is no log level; use trace, debug, info, warn or error", text));
}

Result<LogFormat> parse_log_format(std::string_view text) {
  if (text == "text") return LogFormat::kText;
  if (text == "json") return LogFormat::kJson;
  return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is no log format; use text or json", text));
}

std::string text_line(const LogRecord& record, bool colours) {
  std::string out;
  out.reserve(64 + record.message.size());
  if (colours) out += kFaint;
  append_time(out, record.time);
  if (colours) (out += kPlain) += kLevelColours[static_cast<std::size_t>(record.level)];
  append_format(out, " {:<5}", name(record.level));
  if (colours) out += kPlain;
  out += ' ';
  append_escaped(out, record.component, Escape::kText, kLogFieldBytesMax);
  out += ": ";
  append_escaped(out, record.message, Escape::kText, kLogMessageBytesMax);
  for (const LogField& field : record.fields) {
    out += ' ';
    append_escaped(out, field.key, Escape::kText, kLogFieldBytesMax);
    out += '=';
    std::visit(TextValue{out}, field.value);
  }
  return out;
}

std::string json_line(const LogRecord& record) {
  std::string out = "{\"ts\":\"";
  append_time(out, record.time);
  append_format(out, "\",\"level\":\"{}\",\"component\":", name(record.level));
  append_json_string(out, record.component, kLogFieldBytesMax);
  out += ",\"msg\":";
  append_json_string(out, record.message, kLogMessageBytesMax);
  for (const LogField& field : record.fields) {
    out += ',';
    append_json_string(out, field.key, kLogFieldBytesMax);
    out += ':';
    std::visit(JsonValue{out}, field.value);
  }
  out += '}';
  return out;
}

}  // namespace hyperscale::runtime
