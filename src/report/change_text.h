// A change of the load, as text for reports: "12.0 s: vus=200", "12.0 s: Checkout: rate=50". Pure; any thread.
#pragma once

#include "results/run_result.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::report {

std::string change_text(const results::ChangeRecord& change);

// One line each. Beyond `most`, consecutive changes of the same kind and workflow share a line: "3.0 s to 12.0 s: 10
// changes from vus=15 to vus=24". Pauses and the change after them always have their own lines.
std::vector<std::string> change_lines(std::span<const results::ChangeRecord> changes, std::size_t most);

}  // namespace hyperscale::report
