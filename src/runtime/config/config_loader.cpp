#include "runtime/config/config_loader.h"

#include "runtime/config/config_fields.h"
#include "runtime/config/config_rules.h"
#include "runtime/config/toml_document.h"
#include "runtime/config/unknown_key.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

constexpr std::array kReservedVariables{kAdminTokenVariable, kConfigPathVariable};
constexpr std::string_view kUnnamedFile = "configuration";
constexpr std::string_view kEnvironmentPlace = "the environment";
constexpr std::string_view kFlagsPlace = "the flags";

// A suggested value: 3s for a bare 3.
std::string duration_example(const FieldInfo& field, const TomlValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number != nullptr && *number > 0 ? fmt::format("{}s", *number) : field.default_text;
}

// The problem of a value of the wrong TOML type; empty if the type fits the field.
std::optional<FieldProblem> type_problem(const FieldInfo& field, const TomlValue& value) {
  const auto needs = [&](std::string_view what, std::string hint) {
    return FieldProblem{fmt::format("{} must be {}, not {}", field.path, what, toml_type_name(value)), std::move(hint)};
  };
  const bool text = std::holds_alternative<std::string>(value);
  const bool number = std::holds_alternative<std::int64_t>(value);
  switch (field.kind) {
    case FieldKind::kSwitch:
      if (std::holds_alternative<bool>(value)) return std::nullopt;
      return needs("true or false", "write true or false without quotes");
    case FieldKind::kCount:
      if (number) return std::nullopt;
      return needs("a whole number", fmt::format("write a number from {} without quotes", range_text(field)));
    case FieldKind::kSize:
      if (number || text) return std::nullopt;
      return needs("a size", fmt::format("write bytes or a unit, such as \"{}\"", field.default_text));
    case FieldKind::kDuration:
      if (text) return std::nullopt;
      return needs("a duration", fmt::format("write a unit, such as \"{}\"", duration_example(field, value)));
    case FieldKind::kText:
    case FieldKind::kChoice:
    case FieldKind::kAddress:
    case FieldKind::kPath:
    case FieldKind::kList:
    case FieldKind::kItems:
      break;
  }
  if (text) return std::nullopt;
  return needs("text", field.default_text.empty()
                           ? "write it in quotes"
                           : fmt::format("write it in quotes, such as \"{}\"", field.default_text));
}

