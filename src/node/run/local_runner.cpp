#include "node/run/local_runner.h"

#include "base/duration_text.h"
#include "node/run/control_socket.h"
#include "node/run/executor_pool.h"
#include "node/run/machine_limits.h"
#include "node/run/run_description.h"
#include "node/run/run_id.h"
#include "node/run/run_progress.h"
#include "plan/segment.h"

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
// After the graceful stop, for an executor to say that it has finished.
constexpr Duration kEndPatience = 5s;

WallTime wall_now() {
  return WallTime::from_ns(std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
}

// As nohup does it.
bool is_ignored(int signal) {
  struct sigaction action{};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

class LocalRunner final : PoolObserver {
 public:
  explicit LocalRunner(const RunRequest& request)
      : request_(request),
        load_(request.plan.load),
        run_id_(make_run_id(wall_now())),
        display_(request.ui, STDERR_FILENO, request.glyphs),
        progress_(load_),
        warnings_(request.warnings) {}

  Result<RunEnd> run() {
    auto pool = ExecutorPool::make(io_, pool_setup(), *this);
    if (!pool) return fail(pool.error());
    pool_ = std::move(*pool);
    open_control_socket();
    if (!is_ignored(SIGHUP)) signals_.add(SIGHUP);
    await_signal();
    deadline_ = EventLoop::now() + kReadyPatience;
    tick_at(deadline_);
    io_.run();
    control_.reset();
    display_.clear();
    if (failure_) return fail(*failure_);
    return collect();
  }

 private:
  PoolSetup pool_setup() const {
    const std::vector<int> cores = usable_cores();
    const std::uint32_t executors =
        request_.executors != 0 ? request_.executors : executors_by_default(cores.size(), load_.vus);
    return {.plan = request_.plan,
            .segments = plan::segments_of(load_.vus, executors),
            .backend = request_.backend,
            .cores = cores,
            .program = request_.program,
            .arguments = request_.arguments};
  }

  void open_control_socket() {
    if (request_.control_folder.empty()) return;
    auto control = ControlSocket::listen(
        io_, request_.control_folder, run_id_,
        {.status = [this] { return status(); }, .stop = [this] { begin_stop("asked by hyperscale ctl"); }});
    if (control) {
      control_ = std::move(*control);
    } else {
      warnings_.push_back("the run could not be reached by hyperscale ctl: " + control.error().context);
    }
  }

  std::string status() {
    if (started_) progress_.take(pool_->live(), EventLoop::now() - counted_);
    return progress_.status_json(run_id_, stopping_);
  }

  void await_signal() {
    signals_.async_wait([this](error_code error, int) {
      if (error) return;
      on_signal();
      await_signal();
    });
  }

  void on_signal() {
    if (!started_) return give_up({ErrorCode::kCanceled, "stopped before the start"});
    if (aborted_) return;
    if (!stopping_) {
      return begin_stop(fmt::format("waiting up to {} for {} requests in flight; press Ctrl-C again to stop now",
                                    format_duration(load_.graceful_stop), pool_->live().vus_busy));
    }
    aborted_ = true;
    warnings_.push_back(
        fmt::format("stopped at once: {} requests that were in flight are not counted", pool_->live().vus_busy));
    pool_->kill();
  }

  void begin_stop(const std::string& why) {
    if (!started_) return give_up({ErrorCode::kCanceled, "stopped before the start"});
    if (std::exchange(stopping_, true)) return;
    interrupted_ = true;
    display_.say("stopping: " + why);
    deadline_ = EventLoop::now() + load_.graceful_stop + kEndPatience;
    pool_->stop();
  }

  void give_up(Error error) {
    if (!failure_) failure_ = std::move(error);
    pool_->kill();
  }

  void on_ready() override {
    start_ = EventLoop::now() + kStartDelay;
    started_at_ = wall_now() + kStartDelay;
    counted_ = start_ + load_.warmup;
    started_ = true;
    deadline_ = MonoTime::max();
    if (load_.duration > Duration::zero()) {
      deadline_ = counted_ + load_.duration + load_.graceful_stop + kEndPatience;
    }
    pool_->start(start_);
    tick_at(next_tick(start_));
  }

  void on_refused(std::uint32_t, const std::string& why) override { give_up({ErrorCode::kInvalidArgument, why}); }

  void on_died(std::uint32_t executor, const std::string& sentence) override {
    const std::string text = fmt::format("executor {}: {}", executor, sentence);
    if (!started_ && pool_->lost_a_share()) return give_up({ErrorCode::kInternal, text});
    display_.say(text);
  }

  void on_done() override {
    ended_ = EventLoop::now();
    io_.stop();
  }

  // The full screen is redrawn often; otherwise only the windows need a reading.
  Duration interval() const { return request_.ui == UiMode::kFull ? kRedrawInterval : kWindowLength; }

  void tick_at(MonoTime at) {
    timer_.expires_at(std::chrono::steady_clock::time_point(std::chrono::nanoseconds(at.ns())));
    timer_.async_wait([this](error_code error) {
      if (!error) on_tick();
    });
  }

  void on_tick() {
    const MonoTime now = EventLoop::now();
    if (now >= deadline_) return on_deadline();
    if (!started_) return tick_at(deadline_);
    if (!stopping_ && request_.timeout > Duration::zero() && now >= start_ + request_.timeout) {
      warnings_.push_back(fmt::format("stopped at the time limit of {}", format_duration(request_.timeout)));
      begin_stop("the time limit is reached");
    }
    const Duration at = now - counted_;
    progress_.take(pool_->live(), at);
    if (display_.is_due(std::max(at, Duration::zero()))) display_.show(progress_.view(stopping_));
    tick_at(std::min({next_tick(now), deadline_, time_limit_after(now)}));
  }

  // Ticks lie on a grid from the start of the counted part, so that windows end on full seconds.
  MonoTime next_tick(MonoTime now) const {
    const std::int64_t steps = (now - start_) / interval() + 1;
    const MonoTime from_start = start_ + steps * interval();
    if (now < counted_) return std::min(from_start, counted_);
    return counted_ + ((now - counted_) / interval() + 1) * interval();
  }

  MonoTime time_limit_after(MonoTime now) const {
    const MonoTime limit = start_ + request_.timeout;
    return request_.timeout > Duration::zero() && limit > now ? limit : MonoTime::max();
  }

  void on_deadline() {
    if (!started_) return give_up({ErrorCode::kTimeout, "an executor did not become ready"});
    warnings_.push_back("an executor did not end in time and was killed");
    deadline_ = MonoTime::max();
    pool_->give_up();
  }

  Result<RunEnd> collect() {
    auto recorded = pool_->recorded();
    if (!recorded) return fail(recorded.error());
    results::RunResult& result = *recorded;
    if (const MonoTime last = pool_->last_end(); last > counted_) progress_.finish(pool_->live(), last - counted_);
    result.run_id = run_id_;
    result.name = request_.name.empty() ? request_.plan.name : request_.name;
    result.tags = request_.tags;
    for (const plan::Tag& tag : request_.plan.tags) result.tags.emplace(tag.name, tag.value);
    result.target = request_.plan.steps.front().requests.front().url;
    result.protocol = describe_protocol(request_.plan);
    result.load_description = describe_load(load_);
    result.started = started_at_;
    // A run that its count ended had no duration to keep.
    result.planned = load_.iterations > 0 && result.elapsed < load_.duration ? Duration::zero() : load_.duration;
    result.open_loop = load_.pacing == plan::Pacing::kOpen;
    const bool even = load_.stages.empty() && !load_.poisson;  // chance alone moves the rate of the others
    if (result.open_loop && even) result.asked_rate_per_s = load_.rate_per_s;
    result.windows = progress_.windows();
    result.executors = pool_->reports(ended_ - start_);
    result.interrupted = interrupted_;
    result.partial = pool_->lost_a_share();
    result.warnings = warnings_;
    return RunEnd{std::move(result), aborted_};
  }

  const RunRequest& request_;
  const plan::Load& load_;
  const std::string run_id_;
  LiveDisplay display_;
  RunProgress progress_;
  asio::io_context io_{1};
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  asio::steady_timer timer_{io_};
  std::unique_ptr<ExecutorPool> pool_;
  std::unique_ptr<ControlSocket> control_;
  std::optional<Error> failure_;
  std::vector<std::string> warnings_;
  bool started_ = false;
  bool stopping_ = false;
  bool interrupted_ = false;
  bool aborted_ = false;
  MonoTime start_;
  MonoTime counted_;
  MonoTime ended_;
  MonoTime deadline_;
  WallTime started_at_;
};

}  // namespace

Result<RunEnd> run(const RunRequest& request) {
  return std::make_unique<LocalRunner>(request)->run();
}

std::uint32_t executors_by_default(std::size_t usable_cores, std::uint32_t vus) {
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(usable_cores, 1, std::max(vus, 1U)));
}

}  // namespace hyperscale::node
