#include "plan/arguments/params.h"

#include "plan/limits.h"
#include "plan/percent.h"

#include <fmt/format.h>

namespace hyperscale::plan {

Result<std::string> prepare_params(const ParamList& params) {
  std::string query;
  for (const auto& [name, value] : params) {
    if (name.empty()) return fail(ErrorCode::kInvalidArgument, "a query parameter has no name");
    query += query.empty() ? '?' : '&';
    query.append(percent_encode(name)).append("=").append(percent_encode(value));
  }
  if (query.size() > kUrlBytesMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the query has {} bytes; a URL has at most {}", query.size(), kUrlBytesMax));
  }
  return query;
}

}  // namespace hyperscale::plan
