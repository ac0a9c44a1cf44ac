#include "node/local/local_runner.h"

#include "base/duration_text.h"
#include "intake/run_description.h"
#include "jobs/active_time.h"
#include "live/live_json.h"
#include "live/run_metrics.h"
#include "node/control/control_folder.h"
#include "node/control/control_socket.h"
#include "node/control/run_id.h"
#include "node/executors/stream_host.h"
#include "node/executors/stream_requests.h"
#include "node/local/live_display.h"
#include "node/local/live_run.h"
#include "node/local/load_changes.h"
#include "node/local/run_stages.h"
#include "node/local/screen_command.h"
#include "node/local/standstill_beat.h"
#include "node/local/workflow_run.h"
#include "node/run_api/run_api.h"
#include "results/redacted.h"
#include "results/threshold_watch.h"
#include "results/window_series.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <optional>

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

using boost::system::error_code;
using load::EventLoop;

// Executors that are told to start a little later all start at the same moment.
constexpr Duration kStartDelay = 5ms;
constexpr Duration kReadyPatience = 60s;
constexpr Duration kCareInterval = 100ms;
constexpr Duration kWakeUpPatience = 1s;  // for executors to show that they are alive, after everything stood still
constexpr double kTickRate = 60;
constexpr double kQuietTickRate = 10;  // nobody looks

