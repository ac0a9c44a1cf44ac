// The part of LoadExecutor that runs functions of the script.
#include "base/check.h"
#include "load/load_executor.h"
#include "plan/protocol.h"

#include <algorithm>
#include <utility>

namespace hyperscale::load {
namespace {

using results::Outcome;

// Shorter blockings of the loop by the script are ignored.
constexpr Duration kHeldUp = 1ms;
constexpr Duration kAliveInterval = 500ms;

// The path of a valid URL: no scheme, host, query or fragment. A raw URL has no path: its host and port.
std::string_view path_of(std::string_view url) {
  const std::size_t host = url.find("://");
  const bool raw = plan::is_raw(plan::protocol_of(url));
  url.remove_prefix(host == std::string_view::npos ? 0 : host + 3);
  if (raw) return url;
  url = url.substr(0, url.find_first_of("?#"));
  const std::size_t slash = url.find('/');
  return slash == std::string_view::npos ? std::string_view("/") : url.substr(slash);
}

}  // namespace

Status LoadExecutor::prepare_script() {
  lanes_per_user_ = 1;
  auto shape = shape_of(plan_);
  if (!shape) return fail(shape.error());
  IterationScriptOwner& owner = *this;
  // Plain requests, if there are any, use the first slots of a client.
  const bool plain = std::ranges::any_of(steps_, [](const PreparedStep& step) { return !step.requests.empty(); });
  functions_ = std::make_unique<IterationScript>(
      plan_, graph_, *script_, recorder_, owner,
      ScriptCalls(plain ? graph_.width() : 0, std::move(*shape), environment_.bodies));
  // Users of a closed loop are created before anything is measured; those of an open loop when they are needed.
  for (std::uint32_t user = 0; !is_open() && user < segment_.vu_count; ++user) {
    if (auto added = functions_->add_user(user, plan::user_number(user, segment_), segment_.vu_total); !added)
      return added;
    user_at(user);
  }
  script_->users_added();
  return {};
}

// A user that was added during the run gets its functions with its first iteration.
bool LoadExecutor::ready_user(std::uint32_t user) {
  if (!functions_ || user < users_.size()) return true;
  const Status added = functions_->add_user(user, plan::user_number(user, segment_), segment_.vu_total);
  if (!added) script_logged(LogLevel::kError, added.error().context);
  return added.has_value();
}

Status LoadExecutor::give(const std::vector<plan::SharedValue>& values) {
  return script_ ? script_->give(values) : Status();
}

std::vector<plan::SharedValue> LoadExecutor::given() const {
  return functions_ ? functions_->provided() : std::vector<plan::SharedValue>();
}

// False when there are no data rows for a further iteration.
bool LoadExecutor::begin_rows(LaneId id, MonoTime intended) {
  const Lane& lane = lane_at(id);
  if (is_open() && lane.rounds == 0) {
    if (auto added = functions_->add_user(id.user, plan::user_number(id.user, segment_), segment_.vu_total); !added) {
      script_logged(LogLevel::kError, added.error().context);
      return false;
    }
  }
  if (lane.rounds >= rounds_begun_) {
    rounds_begun_ = lane.rounds + 1;
    recorder_.rounds(first_round_ + rounds_begun_);
  }
  return functions_->begin_iteration(id.user, first_round_ + lane.rounds, lane.iteration, intended >= count_from_) ==
         IterationStart::kBegun;
}

void LoadExecutor::out_of_rows(LaneId id) {
  if (!std::exchange(lane_at(id).out_of_rows, true)) ++lanes_without_rows_;
  if (lanes_busy_ == 0 && lanes_without_rows_ >= users_.size()) end_of_work();
}

void LoadExecutor::scripted_step_ended(std::uint32_t user, std::uint32_t step, const ScriptedStepEnd& end) {
  const LaneId id{user, 0};
  Lane& lane = lane_at(id);
  auto& runs = users_[user]->runs;
  const auto run = std::ranges::find_if(runs, [step](const StepRun& each) { return each.open && each.step == step; });
  if (run == runs.end()) return;  // it was cut off
  const MonoTime now = EventLoop::now();
  run->open = false;
  moved_ = now;
  record_scripted(*run, end, now);
  judge_step(lane, end.outcome);
  lane.counted = run->counted;
  if (end.call != nullptr && !end.call->sent) {
    lane.gave_up = true;
    lane.failures = static_cast<std::uint16_t>(std::min(lane.failures + 1, 1000));
  } else if (!end.called && results::is_error(end.outcome)) {
    lane.idled = true;
    lane.failures = static_cast<std::uint16_t>(std::min(lane.failures + 1, 1000));
  } else {
    lane.failures = 0;
  }
  if (!end.answered) lane.unanswered[step] = true;
  if (--lane.pending == 0) layer_done(id, now);
}

void LoadExecutor::reader_ended(std::uint32_t user, bool threw) {
  const LaneId id{user, 0};
  Lane& lane = lane_at(id);
  lane.failed = lane.failed || threw;
  if (lane.busy && lane.reading && --lane.pending == 0) begin_next_layer(id, EventLoop::now());
}

// A call is measured by its own time: the target is not charged for what the function does before and after it. Only a
// late start is added, as for plain requests.
void LoadExecutor::record_scripted(const StepRun& run, const ScriptedStepEnd& end, MonoTime now) {
  if (!end.measured) return;
  if (!run.counted) return recorder_.warmup_requests(1U + (end.call == nullptr ? 0 : end.call->redirects));
  stream::Sample sample;
  sample.service = stream::kNoPhase;
  sample.duration = now - run.begun;
  if (end.call != nullptr) sample = end.call->sample;
  sample.duration += run.begun - run.intended;
  sample.outcome = static_cast<std::uint8_t>(end.outcome);
  sample.step = static_cast<std::uint16_t>(run.step);
  if (end.call != nullptr && !end.call->what->label.empty())
    sample.step = recorder_.series(end.call->what->label, end.call->what->tags);
  sample.ended = now;
  recorder_.record(sample);
  if (end.call != nullptr) record_call(sample, *end.call);
  recorder_.span(count_from_, now);
  if (results::is_error(end.outcome)) {
    const std::string_view body = end.call == nullptr ? std::string_view() : std::string_view(end.call->body_start);
    recorder_.failure(sample.step, end.outcome, sample.status, end.message, body);
  }
}

// Records the counts of a call that its sample does not hold.
void LoadExecutor::record_call(const stream::Sample& sample, const CallRecord& call) {
  recorder_.connections_opened(sample.step, call.connections_opened);
  recorder_.tls_resumed(sample.step, call.tls_resumed);
  if (call.redirects > 0) {
    for (std::size_t i = 0; i < kRedirectStatuses; ++i)
      recorder_.redirected(sample.step, kFirstRedirectStatus + i, call.redirect_statuses[i]);
  }
  if (call.resent > 0) recorder_.resent(sample.step, call.resent);
}

// A step is measured by the call that it returns (HOOK-7); every other call is recorded in a series by its name, or by
// method and path. It does not make the iteration fail: the function decides that.
void LoadExecutor::call_ended(const CallRecord& call) {
  // A function that was cut while it waited for a call counts as one request together with that call.
  if (call.outcome == Outcome::kCut && functions_cut_ > 0) {
    --functions_cut_;
    if (!call.counted) return;
    stream::Sample with = call.sample;
    with.step = cut_step_;
    recorder_.bytes(with.step, with.bytes_sent, with.bytes_received);
    record_call(with, call);
    return;
  }
  if (!call.counted) return recorder_.warmup_requests(1U + call.redirects);
  const ScriptedRequest& what = *call.what;
  stream::Sample sample = call.sample;
  sample.step = what.label.empty() ? recorder_.series_by_path(what.request.method, path_of(what.request.url), what.tags)
                                   : recorder_.series(what.label, what.tags);
  recorder_.record(sample);
  record_call(sample, call);
  // The call may have ended long before its iteration did.
  if (!ended_) recorder_.span(count_from_, std::max(sample.ended, recorder_.last_end()));
  if (results::is_error(call.outcome))
    recorder_.failure(sample.step, call.outcome, sample.status, call.message, call.body_start);
}

void LoadExecutor::loop_held_up(MonoTime since, MonoTime until) {
  if (until - since < kHeldUp) return;
  loop_.held_up(since, until);
  if (until >= count_from_) recorder_.lag(until - since);
}

// Ends functions that still wait when the graceful stop is over; they would wait forever.
void LoadExecutor::cut_functions(LaneId id, MonoTime now) {
  Lane& lane = lane_at(id);
  functions_cut_ = 0;
  if (!lane.busy) return;
  script_->end_iteration(id.user);
  ScriptedStepEnd cut;
  cut.outcome = Outcome::kCut;
  cut.message = "still under way when the graceful stop was over";
  bool waits = lane.reading;
  for (StepRun& run : users_[id.user]->runs) {
    if (!run.open || !steps_[run.step].requests.empty()) continue;
    run.open = false;
    waits = true;
    lane.counted = run.counted;
    ++functions_cut_;
    cut_step_ = static_cast<std::uint16_t>(run.step);
    record_scripted(run, cut, now);
    --lane.pending;
  }
  if (!waits) return;
  judge_step(lane, Outcome::kCut);
  lane.gave_up = true;
  if (lane.reading || lane.pending == 0) end_iteration(id, now, false);
}

// A script can block the loop in ways that this process cannot interrupt; the parent reads this time stamp and sees it.
void LoadExecutor::show_alive() {
  const MonoTime now = EventLoop::now();
  recorder_.alive(now);
  loop_.timers().set(alive_timer_, now + kAliveInterval);
}

// --- values for other workflows ---

void LoadExecutor::begin_provisions() {
  if (segment_.vu_count == 0) return;  // another share has the users
  const auto knows = std::ranges::find_if(users_, [](const auto& user) { return user->lanes.front().rounds > 0; });
  // In a workflow without steps no user has run an iteration.
  const std::uint32_t user = knows == users_.end() ? 0 : (*knows)->lanes.front().self.user;
  if (knows == users_.end() && !begin_rows(user_at(0).lanes.front().self, count_from_)) return;
  const auto hooks = functions_->provisions();
  provisions_open_ = static_cast<std::uint32_t>(hooks.size());
  loop_.timers().set(cut_timer_, EventLoop::now() + plan_.load.graceful_stop);
  functions_->begin(user, hooks);
}

void LoadExecutor::provision_ended() {
  if (provisions_open_ == 0) return;
  --provisions_open_;
  if (provisions_open_ == 0 && !has_stray_calls()) loop_.timers().cancel(cut_timer_);
}

}  // namespace hyperscale::load
