// UiMode: the live output of a run. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hyperscale::node {

enum class UiMode : std::uint8_t { kFull, kCi, kNone };

// "full", "ci", "none"; empty for any other word.
std::optional<UiMode> ui_mode_from(std::string_view name);
// kFull needs a terminal on standard error that can draw, and falls back to kCi.
UiMode usable_mode(UiMode asked, bool stderr_can_draw);

}  // namespace hyperscale::node
