#include "tui/screen_control.h"

namespace hyperscale::tui {

void ScreenControl::show(std::size_t workflow, MonoTime now) {
  if (workflow != workflow_) first_step_ = 0;
  workflow_ = workflow;
  shown_since_ = now;
}

// A selection by the user stops the cycling.
void ScreenControl::choose(std::size_t workflow, MonoTime now) {
  if (workflow >= workflows_) return;
  show(workflow, now);
  held_ = true;
}

void ScreenControl::tick(std::size_t workflows, MonoTime now) {
  workflows_ = workflows;
  if (!shown_since_) shown_since_ = now;
  if (workflow_ >= workflows) show(0, now);
  if (held_ || workflows < 2 || now - *shown_since_ < update_interval_) return;
  show((workflow_ + 1) % workflows, now);
}

std::optional<Action> ScreenControl::press_character(char32_t character, MonoTime now) {
  if (character >= U'1' && character <= U'9') {
    choose(character - U'1', now);
    return std::nullopt;
  }
  switch (character) {
    case U'n':
      return press({KeyKind::kRight}, now);
    case U'b':
      return press({KeyKind::kLeft}, now);
    case U'h':
    case U' ':
      held_ = !held_;
      shown_since_ = now;
      return std::nullopt;
    case U'?':
      help_ = true;
      return std::nullopt;
    case U'p':
      return Action::kPauseOrResume;
    case U'+':
    case U'=':
      return Action::kMoreUsers;
    case U'-':
      return Action::kFewerUsers;
    case U']':
      return Action::kHigherRate;
    case U'[':
      return Action::kLowerRate;
    case U'q':
      return Action::kStop;
    default:
      return std::nullopt;
  }
}

std::optional<Action> ScreenControl::press(Key key, MonoTime now) {
  if (key.kind == KeyKind::kInterrupt) return Action::kStop;
  if (help_) {
    // Any key only closes the help: users try the keys while they read it.
    help_ = false;
    return std::nullopt;
  }
  switch (key.kind) {
    case KeyKind::kCharacter:
      return press_character(key.character, now);
    case KeyKind::kRight:
    case KeyKind::kTab:
      if (workflows_ > 0) choose((workflow_ + 1) % workflows_, now);
      break;
    case KeyKind::kLeft:
    case KeyKind::kBackTab:
      if (workflows_ > 0) choose((workflow_ + workflows_ - 1) % workflows_, now);
      break;
    case KeyKind::kUp:
      if (first_step_ > 0) --first_step_;
      break;
    case KeyKind::kDown:
      ++first_step_;
      break;
    default:
      break;
  }
  return std::nullopt;
}

}  // namespace hyperscale::tui
