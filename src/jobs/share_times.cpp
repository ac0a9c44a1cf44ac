#include "jobs/share_times.h"

namespace hyperscale::jobs {

void ShareTimes::start(MonoTime at, const plan::Load& load) {
  start_ = at;
  duration_ = load.duration;
  graceful_ = load.graceful_stop;
  counted_from_ = at + load.warmup;
  deadline_ = end_of_patience(at);
}

MonoTime ShareTimes::end_of_patience(MonoTime now) const {
  if (duration_ == Duration::zero() || paused()) return MonoTime::max();
  const Duration paused = active_.paused_within(counted_from_, now);
  return counted_from_ + duration_ + paused + stood_still_ + graceful_ + kEndPatience;
}

void ShareTimes::pause(MonoTime at) {
  active_.pause(at);
  deadline_ = MonoTime::max();
}

void ShareTimes::resume(MonoTime at) {
  if (paused_in_warmup()) counted_from_ += at - active_.paused_at();
  active_.resume(at);
  deadline_ = end_of_patience(at);
}

void ShareTimes::stand_still(Duration time) {
  if (counted_from_ == MonoTime::max()) return;
  stood_still_ += time;
  if (deadline_ != MonoTime::max()) deadline_ += time;
}

void ShareTimes::stop(MonoTime now, Duration graceful) {
  deadline_ = now + graceful + kEndPatience;
}

MonoTime ShareTimes::counted_from(MonoTime now) const {
  return paused_in_warmup() ? counted_from_ + (now - active_.paused_at()) : counted_from_;
}

}  // namespace hyperscale::jobs
