#include "plan/arguments/data.h"

#include "plan/limits.h"

#include <fmt/format.h>

namespace hyperscale::plan {

Result<PreparedData> prepare_data(const DataValue& value) {
  PreparedData data;
  if (const auto* json = std::get_if<JsonValue>(&value)) {
    Result<std::string> text = compact_json(*json);
    if (!text) return fail(text.error());
    data.body = std::move(*text);
    data.content_type = "application/json";
  } else {
    data.body = std::get<std::string>(value);
    data.content_type = "text/plain; charset=utf-8";
  }
  if (data.body.size() > kBodyBytesMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a body of {} bytes is more than {}", data.body.size(), kBodyBytesMax));
  }
  data.content_length = fmt::format("{}", data.body.size());
  return data;
}

}  // namespace hyperscale::plan
