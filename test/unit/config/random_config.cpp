#include "random_config.h"

#include "base/check.h"
#include "runtime/config/config_fields.h"
#include "runtime/config/config_rules.h"

#include <algorithm>
#include <random>
#include <string>

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

using Random = std::mt19937_64;

std::int64_t between(Random& random, std::int64_t min, std::int64_t max) {
  // Half of the numbers sit at an end of the range, where mistakes live.
  switch (std::uniform_int_distribution<int>(0, 3)(random)) {
    case 0:
      return min;
    case 1:
      return max;
    default:
      return std::uniform_int_distribution<std::int64_t>(min, max)(random);
  }
}

std::string random_path(Random& random) {
  static const std::string pieces[] = {"/", "a", "Z", ".", " ",      "\"",     "\\",
                                       "'", "#", "=", "[", "\u00e9", "\u6f22", "\U0001F600"};
  std::string path;
  for (std::int64_t left = between(random, 0, 20); left > 0; --left) {
    path += pieces[static_cast<std::size_t>(between(random, 0, std::ssize(pieces) - 1))];
  }
  return path;
}

std::string random_text(Random& random, const FieldInfo& field) {
  switch (field.kind) {
    case FieldKind::kSwitch:
      return between(random, 0, 1) == 1 ? "true" : "false";
    case FieldKind::kCount:
    case FieldKind::kSize:
      return fmt::format("{}", between(random, field.min, field.max));
    case FieldKind::kDuration:
      return fmt::format("{}ns", between(random, field.min, field.max));
    case FieldKind::kText:
      return std::string(static_cast<std::size_t>(between(random, 1, 64)), 'x');
    case FieldKind::kChoice:
      return field.choices[static_cast<std::size_t>(between(random, 0, std::ssize(field.choices) - 1))];
    case FieldKind::kAddress:
      return fmt::format("{}:{}", between(random, 0, 1) == 1 ? "[::1]" : "localhost", between(random, 0, 65535));
    case FieldKind::kList:
      return between(random, 0, 1) == 1 ? "X25519:P-256" : "";
    case FieldKind::kItems:
      return between(random, 0, 1) == 1 ? "127.0.0.1:7700,[::1]:7700" : "";
    case FieldKind::kPath:
      return random_path(random);
  }
  UNREACHABLE("field kind {}", static_cast<int>(field.kind));
}

void set(NodeConfig& config, const FieldInfo& field, const std::string& text) {
  const auto problem = set_field(config, field, text);
  CHECK(!problem, "{}", problem->message);
}

// Puts the fields of a broken rule back to their defaults; true when there was one.
bool fix_one_rule(NodeConfig& config) {
  for (const ConfigRule& rule : config_rules()) {
    if (!rule.check(config)) continue;
    for (const std::string& path : rule.fields) set(config, *find_field(path), find_field(path)->default_text);
    return true;
  }
  return false;
}

}  // namespace

NodeConfig random_config(std::uint64_t seed) {
  Random random(seed);
  NodeConfig config;
  for (const FieldInfo& field : config_fields()) set(config, field, random_text(random, field));
  while (fix_one_rule(config)) {
  }
  return config;
}

}  // namespace hyperscale::runtime
