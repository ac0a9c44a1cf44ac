// One log record as one line, readable or JSON. A message cannot leave its line or move the cursor: control characters
// and broken UTF-8 are escaped, and long messages are cut.
//
// Thread rule: pure functions.
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace hyperscale::runtime {

inline constexpr std::size_t kLogMessageBytesMax = 8192;
inline constexpr std::size_t kLogFieldBytesMax = 1024;

enum class LogLevel : std::uint8_t { kTrace, kDebug, kInfo, kWarn, kError };
enum class LogFormat : std::uint8_t { kText, kJson };

std::string_view name(LogLevel level);
// "trace", "debug", "info", "warn", "error" and "text", "json", as the configuration writes them.
Result<LogLevel> parse_log_level(std::string_view text);
Result<LogFormat> parse_log_format(std::string_view text);

// A key with a value that stays a value: {"port", 8080} is a number in JSON. Views; lives as long as the log call.
struct LogField {
  using Value = std::variant<std::string_view, std::int64_t, std::uint64_t, double, bool>;

  LogField(std::string_view field_key, std::string_view text) : key(field_key), value(text) {}
  LogField(std::string_view field_key, const char* text) : key(field_key), value(std::string_view(text)) {}
  LogField(std::string_view field_key, const std::string& text) : key(field_key), value(std::string_view(text)) {}
  LogField(std::string_view field_key, bool flag) : key(field_key), value(flag) {}
  LogField(std::string_view field_key, double number) : key(field_key), value(number) {}
  LogField(std::string_view field_key, std::signed_integral auto number)
      : key(field_key), value(static_cast<std::int64_t>(number)) {}
  LogField(std::string_view field_key, std::unsigned_integral auto number)
      : key(field_key), value(static_cast<std::uint64_t>(number)) {}

  std::string_view key;
  Value value;
};

struct LogRecord {
  WallTime time;
  LogLevel level = LogLevel::kInfo;
  std::string_view component;
  std::string_view message;
  std::span<const LogField> fields;
};

// 2026-11-15T22:30:22.123Z info  transport: listening on 127.0.0.1:7600 conns=12, without a line end.
std::string text_line(const LogRecord& record, bool colours);
// {"ts":"2026-...","level":"info","component":"transport","msg":"listening","conns":12}, without a line end.
std::string json_line(const LogRecord& record);

}  // namespace hyperscale::runtime
