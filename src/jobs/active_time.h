// ActiveTime: the time of a run or workflow without the time in which it was paused.
//
// Pure; times are passed in and do not go back. One thread. A pause that has no end yet lasts.
#pragma once

#include "base/time.h"

#include <vector>

namespace hyperscale::jobs {

class ActiveTime {
 public:
  bool paused() const { return paused_at_ != MonoTime(); }
  MonoTime paused_at() const { return paused_at_; }  // MonoTime(): it is not

  // REQUIRES: not paused() / paused().
  void pause(MonoTime at);
  void resume(MonoTime at);
  // Either of them, or nothing.
  void follow(bool is_paused, MonoTime at);

  // How much of the stretch it was paused; zero of a stretch that ends before it begins.
  Duration paused_within(MonoTime from, MonoTime to) const;
  // The rest of the stretch.
  Duration active_within(MonoTime from, MonoTime to) const { return to - from - paused_within(from, to); }

 private:
  struct Pause {
    MonoTime from;
    MonoTime to;
    Duration before;  // length of all pauses before this one
  };
  Duration paused_until(MonoTime at) const;

  std::vector<Pause> pauses_;  // by time
  MonoTime paused_at_;
};

}  // namespace hyperscale::jobs
