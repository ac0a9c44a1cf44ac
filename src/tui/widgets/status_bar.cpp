#include "tui/widgets/status_bar.h"

#include "base/number_text.h"

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

constexpr Duration kLightStep = 60ms;
constexpr int kLightCells = 4;
constexpr int kLightPause = 12;

}  // namespace

std::string status_sentence(const live::LiveView& view) {
  switch (view.state) {
    case live::RunState::kStarting:
      return view.executors == 0
                 ? "Starting."
                 : fmt::format("Starting executors: {} of {} are ready.", view.executors_alive, view.executors);
    case live::RunState::kWarmUp:
      return "Warming up: requests of this phase are not counted.";
    case live::RunState::kPaused:
      return "Paused: no new requests are started. Press p to go on.";
    case live::RunState::kStopping:
      return fmt::format("Stopping: waiting for {} users to finish. Press q again to stop at once.",
                         count_text(view.vus_active));
    case live::RunState::kDone:
      return "Done. Press q to leave.";
    case live::RunState::kRunning:
      break;
  }
  if (view.executors_alive < view.executors) {
    return fmt::format("{} of {} executors are alive: the load is smaller than asked for.", view.executors_alive,
                       view.executors);
  }
  return {};
}

void draw_status_bar(Canvas canvas, std::string_view sentence, Role role) {
  canvas.text(0, 0, sentence, role);
}

void draw_animated_status_bar(Canvas canvas, std::string_view sentence, Role role, Duration animation) {
  draw_status_bar(canvas, sentence, role);
  const auto length = static_cast<int>(sentence.size());
  const auto head = static_cast<int>(animation / kLightStep % (length + kLightPause));
  // Drawn again over the text from the left, brighter and clipped, so that characters stay in their cells.
  const int begin = std::max(0, head - kLightCells);
  if (begin >= length) return;
  canvas.text(begin, 0, sentence.substr(static_cast<std::size_t>(begin), kLightCells), Role::kStrong);
}

}  // namespace hyperscale::tui
