// Theme: how each role looks, as the escape sequence that turns it on. Kept apart from widgets (UI-8): a widget that is
// drawn never changes when its colours do.
//
// Plain value, any thread. Whether the terminal can show colours (NO_COLOR, TERM, a pipe) is decided by the caller.
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
  // Complete: what was on before is off. Never empty.
  const std::string& sequence(Role role) const { return sequences_[static_cast<std::size_t>(role)]; }
  // The same role in another look: attributes as in SGR, "1;38;5;110".
  void restyle(Role role, std::string_view attributes);

 private:
  std::array<std::string, kRoleCount> sequences_;
};

}  // namespace hyperscale::tui
