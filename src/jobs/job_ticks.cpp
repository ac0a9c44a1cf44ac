// The timed part of JobMachine: standstills, ticks, the time limit, thresholds.
#include "base/duration_text.h"
#include "jobs/job_machine.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::jobs {

void JobMachine::handle(const Beat&, MonoTime now, Out& out) {
  look_for_standstill(now, out);
}

// Executors are usually suspended together with this process, so their deadlines are extended.
void JobMachine::look_for_standstill(MonoTime now, Out& out) {
  const Duration still = suspensions_.beat(now);
  if (still == Duration::zero()) return;
  ready_deadline_ += still;
  step_all(StandStill{still}, now, out);
}

void JobMachine::handle(const Continued&, MonoTime now, Out& out) {
  look_for_standstill(now, out);
  if (!started_) return;
  if (const auto suspended = suspensions_.continued(now))
    out.emplace_back(Say{fmt::format("the run was suspended for {:.1f}s", seconds(*suspended))});
}

void JobMachine::handle(const Tick& event, MonoTime now, Out& out) {
  look_for_standstill(now, out);
  if (!started_) {
    if (now < ready_deadline_) return void(out.emplace_back(TickAt{ready_deadline_}));
    return give_up({ErrorCode::kTimeout, "an executor did not become ready"}, now, out);
  }
  look_after(event, now, out);
  keep_time_limit(now, out);
  if (over_) return;
  if (!counting(now)) return void(out.emplace_back(TickAt{now + interval_}));
  const Duration at = counted_time(now);
  out.emplace_back(Measure{at});
  if (!stopping_ && watch_.is_due(at)) out.emplace_back(Judge{at});
  out.emplace_back(TickAt{std::min({next_tick(now), workflows_.next_deadline(), time_limit_after(now)})});
}

void JobMachine::look_after(const Tick& tick, MonoTime now, Out& out) {
  for (std::size_t i = 0; i < workflows_.size(); ++i) {
    LookAfterWorkflow look;
    for (const ShareSight& sight : tick.sights)
      if (sight.share.workflow == i) look.sights.push_back({sight.share.part, sight.sight});
    step_workflow(i, look, now, out);
  }
}

void JobMachine::keep_time_limit(MonoTime now, Out& out) {
  if (stopping_ || time_limit_ == Duration::zero() || now < start_ + time_limit_) return;
  warnings_.push_back(fmt::format("stopped at the time limit of {}", format_duration(time_limit_)));
  begin_stop("the time limit is reached", now, out);
}

void JobMachine::handle(const Judged& event, MonoTime now, Out& out) {
  if (stopping_) return;
  stopped_by_ = watch_.failed(event.verdicts, event.at);
  if (!stopped_by_) return;
  const std::string what = fmt::format("threshold {} failed: actual {}", stopped_by_->threshold, stopped_by_->actual);
  warnings_.push_back("stopped: " + what);
  begin_stop(what, now, out);
}

// On a grid of counted time, so that windows end on full seconds.
MonoTime JobMachine::next_tick(MonoTime now) const {
  const std::int64_t steps = (now - start_) / interval_ + 1;
  const MonoTime from_start = start_ + steps * interval_;
  const MonoTime counted = counted_from(now);
  if (now < counted) return std::min(from_start, counted);
  if (clock_.paused()) return now + interval_;
  return now + (interval_ - counted_time(now) % interval_);
}

MonoTime JobMachine::time_limit_after(MonoTime now) const {
  const MonoTime limit = start_ + time_limit_;
  return time_limit_ > Duration::zero() && limit > now ? limit : MonoTime::max();
}

}  // namespace hyperscale::jobs
