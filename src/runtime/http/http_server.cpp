#include "runtime/http/http_server.h"

#include "base/check.h"
#include "runtime/http/await_token.h"
#include "runtime/http/connection_set.h"
#include "runtime/http/listener.h"
#include "runtime/http/request_pipeline.h"
#include "runtime/http/what_of.h"
#include "runtime/net/accept_gate.h"
#include "runtime/net/listen.h"

#include <atomic>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

namespace hyperscale::runtime {
namespace {

using tcp = asio::ip::tcp;

// accept() fails temporarily (no file descriptors left); retrying at once would spin.
constexpr Duration kAcceptRetryDelay = 50ms;
constexpr int kAcceptBatchMax = 64;  // connections accepted before other work of the thread runs

Peer peer_of(const tcp::endpoint& endpoint) {
  return {endpoint.address().to_string(), address_group(endpoint.address()), endpoint.address().is_loopback()};
}

AcceptLimits accept_limits(const HttpLimits& limits) {
  return {.max_conns = limits.max_conns,
          .conns_per_ip = limits.conns_per_ip,
          .rate_per_ip = static_cast<double>(limits.accept_rate_per_ip),
          .burst_per_ip = static_cast<double>(limits.accept_burst_per_ip)};
}

}  // namespace

struct HttpServer::Impl : std::enable_shared_from_this<Impl> {
  Impl(asio::any_io_executor executor_in, std::string name_in, Router router, HttpLimits limits, Metrics& metrics_in,
       HttpServerOptions options)
      : executor(executor_in),
        strand(asio::make_strand(executor_in)),
        name(std::move(name_in)),
        metrics(metrics_in),
        tls(options.tls),
        pipeline(std::make_shared<RequestPipeline>(std::move(router), limits, metrics_in, std::move(options))),
        gate(accept_limits(limits)),
        connections(metrics_in, name),
        acceptor(strand),
        retry(strand),
        emptied(strand) {
    if (tls) offer_http_versions(*tls);
  }

  asio::awaitable<void> accept_loop();
  asio::awaitable<void> close_all(Duration deadline);
  boost::system::error_code accept_batch();
  void welcome(tcp::socket socket);
  void broke(const std::shared_ptr<Connection>& connection, const std::exception_ptr& failure);
  void ended(const std::shared_ptr<Connection>& connection);

