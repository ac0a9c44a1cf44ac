// Theme: maps each role to the escape sequence of its look. Separate from widgets (UI-8), so that new colours never
// change a widget.
//
// Plain value, any thread. The caller decides whether the terminal can show colours (NO_COLOR, TERM, a pipe).
#pragma once

#include "tui/cells/role.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::tui {

enum class Colours : std::uint8_t { kNone, k16, k256 };

class Theme {
 public:
  explicit Theme(Colours colours);
  // Complete: resets earlier attributes. Never empty.
  const std::string& sequence(Role role) const { return sequences_[static_cast<std::size_t>(role)]; }
  // Changes the look of a role: attributes as in SGR, "1;38;5;110".
  void restyle(Role role, std::string_view attributes);

 private:
  std::array<std::string, kRoleCount> sequences_;
};

}  // namespace hyperscale::tui
