#include "runtime/transport/framed_server.h"

#include "runtime/channel/async_event.h"
#include "runtime/clock/clock.h"
#include "runtime/metrics/metrics.h"
#include "runtime/net/listen.h"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace hyperscale::runtime {
namespace {

using asio::ip::tcp;

const auto kAcceptToken = asio::as_tuple(asio::use_awaitable);
// After a failed accept (no descriptors left), so that the loop does not spin.
constexpr Duration kAcceptPause = 50ms;

AcceptLimits accept_limits(const FramedLimits& limits) {
  return {.max_conns = limits.max_conns,
          .rate_per_ip = limits.accept_rate_per_ip,
          .burst_per_ip = limits.accept_burst_per_ip};
}

}  // namespace

FramedServer::FramedServer(asio::any_io_executor listener_strand, std::function<asio::any_io_executor()> make_strand,
                           FramedLimits limits, FrameHandler handler, Metrics& metrics, PeerGuard guard)
    : make_strand_(std::move(make_strand)),
      acceptor_(listener_strand),
      pause_(listener_strand),
      handler_(std::move(handler)),
      metrics_(metrics),
      guard_(std::move(guard)),
      limits_(limits),
      gate_(accept_limits(limits)) {}

Result<tcp::endpoint> FramedServer::bind(const std::string& host, std::uint16_t port) {
  return listen_on(acceptor_, host, port);
}

// The acceptor runs on its own strand, independent of the caller's.
asio::awaitable<void> FramedServer::serve() {
  const auto keep = shared_from_this();
  co_await asio::co_spawn(acceptor_.get_executor(), accept_loop(), asio::use_awaitable);
}

asio::awaitable<void> FramedServer::accept_loop() {
  while (acceptor_.is_open()) {
    const auto strand = make_strand_();
    auto [error, socket] = co_await acceptor_.async_accept(strand, kAcceptToken);
    if (!error) {
      admit(std::move(socket));
      continue;
    }
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none) throw_canceled();
    if (!acceptor_.is_open()) break;
    metrics_.add(Counter::kIoErrors, "accept");
    pause_.expires_after(kAcceptPause);
    co_await pause_.async_wait(kAcceptToken);
  }
}

void FramedServer::admit(tcp::socket socket) {
  boost::system::error_code error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return;
  std::shared_ptr<FramedConnection> connection;
  std::uint64_t id = 0;
  std::optional<std::string_view> refusal;
  {
    const concurrent::RankedLock lock(mutex_);
    refusal =
        gate_.refusal(address_group(peer.address()), {.all = connections_.size()}, accept_limits(limits_), mono_now());
    if (!refusal) {
      socket.set_option(tcp::no_delay(true), error);
      connection = std::make_shared<FramedConnection>(std::move(socket), limits_, handler_, metrics_, guard_);
      id = next_id_++;
      connections_.emplace(id, connection);
    }
  }
  if (refusal) return metrics_.add(Counter::kConnectionsRefused, *refusal);
  metrics_.add(Counter::kConnectionsAccepted, "transport");
  metrics_.set(Gauge::kConnectionsOpen, "transport", static_cast<double>(open_connections()));
  auto closed = [self = shared_from_this(), id, guard = open_.enter()](const std::exception_ptr&) {
    self->on_closed(id);
  };
  asio::co_spawn(connection->strand(), connection->run(), std::move(closed));
}

void FramedServer::on_closed(std::uint64_t id) {
  std::size_t left = 0;
  {
    const concurrent::RankedLock lock(mutex_);
    connections_.erase(id);
    left = connections_.size();
  }
  metrics_.set(Gauge::kConnectionsOpen, "transport", static_cast<double>(left));
}

void FramedServer::set_limits(FramedLimits limits) {
  const concurrent::RankedLock lock(mutex_);
  limits_ = limits;
}

void FramedServer::stop_accepting() {
  asio::post(acceptor_.get_executor(), [self = shared_from_this()] {
    boost::system::error_code ignored;
    self->acceptor_.close(ignored);
    self->pause_.cancel();
  });
}

std::vector<std::shared_ptr<FramedConnection>> FramedServer::connections() const {
  std::vector<std::shared_ptr<FramedConnection>> all;
  const concurrent::RankedLock lock(mutex_);
  all.reserve(connections_.size());
  for (const auto& [id, connection] : connections_) all.push_back(connection);
  return all;
}

std::size_t FramedServer::open_connections() const {
  const concurrent::RankedLock lock(mutex_);
  return connections_.size();
}

asio::awaitable<void> FramedServer::close(MonoTime deadline) {
  const auto keep = shared_from_this();
  for (const auto& connection : connections()) connection->begin_close();
  const bool all_gone = co_await open_.wait_idle(deadline);
  if (all_gone) co_return;
  for (const auto& connection : connections()) connection->abort();
  co_await open_.wait_idle(MonoTime::max());
}

}  // namespace hyperscale::runtime