WallTime wall_now() {
  return WallTime::from_ns(std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
}

// As nohup does it.
bool is_ignored(int signal) {
  struct sigaction action{};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

class LocalRunner final : WorkflowObserver {
 public:
  explicit LocalRunner(const RunRequest& request)
      : request_(request),
        run_id_(make_run_id(wall_now())),
        display_(request.ui, STDERR_FILENO, request.glyphs,
                 {.view = [this]() -> const live::LiveView& { return live_->look(phase(), EventLoop::now()); },
                  .act = [this](tui::Action action, std::size_t workflow) { act(action, workflow); }}),
        watch_(request.thresholds),
        warnings_(request.warnings) {}

  Result<RunEnd> run() {
    auto streams = StreamHost::start(io_, run_id_);
    if (!streams) return fail(streams.error());
    streams_ = std::move(*streams);
    streams_->tell_to([this](const std::string& sentence) { say(sentence); });
    if (Status launched = launch(); !launched) return fail(launched.error());
    if (Status made = make_live(); !made) return fail(made.error());
    if (Status opened = open_api(); !opened) return fail(opened.error());
    open_control_socket();
    display_.open(io_);
    if (!is_ignored(SIGHUP)) signals_.add(SIGHUP);
    await_signal();
    standstill_.start();
    ready_deadline_ = EventLoop::now() + kReadyPatience;
    tick_at(ready_deadline_);
    io_.run();
    control_.reset();
    report_moment();
    display_.close();
    if (failure_) return fail(*failure_);
    return collect();
  }

 private:
  Status launch() {
    WorkflowObserver& observer = *this;
    return stages_.launch(io_, request_, *streams_, observer, warnings_);
  }

  Status make_live() {
    if (request_.add_reporters)
      if (Status added = request_.add_reporters(reports_); !added) return added;
    live::LiveView start;
    start.run_id = run_id_;
    start.run_name = request_.name.empty() ? request_.job.name : request_.name;
    start.target = intake::target_of(request_.job.workflows.front().plan);
    start.planned = planned_duration();
    start.iterations_planned = stages_.planned_iterations();
    auto live = LiveRun::make(io_, runs(), std::move(start), request_.redactor,
                              request_.ui == UiMode::kFull ? kTickRate : kQuietTickRate);
    if (!live) return fail(live.error());
    live_ = std::move(*live);
    return {};
  }

  RunPhase phase() const {
    return {.started = started_,
            .stopping = stopping_,
            .done = over_,
            .counted_from = counted(),
            .clock = &clock_,
            .planned = planned_duration()};
  }

  void report_moment() {
    if (reports_.empty() || !counting()) return;
    last_line_ = EventLoop::now();
    note_failed_reports();
    reports_.moment(live_->line(phase(), EventLoop::now()));
  }

  // A reporter that ends early is told once.
  void note_failed_reports() {
    const std::vector<report::ReporterReport> reports = reports_.reports();
    told_reports_.resize(reports.size());
    for (std::size_t i = 0; i < reports.size(); ++i) {
      if (reports[i].error.empty() || told_reports_[i]) continue;
      told_reports_[i] = true;
      unreported_ = Error{ErrorCode::kUnavailable, reports[i].error};
      warnings_.push_back(reports[i].error);
      say(reports[i].error);
    }
  }

  // What a full queue cost, for the result.
  void warn_of_dropped_reports() {
    for (const report::ReporterReport& report : reports_.reports()) {
      if (report.dropped == 0 && report.samples_lost == 0) continue;
      warnings_.push_back(
          fmt::format("{}: {} of {} reports were dropped{}", report.name, report.dropped, report.taken + report.dropped,
                      report.samples_lost == 0 ? "" : fmt::format(", {} samples lost", report.samples_lost)));
    }
  }

  // What is known from the start, without the secrets of the run.
  results::RunFacts facts() const {
    results::RunResult known;
    known.run_id = run_id_;
    known.name = request_.name.empty() ? request_.job.name : request_.name;
    known.seed = runs().front()->workflow().plan.seed;
    known.tags = request_.tags;
    for (const auto& run : runs())
      for (const plan::Tag& tag : run->workflow().plan.tags) known.tags.emplace(tag.name, tag.value);
    known.started = started_at_;
    known.target = intake::target_of(runs().front()->workflow().plan);
    known.planned = planned_duration();
    return known;
  }
  results::RunResult shared(results::RunResult result) const {
    results::redact(result, request_.redactor);
    return result;
  }

  // What a key asks for: the same commands as those of hyperscale ctl, for the workflow that is shown.
  void act(tui::Action action, std::size_t shown) {
    if (action == tui::Action::kStop) return on_signal();
    const WorkflowRun& run = *runs().at(shown);
    const bool all = action == tui::Action::kPauseOrResume;
    const auto command = command_of(action, run.load().pacing, run.target(EventLoop::now()), is_paused(runs()));
    if (!command) {
      return say(run.load().pacing == plan::Pacing::kOpen ? "it follows a rate; [ and ] change it"
                                                          : "it has no rate; + and - change its users");
    }
    const auto done = change({*command, all ? "" : run.name(), std::nullopt});
    if (!done) say(done.error().context);
  }

  void say(const std::string& sentence) {
    const std::string safe = request_.redactor(sentence);
    if (live_) live_->log(safe);
    display_.say(safe);
  }

  const WorkflowRuns& runs() const { return stages_.runs(); }
  Duration planned_duration() const { return stages_.planned_duration(); }
  results::WindowTotals live() const { return stages_.live(); }

  void open_control_socket() {
    if (request_.control_folder.empty()) return;
    auto control = ControlSocket::listen(
        io_, request_.control_folder, run_id_,
        {.status = [this] { return live::status_json(live_->look_now(phase(), EventLoop::now())); },
         .stop = [this](std::string_view workflow) { return stop_by_ctl(workflow); },
         .change = [this](const plan::LoadRequest& asked, const ChangeAnswer& answer) { answer(change(asked)); },
         .stream = [this](std::string_view method, ByteView body,
                          pid_t peer) { return answer_stream_request(streams_->driver(), method, body, peer); }});
    if (control) {
      control_ = std::move(*control);
    } else {
      warnings_.push_back("the run could not be reached by hyperscale ctl: " + control.error().context);
    }
  }

  Status open_api() {
    if (!request_.api) return {};
    auto api = RunApi::open(
        io_, *request_.api,
        {.live = [this] { return live_->line(phase(), EventLoop::now()); },
         .metrics = [this] { return live::run_metrics(live_->look(phase(), EventLoop::now())); },
         .stop = [this] { begin_stop("asked over the API"); },
         .change = [this](const plan::LoadRequest& asked, const ChangeAnswer& answer) { answer(change(asked)); }},
        api_token_path(request_.control_folder, run_id_));
    if (!api) return fail(api.error());
    api_ = std::move(*api);
    const auto token_file = api_->token_file();
    say("listening on " + api_->url() + (token_file ? ", token in " + *token_file : ""));
    return {};
  }

  // Carried out at the tick that the run shows now.
  Result<std::string> change(const plan::LoadRequest& asked) {
    const MonoTime now = EventLoop::now();
    live_->look(phase(), now);
    if (Status fresh = live_->check_basis(asked.basis_tick); !fresh) return fail(fresh.error());
    const Duration at = counting() ? counted_time(now) : Duration::zero();
    if (Status applied = changes_.apply(asked, now, at); !applied) return fail(applied.error());
    follow_pauses(now);
    const std::string what = plan::text_of(asked.command);
    const std::string shortfall = changes_.shortfall(asked);
    say(fmt::format("changed: {}{}{}", what,
                    asked.workflow.empty() || runs().size() == 1 ? "" : " of " + asked.workflow,
                    shortfall.empty() ? "" : fmt::format(" ({})", shortfall)));
    return fmt::format(R"({{"run_id":"{}","changed":"{}","tick":{},"at_s":{:.3f}{}}})", run_id_, what, live_->tick(),
                       static_cast<double>(at.count()) / 1e9,
                       shortfall.empty() ? "" : fmt::format(R"(,"note":"{}")", shortfall));
  }

  // From when on anything counts: the first workflow is past its setup and warm-up. max(): not known yet.
  MonoTime counted() const {
    const MonoTime now = EventLoop::now();
    MonoTime first = MonoTime::max();
    for (const auto& run : runs()) first = std::min(first, run->counted_from(now));
    return first;
  }
  bool counting() const { return counted() != MonoTime::max(); }
  // Since then, without pauses; negative before. REQUIRES: counting().
  Duration counted_time(MonoTime now) const { return clock_.active_within(counted(), now); }

  // The time of the run stands still while everything that is under way is paused; a workflow that begins or ends may
  // change that as much as a command.
  void follow_pauses(MonoTime now) { clock_.follow(is_paused(runs()), now); }

  void await_signal() {
    signals_.async_wait([this](error_code error, int signal) {
      if (error) return;
      // A window that is closed hangs up more than once, by its kernel and by its shell: nobody has asked twice.
      if (signal != SIGHUP || !stopping_) on_signal();
      await_signal();
    });
  }

  // Executors stood still too, as a rule, and are not to be blamed for it.
  void wait_longer(Duration still) {
    awake_from_ = EventLoop::now() + kWakeUpPatience;
    ready_deadline_ = ready_deadline_ + still;
    for (const auto& run : runs()) run->wait_longer(still);
  }

  void on_signal() {
    if (!started_) return give_up({ErrorCode::kCanceled, "stopped before the start"});
    if (aborted_) return;
    if (!stopping_) {
      Duration patience{};
      for (const auto& run : runs())
        if (run->started() && !run->done()) patience = std::max(patience, run->load().graceful_stop);
      return begin_stop(fmt::format("waiting up to {} for {} requests in flight; press Ctrl-C again to stop now",
                                    format_duration(patience), live().users));
    }
    aborted_ = true;
    warnings_.push_back(fmt::format("stopped at once: {} requests that were in flight are not counted", live().users));
    stages_.kill();
  }

  // Of one workflow, or of the run.
  Status stop_by_ctl(std::string_view workflow) {
    if (workflow.empty()) {
      begin_stop("asked by hyperscale ctl");
      return {};
    }
    if (Status stopped = changes_.stop(workflow, counting() ? counted_time(EventLoop::now()) : Duration::zero());
        !stopped)
      return stopped;
    say(fmt::format("stopping {}: asked by hyperscale ctl", workflow));
    return {};
  }

  void begin_stop(const std::string& why) {
    if (!started_) return give_up({ErrorCode::kCanceled, "stopped before the start"});
    if (std::exchange(stopping_, true)) return;
    interrupted_ = true;
    say("stopping: " + why);
    stages_.stop();
  }

  void give_up(Error error) {
    if (!failure_) failure_ = std::move(error);
    stages_.kill();
  }

  void on_workflow_ready(WorkflowRun&) override {
    if (++ready_ < runs().size()) return;
    start_ = EventLoop::now() + kStartDelay;
    started_at_ = wall_now() + kStartDelay;
    started_ = true;
    reports_.begin(shared({facts(), {}}));
    start_stage();
    tick_at(next_tick(start_));
  }

  void on_workflow_begun(WorkflowRun&) override { follow_pauses(EventLoop::now()); }

  void on_workflow_said(WorkflowRun& run, const std::string& sentence) override {
    say(runs().size() == 1 ? sentence : fmt::format("{}: {}", run.name(), sentence));
  }

  void start_stage() { stages_.start_next(EventLoop::now() + kStartDelay); }

  void on_workflow_refused(WorkflowRun& run, const std::string& why) override {
    give_up({ErrorCode::kInvalidArgument, runs().size() == 1 ? why : fmt::format("workflow {}: {}", run.name(), why)});
  }

  void on_executor_died(WorkflowRun& run, std::uint32_t executor, const std::string& sentence) override {
    const std::string text = fmt::format("executor {}: {}", run.first_executor() + executor, sentence);
    if (!started_ && run.lost_a_share()) return give_up({ErrorCode::kInternal, text});
    say(text);
  }

  void on_workflow_done(WorkflowRun&) override {
    follow_pauses(EventLoop::now());
    if (stages_.all_done()) return finish();
    if (started_ && !stopping_ && !failure_ && stages_.stage_over()) start_stage();
  }

  // Whoever follows the run gets its last moment.
  void finish() {
    if (std::exchange(ending_, true)) return;
    if (!api_ && reports_.empty()) return io_.stop();
    live_->settle([this] {
      over_ = true;
      if (!api_) return io_.stop();
      api_->close([this] { io_.stop(); });
    });
  }

  // Scripts are looked after often; otherwise only the windows need a reading.
  Duration interval() const {
    const bool scripted =
        std::ranges::any_of(runs(), [](const auto& run) { return run->workflow().plan.script.exists(); });
    return scripted ? kCareInterval : results::kWindowLength;
  }

  void tick_at(MonoTime at) {
    timer_.expires_at(std::chrono::steady_clock::time_point(std::chrono::nanoseconds(at.ns())));
    timer_.async_wait([this](error_code error) {
      if (!error) on_tick();
    });
  }

  void on_tick() {
    standstill_.look();
    const MonoTime now = EventLoop::now();
    if (!started_) {
      if (now < ready_deadline_) return tick_at(ready_deadline_);
      return give_up({ErrorCode::kTimeout, "an executor did not become ready"});
    }
    give_up_late_ones(now);
    if (now >= awake_from_)
      for (const auto& run : runs()) run->look_after();
    live_->read_tallies();
    if (!stopping_ && request_.timeout > Duration::zero() && now >= start_ + request_.timeout) {
      warnings_.push_back(fmt::format("stopped at the time limit of {}", format_duration(request_.timeout)));
      begin_stop("the time limit is reached");
    }
    if (!counting()) return tick_at(now + interval());
    const Duration at = counted_time(now);
    if (windows_.is_due(at)) {
      if (const auto window = windows_.close(live(), at)) reports_.window(*window);
      report_moment();
    } else if (clock_.paused() && now - last_line_ >= results::kWindowLength) {
      report_moment();  // no second passes in the run, but those who follow it see that it lives
    }
    judge_so_far(at);
    display_.pass(at);
    tick_at(std::min({next_tick(now), stages_.next_deadline(), time_limit_after(now)}));
  }

  void judge_so_far(Duration at) {
    if (stopping_ || !watch_.is_due(at)) return;
    const auto so_far = gathered();
    if (!so_far) return;
    const std::vector<results::Verdict> verdicts = watch_.judge(*so_far);
    live_->show(verdicts);
    stopped_by_ = watch_.failed(verdicts, at);
    if (!stopped_by_) return;
    const std::string what = fmt::format("threshold {} failed: actual {}", stopped_by_->threshold, stopped_by_->actual);
    warnings_.push_back("stopped: " + what);
    begin_stop(what);
  }

  void give_up_late_ones(MonoTime now) {
    for (const auto& run : runs()) {
      if (now < run->deadline()) continue;
      warnings_.push_back("an executor did not end in time and was killed");
      run->give_up();
    }
  }

  // Ticks lie on a grid of the counted time, so that windows end on full seconds.
  MonoTime next_tick(MonoTime now) const {
    const std::int64_t steps = (now - start_) / interval() + 1;
    const MonoTime from_start = start_ + steps * interval();
    const MonoTime counted = this->counted();
    if (now < counted) return std::min(from_start, counted);
    if (clock_.paused()) return now + interval();
    return now + (interval() - counted_time(now) % interval());
  }

  MonoTime time_limit_after(MonoTime now) const {
    const MonoTime limit = start_ + request_.timeout;
    return request_.timeout > Duration::zero() && limit > now ? limit : MonoTime::max();
  }

  Result<results::RunResult> gathered() const { return stages_.result(start_, counted(), EventLoop::now(), clock_); }

  Result<RunEnd> collect() {
    if (runs().size() == 1 && !runs().front()->failure().empty())
      return fail(ErrorCode::kUnavailable, runs().front()->failure());
    auto all = gathered();
    if (!all) return fail(all.error());
    results::RunResult& result = *all;
    MonoTime last;
    for (const auto& run : runs()) last = std::max(last, run->last_end());
    if (counting() && last > counted()) reports_.window(windows_.finish(live(), counted_time(last)));
    const results::RunFacts known = facts();
    result.run_id = known.run_id;
    result.name = known.name;
    result.seed = known.seed;
    result.tags = known.tags;
    result.started = known.started;
    result.windows = windows_.windows();
    result.changes = changes_.records();
    result.interrupted = interrupted_;
    // Without an answer there is no last end; how long it was tried is known all the same.
    const MonoTime now = EventLoop::now();
    if (interrupted_ && result.elapsed == Duration::zero() && now > counted()) {
      result.elapsed = counted_time(now);
      result.wall = now - counted();
    }
    reports_.settle();
    note_failed_reports();
    warn_of_dropped_reports();
    if (std::string suspended = standstill_.warning(); !suspended.empty()) warnings_.push_back(std::move(suspended));
    result.warnings.insert(result.warnings.begin(), warnings_.begin(), warnings_.end());
    reports_.finish(shared(result));
    return RunEnd{std::move(result), aborted_, stopped_by_, unreported_};
  }

  const RunRequest& request_;
  const std::string run_id_;
  asio::io_context io_{1};
  LiveDisplay display_;
  results::WindowSeries windows_;
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  StandstillBeat standstill_{
      io_,
      {.stood_still = [this](Duration still) { wait_longer(still); },
       .counts = [this] { return started_; },
       .was_suspended =
           [this](Duration time) {
             say(fmt::format("the run was suspended for {:.1f}s", static_cast<double>(time.count()) / 1e9));
           }}};
  asio::steady_timer timer_{io_};
  std::unique_ptr<StreamHost> streams_;
  RunStages stages_;
  std::size_t ready_ = 0;
  std::unique_ptr<LiveRun> live_;
  LoadChanges changes_{stages_.runs()};
  report::ReportQueue reports_;
  std::vector<bool> told_reports_;
  std::unique_ptr<ControlSocket> control_;
  std::unique_ptr<RunApi> api_;
  results::ThresholdWatch watch_;
  std::optional<results::Verdict> stopped_by_;
  std::optional<Error> failure_;
  std::optional<Error> unreported_;  // why a reporter ended early
  std::vector<std::string> warnings_;
  jobs::ActiveTime clock_;  // of the run
  bool started_ = false;
  bool stopping_ = false;
  bool interrupted_ = false;
  bool aborted_ = false;
  bool ending_ = false;  // all workflows are done
  bool over_ = false;    // and the live view shows all of it
  MonoTime start_;
  MonoTime ready_deadline_;
  MonoTime awake_from_;
  MonoTime last_line_;
  WallTime started_at_;
};

}  // namespace

Result<RunEnd> run(const RunRequest& request) {
  return std::make_unique<LocalRunner>(request)->run();
}

}  // namespace hyperscale::node
