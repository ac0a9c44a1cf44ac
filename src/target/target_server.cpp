#include "target/target_server.h"

#include "load/loop/event_loop.h"
#include "target/limits.h"
#include "target/listener.h"
#include "target/server_core.h"
#include "target/tls_context.h"
#include "target/turns.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::target {

// In order of construction: cores use everything above them and are destroyed first.
struct TargetServer::Parts {
  explicit Parts(unsigned core_count) : counters(core_count) {}

  std::string unix_path;
  std::shared_ptr<SSL_CTX> tls;
  PortSockets http;
  PortSockets tcp;
  PortSockets udp;
  OwnedFd unix_listener;
  Turns turns;
  CounterBoard counters;
  std::vector<std::unique_ptr<ServerCore>> cores;
};

TargetServer::TargetServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

TargetServer::~TargetServer() {
  stop();
}

Result<std::unique_ptr<TargetServer>> TargetServer::start(const TargetOptions& options) {
  if (options.cores == 0 || options.cores > kCoresMax) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{} cores; 1 to {} are possible", options.cores, kCoresMax));
  }
  auto parts = std::make_unique<Parts>(options.cores);
  if (!options.tls_cert_pem.empty() || !options.tls_key_pem.empty()) {
    auto tls = make_tls_context(options.tls_cert_pem, options.tls_key_pem);
    if (!tls) return fail(tls.error());
    parts->tls = std::move(*tls);
  }
  const auto open = [&](auto open_sockets, std::uint16_t port, PortSockets& into) -> Status {
    auto sockets = open_sockets(options.listen_address, port, options.cores);
    if (!sockets) return fail(sockets.error());
    into = std::move(*sockets);
    return {};
  };
  if (Status opened = open(&listen_tcp, options.port, parts->http); !opened) return fail(opened.error());
  if (options.tcp_port)
    if (Status opened = open(&listen_tcp, *options.tcp_port, parts->tcp); !opened) return fail(opened.error());
  if (options.udp_port)
    if (Status opened = open(&bind_udp, *options.udp_port, parts->udp); !opened) return fail(opened.error());
  if (!options.unix_socket.empty()) {
    auto listener = listen_unix(options.unix_socket);
    if (!listener) return fail(listener.error());
    parts->unix_listener = std::move(*listener);
    parts->unix_path = options.unix_socket;
  }
  const MonoTime now = load::EventLoop::now();
  std::unique_ptr<TargetServer> server(new TargetServer(std::move(parts)));
  Parts& made = *server->parts_;
  for (unsigned i = 0; i < options.cores; ++i) {
    std::vector<int> listeners{made.http.sockets[i].get()};
    if (made.unix_listener.get() >= 0) listeners.push_back(made.unix_listener.get());
    made.cores.push_back(
        std::make_unique<ServerCore>(CoreSetup{.index = i,
                                               .listeners = std::move(listeners),
                                               .line_listener = made.tcp.of(i),
                                               .datagram_socket = made.udp.of(i),
                                               .turns = made.turns,
                                               .counters = made.counters,
                                               .server_start = now,
                                               .stall = options.stall,
                                               .requests_per_connection_max = options.max_requests_per_connection,
                                               .tls = made.tls.get()}));
    if (Status launched = made.cores.back()->launch(); !launched) return fail(launched.error());
  }
  return server;
}

std::uint16_t TargetServer::port() const {
  return parts_->http.port;
}

std::uint16_t TargetServer::tcp_port() const {
  return parts_->tcp.port;
}

std::uint16_t TargetServer::udp_port() const {
  return parts_->udp.port;
}

Counters TargetServer::counters() const {
  return parts_->counters.read();
}

void TargetServer::stop() {
  for (const auto& core : parts_->cores) core->request_stop();
  parts_->cores.clear();
  // From here on a connection attempt is refused instead of waiting in a backlog.
  for (PortSockets* port : {&parts_->http, &parts_->tcp, &parts_->udp}) port->sockets.clear();
  parts_->unix_listener = OwnedFd();
  if (!parts_->unix_path.empty()) ::unlink(std::exchange(parts_->unix_path, {}).c_str());
}

}  // namespace hyperscale::target