  asio::any_io_executor executor;
  asio::any_io_executor strand;  // of the accept loop
  std::string name;
  Metrics& metrics;
  std::shared_ptr<asio::ssl::context> tls;
  std::shared_ptr<RequestPipeline> pipeline;
  AcceptGate gate;
  ConnectionSet connections;
  tcp::acceptor acceptor;
  asio::steady_timer retry;
  asio::steady_timer emptied;
  std::atomic<bool> stopped{false};
};

asio::awaitable<void> HttpServer::Impl::accept_loop() {
  const auto self = shared_from_this();
  while (!stopped) {
    const auto [waited] = co_await acceptor.async_wait(tcp::acceptor::wait_read, kAwait);
    if (stopped || waited == asio::error::operation_aborted) break;
    const boost::system::error_code error = waited ? waited : accept_batch();
    if (!error) continue;
    metrics.add(Counter::kIoErrors, "accept");
    pipeline->log_error("accept on " + name + " failed: " + error.message());
    retry.expires_after(kAcceptRetryDelay);
    co_await retry.async_wait(kAwait);
  }
}

// Accepts pending connections, up to the batch size. A burst costs one wait per batch, not one per connection.
boost::system::error_code HttpServer::Impl::accept_batch() {
  for (int i = 0; i < kAcceptBatchMax; ++i) {
    boost::system::error_code error;
    tcp::socket socket(asio::make_strand(executor));
    acceptor.accept(socket, error);
    if (error == asio::error::would_block || error == asio::error::try_again) return {};
    if (error == asio::error::connection_aborted || error == asio::error::interrupted) continue;
    if (error) return error;
    welcome(std::move(socket));
  }
  return {};
}

void HttpServer::Impl::welcome(tcp::socket socket) {
  boost::system::error_code error;
  const tcp::endpoint remote = socket.remote_endpoint(error);
  if (error) return;  // already gone
  const auto limits = pipeline->limits();
  Peer peer = peer_of(remote);
  if (const auto reason =
          gate.refusal(peer.group, connections.open(peer.group), accept_limits(*limits), pipeline->now())) {
    metrics.add(Counter::kConnectionsRefused, *reason);
    turn_away(socket, tls == nullptr);
    return;
  }
  metrics.add(Counter::kConnectionsAccepted, name);
  socket.set_option(tcp::no_delay(true), error);
  const asio::any_io_executor connection_strand = socket.get_executor();
  auto connection = std::make_shared<Connection>(pipeline, std::move(socket), tls, std::move(peer));
  connections.add(connection);
  asio::co_spawn(connection_strand, connection->run(),
                 [self = shared_from_this(), connection](const std::exception_ptr& failure) {
                   if (failure) self->broke(connection, failure);
                   self->ended(connection);
                 });
}

// An exception, such as a lack of memory, ends its connection and nothing else: the socket closes with the last handle.
void HttpServer::Impl::broke(const std::shared_ptr<Connection>& connection, const std::exception_ptr& failure) {
  metrics.add(Counter::kIoErrors, "connection");
  pipeline->log_error("connection of " + connection->peer().ip + " on " + name + " closed: " + what_of(failure));
}

void HttpServer::Impl::ended(const std::shared_ptr<Connection>& connection) {
  if (!connections.remove(connection)) return;
  asio::post(strand, [self = shared_from_this()] { self->emptied.cancel(); });
}

asio::awaitable<void> HttpServer::Impl::close_all(Duration deadline) {
  const auto self = shared_from_this();
  for (const auto& connection : connections.all()) connection->begin_close();
  emptied.expires_after(deadline);
  while (connections.size() > 0 && emptied.expiry() > std::chrono::steady_clock::now()) {
    co_await emptied.async_wait(kAwait);
  }
  for (const auto& connection : connections.all()) connection->abort();
  emptied.expires_at(asio::steady_timer::time_point::max());
  while (connections.size() > 0) co_await emptied.async_wait(kAwait);
}

HttpServer::HttpServer(asio::any_io_executor executor, std::string name, Router router, HttpLimits limits,
                       Metrics& metrics, HttpServerOptions options)
    : impl_(std::make_shared<Impl>(std::move(executor), std::move(name), std::move(router), limits, metrics,
                                   std::move(options))) {}

HttpServer::~HttpServer() = default;

Result<tcp::endpoint> HttpServer::bind(const std::string& host, std::uint16_t port) {
  return listen_on(impl_->acceptor, host, port);
}

asio::awaitable<void> HttpServer::serve() {
  const auto impl = impl_;
  CHECK(impl->acceptor.is_open() || impl->stopped, "serve() before bind()");
  auto loop = impl->accept_loop();
  co_await asio::co_spawn(impl->strand, std::move(loop), kAwaitThrowing);
}

void HttpServer::set_limits(HttpLimits limits) {
  impl_->pipeline->set_limits(limits);
}

void HttpServer::set_draining() {
  impl_->pipeline->set_draining();
}

void HttpServer::stop_accepting() {
  impl_->stopped = true;
  asio::post(impl_->strand, [impl = impl_] {
    boost::system::error_code ignored;
    impl->acceptor.close(ignored);
    impl->retry.cancel();
  });
}

asio::awaitable<void> HttpServer::close(Duration deadline) {
  const auto impl = impl_;
  stop_accepting();
  auto closing = impl->close_all(deadline);
  co_await asio::co_spawn(impl->strand, std::move(closing), kAwaitThrowing);
}

std::size_t HttpServer::open_connections() const {
  return impl_->connections.size();
}

}  // namespace hyperscale::runtime
