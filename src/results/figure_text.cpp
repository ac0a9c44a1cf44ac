#include "results/figure_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::results {

std::string number_text(double number, int digits) {
  if (number == 0 || !std::isfinite(number)) return fmt::format("{:.0f}", number);
  // Digits before the point, counted before rounding: 999.6 has three.
  const int whole = static_cast<int>(std::floor(std::log10(std::abs(number)))) + 1;
  const double step = std::pow(10.0, whole - digits);
  const double rounded = whole > digits ? std::round(number / step) * step : number;
  std::string text = fmt::format("{:.{}f}", rounded, std::max(0, digits - whole));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string latency_text(double ns, int digits) {
  struct Unit {
    double ns;
    std::string_view name;
  };
  // Units switch slightly early, so that 999.9996ms in few digits is 1s and not 1000ms.
  for (const Unit unit : {Unit{1e9, "s"}, Unit{1e6, "ms"}, Unit{1e3, "us"}}) {
    const double rounding = 0.5 * std::pow(10.0, -digits);
    if (ns >= unit.ns * (1 - rounding)) return number_text(ns / unit.ns, digits) + std::string(unit.name);
  }
  return number_text(ns, digits) + "ns";
}

}  // namespace hyperscale::results
