// Formats figures with few digits, for display: "213ms", "0.4%", "1500/s". Pure functions; any thread.
#pragma once

#include <string>

namespace hyperscale::results {

// At most `digits` significant digits, without trailing zeros and never with an exponent: 1234.5 in 3 is "1230".
std::string number_text(double number, int digits);
// In the fitting unit: "950us", "213ms", "1.24s", "125s".
std::string latency_text(double ns, int digits);

}  // namespace hyperscale::results
