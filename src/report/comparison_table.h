// Compares a result with its baseline in a small table for a terminal. Pure; any thread.
#pragma once

#include "base/glyphs.h"
#include "results/comparison.h"

#include <span>
#include <string>

namespace hyperscale::report {

// The header is `baseline`, the name of the file; ends with a line feed. Empty without rows.
std::string comparison_table(std::span<const results::ComparisonRow> rows, const std::string& baseline, Glyphs glyphs);

}  // namespace hyperscale::report