std::string plain_text(const TomlValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const std::int64_t* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

class Loader {
 public:
  explicit Loader(const ConfigInputs& inputs) : inputs_(inputs) {
    for (const std::string& path : field_paths()) load_.origins.emplace(path, ConfigOrigin());
  }

  ConfigLoad run() {
    if (inputs_.file_path || !inputs_.file_text.empty()) read_file();
    std::ranges::sort(load_.errors, {}, [](const ConfigError& e) { return std::pair(e.line, e.column); });
    read_environment();
    read_flags();
    check_rules();
    if (errors_left_out_ > 0) {
      load_.errors.push_back({.message = fmt::format("and {} more errors", errors_left_out_)});
    }
    return std::move(load_);
  }

 private:
  void read_file() {
    file_ = inputs_.file_path.value_or(std::string(kUnnamedFile));
    const auto syntax = walk_toml(inputs_.file_text, [this](const TomlEntry& entry) { return visit(entry); });
    if (syntax) report(file_at(syntax->place), "", {syntax->message, "check quotes and brackets on this line"});
  }

  // True for a section whose keys are to be visited.
  bool visit(const TomlEntry& entry) {
    const bool section = std::holds_alternative<TomlSection>(entry.value);
    if (const FieldInfo* field = find_field(entry.path)) {
      set_from_file(*field, entry);
    } else if (is_section(entry.path)) {
      if (section) return true;
      report(file_at(entry.key_place), entry.path,
             {fmt::format("'{}' is a section, not a key", entry.path), fmt::format("write [{}]", entry.path)});
    } else if (!full()) {
      report(file_at(entry.key_place), entry.path, section ? unknown_section(entry.path) : unknown_key(entry.path));
    } else {
      ++errors_left_out_;
    }
    return false;
  }

  void set_from_file(const FieldInfo& field, const TomlEntry& entry) {
    if (auto wrong = type_problem(field, entry.value)) {
      report(file_at(entry.value_place), field.path, std::move(*wrong));
    } else {
      set(field, plain_text(entry.value), file_at(entry.value_place));
    }
  }

  void read_environment() {
    // The short name is applied first, so that the long one overrides it.
    const auto amnesia = inputs_.environment.find(std::string(kAmnesiaVariable));
    if (amnesia != inputs_.environment.end() && !amnesia->second.empty()) {
      set(*find_field("node.amnesia"), amnesia->second, variable(amnesia->first));
    }
    std::map<std::string_view, const FieldInfo*> by_variable;
    for (const FieldInfo& field : config_fields()) by_variable.emplace(field.environment, &field);
    for (const auto& [name, value] : inputs_.environment) {
      if (!name.starts_with(kEnvironmentPrefix)) continue;
      if (std::ranges::find(kReservedVariables, name) != kReservedVariables.end()) continue;
      if (const auto found = by_variable.find(name); found != by_variable.end()) {
        set(*found->second, value, variable(name));
      } else if (!full()) {
        report(variable(std::string(kEnvironmentPlace)), name, unknown_variable(name));
      } else {
        ++errors_left_out_;
      }
    }
  }

  void read_flags() {
    const ConfigOrigin origin{.kind = ConfigOrigin::Kind::kFlag};
    for (const auto& [path, value] : inputs_.flags) {
      if (const FieldInfo* field = find_field(path)) {
        set(*field, value, origin);
      } else {
        report(origin, path, unknown_key(path));
      }
    }
  }

  // A rule over a field whose value could not be read would only repeat that error in other words.
  void check_rules() {
    for (const ConfigRule& rule : config_rules()) {
      const auto wrong_already = [this](const std::string& path) { return wrong_fields_.contains(path); };
      if (std::ranges::any_of(rule.fields, wrong_already)) continue;
      auto wrong = rule.check(load_.config);
      if (!wrong) continue;
      // Report the source of the highest precedence: changing it there fixes the error.
      const auto strength = [this](const std::string& path) { return load_.origins.at(path).kind; };
      const std::string& blamed = *std::ranges::max_element(rule.fields, {}, strength);
      report(load_.origins.at(blamed), blamed, std::move(*wrong));
    }
  }

  void set(const FieldInfo& field, std::string_view text, ConfigOrigin origin) {
    if (auto wrong = set_field(load_.config, field, text)) {
      report(origin, field.path, std::move(*wrong));
    } else {
      load_.origins[field.path] = std::move(origin);
    }
  }

  void report(const ConfigOrigin& origin, std::string_view field, FieldProblem problem) {
    wrong_fields_.emplace(field);
    if (full()) {
      ++errors_left_out_;
      return;
    }
    load_.errors.push_back({.file = origin.kind == ConfigOrigin::Kind::kFlag ? std::string(kFlagsPlace) : origin.name,
                            .line = origin.line,
                            .column = origin.column,
                            .field = std::string(field),
                            .message = std::move(problem.message),
                            .hint = std::move(problem.hint)});
  }

  bool full() const { return load_.errors.size() >= kConfigErrorsMax; }
  ConfigOrigin file_at(TomlPlace place) const {
    return {.kind = ConfigOrigin::Kind::kFile, .name = file_, .line = place.line, .column = place.column};
  }
  static ConfigOrigin variable(const std::string& name) {
    return {.kind = ConfigOrigin::Kind::kEnvironment, .name = name};
  }

  const ConfigInputs& inputs_;
  std::string file_;
  ConfigLoad load_;
  std::set<std::string, std::less<>> wrong_fields_;
  std::size_t errors_left_out_ = 0;
};

}  // namespace

ConfigLoad load_config(const ConfigInputs& inputs) {
  return Loader(inputs).run();
}

}  // namespace hyperscale::runtime
