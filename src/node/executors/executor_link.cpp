#include "node/executors/executor_link.h"

#include "base/errno_text.h"
#include "base/owned_fd.h"
#include "results/run_result.h"
#include "runtime/sandbox/environment.h"
#include "wire/limits.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

using boost::system::error_code;

// Upper bounds of encoded messages.
constexpr std::size_t kPlanMessagesBytesMax = plan::kPlanBytesMax +
                                              (plan::kPlanBytesMax / kPlanPartBytesMax + 1) * kMessageHeadBytesMax +
                                              plan::kSegmentBytesMax + 2 * kNumberBytesMax;
constexpr std::size_t kChangeBytesMax = kMessageHeadBytesMax + 3 * kNumberBytesMax;
// Changes and one resume; then a stop.
static_assert(kPlanMessagesBytesMax + kExecutorMessageBytesMax + (results::kChangesMax + 1) * kChangeBytesMax +
                  kMessageHeadBytesMax <=
              kUnreadBytesMax);

Duration duration_of(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

std::string describe(const ExecutorExit& exit) {
  if (exit.unread) return "killed because it does not read its messages";
  if (WIFSIGNALED(exit.wait_status) && WTERMSIG(exit.wait_status) == SIGSYS)
    return "killed because it made a system call that executors must not make";
  if (WIFSIGNALED(exit.wait_status)) return fmt::format("killed by signal {}", WTERMSIG(exit.wait_status));
  return fmt::format("ended with status {}", WEXITSTATUS(exit.wait_status));
}

Result<std::shared_ptr<ExecutorLink>> ExecutorLink::start(asio::io_context& io, const Program& program,
                                                          const std::array<int, kChildRegions>& region_fds,
                                                          Events events) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return fail(ErrorCode::kBusy, fmt::format("cannot open a socketpair: {}", errno_text(errno)));
  }
  const OwnedFd child_end(ends[1]);
  std::shared_ptr<ExecutorLink> link(new ExecutorLink(io, std::move(events)));
  link->socket_.assign(asio::local::stream_protocol(), ends[0]);
  runtime::ChildSetup child{.program = program.path,
                            .arguments = program.arguments,
                            .environment = runtime::kept_environment(),
                            .descriptors = {child_end.get()},
                            .core = program.core};
  child.descriptors.insert(child.descriptors.end(), region_fds.begin(), region_fds.end());
  child.arguments.insert(child.arguments.end(), {"--control-fd", std::to_string(kChildControlFd), "--region-fd",
                                                 std::to_string(kChildRegionFd)});
  const auto process = runtime::start_child(child);
  if (!process) return fail(process.error());
  link->process_ = *process;
  link->read();
  return link;
}

ExecutorLink::~ExecutorLink() {
  abandon();
}

void ExecutorLink::send(SharedBytes bytes) {
  if (unread_ || bytes.size() > kUnreadBytesMax - unread_bytes_) {
    unread_ = true;
    return kill();
  }
  unread_bytes_ += bytes.size();
  outbox_.push_back(std::move(bytes));
  if (outbox_.size() == 1) write();
}

void ExecutorLink::write() {
  const SharedBytes& next = outbox_.front();
  asio::async_write(socket_, asio::buffer(next.data(), next.size()),
                    [self = shared_from_this()](error_code error, std::size_t) {
                      // read() detects and handles a broken socket.
                      if (error) return;
                      self->unread_bytes_ -= self->outbox_.front().size();
                      self->outbox_.pop_front();
                      if (!self->outbox_.empty()) self->write();
                    });
}

void ExecutorLink::read() {
  socket_.async_read_some(asio::buffer(chunk_), [self = shared_from_this()](error_code error, std::size_t bytes) {
    if (self->process_ == 0) return;
    if (error) return self->end();
    if (!self->take(ByteView(self->chunk_).first(bytes))) self->kill();
    if (self->process_ != 0) self->read();
  });
}

bool ExecutorLink::take(ByteView bytes) {
  if (!decoder_.feed(bytes)) return false;
  for (;;) {
    const auto frame = decoder_.next();
    if (!frame) return false;
    if (!*frame) return true;
    const auto message = decode_message(**frame);
    if (!message) return false;
    events_.message(*message);
    if (process_ == 0) return true;
  }
}

// The socket closes when the process exits. A process that only closed it is killed: it cannot be controlled.
void ExecutorLink::end() {
  const ExecutorExit exit = reap();
  error_code ignored;
  socket_.close(ignored);
  events_.gone(exit);
}

ExecutorExit ExecutorLink::reap() {
  kill();
  ExecutorExit exit;
  rusage used{};
  while (::wait4(process_, &exit.wait_status, 0, &used) < 0 && errno == EINTR) {
  }
  exit.unread = unread_;
  exit.cpu = duration_of(used.ru_utime) + duration_of(used.ru_stime);
  process_ = 0;
  return exit;
}

void ExecutorLink::kill() {
  if (process_ != 0) ::kill(process_, SIGKILL);
}

void ExecutorLink::abandon() {
  if (process_ != 0) reap();
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace hyperscale::node
