// Role: the meaning of a cell, not its look. Widgets know roles only; theme.h maps them to colours. Plain value.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hyperscale::tui {

enum class Role : std::uint8_t {
  kText,
  kStrong,   // important figures and names
  kDim,      // labels and units
  kFaint,    // rules and axes
  kSection,  // titles of sections
  kGood,
  kWarning,
  kBad,
  kBarDone,
  kBarGlint,  // the moving spot of an active bar
  kBarRest,
  kP50,
  kP95,
  kP99,
  kRate,
  kRateFailing,  // the rate of a point with errors
  kKey,          // a key that can be pressed
  kTabChosen,
  kBadgeRunning,
  kBadgeWaiting,  // starting, warm-up, paused, stopping
  kBadgeDone,
  kBadgeFailing,
  kTitle1,  // the gradient of the title, from left to right
  kTitle2,
  kTitle3,
  kTitle4,
  kTitle5,
  kTitle6,
};
inline constexpr std::size_t kRoleCount = static_cast<std::size_t>(Role::kTitle6) + 1;
inline constexpr int kTitleRoles = 6;

}  // namespace hyperscale::tui
