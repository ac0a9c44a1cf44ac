#include "tui/cells/theme.h"

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

struct Look {
  Role role;
  std::string_view colours_256, colours_16, plain;
};

// Readable on dark and light backgrounds: text keeps the terminal's colour, the rest are greys and a few soft hues.
constexpr std::array<Look, kRoleCount> kLooks{{
    {Role::kText, "", "", ""},
    {Role::kStrong, "1", "1", "1"},
    {Role::kDim, "38;5;245", "2", "2"},
    {Role::kFaint, "38;5;240", "2", "2"},
    {Role::kSection, "1;38;5;110", "1;36", "1"},
    {Role::kGood, "38;5;108", "32", ""},
    {Role::kWarning, "38;5;179", "33", "1"},
    {Role::kBad, "1;38;5;167", "1;31", "1"},
    {Role::kBarDone, "38;5;74", "36", ""},
    {Role::kBarGlint, "38;5;153", "1;36", "1"},
    {Role::kBarRest, "38;5;238", "2", "2"},
    {Role::kP50, "38;5;108", "32", ""},
    {Role::kP95, "38;5;179", "33", ""},
    {Role::kP99, "38;5;167", "31", "1"},
    {Role::kRate, "38;5;74", "36", ""},
    {Role::kRateFailing, "38;5;167", "31", "1"},
    {Role::kKey, "1;38;5;250", "1", "1"},
    {Role::kTabChosen, "1;7", "1;7", "1;7"},
    {Role::kBadgeRunning, "1;38;5;108", "1;32", "1"},
    {Role::kBadgeWaiting, "1;38;5;179", "1;33", "1"},
    {Role::kBadgeDone, "1;38;5;74", "1;36", "1"},
    {Role::kBadgeFailing, "1;38;5;167", "1;31", "1"},
    {Role::kTitle1, "1;38;5;73", "1;36", "1"},
    {Role::kTitle2, "1;38;5;74", "1;36", "1"},
    {Role::kTitle3, "1;38;5;68", "1;36", "1"},
    {Role::kTitle4, "1;38;5;69", "1;34", "1"},
    {Role::kTitle5, "1;38;5;98", "1;34", "1"},
    {Role::kTitle6, "1;38;5;97", "1;35", "1"},
}};

constexpr bool looks_follow_the_roles() {
  for (std::size_t i = 0; i < kLooks.size(); ++i) {
    if (static_cast<std::size_t>(kLooks[i].role) != i) return false;
  }
  return true;
}
static_assert(looks_follow_the_roles());

}  // namespace

Theme::Theme(Colours colours) {
  for (const Look& look : kLooks) {
    restyle(look.role, colours == Colours::k256  ? look.colours_256
                       : colours == Colours::k16 ? look.colours_16
                                                 : look.plain);
  }
}

void Theme::restyle(Role role, std::string_view attributes) {
  sequences_[static_cast<std::size_t>(role)] = fmt::format("\x1b[0{}{}m", attributes.empty() ? "" : ";", attributes);
}

}  // namespace hyperscale::tui
