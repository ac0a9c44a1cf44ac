#include "base/check.h"
#include "base/duration_text.h"
#include "base/size_text.h"
#include "runtime/config/config_fields.h"
#include "runtime/config/config_loader.h"
#include "runtime/config/listen_address.h"
#include "runtime/config/safe_text.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hyperscale::runtime {
namespace {

constexpr std::size_t kNameBytesMax = 64;
constexpr std::size_t kPathBytesMax = 4096;
constexpr std::string_view kListCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:";
constexpr std::string_view kItemsCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:,[]";
constexpr std::string_view kNameCharacters = kListCharacters.substr(0, kListCharacters.size() - 1);

std::string value_text(bool value) {
  return value ? "true" : "false";
}
std::string value_text(std::uint32_t value) {
  return fmt::format("{}", value);
}
std::string value_text(std::uint64_t value) {
  return format_size(value);
}
std::string value_text(Duration value) {
  return format_duration(value);
}
std::string value_text(const std::string& value) {
  return value;
}

std::string bound_text(FieldKind kind, std::int64_t bound) {
  if (kind == FieldKind::kDuration) return format_duration(Duration(bound));
  if (kind == FieldKind::kSize) return format_size(static_cast<std::uint64_t>(bound));
  return fmt::format("{}", bound);
}

std::optional<FieldProblem> problem(std::string message, std::string hint) {
  return FieldProblem{std::move(message), std::move(hint)};
}

// A parser's sentence is "what is wrong: what to write instead".
std::optional<FieldProblem> parse_problem(const FieldInfo& field, const Error& error) {
  const std::string_view sentence = error.context;
  const std::size_t colon = sentence.rfind(": ");
  const std::string_view advice = colon == std::string_view::npos ? "" : sentence.substr(colon + 2);
  return problem(fmt::format("{}: {}", field.path, printable(sentence.substr(0, colon))), printable(advice));
}

// Stores a number that is within the bounds of its field.
template <typename Value>
std::optional<FieldProblem> set_bounded(NodeConfig& config, const FieldInfo& field, std::int64_t number, Value value) {
  if (number < field.min || number > field.max) {
    return problem(fmt::format("{} is out of range: {}", field.path, bound_text(field.kind, number)),
                   fmt::format("write a value from {}", range_text(field)));
  }
  std::get<Value& (*)(NodeConfig&)>(field.access)(config) = value;
  return std::nullopt;
}

std::optional<FieldProblem> set_switch(NodeConfig& config, const FieldInfo& field, std::string_view text) {
  constexpr std::string_view kOn[] = {"true", "1", "on", "yes"};
  constexpr std::string_view kOff[] = {"false", "0", "off", "no"};
  const bool on = std::ranges::find(kOn, text) != std::end(kOn);
  if (!on && std::ranges::find(kOff, text) == std::end(kOff)) {
    return problem(fmt::format("{} is neither true nor false: \"{}\"", field.path, printable(text)),
                   "write true or false");
  }
  std::get<bool& (*)(NodeConfig&)>(field.access)(config) = on;
  return std::nullopt;
}

std::optional<FieldProblem> set_count(NodeConfig& config, const FieldInfo& field, std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return problem(fmt::format("{} is not a whole number: \"{}\"", field.path, printable(text)),
                   fmt::format("write a number from {}", range_text(field)));
  }
  return set_bounded(config, field, number, static_cast<std::uint32_t>(number));
}

std::optional<FieldProblem> set_size(NodeConfig& config, const FieldInfo& field, std::string_view text) {
  const Result<std::uint64_t> bytes = parse_size(text);
  if (!bytes) return parse_problem(field, bytes.error());
  const auto number = static_cast<std::int64_t>(std::min<std::uint64_t>(*bytes, INT64_MAX));
  return set_bounded(config, field, number, *bytes);
}

std::optional<FieldProblem> set_duration(NodeConfig& config, const FieldInfo& field, std::string_view text) {
  const Result<Duration> duration = parse_duration(text);
  if (!duration) return parse_problem(field, duration.error());
  return set_bounded(config, field, duration->count(), *duration);
}

