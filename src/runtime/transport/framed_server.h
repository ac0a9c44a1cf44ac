// FramedServer: the listener of the framed transport.
//
// Life: construct as a shared_ptr, bind(), spawn serve(), and at the end stop_accepting(), co_await close(deadline).
// Thread rule: bind() first, then every method from any thread; each connection runs on a strand of its own.
// With a TLS context in its guard every peer shows a certificate first (peer_guard.h).
// Overload: connections beyond max_conns or an address' accept rate are closed at once and counted.
#pragma once

#include "base/result.h"
#include "concurrent/ranked_mutex.h"
#include "runtime/net/accept_gate.h"
#include "runtime/task/in_flight.h"
#include "runtime/transport/framed_connection.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::runtime {

class FramedServer : public std::enable_shared_from_this<FramedServer> {
 public:
  // make_strand gives a fresh strand for each connection; `listener_strand` runs the accept loop.
  FramedServer(asio::any_io_executor listener_strand, std::function<asio::any_io_executor()> make_strand,
               FramedLimits limits, FrameHandler handler, Metrics& metrics, PeerGuard guard = {});

  // `host` is a literal address; port 0 takes a free one. Returns where it listens.
  Result<asio::ip::tcp::endpoint> bind(const std::string& host, std::uint16_t port);
  // Accepts until stop_accepting().
  asio::awaitable<void> serve();

  // In force for the next connection.
  void set_limits(FramedLimits limits);
  void stop_accepting();
  // Sends GoAway to every peer, finishes requests in flight, and disconnects the rest at the deadline. Returns when the
  // last connection is closed.
  asio::awaitable<void> close(MonoTime deadline);

  std::size_t open_connections() const;

 private:
  asio::awaitable<void> accept_loop();
  void admit(asio::ip::tcp::socket socket);
  void on_closed(std::uint64_t id);
  std::vector<std::shared_ptr<FramedConnection>> connections() const;

  std::function<asio::any_io_executor()> make_strand_;
  asio::ip::tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  FrameHandler handler_;
  Metrics& metrics_;
  const PeerGuard guard_;
  mutable concurrent::RankedMutex mutex_{concurrent::LockRank::kRoutingTable};
  FramedLimits limits_;
  AcceptGate gate_;
  std::map<std::uint64_t, std::shared_ptr<FramedConnection>> connections_;
  std::uint64_t next_id_ = 0;
  InFlight open_;
};

}  // namespace hyperscale::runtime
