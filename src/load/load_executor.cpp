#include "load/load_executor.h"

#include "base/check.h"
#include "load/expectation.h"
#include "load/protocols/retry_pause.h"
#include "plan/limits.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

// Open loop: users that may open their first connection at the same time. Opening costs more than a request, so a
// generator that is behind and opens ever more connections would never catch up.
constexpr std::uint32_t kJoiningMax = 8;
constexpr Duration kOnTime = 200us;  // an arrival that is noticed this soon was not delayed by the generator
// An arrival that has waited longer than this for a lane is recorded as overdue. It may still begin, late; otherwise it
// is dropped.
constexpr Duration kOverdue = 1s;
constexpr Duration kPatience = 5ms;  // how long an arrival waits for a lane before a late generator adds a user

}  // namespace

LoadExecutor::LoadExecutor(plan::Plan plan, const plan::Segment& segment, EventLoop& loop, TallyRecorder& recorder,
                           std::unique_ptr<StepScript> script, ExchangeWatch* watch)
    : plan_(std::move(plan)),
      segment_(segment),
      loop_(loop),
      recorder_(recorder),
      environment_(loop),
      script_(std::move(script)),
      watch_(watch),
      curve_(plan_.load),
      schedule_(plan_.load, segment, plan_.seed),
      curve_timer_(&call<&LoadExecutor::follow_curve>, this),
      arrival_timer_(&call<&LoadExecutor::take_arrivals>, this),
      end_timer_(&call<&LoadExecutor::end_of_time>, this),
      cut_timer_(&call<&LoadExecutor::cut_off>, this),
      alive_timer_(&call<&LoadExecutor::show_alive>, this) {}

LoadExecutor::~LoadExecutor() = default;

Status LoadExecutor::prepare() {
  auto steps = prepare_steps(plan_);
  if (!steps) return fail(steps.error());
  steps_ = std::move(*steps);
  for (PreparedStep& step : steps_)
    for (const auto& request : step.requests)
      if (watch_ != nullptr) request->want_all();
  auto graph = StepGraph::make(plan_.steps);
  if (!graph) return fail(graph.error());
  graph_ = std::move(*graph);
  protocols_ = protocols_of(steps_);
  connects_ = script_ != nullptr || protocols_ != ProtocolMask().set(static_cast<std::size_t>(Protocol::kUdp));
  environment_.memory = &memory_;
  if (auto ready = prepare_environment(plan_, steps_, environment_); !ready) return ready;
  const bool h2 = plan_.http.version == plan::HttpVersion::kHttp2;
  lanes_per_user_ = std::max(1U, h2 ? plan_.http.streams : std::max(plan_.http.pipeline, plan_.http.streams));
  numbered_ = script_ || std::ranges::any_of(steps_, [](const PreparedStep& step) { return step.requests.size() > 1; });
  if (recorder_.has_url_rows())
    for (const plan::Request& request : plan_.steps.front().requests)
      steps_.front().rows.push_back(recorder_.series(request.url, plan_.steps.front().tags));
  users_most_ = segment_.vu_count;
  users_.reserve(segment_.vu_count);
  return script_ ? prepare_script() : Status();
}

void LoadExecutor::start(MonoTime start, std::uint64_t first_arrival) {
  start_ = start;
  count_from_ = start + plan_.load.warmup;
  if (curve_.length() != Duration::max()) end_ = start + curve_.length();
  if (plan_.load.iterations > 0) {
    const std::uint64_t share = plan::share_of(plan_.load.iterations, segment_);
    iterations_left_ = is_open() ? share : share - std::min(share, first_arrival);
  }
  if (end_ != MonoTime::max()) loop_.timers().set(end_timer_, end_);
  if (functions_) show_alive();
  if (segment_.vu_count == 0 || iterations_left_ == 0 || steps_.empty()) return end_of_time();
  if (is_open()) {
    schedule_.skip(first_arrival);
    arrivals_due_ = first_arrival;
    if (!schedule_.next()) return end_of_time();
    loop_.timers().set(arrival_timer_, start_ + schedule_.next()->at);
  } else {
    arrivals_due_ = first_arrival;
    loop_.timers().set(curve_timer_, start_);
  }
}

VirtualUser& LoadExecutor::user_at(std::uint32_t index) {
  while (users_.size() <= index) {
    const auto made = static_cast<std::uint32_t>(users_.size());
    ExchangeListener& listener = *this;
    LaneEvents& lanes = *this;
    users_.push_back(std::make_unique<VirtualUser>(environment_, listener, lanes, made,
                                                   plan::user_number(made, segment_), lanes_per_user_, graph_.width(),
                                                   functions_ ? kCallsAtOnceMax : 0, protocols_));
  }
  return *users_[index];
}

