#include "node/local/local_runner.h"

#include "base/duration_text.h"
#include "base/number_text.h"
#include "intake/run_description.h"
#include "live/live_json.h"
#include "live/run_metrics.h"
#include "node/control/control_folder.h"
#include "node/control/control_socket.h"
#include "node/control/run_id.h"
#include "node/executors/stream_host.h"
#include "node/executors/stream_requests.h"
#include "node/local/job_run.h"
#include "node/local/live_display.h"
#include "node/local/live_run.h"
#include "node/local/sample_subscriber.h"
#include "node/local/screen_command.h"
#include "node/run_api/run_api.h"
#include "results/redacted.h"
#include "results/window_series.h"
#include "runtime/clock/clock.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <optional>
#include <span>

#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

using boost::system::error_code;
using load::EventLoop;

constexpr double kTickRate = 60;
constexpr double kQuietTickRate = 10;  // nobody looks

// As nohup does it.
bool is_ignored(int signal) {
  struct sigaction action{};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// A signal that comes while it lives.
class SignalWatch {
 public:
  SignalWatch() {
    signals_.async_wait([this](error_code error, int) { came_ = !error; });
  }
  bool came() {
    io_.poll();
    return came_;
  }

 private:
  asio::io_context io_{1};
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  bool came_ = false;
};

class LocalRunner {
 public:
  explicit LocalRunner(const RunRequest& request)
      : request_(request),
        run_id_(make_run_id(runtime::wall_now())),
        display_(request.ui, STDERR_FILENO, request.glyphs,
                 {.view = [this]() -> const live::LiveView& { return live_->look(phase(), EventLoop::now()); },
                  .act = [this](tui::Action action, std::size_t workflow) { act(action, workflow); }}) {}

  Result<RunEnd> run() {
    auto streams = StreamHost::start(io_, run_id_);
    if (!streams) return fail(streams.error());
    streams_ = std::move(*streams);
    streams_->log_to([this](const std::string& sentence) { say(sentence); });
    if (Status launched = run_.launch(request_, *streams_); !launched) return fail(launched.error());
    if (Status made = make_live(); !made) return fail(made.error());
    if (Status opened = open_api(); !opened) return fail(opened.error());
    open_control_socket();
    display_.open(io_);
    if (!is_ignored(SIGHUP)) signals_.add(SIGHUP);
    await_signal();
    run_.begin();
    io_.run();
    control_.reset();
    report_moment();
    display_.close();
    stop_waiting_.emplace();
    if (job().failure()) return fail(*job().failure());
    return collect();
  }

 private:
  Status make_live() {
    if (request_.add_reporters)
      if (Status added = request_.add_reporters(reports_); !added) return added;
    live::LiveView start;
    start.run_id = run_id_;
    start.run_name = request_.name.empty() ? request_.job.name : request_.name;
    start.target = intake::target_of(request_.job.workflows.front().plan);
    start.planned = planned_duration();
    start.iterations_planned = job().workflows().planned_iterations();
    auto live = LiveRun::make(io_, runs(), std::move(start), request_.redactor,
                              request_.ui == UiMode::kFull ? kTickRate : kQuietTickRate);
    if (!live) return fail(live.error());
    live_ = std::move(*live);
    return {};
  }

  const jobs::JobMachine& job() const { return run_.job(); }
  const WorkflowRuns& runs() const { return run_.runs(); }
  Duration planned_duration() const { return job().workflows().planned_duration(); }

  RunPhase phase() const {
    const MonoTime now = EventLoop::now();
    return {.started = job().started(),
            .stopping = job().stopping(),
            .done = over_,
            .counted_from = job().counted_from(now),
            .clock = &job().clock(),
            .planned = planned_duration()};
  }

  void begin_reports(MonoTime started) {
    reports_.begin(shared({facts(), {}}));
    samples_.start(started);
  }

  void report_moment() {
    const MonoTime now = EventLoop::now();
    if (reports_.empty() || !job().counting(now)) return;
    last_line_ = now;
    note_failed_reports();
    reports_.moment(live_->line(phase(), now));
  }

  // A reporter that ends early is told once.
  void note_failed_reports() {
    const std::vector<report::ReporterReport> reports = reports_.reports();
    reported_errors_.resize(reports.size());
    for (std::size_t i = 0; i < reports.size(); ++i) {
      if (reports[i].error.empty() || reported_errors_[i]) continue;
      reported_errors_[i] = true;
      unreported_ = Error{ErrorCode::kUnavailable, reports[i].error};
      run_.warn(reports[i].error);
      say(reports[i].error);
    }
  }

  // What a full queue cost, for the result.
  void warn_of_dropped_reports() {
    for (const report::ReporterReport& report : reports_.reports()) {
      if (report.samples_lost > 0) {
        run_.warn(fmt::format("{}: {} samples are missing.", report.name, count_text(report.samples_lost)));
      } else if (report.dropped > 0) {
        run_.warn(fmt::format("{}: {} of {} reports were dropped.", report.name, report.dropped,
                              report.taken + report.dropped));
      }
    }
  }

  // What is known from the start, without the secrets of the run.
  results::RunFacts facts() const {
    results::RunFacts known;
    known.run_id = run_id_;
    known.name = request_.name.empty() ? request_.job.name : request_.name;
    known.seed = runs().front()->workflow().plan.seed;
    known.tags = request_.tags;
    for (const auto& run : runs())
      for (const plan::Tag& tag : run->workflow().plan.tags) known.tags.emplace(tag.name, tag.value);
    known.started = run_.started_at();
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
    if (action == tui::Action::kStop) return run_.signal(false);
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

  void open_control_socket() {
    if (request_.control_folder.empty()) return;
    auto control = ControlSocket::listen(
        io_, request_.control_folder, run_id_,
        {.status = [this] { return live::status_json(live_->look_now(phase(), EventLoop::now())); },
         .stop = [this](std::string_view workflow) { return run_.stop(workflow, "asked by hyperscale ctl"); },
         .change = [this](const plan::LoadRequest& asked, const ChangeAnswer& answer) { answer(change(asked)); },
         .stream = [this](std::string_view method, ByteView body,
                          pid_t peer) { return answer_stream_request(streams_->driver(), method, body, peer); }});
    if (control) {
      control_ = std::move(*control);
    } else {
      run_.warn("the run could not be reached by hyperscale ctl: " + control.error().context);
    }
  }

  Status open_api() {
    if (!request_.api) return {};
    auto api = RunApi::open(
        io_, *request_.api,
        {.live = [this] { return live_->line(phase(), EventLoop::now()); },
         .metrics = [this] { return live::run_metrics(live_->look(phase(), EventLoop::now())); },
         .stop = [this] { (void)run_.stop("", "asked over the API"); },
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
    live_->look(phase(), EventLoop::now());
    if (Status fresh = live_->check_basis(asked.basis_tick); !fresh) return fail(fresh.error());
    const auto changed = run_.change(asked);
    if (!changed) return fail(changed.error());
    return fmt::format(R"({{"run_id":"{}","changed":"{}","tick":{},"at_s":{:.3f}{}}})", run_id_, changed->what,
                       live_->tick(), seconds(changed->at),
                       changed->shortfall.empty() ? "" : fmt::format(R"(,"note":"{}")", changed->shortfall));
  }

  void await_signal() {
    signals_.async_wait([this](error_code error, int signal) {
      if (error) return;
      run_.signal(signal == SIGHUP);
      await_signal();
    });
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

  void measure(Duration at) {
    if (windows_.is_due(at)) {
      if (const auto window = windows_.close(run_.live(), at)) reports_.window(*window);
      report_moment();
    } else if (job().paused() && EventLoop::now() - last_line_ >= results::kWindowLength) {
      report_moment();  // no second passes in the run, but those who follow it see that it lives
    }
    display_.pass(at);
  }

  Result<RunEnd> collect() {
    MonoTime last;
    for (const auto& run : runs()) last = std::max(last, run->last_end());
    const MonoTime now = EventLoop::now();
    if (job().counting(now) && last > job().counted_from(now))
      reports_.window(windows_.finish(run_.live(), job().clock().active_within(job().counted_from(now), last)));
    samples_.finish();
    reports_.settle();
    note_failed_reports();
    warn_of_dropped_reports();
    auto all = run_.outcome();
    if (!all) return fail(all.error());
    results::RunResult& result = *all;
    const results::RunFacts known = facts();
    result.run_id = known.run_id;
    result.name = known.name;
    result.seed = known.seed;
    result.tags = known.tags;
    result.started = known.started;
    result.windows = windows_.windows();
    reports_.finish(shared(result));
    return RunEnd{std::move(result), job().aborted(), job().stopped_by(), unreported_};
  }

  const RunRequest& request_;
  const std::string run_id_;
  asio::io_context io_{1};
  LiveDisplay display_;
  results::WindowSeries windows_;
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  std::unique_ptr<StreamHost> streams_;
  JobRun run_{io_,
              {.say = [this](const std::string& sentence) { say(sentence); },
               .started = [this](MonoTime at) { begin_reports(at); },
               .ticked = [this] { live_->read_tallies(); },
               .measure = [this](Duration at) { measure(at); },
               .judged = [this](std::span<const results::Verdict> verdicts) { live_->show(verdicts); },
               .over = [this] { finish(); }}};
  std::unique_ptr<LiveRun> live_;
  std::optional<SignalWatch> stop_waiting_;  // for reporters, when the run is over
  report::ReportQueue reports_{{.now = EventLoop::now,
                                .interrupted = [this] { return stop_waiting_ && stop_waiting_->came(); },
                                .slow = [this](const std::string& sentence) { say(sentence); }}};
  SampleSubscriber samples_{io_, run_.runs(), request_.redactor, reports_};
  std::vector<bool> reported_errors_;
  std::unique_ptr<ControlSocket> control_;
  std::unique_ptr<RunApi> api_;
  std::optional<Error> unreported_;  // why a reporter ended early
  bool ending_ = false;              // all workflows are done
  bool over_ = false;                // and the live view shows all of it
  MonoTime last_line_;
};

}  // namespace

Result<RunEnd> run(const RunRequest& request) {
  return std::make_unique<LocalRunner>(request)->run();
}

}  // namespace hyperscale::node
