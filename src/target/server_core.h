// ServerCore: one thread of the server: its event loop, its listeners and its connections.
//
// launch() comes first, from the owner's thread; request_stop() may come from any thread; the destructor joins.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "target/connection.h"
#include "target/counters.h"
#include "target/datagram_echo.h"
#include "target/listener.h"
#include "target/stall.h"
#include "target/turns.h"

#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace hyperscale::target {

// Configuration of a core; the references and the descriptors outlive it.
struct CoreSetup {
  unsigned index = 0;
  std::vector<int> listeners;  // of HTTP
  int line_listener = -1;      // of raw TCP; negative: none
  int datagram_socket = -1;    // of UDP; negative: none
  Turns& turns;
  CounterBoard& counters;
  MonoTime server_start;
  std::optional<Stall> stall;
  std::uint32_t requests_per_connection_max = 0;
  SSL_CTX* tls = nullptr;
};

class ServerCore final : private ConnectionOwner {
 public:
  explicit ServerCore(CoreSetup setup);
  ~ServerCore();
  ServerCore(const ServerCore&) = delete;
  ServerCore& operator=(const ServerCore&) = delete;

  // Returns when the thread accepts connections, or has failed to.
  Status launch();
  void request_stop();

 private:
  void run(std::promise<Status> launched);
  void serve();
  void accept_from(int listener, Speaks speaks);
  void add_connection(int fd, Speaks speaks);
  void watch_listeners();
  void unwatch_listeners();
  void begin_stop();
  void on_connection_over(Connection& connection) override;

  CoreSetup setup_;
  OwnedFd stop_event_;
  std::thread thread_;

  // Used by the thread only.
  std::unique_ptr<load::EventLoop> loop_;
  std::optional<CoreServices> services_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<std::unique_ptr<Connection>> over_;  // destroyed when none of their callbacks can be running
  std::optional<DatagramEcho> datagrams_;
  std::unique_ptr<load::Timer> accept_again_;
  std::unique_ptr<load::Timer> grace_;
  bool grace_over_ = false;
};

}  // namespace hyperscale::target
