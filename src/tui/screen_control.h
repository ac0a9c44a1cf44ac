// ScreenControl: handles keys and selects the workflow to show. Workflows are shown in turn, `update_interval` each
// (UI-6), until the user selects one or holds the shown one. Keys that affect the run only return an action.
//
// Single-threaded state machine without a clock: the time is passed in.
#pragma once

#include "base/time.h"
#include "tui/key.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hyperscale::tui {

// What the caller must do with the run.
enum class Action : std::uint8_t { kStop, kPauseOrResume, kMoreUsers, kFewerUsers, kHigherRate, kLowerRate };

inline constexpr Duration kUpdateInterval = 3s;

class ScreenControl {
 public:
  explicit ScreenControl(Duration update_interval = kUpdateInterval) : update_interval_(update_interval) {}

  // Before each frame: the current number of workflows. Advances to the next one when its time is over.
  void tick(std::size_t workflows, MonoTime now);
  // nullopt for keys that only affect the screen, or have no meaning.
  std::optional<Action> press(Key key, MonoTime now);

  std::size_t workflow() const { return workflow_; }  // shown; below the number of workflows, or 0
  bool is_held() const { return held_; }
  bool shows_help() const { return help_; }
  std::size_t first_step() const { return first_step_; }  // of the table, for scrolling long ones
  void limit_first_step(std::size_t last) { first_step_ = first_step_ < last ? first_step_ : last; }

 private:
  std::optional<Action> press_character(char32_t character, MonoTime now);
  void show(std::size_t workflow, MonoTime now);
  void choose(std::size_t workflow, MonoTime now);

  Duration update_interval_;
  std::size_t workflows_ = 0;
  std::size_t workflow_ = 0;
  std::size_t first_step_ = 0;
  std::optional<MonoTime> shown_since_;
  bool held_ = false;
  bool help_ = false;
};

}  // namespace hyperscale::tui
