// ActiveTime: measures the time of a run or workflow without its pauses.
//
// Pure; times are passed in and do not go back. One thread. A pause without an end lasts until the time asked for.
#pragma once

#include "base/time.h"

#include <vector>

namespace hyperscale::jobs {

class ActiveTime {
 public:
  bool paused() const { return paused_at_ != MonoTime(); }
  MonoTime paused_at() const { return paused_at_; }  // MonoTime(): not paused

  // REQUIRES: not paused() / paused().
  void pause(MonoTime at);
  void resume(MonoTime at);
  // Calls pause() or resume() if the state changes, else does nothing.
  void follow(bool is_paused, MonoTime at);

  // Paused time between `from` and `to`; zero if `to` is not after `from`.
  Duration paused_within(MonoTime from, MonoTime to) const;
  // Time between `from` and `to` that was not paused.
  Duration active_within(MonoTime from, MonoTime to) const { return to - from - paused_within(from, to); }

 private:
  struct Pause {
    MonoTime from;
    MonoTime to;
    Duration before;  // length of all pauses before this one
  };
  Duration paused_until(MonoTime at) const;

  std::vector<Pause> pauses_;  // ordered by time
  MonoTime paused_at_;
};

}  // namespace hyperscale::jobs