std::optional<FieldProblem> text_problem(const FieldInfo& field, std::string_view text) {
  switch (field.kind) {
    case FieldKind::kChoice:
      if (std::ranges::find(field.choices, text) != field.choices.end()) return std::nullopt;
      return problem(fmt::format("{} is not one of its values: \"{}\"", field.path, printable(text)),
                     fmt::format("write one of {}", range_text(field)));
    case FieldKind::kAddress: {
      const Result<ListenAddress> address = parse_listen_address(text);
      if (address) return std::nullopt;
      return parse_problem(field, address.error());
    }
    case FieldKind::kPath:
      if (text.size() <= kPathBytesMax && is_plain_text(text)) return std::nullopt;
      return problem(fmt::format("{} is not a usable path", field.path),
                     fmt::format("write at most {} bytes of UTF-8 without control characters", kPathBytesMax));
    case FieldKind::kList:
      if (text.size() <= kPathBytesMax && text.find_first_not_of(kListCharacters) == std::string_view::npos) {
        return std::nullopt;
      }
      return problem(fmt::format("{} is not a usable list: \"{}\"", field.path, printable(text)),
                     fmt::format("write {}", range_text(field)));
    case FieldKind::kItems:
      if (text.size() <= kPathBytesMax && text.find_first_not_of(kItemsCharacters) == std::string_view::npos) {
        return std::nullopt;
      }
      return problem(fmt::format("{} is not a usable list: \"{}\"", field.path, printable(text)),
                     fmt::format("write {}", range_text(field)));
    default:
      if (!text.empty() && text.size() <= kNameBytesMax &&
          text.find_first_not_of(kNameCharacters) == std::string_view::npos) {
        return std::nullopt;
      }
      return problem(fmt::format("{} is not a usable name: \"{}\"", field.path, printable(text)),
                     fmt::format("write {}", range_text(field)));
  }
}

}  // namespace

std::string environment_name(std::string_view path) {
  std::string name(kEnvironmentPrefix);
  for (const char c : path) {
    name += c == '.' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return name;
}

std::string field_text(const NodeConfig& config, const FieldInfo& field) {
  // The accessors hand out a mutable reference; this one is only read.
  auto& readable = const_cast<NodeConfig&>(config);
  return std::visit([&](auto access) { return value_text(access(readable)); }, field.access);
}

std::optional<FieldProblem> set_field(NodeConfig& config, const FieldInfo& field, std::string_view text) {
  switch (field.kind) {
    case FieldKind::kSwitch:
      return set_switch(config, field, text);
    case FieldKind::kCount:
      return set_count(config, field, text);
    case FieldKind::kSize:
      return set_size(config, field, text);
    case FieldKind::kDuration:
      return set_duration(config, field, text);
    case FieldKind::kText:
    case FieldKind::kChoice:
    case FieldKind::kAddress:
    case FieldKind::kPath:
    case FieldKind::kList:
    case FieldKind::kItems:
      break;
  }
  if (auto wrong = text_problem(field, text)) return wrong;
  std::get<std::string& (*)(NodeConfig&)>(field.access)(config) = text;
  return std::nullopt;
}

std::string range_text(const FieldInfo& field) {
  switch (field.kind) {
    case FieldKind::kSwitch:
      return "true, false";
    case FieldKind::kCount:
    case FieldKind::kSize:
    case FieldKind::kDuration:
      return fmt::format("{} to {}", bound_text(field.kind, field.min), bound_text(field.kind, field.max));
    case FieldKind::kText:
      return fmt::format("1 to {} letters, digits, dots, dashes and underscores", kNameBytesMax);
    case FieldKind::kChoice:
      return fmt::format("{}", fmt::join(field.choices, ", "));
    case FieldKind::kAddress:
      return "host:port";
    case FieldKind::kPath:
      return "a path, or empty";
    case FieldKind::kList:
      return "names separated by colons, or empty";
    case FieldKind::kItems:
      return "names or addresses separated by commas, or empty";
  }
  UNREACHABLE("field kind {}", static_cast<int>(field.kind));
}

}  // namespace hyperscale::runtime
