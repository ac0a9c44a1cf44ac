#include "target/server_core.h"

#include "base/check.h"
#include "base/errno_text.h"
#include "target/limits.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

namespace hyperscale::target {
namespace {

constexpr std::uint64_t kSeed = 0x7461726765740001;
// Bounds accepting, so that it does not starve open connections.
constexpr int kAcceptsPerTurn = 64;
// Without descriptors a listener stays readable: accepting pauses instead of spinning.
constexpr Duration kAcceptPause = 100ms;

}  // namespace

ServerCore::ServerCore(CoreSetup setup)
    : setup_(std::move(setup)), stop_event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

ServerCore::~ServerCore() {
  request_stop();
  if (thread_.joinable()) thread_.join();
}

Status ServerCore::launch() {
  if (stop_event_.get() < 0) return fail(ErrorCode::kUnavailable, fmt::format("eventfd: {}", errno_text(errno)));
  std::promise<Status> launched;
  std::future<Status> result = launched.get_future();
  thread_ = std::thread([this, promise = std::move(launched)]() mutable { run(std::move(promise)); });
  return result.get();
}

void ServerCore::request_stop() {
  const std::uint64_t one = 1;
  if (stop_event_.get() >= 0) CHECK(::write(stop_event_.get(), &one, sizeof one) == sizeof one || errno == EAGAIN);
}

void ServerCore::run(std::promise<Status> launched) {
  auto loop = load::make_event_loop(load::LoopBackend::kEpoll);
  if (!loop) {
    launched.set_value(fail(loop.error()));
    return;
  }
  loop_ = std::move(*loop);
  services_.emplace(CoreServices{
      .loop = *loop_,
      .routes = {.prng = Prng(kSeed).stream(fmt::format("core {}", setup_.index)),
                 .turns = setup_.turns,
                 .counters = setup_.counters,
                 .gzip = {}},
      .counters = setup_.counters.core(setup_.index),
      .server_start = setup_.server_start,
      .stall = setup_.stall,
      .requests_per_connection_max = setup_.requests_per_connection_max,
  });
  accept_again_ =
      std::make_unique<load::Timer>([](void* self) { static_cast<ServerCore*>(self)->watch_listeners(); }, this);
  grace_ = std::make_unique<load::Timer>([](void* self) { static_cast<ServerCore*>(self)->grace_over_ = true; }, this);
  watch_listeners();
  if (setup_.datagram_socket >= 0) datagrams_.emplace(*loop_, services_->counters, setup_.datagram_socket);
  loop_->watch(stop_event_.get(), [this] { begin_stop(); });
  launched.set_value({});
  serve();
  over_.clear();
  connections_.clear();
  datagrams_.reset();
  accept_again_.reset();
  grace_.reset();
  services_.reset();
  loop_.reset();
}

void ServerCore::serve() {
  while (!grace_over_ && !(services_->stopping && connections_.empty())) {
    loop_->run_once();
    over_.clear();
  }
}

void ServerCore::watch_listeners() {
  if (services_->stopping) return;
  for (const int listener : setup_.listeners) {
    loop_->watch(listener, [this, listener] { accept_from(listener, Speaks::kHttp); });
  }
  if (setup_.line_listener < 0) return;
  loop_->watch(setup_.line_listener, [this] { accept_from(setup_.line_listener, Speaks::kLines); });
}

void ServerCore::unwatch_listeners() {
  for (const int listener : setup_.listeners) loop_->unwatch(listener);
  if (setup_.line_listener >= 0) loop_->unwatch(setup_.line_listener);
}

void ServerCore::accept_from(int listener, Speaks speaks) {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    const int fd = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      add_connection(fd, speaks);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      unwatch_listeners();
      loop_->timers().set(*accept_again_, load::EventLoop::now() + kAcceptPause);
      return;
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

void ServerCore::add_connection(int fd, Speaks speaks) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // fails on a Unix socket, which does not need it
  services_->counters.count_accepted();
  auto connection = std::make_unique<Connection>(*services_, setup_.tls, speaks, static_cast<ConnectionOwner&>(*this));
  connection->position = connections_.size();
  connections_.push_back(std::move(connection));
  connections_.back()->open(fd);
}

void ServerCore::on_connection_over(Connection& connection) {
  const std::size_t position = connection.position;
  CHECK(position < connections_.size() && connections_[position].get() == &connection);
  over_.push_back(std::move(connections_[position]));
  if (position + 1 < connections_.size()) {
    connections_[position] = std::move(connections_.back());
    connections_[position]->position = position;
  }
  connections_.pop_back();
}

void ServerCore::begin_stop() {
  loop_->unwatch(stop_event_.get());
  unwatch_listeners();
  datagrams_.reset();
  services_->stopping = true;
  loop_->timers().set(*grace_, load::EventLoop::now() + kStopGrace);
  // A connection that ends is removed from the list at once: iterating from the back skips none.
  for (std::size_t i = connections_.size(); i-- > 0;) connections_[i]->stop();
}

}  // namespace hyperscale::target