// --- closed loop ---

std::uint32_t LoadExecutor::share_of_users(double total) const {
  return plan::users_of(static_cast<std::uint64_t>(std::floor(total + 1e-9)), segment_);
}

void LoadExecutor::follow_curve() {
  if (ended_) return;
  const MonoTime now = EventLoop::now();
  users_active_ = share_of_users(curve_.target_at(now - start_));
  for (std::uint32_t user = 0; user < users_active_ && ready_user(user); ++user) {
    VirtualUser& each = user_at(user);
    for (Lane& lane : each.lanes)
      if (!lane.busy && !lane.rest.is_set() && !lane.out_of_rows) begin_round(lane.self, now);
  }
  const Duration next = curve_.next_change(now - start_);
  if (next != Duration::max() && start_ + next < end_) loop_.timers().set(curve_timer_, start_ + next);
}

void LoadExecutor::begin_round(LaneId id, MonoTime now) {
  if (!may_begin()) return end_when_idle();
  if (id.user >= users_active_) return;
  Lane& lane = lane_at(id);
  if (numbered_) lane.iteration = numbers_.take();
  if (functions_ && !begin_rows(id, now)) return out_of_rows(id);
  ++lane.rounds;
  if (plan_.load.iterations > 0 && now >= count_from_) --iterations_left_;
  begin_iteration(id, now, now);
}

void LoadExecutor::lane_rested(LaneId id) {
  const MonoTime now = EventLoop::now();
  if (is_open()) return release(id, now);
  begin_round(id, now);
}

// --- open loop ---

void LoadExecutor::take_arrivals() {
  if (ended_) return;
  const MonoTime now = EventLoop::now();
  while (schedule_.next() && start_ + schedule_.next()->at <= now) {
    const Arrival arrival = *schedule_.next();
    schedule_.advance();
    recorder_.arrivals(++arrivals_due_);
    const Duration lag = now - (start_ + arrival.at);
    if (start_ + arrival.at >= count_from_) recorder_.lag(lag);
    on_time_ = lag < kOnTime;
    due_.push(arrival);
  }
  begin_due(now);
}

// Begins due arrivals while lanes are free, and sets the timer for the rest.
void LoadExecutor::begin_due(MonoTime now) {
  report_idle(now);
  drop_late(now);
  LaneId id;
  while (!ended_ && !due_.empty() && find_free_lane(id, now)) begin_on(id, due_.pop(), now);
  if (ended_) return;
  report_waiting(now);
  MonoTime next = MonoTime::max();
  if (schedule_.next()) next = start_ + schedule_.next()->at;
  if (!due_.empty()) next = std::min(next, std::max(now, start_ + due_.front().at) + kPatience);
  if (next != MonoTime::max()) return loop_.timers().set(arrival_timer_, next);
  if (end_ == MonoTime::max() && schedule_.exhausted()) end_of_work();
}

bool LoadExecutor::find_free_lane(LaneId& out, MonoTime now) {
  if (!free_lanes_.empty()) {
    out = free_lanes_.back();
    free_lanes_.pop_back();
    return true;
  }
  if (users_.size() >= users_most_ || users_joining_ >= kJoiningMax) return false;
  // A late generator does not need more lanes: handling the answers that already wait frees some.
  if (!on_time_ && now - (start_ + due_.front().at) < kPatience) return false;
  VirtualUser& user = user_at(static_cast<std::uint32_t>(users_.size()));
  for (std::size_t lane = user.lanes.size(); lane > 1; --lane) free_lanes_.push_back(user.lanes[lane - 1].self);
  out = user.lanes.front().self;
  user.is_joining = connects_;
  if (connects_) ++users_joining_;
  return true;
}

void LoadExecutor::begin_on(LaneId id, const Arrival& arrival, MonoTime now) {
  Lane& lane = lane_at(id);
  moved_ = now;
  if (numbered_) lane.iteration = numbers_.take();
  if (functions_ && !begin_rows(id, start_ + arrival.at)) return end_of_work();
  ++lane.rounds;
  begin_iteration(id, start_ + arrival.at, now);
  if (functions_ && users_[id.user]->clients.in_flight() == 0) joined(id.user);  // its functions have sent nothing yet
}

