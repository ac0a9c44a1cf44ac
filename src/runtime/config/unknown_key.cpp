#include "runtime/config/unknown_key.h"

#include "base/nearest_match.h"
#include "runtime/config/safe_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

constexpr std::string_view kSecretEndings[] = {"token", "secret", "password", "passphrase", "private_key", "api_key"};
constexpr std::string_view kWhereKeysAre = "docs/configuration.md lists all keys";

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

const std::vector<std::string>& section_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const std::string& path : field_paths()) {
      std::string section = path.substr(0, path.find('.'));
      if (found.empty() || found.back() != section) found.push_back(std::move(section));
    }
    return found;
  }();
  return names;
}

bool looks_secret(std::string_view path) {
  const std::string_view name = last_part(path);
  return path == "tls.key" ||
         std::ranges::any_of(kSecretEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

// In an existing section the name is misspelt; otherwise the section is, or the key is in the wrong section.
std::string suggestion(std::string_view path) {
  const std::string_view section = path.substr(0, path.find('.'));
  if (is_section(section)) {
    std::vector<std::string> names;
    for (const std::string& candidate : field_paths()) {
      if (candidate.starts_with(fmt::format("{}.", section))) names.emplace_back(last_part(candidate));
    }
    if (const auto near = nearest_match(last_part(path), names)) return fmt::format("{}.{}", section, *near);
  } else if (const auto near = nearest_match(path, field_paths())) {
    return *near;
  }
  const auto same_name = [&](const std::string& candidate) { return last_part(candidate) == last_part(path); };
  if (std::ranges::count_if(field_paths(), same_name) != 1) return "";
  return *std::ranges::find_if(field_paths(), same_name);
}

std::string did_you_mean(std::string_view name) {
  return name.empty() ? std::string(kWhereKeysAre) : fmt::format("did you mean '{}'?", name);
}

}  // namespace

bool is_section(std::string_view path) {
  return std::ranges::find(section_names(), path) != section_names().end();
}

FieldProblem unknown_key(std::string_view path) {
  if (looks_secret(path)) {
    return {fmt::format("'{}': secrets are not written in the configuration", printable(path)),
            path.starts_with("tls.") ? "use tls.key_file" : "use admin.token_file or HYPERSCALE_ADMIN_TOKEN"};
  }
  return {fmt::format("unknown key '{}'", printable(path)), did_you_mean(suggestion(path))};
}

FieldProblem unknown_section(std::string_view path) {
  return {fmt::format("unknown section '{}'", printable(path)),
          did_you_mean(nearest_match(path, section_names()).value_or(""))};
}

FieldProblem unknown_variable(std::string_view name) {
  std::vector<std::string> names;
  for (const FieldInfo& field : config_fields()) names.push_back(field.environment);
  return {fmt::format("unknown variable '{}'", printable(name)), did_you_mean(nearest_match(name, names).value_or(""))};
}

}  // namespace hyperscale::runtime
