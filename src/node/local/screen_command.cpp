#include "node/local/screen_command.h"

#include "plan/limits.h"

#include <algorithm>
#include <cmath>

namespace hyperscale::node {

using plan::LoadChangeKind;
using tui::Action;

std::optional<plan::LoadCommand> command_of(Action action, plan::Pacing pacing, double target, bool paused) {
  if (action == Action::kPauseOrResume)
    return plan::LoadCommand{paused ? LoadChangeKind::kResume : LoadChangeKind::kPause, 0};
  if (action == Action::kStop) return std::nullopt;
  const bool users = action == Action::kMoreUsers || action == Action::kFewerUsers;
  const bool open = pacing == plan::Pacing::kOpen;
  if (users == open) return std::nullopt;
  const bool up = action == Action::kMoreUsers || action == Action::kHigherRate;
  const double step = std::max(1.0, std::round(target / 10));
  const double most = users ? plan::kVusMax : plan::kRateMax;
  return plan::LoadCommand{users ? LoadChangeKind::kUsers : LoadChangeKind::kRate,
                           std::clamp(target + (up ? step : -step), 0.0, most)};
}

}  // namespace hyperscale::node
