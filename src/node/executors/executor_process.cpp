#include "node/executors/executor_process.h"

#include "base/check.h"
#include "load/recording/plan_tallies.h"
#include "load/recording/tally_region.h"
#include "node/executors/executor_messages.h"
#include "node/executors/process_title.h"
#include "plan/raw_request.h"
#include "runtime/sandbox/sandbox.h"
#include "stream/epoch_folder.h"
#include "stream/sample_publisher.h"
#include "wire/frame_decoder.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

// The creator of the socketpair is the parent. Call after PR_SET_PDEATHSIG: an earlier death sends no signal.
bool parent_lives(int control_fd) {
  ucred creator{};
  socklen_t size = sizeof creator;
  if (::getsockopt(control_fd, SOL_SOCKET, SO_PEERCRED, &creator, &size) != 0) return false;
  return ::getppid() == creator.pid;
}

// Ctrl-C reaches every process of the terminal, but only the parent decides when to stop: ignore signals.
void settle_in() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_TIMERSLACK, 1UL);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL);
  show_title();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
}

Duration cpu_used() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + Duration(time.tv_nsec);
}

constexpr std::uint64_t kLogLinesMax = 100;  // per second
// Longest time until consumers of the stream see a sample.
constexpr Duration kPublishWithin = 20ms;

class ExecutorProcess {
 public:
  ExecutorProcess(int control_fd, int region_fd, const MakeExecutor& make, const ReadyExecutor& ready,
                  Confined confined)
      : control_fd_(control_fd), region_fd_(region_fd), make_(make), ready_(ready), confined_(confined) {}

  int run() {
    while (!executor_) receive(0);
    loop_->watch(control_fd_, [this] { receive(MSG_DONTWAIT); });
    while (!(started_ ? executor_->done() : stopped_)) {
      loop_->run_once();
      executor_->between_turns();
      if (publisher_->has_unflushed() && !flush_timer_.is_set())
        loop_->timers().set(flush_timer_, load::EventLoop::now() + kPublishWithin);
    }
    publisher_->flush();
    loop_->unwatch(control_fd_);
    send(Finished{started_ ? cpu_used() - cpu_before_ : Duration::zero(), executor_->given(), executor_->failure()});
    return kExecutorDone;
  }

 private:
  // Exits at once: the parent is gone or broke the protocol.
  [[noreturn]] static void leave(int code) { ::_exit(code); }

  void send(const ExecutorMessage& message) const {
    const auto bytes = encode_message(message);
    const ssize_t sent = ::send(control_fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(bytes.size())) leave(kExecutorOrphaned);
  }

  [[noreturn]] void refuse(const Error& error) const {
    send(Refused{error.context});
    leave(kExecutorRefused);
  }

