// JSON text of a user, checked (RFC 8259) and without blanks. Numbers, names and escapes stay as written, so no digit
// of a large id is lost.
//
// Pure functions; any thread. Anything that is not one JSON value of UTF-8 text, or nests beyond kJsonDepthMax, is
// kInvalidArgument with line and column.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::plan {

struct JsonText {
  std::string compact;
  bool is_object = false;
  std::vector<std::string> members;  // names of the outermost object, as written between their quotes
};

Result<JsonText> read_json_text(std::string_view text);

}  // namespace hyperscale::plan
