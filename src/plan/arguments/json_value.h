// JsonValue: a JSON document as a plain value, and its compact text (RFC 8259, no blanks, members in the given order).
//
// Pure functions; any thread. Text that is not UTF-8, a number that is not finite and nesting beyond kJsonDepthMax are
// kInvalidArgument.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hyperscale::plan {

inline constexpr std::size_t kJsonDepthMax = 64;

struct JsonValue;
using JsonArray = std::vector<JsonValue>;
using JsonObject = std::vector<std::pair<std::string, JsonValue>>;

struct JsonValue {
  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, JsonArray, JsonObject> value = nullptr;
};

Result<std::string> compact_json(const JsonValue& value);

}  // namespace hyperscale::plan
