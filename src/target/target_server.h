// TargetServer: a fast HTTP/1.1 and HTTP/2 server for load tests; routes.h defines its answers. On separate ports it
// speaks a line protocol over TCP (line_connection.h) and echoes datagrams (datagram_echo.h).
//
// start() returns when connections are accepted. Each core is a thread with its own event loop, listener and
// connections; they share counters, turns and the TLS context. stop() finishes started answers, at most kStopGrace, and
// joins the threads; the destructor stops too. port(), counters() and stop() may be called from any thread, stop() from
// one at a time.
#pragma once

#include "base/result.h"
#include "target/counters.h"
#include "target/stall.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace hyperscale::target {

struct TargetOptions {
  std::string listen_address = "127.0.0.1";
  std::uint16_t port = 0;                                // 0: a free one
  std::optional<std::uint16_t> tcp_port = std::nullopt;  // for the line protocol, at the same address; 0: a free one
  std::optional<std::uint16_t> udp_port = std::nullopt;  // for datagrams, the same
  unsigned cores = 1;
  std::optional<Stall> stall = std::nullopt;  // for every route
  std::string tls_cert_pem = {};              // HTTPS when both are given
  std::string tls_key_pem = {};
  std::string unix_socket = {};                   // an additional path to listen on
  std::uint32_t max_requests_per_connection = 0;  // 0: any number
};

class TargetServer {
 public:
  // Fails with kUnavailable (the port is taken) or kInvalidArgument.
  static Result<std::unique_ptr<TargetServer>> start(const TargetOptions& options);
  ~TargetServer();

  std::uint16_t port() const;
  std::uint16_t tcp_port() const;  // 0: no such port
  std::uint16_t udp_port() const;
  Counters counters() const;
  void stop();

 private:
  struct Parts;
  explicit TargetServer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace hyperscale::target
