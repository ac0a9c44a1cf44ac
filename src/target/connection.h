// Connection: one accepted socket, from its first byte to its end. On an HTTP port the first bytes select the protocol:
// HTTP/2 by its preface, otherwise HTTP/1.1. On the port for raw TCP it speaks the line protocol.
//
// Single-threaded. Notifies its owner once when it is over; the owner destroys it later, never inside that call.
#pragma once

#include "target/core_services.h"
#include "target/protocol.h"
#include "target/socket_pipe.h"
#include "target/tls_pipe.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace hyperscale::target {

class Connection;

class ConnectionOwner {
 public:
  virtual void on_connection_over(Connection& connection) = 0;

 protected:
  ~ConnectionOwner() = default;
};

enum class Speaks : std::uint8_t { kHttp, kLines };

class Connection final : private PipeUser {
 public:
  // `tls` may be null: then the connection is in clear text.
  Connection(CoreServices& core, SSL_CTX* tls, Speaks speaks, ConnectionOwner& owner);
  void open(int fd) { socket_.open(fd); }
  // Finishes started answers, then ends.
  void stop();
  void reset() { socket_.reset(); }

  std::size_t position = 0;  // its index in the owner's list

 private:
  void on_pipe_bytes(ByteView bytes) override;
  void on_pipe_sent() override;
  void on_pipe_end() override;
  void on_pipe_closed() override;
  BytePipe& pipe() { return tls_ ? static_cast<BytePipe&>(*tls_) : socket_; }
  void choose_protocol(ByteView bytes);

  CoreServices& core_;
  ConnectionOwner& owner_;
  std::unique_ptr<TlsPipe> tls_;
  SocketPipe socket_;
  std::size_t preface_matched_ = 0;
  std::unique_ptr<Protocol> protocol_;
};

}  // namespace hyperscale::target