void LoadExecutor::drop_late(MonoTime now) {
  std::uint64_t dropped = 0;
  while (!due_.empty() && now - (start_ + due_.front().at) > plan_.load.max_lateness)
    if (start_ + due_.pop().at >= count_from_) ++dropped;
  if (dropped > 0) recorder_.dropped(dropped);
}

// Arrivals of the warm-up are first in the queue and are not counted.
void LoadExecutor::report_waiting(MonoTime now) {
  if (due_.empty() && !reported_waiting_) return;
  reported_waiting_ = !due_.empty();
  const bool counted = reported_waiting_ && start_ + due_.front().at >= count_from_;
  if (!counted) return recorder_.waiting(0, 0);
  recorder_.waiting(due_.size(), due_.due_until(now - start_ - kOverdue));
}

// Counts whole seconds in which an arrival was due and nothing began or ended: the target or this executor stalled.
void LoadExecutor::report_idle(MonoTime now) {
  if (due_.empty() || now < count_from_) return;
  const MonoTime since = std::max({moved_, idle_until_, start_ + due_.front().at, count_from_});
  if (now - since < 1s) return;
  const auto whole = static_cast<std::uint64_t>((now - since) / 1s);
  recorder_.idle_seconds(whole);
  idle_until_ = since + whole * 1s;
}

void LoadExecutor::connection_opened(std::uint32_t user, Protocol protocol, std::uint8_t version) {
  if (protocol == Protocol::kHttp) recorder_.http_spoken(version);
  joined(user);
  if (is_open() && !due_.empty()) begin_due(EventLoop::now());
}

void LoadExecutor::joined(std::uint32_t user) {
  if (std::exchange(users_[user]->is_joining, false)) --users_joining_;
}

void LoadExecutor::release(LaneId id, MonoTime now) {
  free_lanes_.push_back(id);
  if (!due_.empty() || !schedule_.next()) begin_due(now);
}

// --- iterations ---

void LoadExecutor::busy_lanes(std::uint32_t count) {
  lanes_busy_ = count;
  recorder_.users_busy(count);
  loop_.expect_answers(count);
}

void LoadExecutor::begin_iteration(LaneId id, MonoTime intended, MonoTime now) {
  Lane& lane = lane_at(id);
  lane.busy = true;
  lane.gave_up = lane.idled = lane.reading = lane.failed = lane.cut = false;
  lane.layer = 0;
  if (graph_.layers() > 1 || functions_) lane.unanswered.assign(steps_.size(), false);
  busy_lanes(lanes_busy_ + 1);
  begin_layer(id, intended, now);
}

bool LoadExecutor::can_run(const Lane& lane, std::uint32_t step) const {
  return std::ranges::none_of(graph_.needs(step), [&](std::uint32_t need) { return lane.unanswered[need]; });
}

// Begins the steps of the lane's layer that can run; false when there are none. The last start may end the iteration
// and begin the lane's next one before it returns.
bool LoadExecutor::begin_layer(LaneId id, MonoTime intended, MonoTime now) {
  VirtualUser& user = *users_[id.user];
  Lane& lane = user.lanes[id.lane];
  const auto layer = graph_.layer(lane.layer);
  const std::uint32_t first_slot = id.lane * graph_.width();
  std::uint32_t runnable = 0;
  for (const std::uint32_t step : layer) {
    if (can_run(lane, step)) {
      const std::vector<std::uint16_t>& rows = steps_[step].rows;
      const std::uint16_t series = rows.empty() ? static_cast<std::uint16_t>(step) : rows[lane.iteration % rows.size()];
      user.runs[first_slot + runnable++] = {intended, now, step, intended >= count_from_, true, series};
    } else {
      lane.unanswered[step] = true;
    }
  }
  lane.pending = runnable;
  const std::uint64_t iteration = lane.iteration;
  for (std::uint32_t i = 0; i < runnable; ++i) {
    const std::uint32_t index = user.runs[first_slot + i].step;
    const PreparedStep& step = steps_[index];
    if (step.requests.empty()) {
      functions_->begin_step(id.user, index);
      continue;
    }
    const Prepared& call = *step.requests[iteration % step.requests.size()];
    user.clients.of(call.protocol).start(first_slot + i, call, now);
  }
  return runnable > 0;
}

