// ShareTimes: when a share counts and when it must have ended: warm-up, pauses, standstills and the deadline.
//
// Pure; times are passed in. One thread. A pause in the warm-up makes the warm-up longer, one after it the counted
// part; a standstill moves the deadline only. There is no deadline before the start, with a count only, or in a pause.
#pragma once

#include "base/time.h"
#include "jobs/active_time.h"
#include "plan/plan.h"

namespace hyperscale::jobs {

// After the graceful stop, for an executor to report that it has finished.
inline constexpr Duration kEndPatience = 5s;

class ShareTimes {
 public:
  void start(MonoTime at, const plan::Load& load);
  // REQUIRES: started; not paused() / paused().
  void pause(MonoTime at);
  void resume(MonoTime at);
  void stand_still(Duration time);
  // From now on only the graceful stop and the patience after it are left.
  void stop(MonoTime now, Duration graceful);
  // It has no deadline any more.
  void release() { deadline_ = MonoTime::max(); }

  bool paused() const { return active_.paused(); }
  MonoTime start() const { return start_; }
  // max(): not started. A pause in the warm-up moves it.
  MonoTime counted_from(MonoTime now) const;
  // Without the pause that lasts.
  MonoTime counted_from() const { return counted_from_; }
  MonoTime deadline() const { return deadline_; }
  const ActiveTime& active() const { return active_; }

 private:
  bool paused_in_warmup() const { return paused() && active_.paused_at() < counted_from_; }
  MonoTime end_of_patience(MonoTime now) const;

  Duration duration_{};
  Duration graceful_{};
  MonoTime start_;
  MonoTime counted_from_ = MonoTime::max();
  MonoTime deadline_ = MonoTime::max();
  Duration stood_still_{};
  ActiveTime active_;
};

}  // namespace hyperscale::jobs
