#include "runtime/transport/framed_server.h"

#include "runtime/channel/async_event.h"
#include "runtime/clock/clock.h"
#include "runtime/metrics/metrics.h"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

using asio::ip::tcp;

const auto kToken = asio::as_tuple(asio::use_awaitable);
// After a failed accept (no descriptors left), so that the loop does not spin.
constexpr Duration kAcceptPause = 50ms;

}  // namespace

FramedServer::FramedServer(asio::any_io_executor listener_strand, std::function<asio::any_io_executor()> make_strand,
                           FramedLimits limits, FrameHandler handler, Metrics& metrics)
    : make_strand_(std::move(make_strand)),
      acceptor_(listener_strand),
      pause_(listener_strand),
      handler_(std::move(handler)),
      metrics_(metrics),
      limits_(limits),
      accept_rate_(limits.accept_rate_per_ip, limits.accept_burst_per_ip, kAddressesRememberedMax) {}

Result<tcp::endpoint> FramedServer::bind(const std::string& host, std::uint16_t port) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
  if (error) return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is not an IP address", host));
  const tcp::endpoint endpoint(address, port);
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return fail(ErrorCode::kUnavailable, fmt::format("cannot listen on {}:{}: {}", host, port, error.message()));
  return acceptor_.local_endpoint();
}

asio::awaitable<void> FramedServer::serve() {
  const auto keep = shared_from_this();
  while (acceptor_.is_open()) {
    const auto strand = make_strand_();
    auto [error, socket] = co_await acceptor_.async_accept(strand, kToken);
    if (!error) {
      admit(std::move(socket));
      continue;
    }
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none) throw_canceled();
    if (!acceptor_.is_open()) break;
    metrics_.add(Counter::kIoErrors, "accept");
    pause_.expires_after(kAcceptPause);
    co_await pause_.async_wait(kToken);
  }
}

void FramedServer::admit(tcp::socket socket) {
  boost::system::error_code error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return;
  std::shared_ptr<FramedConnection> connection;
  std::uint64_t id = 0;
  const char* refused = nullptr;
  {
    const concurrent::RankedLock lock(mutex_);
    if (connections_.size() >= limits_.max_conns)
      refused = "max_conns";
    else if (!accept_rate_.allow(peer.address().to_string(), mono_now()))
      refused = "accept_rate";
    if (refused == nullptr) {
      socket.set_option(tcp::no_delay(true), error);
      connection = std::make_shared<FramedConnection>(std::move(socket), limits_, handler_, metrics_);
      id = next_id_++;
      connections_.emplace(id, connection);
    }
  }
  if (refused != nullptr) return metrics_.add(Counter::kConnectionsRefused, refused);
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
  if (limits.accept_rate_per_ip != limits_.accept_rate_per_ip ||
      limits.accept_burst_per_ip != limits_.accept_burst_per_ip) {
    accept_rate_ = KeyedRateLimiter(limits.accept_rate_per_ip, limits.accept_burst_per_ip, kAddressesRememberedMax);
  }
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