void LoadExecutor::exchange_done(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report) {
  joined(user);
  moved_ = report.noticed;
  if (functions_ && functions_->owns(slot)) {
    if (watch_ != nullptr) watch_->watched_exchange(slot, {}, functions_->expectation(user, slot), report);
    return functions_->exchange_done(user, slot, report);
  }
  const LaneId id{user, slot / graph_.width()};
  Lane& lane = lane_at(id);
  StepRun& run = users_[user]->runs[slot];
  judge_step(lane, record(run, report));
  if (watch_ != nullptr) watch_->watched_exchange(slot, plan_.steps[run.step].name, steps_[run.step].expect, report);
  lane.counted = run.counted;
  if (functions_ && (report.is_redirect || !report.complete)) functions_->forget_headers(user, slot);
  if (report.is_redirect) {
    run.intended = report.noticed;
    run.counted = report.noticed >= count_from_;
    return;
  }
  if (!report.sent || report.turned_away) {
    lane.gave_up = true;
    lane.failures = static_cast<std::uint16_t>(std::min(lane.failures + 1, 1000));
  } else {
    lane.failures = 0;
  }
  run.open = false;
  if (!report.complete && !lane.unanswered.empty()) lane.unanswered[run.step] = true;
  if (report.complete && steps_[run.step].answer_read) functions_->store(user, slot, run.step, report);
  if (--lane.pending == 0) layer_done(id, report.noticed);
}

// Functions that read the layer's answers run before the next layer.
void LoadExecutor::layer_done(LaneId id, MonoTime now) {
  Lane& lane = lane_at(id);
  if (functions_ && !lane.reading) {
    lane.reading = true;
    const auto readers = functions_->readers_after(lane.layer, id.user, lane.unanswered);
    if (!readers.empty() && !cut_) {
      lane.pending = static_cast<std::uint32_t>(readers.size());
      return functions_->begin(id.user, readers);
    }
  }
  begin_next_layer(id, now);
}

void LoadExecutor::begin_next_layer(LaneId id, MonoTime now) {
  Lane& lane = lane_at(id);
  lane.reading = false;
  while (!lane.gave_up && !out_of_time_ && ++lane.layer < graph_.layers()) {
    if (begin_layer(id, now, now)) return;
    // No step of the layer can run: records its checks as failed.
    if (functions_) functions_->readers_after(lane.layer, id.user, lane.unanswered);
  }
  end_iteration(id, now, lane.gave_up || lane.idled);
}

void LoadExecutor::end_iteration(LaneId id, MonoTime now, bool rest) {
  Lane& lane = lane_at(id);
  lane.busy = false;
  if (functions_) functions_->end_iteration(id.user);
  if (plan_.http.new_user_per_iteration) users_[id.user]->clients.become_new_user();
  busy_lanes(lanes_busy_ - 1);
  if (lane.counted) {
    recorder_.iteration_done(lane.cut ? IterationEnd::kCut : lane.failed ? IterationEnd::kFailed : IterationEnd::kOk);
    if (!is_open()) recorder_.arrivals(++arrivals_due_);
  }
  if (ended_) {
    if (lanes_busy_ == 0 && !cut_) close_books();
    return;
  }
  if (iterations_left_ == 0) return end_when_idle();
  const Duration pause = rest ? retry_pause(lane.failures) : is_open() ? Duration::zero() : plan_.load.think_time;
  if (pause > Duration::zero()) return loop_.timers().set(lane.rest, now + pause);
  if (is_open()) return release(id, now);
  begin_round(id, now);
}

// Closed loop, bounded by count: the work ends with the last iteration.
void LoadExecutor::end_when_idle() {
  if (lanes_busy_ == 0) end_of_work();
}

// Checks do not fail an iteration; neither do steps that the end of the run kept from starting.
void LoadExecutor::judge_step(Lane& lane, Outcome outcome) {
  lane.failed = lane.failed || results::is_error(outcome);
  lane.cut = lane.cut || outcome == Outcome::kCut;
}

Outcome LoadExecutor::record(const StepRun& run, const ExchangeReport& report) {
  std::string_view message = report.message;
  const Outcome outcome = judge(steps_[run.step].expect, report, message);
  if (!run.counted) {
    recorder_.warmup_requests(1);
    return outcome;
  }
  stream::Sample sample;
  sample.step = run.series;
  sample.status = report.complete ? report.status : std::uint16_t{0};
  sample.bytes_sent = report.bytes_sent;
  sample.bytes_received = report.bytes_received;
  sample.duration = report.ended - run.intended;
  sample.service = report.service;
  sample.connect = report.connect;
  sample.tls = report.tls;
  sample.first_byte = report.first_byte;
  sample.outcome = static_cast<std::uint8_t>(outcome);
  sample.ended = report.ended;
  recorder_.record(sample);
  if (report.connections_opened > 0) recorder_.connections_opened(sample.step, report.connections_opened);
  if (report.tls_resumed > 0) recorder_.tls_resumed(sample.step, report.tls_resumed);
  if (report.is_redirect) recorder_.redirect_followed(sample.step);
  if (report.resent > 0) recorder_.resent(sample.step, report.resent);
  recorder_.span(count_from_, report.ended);
  if (results::is_error(outcome)) recorder_.failure(sample.step, outcome, sample.status, message, report.body);
  return outcome;
}

