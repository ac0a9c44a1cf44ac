// FramedStream: the bytes of one framed connection, plain or TLS. Reading and writing are concurrent, and each can be
// cancelled separately: an operation ends early when its signal is emitted.
//
// Thread rule: the strand of the socket; at most one read and one write at a time. Failure: error codes, nothing
// throws. A peer that closes TLS without close_notify is at end of stream, too: the frames show whether something is
// missing.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

class FramedStream {
 public:
  struct Read {
    boost::system::error_code error;  // asio::error::eof at the end
    std::size_t bytes = 0;
  };
  using Buffers = std::array<asio::const_buffer, 2>;
  using Side = asio::ssl::stream_base::handshake_type;

  // `tls` may be null.
  FramedStream(asio::ip::tcp::socket socket, std::shared_ptr<asio::ssl::context> tls);

  asio::ip::tcp::socket& socket() { return socket_; }
  asio::any_io_executor strand() { return socket_.get_executor(); }
  SSL* tls() { return tls_ ? tls_->native_handle() : nullptr; }

  asio::awaitable<boost::system::error_code> handshake(Side side, asio::cancellation_signal& breaks);
  asio::awaitable<Read> read_some(asio::mutable_buffer buffer, asio::cancellation_signal& breaks);
  // All of it.
  asio::awaitable<boost::system::error_code> write(Buffers buffers, asio::cancellation_signal& breaks);
  // Half-closes: TLS close_notify, then FIN.
  asio::awaitable<void> say_goodbye(asio::cancellation_signal& breaks);
  void close();

 private:
  asio::ip::tcp::socket socket_;
  std::shared_ptr<asio::ssl::context> context_;
  std::optional<asio::ssl::stream<asio::ip::tcp::socket&>> tls_;
};

}  // namespace hyperscale::runtime
