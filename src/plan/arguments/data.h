// Data: the body of a request with the two headers that describe it. Pure functions; any thread.
#pragma once

#include "plan/arguments/argument.h"
#include "plan/arguments/json_value.h"

#include <string>
#include <variant>

namespace hyperscale::plan {

struct PreparedData {
  std::string body;
  std::string content_type;
  std::string content_length;
};

// Text goes out byte by byte as it is, as text/plain; a JSON value as compact JSON. A content-type among the request's
// own headers takes precedence over this one. kInvalidArgument beyond kBodyBytesMax or on bad JSON.
using DataValue = std::variant<std::string, JsonValue>;
Result<PreparedData> prepare_data(const DataValue& value);
using Data = Argument<DataValue, PreparedData, prepare_data>;

}  // namespace hyperscale::plan
