#include "tui/widgets/short_count.h"

#include "base/number_text.h"

#include <array>
#include <string_view>

namespace hyperscale::tui {
namespace {

struct Unit {
  double size;
  std::string_view name;
};
constexpr std::array kUnits{Unit{1e9, "G"}, Unit{1e6, "M"}, Unit{1e3, "k"}};
constexpr double kInFull = 10'000;  // smaller counts are shown in full

std::string without_zeros(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

}  // namespace

std::string short_count(double value) {
  if (value >= kInFull) {
    for (const Unit& unit : kUnits) {
      if (value >= unit.size) return without_zeros(three_digits(value / unit.size)) + std::string(unit.name);
    }
  }
  return without_zeros(three_digits(value));
}

}  // namespace hyperscale::tui
