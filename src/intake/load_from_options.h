// Builds the load from options: users or a rate, duration, stages. Pure; any thread.
#pragma once

#include "base/result.h"
#include "intake/run_options.h"
#include "plan/plan.h"

#include <cstdint>

namespace hyperscale::intake {

inline constexpr std::uint32_t kVusDefault = 10;
inline constexpr std::uint32_t kOpenVusDefaultMax = 10'000;
inline constexpr Duration kDurationDefault = 10s;

// `open_vus_default` is the pool of users of an open loop if the options give no number.
Result<plan::Load> load_of(const LoadOptions& options, std::uint32_t open_vus_default);

}  // namespace hyperscale::intake
