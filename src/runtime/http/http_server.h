// HttpServer: one listener that speaks HTTP/1.1 and HTTP/2 (by prior knowledge, or by ALPN over TLS) and answers from a
// Router, within the limits it was given.
//
// Life: construct as a shared_ptr, bind(), spawn serve(), and at the end stop_accepting(), co_await close(deadline).
// Thread rule: bind() first, then every method from any thread; connections run each on a strand of the executor, so
// the context behind it may have one thread or many. The coroutines may be awaited on any executor. Overload: a request
// over a limit is refused at once with a typed error and counted, never queued. Failure: nothing throws; a broken
// connection is closed and counted, the listener continues. The destructor never blocks: connections keep their
// dependencies alive; use close() to end them gracefully.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "runtime/http/access_rules.h"
#include "runtime/http/http_limits.h"
#include "runtime/http/router.h"
#include "runtime/metrics/metrics.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace boost::asio::ssl {
class context;
}

namespace hyperscale::runtime {

struct HttpServerOptions {
  std::shared_ptr<asio::ssl::context> tls;    // null: plain text. The server sets its ALPN callback ("h2", "http/1.1").
  std::shared_ptr<const AccessRules> access;  // null: nothing is asked of a request, and admin routes are refused
  std::function<void(std::string)> log_error;
  std::function<MonoTime()> clock;  // default: the steady clock
};

class HttpServer : public std::enable_shared_from_this<HttpServer> {
 public:
  // `name` is the label `listener` of the metrics. `metrics` must outlive the server and all its connections.
  HttpServer(asio::any_io_executor executor, std::string name, Router router, HttpLimits limits, Metrics& metrics,
             HttpServerOptions options = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Listens on a literal IPv4 or IPv6 address ("localhost" is 127.0.0.1); port 0 takes a free one. Returns where.
  Result<asio::ip::tcp::endpoint> bind(const std::string& host, std::uint16_t port);
  // Accepts until stop_accepting(). REQUIRES: bind() succeeded.
  asio::awaitable<void> serve();

  // In force for the next connection and the next request.
  void set_limits(HttpLimits limits);
  // From now on only routes with while_draining are answered; all others get 503 with Retry-After.
  void set_draining();
  void stop_accepting();
  // Closes idle connections at once and busy ones after their answer; at the deadline all of them. Returns when the
  // last one is gone.
  asio::awaitable<void> close(Duration deadline);

  std::size_t open_connections() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace hyperscale::runtime
