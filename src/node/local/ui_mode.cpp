#include "node/local/ui_mode.h"

namespace hyperscale::node {

std::optional<UiMode> ui_mode_from(std::string_view name) {
  if (name == "full") return UiMode::kFull;
  if (name == "ci") return UiMode::kCi;
  if (name == "none") return UiMode::kNone;
  return std::nullopt;
}

UiMode usable_mode(UiMode asked, bool stderr_can_draw) {
  return asked == UiMode::kFull && !stderr_can_draw ? UiMode::kCi : asked;
}

}  // namespace hyperscale::node
