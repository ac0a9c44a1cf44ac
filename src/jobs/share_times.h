// ShareTimes: when a share counts and its deadline, from warm-up, pauses and standstills.
//
// Pure; times are passed in. One thread. A pause extends the part in which it begins, warm-up or counted; a standstill
// moves only the deadline. Before stop(), a share without duration, not started or paused has no deadline.
#pragma once

#include "base/time.h"
#include "jobs/active_time.h"
#include "plan/plan.h"

namespace hyperscale::jobs {

// Time after the graceful stop for an executor to report that it has finished.
inline constexpr Duration kEndPatience = 5s;

class ShareTimes {
 public:
  void start(MonoTime at, const plan::Load& load);
  // REQUIRES: started; not paused() / paused().
  void pause(MonoTime at);
  void resume(MonoTime at);
  void stand_still(Duration time);
  // Sets the deadline to the graceful stop plus kEndPatience from now.
  void stop(MonoTime now, Duration graceful);
  // Removes the deadline.
  void release() { deadline_ = MonoTime::max(); }

  bool paused() const { return active_.paused(); }
  MonoTime start() const { return start_; }
  // max(): not started. A pause in the warm-up moves it.
  MonoTime counted_from(MonoTime now) const;
  // Ignores a pause that has not ended.
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