// --- end ---

// Running iterations end after their current layer.
void LoadExecutor::end_of_time() {
  out_of_time_ = true;
  end_of_work();
}

// No iteration begins any more; running ones continue to their end.
void LoadExecutor::end_of_work() {
  if (ended_) return;
  ended_ = true;
  for (TimerQueue& timers = loop_.timers(); Timer * timer : {&curve_timer_, &arrival_timer_, &end_timer_})
    timers.cancel(*timer);
  for (const auto& user : users_)
    for (Lane& lane : user->lanes) loop_.timers().cancel(lane.rest);
  std::uint64_t dropped = 0;
  while (!due_.empty())
    if (start_ + due_.pop().at >= count_from_) ++dropped;
  if (dropped > 0) recorder_.dropped(dropped);
  recorder_.waiting(0, 0);
  if (lanes_busy_ == 0) return close_books();
  loop_.timers().set(cut_timer_, EventLoop::now() + plan_.load.graceful_stop);
}

void LoadExecutor::change(const plan::LoadChange& change) {
  if (ended_) return;
  const Duration at = change.at - start_;
  switch (change.kind) {
    case plan::LoadChangeKind::kUsers:
      if (is_open()) {
        users_most_ = share_of_users(change.value);
        break;
      }
      [[fallthrough]];
    case plan::LoadChangeKind::kRate:
      curve_.set_target(at, change.value);
      break;
    case plan::LoadChangeKind::kPause:
      curve_.pause(at);
      warmup_left_ = std::max(count_from_ - change.at, Duration::zero());
      if (warmup_left_ > Duration::zero()) count_from_ = MonoTime::max();
      break;
    case plan::LoadChangeKind::kResume:
      curve_.resume(at);
      if (warmup_left_ > Duration::zero()) count_from_ = change.at + warmup_left_;
      break;
  }
  TimerQueue& timers = loop_.timers();
  end_ = curve_.length() == Duration::max() ? MonoTime::max() : start_ + curve_.length();
  if (end_ == MonoTime::max()) {
    timers.cancel(end_timer_);
  } else {
    timers.set(end_timer_, end_);
  }
  const MonoTime soon = EventLoop::now();
  if (!is_open()) return timers.set(curve_timer_, soon);
  schedule_.follow(curve_);
  timers.set(arrival_timer_, soon);
}

void LoadExecutor::stop() {
  end_of_time();
}

void LoadExecutor::cut_off() {
  provisions_open_ = 0;
  cut_ = out_of_time_ = true;
  const bool books_open = lanes_busy_ > 0;
  for (const auto& user : users_) {
    if (functions_) cut_functions(user->lanes.front().self, EventLoop::now());
    user->clients.cut(Outcome::kCut, "still in flight when the graceful stop was over");
  }
  // Only after everything is cut: functions that provide values may send requests.
  if (books_open && lanes_busy_ == 0) close_books();
}

// Only after the turn: frames of the connection may follow an answer within the same turn.
void LoadExecutor::between_turns() {
  environment_.bury();
  if (!done()) return;
  for (const auto& user : users_) user->clients.tell_connection_bytes();
  loop_.submit();
}

void LoadExecutor::close_books() {
  // Calls that no function waits for any more get the same graceful stop as iterations.
  if (!has_stray_calls()) {
    loop_.timers().cancel(cut_timer_);
  } else if (!cut_timer_.is_set()) {
    loop_.timers().set(cut_timer_, EventLoop::now() + plan_.load.graceful_stop);
  }
  // The configured duration counts even if the last answer came early.
  const MonoTime now = EventLoop::now();
  if (end_ != MonoTime::max() && now > count_from_)
    recorder_.span(count_from_, std::max(std::min(now, end_), recorder_.last_end()));
  if (functions_ && !plan_.script.provides.empty()) begin_provisions();
}

}  // namespace hyperscale::load
