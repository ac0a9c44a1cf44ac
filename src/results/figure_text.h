// Figures in few digits, for people: "213ms", "0.4%", "1500/s". Pure functions; any thread.
#pragma once

#include <string>

namespace hyperscale::results {

// `digits` significant digits at most, without zeros at the end and never with an exponent: 1234.5 in 3 is "1230".
std::string number_text(double number, int digits);
// In the unit that suits: "950us", "213ms", "1.24s", "125s".
std::string latency_text(double ns, int digits);

}  // namespace hyperscale::results
