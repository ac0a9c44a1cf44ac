#include "tui/live_screen.h"

namespace hyperscale::tui {
namespace {

// An escape byte followed by nothing for this time is the Escape key.
constexpr Duration kEscapeAlone = 50ms;

}  // namespace

LiveScreen::LiveScreen(const LiveScreenOptions& options)
    : options_(options), control_(options.update_interval), writer_(Theme(options.colours)) {}

std::string_view LiveScreen::frame(const live::LiveView& view, Size size, MonoTime now) {
  if (!first_frame_) first_frame_ = now;
  last_frame_ = now;
  if (decoder_.is_waiting() && now - last_input_ >= kEscapeAlone) {
    std::vector<Action> none;  // stays empty: Escape never returns an action
    press(decoder_.flush(), now, none);
  }
  control_.tick(view.workflows.size(), now);
  if (screen_.size() != size) screen_.reset(size);
  const std::size_t last_first_step = draw_screen(screen_, view,
                                                  {.workflow = control_.workflow(),
                                                   .held = control_.is_held(),
                                                   .help = control_.shows_help(),
                                                   .first_step = control_.first_step(),
                                                   .animation = now - *first_frame_},
                                                  options_.drawing);
  control_.limit_first_step(last_first_step);
  bytes_.clear();
  writer_.write(screen_, bytes_);
  return bytes_;
}

void LiveScreen::press(const std::vector<Key>& keys, MonoTime now, std::vector<Action>& actions) {
  for (const Key& key : keys) {
    if (const auto action = control_.press(key, now)) actions.push_back(*action);
  }
}

std::vector<Action> LiveScreen::input(std::string_view bytes, MonoTime now) {
  std::vector<Action> actions;
  if (bytes.empty()) return actions;
  last_input_ = now;
  press(decoder_.feed(bytes), now, actions);
  return actions;
}

}  // namespace hyperscale::tui
