// Reads the figures of a baseline from a results file written by json_report (docs/formats/results.md).
//
// Pure function, any thread. kInvalidArgument, with the reason, for anything but a results file of this schema;
// kTooLarge above kResultsFileBytesMax.
#pragma once

#include "base/result.h"
#include "results/comparison.h"

#include <cstddef>
#include <string_view>

namespace hyperscale::report {

inline constexpr std::size_t kResultsFileBytesMax = std::size_t{256} << 20;

Result<results::Figures> read_figures(std::string_view json);

}  // namespace hyperscale::report
