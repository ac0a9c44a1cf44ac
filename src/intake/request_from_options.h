// Builds the step from options: one request per URL or per body, with headers and expectations on the answer.
//
// Reads the files that the options name; otherwise pure. Any thread.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"
#include "plan/plan.h"

namespace hyperscale::intake {

inline constexpr std::size_t kUrlsFileBytesMax = std::size_t{256} << 20;

Result<plan::Step> step_of(const RequestOptions& options);

}  // namespace hyperscale::intake
