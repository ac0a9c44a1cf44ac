// Connection: one accepted socket from handshake to close. Detects the HTTP version of the peer and runs its session.
//
// Thread rule: run() on the connection's strand; begin_close() and abort() from any thread.
#pragma once

#include "runtime/http/byte_stream.h"
#include "runtime/http/exchange.h"
#include "runtime/http/request_pipeline.h"
#include "runtime/http/session.h"

#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace hyperscale::runtime {

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // The executor of `socket` is the strand.
  Connection(std::shared_ptr<RequestPipeline> pipeline, asio::ip::tcp::socket socket,
             std::shared_ptr<asio::ssl::context> tls, Peer peer);

  asio::awaitable<void> run();
  // Closes after requests in flight; at once when idle.
  void begin_close();
  void abort();
  const Peer& peer() const { return peer_; }

 private:
  enum class Protocol : std::uint8_t { kNone, kH1, kH2 };
  class RunningSession;
  asio::awaitable<Protocol> detect();
  asio::awaitable<void> run_session(Protocol protocol);

  std::shared_ptr<RequestPipeline> pipeline_;
  asio::any_io_executor strand_;
  ByteStream stream_;
  Peer peer_;
  ReadBuffer buffer_;
  Session* session_ = nullptr;  // while one runs
  bool closing_ = false;
};

}  // namespace hyperscale::runtime
