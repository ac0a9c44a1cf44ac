#include "sim/scenario/section_reader.h"

#include "base/duration_text.h"
#include "base/nearest_match.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::sim {

using runtime::TomlEntry;

void ScenarioErrors::add(std::uint32_t line, std::string_view message) {
  const auto later = std::ranges::upper_bound(errors_, line, {}, &Located::first);
  errors_.emplace(later, line, fmt::format("{}:{}: {}", file_, line, message));
}

std::vector<std::string> ScenarioErrors::take() {
  std::vector<std::string> texts;
  for (auto& [line, text] : errors_) texts.push_back(std::move(text));
  errors_.clear();
  return texts;
}

std::uint32_t SectionReader::line_of(std::string_view key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? line_ : found->second.key_place.line;
}

const TomlEntry* SectionReader::find(std::string_view key) {
  asked_.emplace_back(key);
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

bool SectionReader::wrong(std::string_view key, std::string_view wanted, const TomlEntry& entry) {
  error(key, fmt::format("{} must be {}, not {}", key, wanted, runtime::toml_type_name(entry.value)));
  return false;
}

bool SectionReader::text(std::string_view key, std::string& to) {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return false;
  const auto* value = std::get_if<std::string>(&entry->value);
  if (value == nullptr) return wrong(key, "text in quotes", *entry);
  to = *value;
  return true;
}

bool SectionReader::duration(std::string_view key, Duration& to) {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return false;
  const auto* value = std::get_if<std::string>(&entry->value);
  if (value == nullptr) return wrong(key, "a duration such as \"30s\"", *entry);
  const bool negative = value->starts_with('-');
  const auto parsed = parse_duration(std::string_view(*value).substr(negative ? 1 : 0));
  if (!parsed) {
    error(key, fmt::format("{}: {}", key, parsed.error().context));
    return false;
  }
  to = negative ? -*parsed : *parsed;
  return true;
}

bool SectionReader::number(std::string_view key, double& to) {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return false;
  if (const auto* whole = std::get_if<std::int64_t>(&entry->value)) {
    to = static_cast<double>(*whole);
  } else if (const auto* fraction = std::get_if<double>(&entry->value)) {
    to = *fraction;
  } else {
    return wrong(key, "a number", *entry);
  }
  return true;
}

bool SectionReader::count(std::string_view key, std::uint32_t max, std::uint32_t& to) {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return false;
  const auto* value = std::get_if<std::int64_t>(&entry->value);
  if (value == nullptr) return wrong(key, "a whole number", *entry);
  if (*value < 0 || *value > max) {
    error(key, fmt::format("{} must be from 0 to {}, not {}", key, max, *value));
    return false;
  }
  to = static_cast<std::uint32_t>(*value);
  return true;
}

bool SectionReader::share(std::string_view key, double& to) {
  double value = 0;
  if (!number(key, value)) return false;
  if (!(value >= 0 && value <= 1)) {
    error(key, fmt::format("{} is a share from 0 to 1, not {}", key, value));
    return false;
  }
  to = value;
  return true;
}

std::map<std::string, std::int64_t> SectionReader::all_numbers() {
  std::map<std::string, std::int64_t> numbers;
  for (const auto& [key, entry] : entries_) {
    asked_.push_back(key);
    if (const auto* value = std::get_if<std::int64_t>(&entry.value)) {
      numbers.emplace(key, *value);
    } else {
      wrong(key, "a whole number", entry);
    }
  }
  return numbers;
}

void SectionReader::must_have(std::string_view key) {
  if (!entries_.contains(key)) errors_->add(line_, fmt::format("{} needs the key '{}'", name_, key));
}

void SectionReader::finish() {
  for (const auto& [key, entry] : entries_) {
    if (std::ranges::find(asked_, key) != asked_.end()) continue;
    const auto close = nearest_match(key, asked_);
    errors_->add(entry.key_place.line,
                 fmt::format("unknown key '{}' in {}{}", key, name_,
                             close ? fmt::format("; did you mean '{}'?", *close) : std::string()));
  }
}

}  // namespace hyperscale::sim