  void receive(int flags) {
    const ssize_t got = ::recv(control_fd_, chunk_.data(), chunk_.size(), flags);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) leave(kExecutorOrphaned);
    if (!decoder_.feed(ByteView(chunk_).first(static_cast<std::size_t>(got)))) leave(kExecutorMisled);
    for (;;) {
      auto frame = decoder_.next();
      if (!frame) leave(kExecutorMisled);
      if (!*frame) return;
      auto message = decode_message(**frame);
      if (!message) leave(kExecutorMisled);
      std::visit([this](const auto& one) { handle(one); }, *message);
    }
  }

  void handle(const PlanPart& part) {
    if (executor_ || !parts_.add(part)) leave(kExecutorMisled);
  }
  void handle(const PlanEnd& end) {
    if (executor_) leave(kExecutorMisled);
    auto plan = parts_.finish(end);
    if (!plan) refuse(plan.error());
    prepare(std::move(*plan), end);
    send(Ready{});
  }
  void handle(const Start& start) {
    if (!executor_ || started_) leave(kExecutorMisled);
    if (stopped_) return;
    started_ = true;
    if (const Status given = executor_->give(start.values); !given) refuse(given.error());
    executor_->go_on_after(start.first_round);
    cpu_before_ = cpu_used();
    executor_->start(start.at, start.first_arrival);
  }
  void handle(const Change& change) {
    if (!started_ && !stopped_) leave(kExecutorMisled);
    if (started_) executor_->change(change.change);
  }
  void handle(const Stop&) {
    stopped_ = true;
    if (started_) executor_->stop();
  }
  void handle(const Ready&) { leave(kExecutorMisled); }
  void handle(const Refused&) { leave(kExecutorMisled); }
  void handle(const Log&) { leave(kExecutorMisled); }
  void handle(const Finished&) { leave(kExecutorMisled); }

  // Limits the rate, because a script may write log lines without bound.
  void write_log(load::LogLevel level, std::string_view text) {
    const MonoTime now = load::EventLoop::now();
    if (now - log_window_ >= 1s) {
      if (log_lines_ > kLogLinesMax)
        send(Log{load::LogLevel::kWarning, fmt::format("{} more lines in this second", log_lines_ - kLogLinesMax)});
      log_window_ = now;
      log_lines_ = 0;
    }
    if (++log_lines_ <= kLogLinesMax) send(Log{level, std::string(text)});
  }

  void prepare(plan::Plan plan, const PlanEnd& end) {
    const load::TallyShape shape = load::tally_shape(plan);
    const stream::RegionLayout layout = load::region_layout(shape);
    auto regions = stream::map_regions({OwnedFd(region_fd_), OwnedFd(region_fd_ + 1), OwnedFd(region_fd_ + 2)}, layout);
    if (!regions) refuse(regions.error());
    regions_ = std::move(*regions);
    auto numbers = stream::MappedRegion::map(OwnedFd(region_fd_ + 3), sizeof(load::IterationNumberCells),
                                             stream::MappedRegion::Access::kWrite);
    if (!numbers) refuse(numbers.error());
    numbers_ = std::move(*numbers);
    publisher_.emplace(stream::ring_memory(regions_.header, regions_.pool, layout.nslots, layout.stride_bytes));
    const auto reserve = [this](std::size_t offset, std::size_t bytes) {
      return regions_.counters.reserve(load::kTalliesAt + offset, bytes);
    };
    recorder_.emplace(load::tallies_in(regions_.counters), shape, reserve, &*publisher_);
    auto loop = load::make_event_loop(end.backend);
    if (!loop) refuse(loop.error());
    loop_ = std::move(*loop);
    if (confined_ == Confined::kYes) seal(plan, end.segment.index);
    auto executor = make_(std::move(plan), end.segment, *loop_, *recorder_);
    if (!executor) refuse(executor.error());
    executor_ = std::move(*executor);
    executor_->number_by(
        load::IterationNumbers(*static_cast<load::IterationNumberCells*>(numbers_.data()), end.numbers));
    executor_->log_to([this](load::LogLevel level, std::string_view text) { write_log(level, text); });
  }

  // With a Unix socket the user stays the same, because the socket file is subject to its permissions.
  void seal(const plan::Plan& plan, std::uint32_t index) {
    if (const Status loaded = ready_.load(plan); !loaded) refuse(loaded.error());
    const bool unix_socket = !plan.network.unix_socket.empty();
    const Status entered =
        runtime::enter_sandbox(unix_socket ? runtime::SandboxUser::kSame : runtime::SandboxUser::kNobody);
    if (!entered) refuse(entered.error());
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the change of user clears it
    if (!parent_lives(control_fd_)) leave(kExecutorOrphaned);
    if (const Status started = ready_.start(plan); !started) refuse(started.error());
    const auto state = runtime::seal_sandbox(runtime::tcp_and(unix_socket, plan::uses_datagrams(plan)));
    if (!state) refuse(state.error());
    if (plan.script.exists() && index == 0 && !state->filtered)
      send(Log{load::LogLevel::kWarning, "this kernel cannot filter system calls: the script is less confined"});
  }

  const int control_fd_;
  const int region_fd_;
  const MakeExecutor& make_;
  const ReadyExecutor& ready_;
  const Confined confined_;
  wire::FrameDecoder decoder_{kExecutorFrames};
  std::array<std::uint8_t, 64 << 10> chunk_{};
  PlanAssembly parts_;
  stream::EpochRegions regions_;
  stream::MappedRegion numbers_;
  std::optional<stream::SamplePublisher> publisher_;
  std::optional<load::TallyRecorder> recorder_;
  std::unique_ptr<load::EventLoop> loop_;
  load::Timer flush_timer_{[](void* self) { static_cast<ExecutorProcess*>(self)->publisher_->flush(); }, this};
  std::unique_ptr<load::Executor> executor_;
  bool started_ = false;
  bool stopped_ = false;
  Duration cpu_before_{};
  MonoTime log_window_;
  std::uint64_t log_lines_ = 0;
};

}  // namespace

int run_executor_process(int control_fd, int region_fd, const MakeExecutor& make, const ReadyExecutor& ready,
                         Confined confined) {
  settle_in();
  if (!parent_lives(control_fd)) return kExecutorOrphaned;
  return std::make_unique<ExecutorProcess>(control_fd, region_fd, make, ready, confined)->run();
}

}  // namespace hyperscale::node
