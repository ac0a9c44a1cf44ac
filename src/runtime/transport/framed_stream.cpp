#include "runtime/transport/framed_stream.h"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace hyperscale::runtime {
namespace {

auto breakable(asio::cancellation_signal& signal) {
  return asio::bind_cancellation_slot(signal.slot(), asio::as_tuple(asio::use_awaitable));
}

}  // namespace

FramedStream::FramedStream(asio::ip::tcp::socket socket, std::shared_ptr<asio::ssl::context> tls)
    : socket_(std::move(socket)), context_(std::move(tls)) {
  if (context_) tls_.emplace(socket_, *context_);
}

asio::awaitable<boost::system::error_code> FramedStream::handshake(Side side, asio::cancellation_signal& breaks) {
  if (!tls_) co_return boost::system::error_code();
  auto token = breakable(breaks);
  const auto [error] = co_await tls_->async_handshake(side, token);
  co_return error;
}

asio::awaitable<FramedStream::Read> FramedStream::read_some(asio::mutable_buffer buffer,
                                                            asio::cancellation_signal& breaks) {
  auto token = breakable(breaks);
  if (!tls_) {
    const auto [error, bytes] = co_await socket_.async_read_some(buffer, token);
    co_return Read{error, bytes};
  }
  const auto [error, bytes] = co_await tls_->async_read_some(buffer, token);
  if (error == asio::ssl::error::stream_truncated) co_return Read{asio::error::eof, bytes};
  co_return Read{error, bytes};
}

asio::awaitable<boost::system::error_code> FramedStream::write(Buffers buffers, asio::cancellation_signal& breaks) {
  auto token = breakable(breaks);
  if (!tls_) {
    const auto [error, bytes] = co_await asio::async_write(socket_, buffers, token);
    co_return error;
  }
  const auto [error, bytes] = co_await asio::async_write(*tls_, buffers, token);
  co_return error;
}

asio::awaitable<void> FramedStream::say_goodbye(asio::cancellation_signal& breaks) {
  if (tls_) {
    auto token = breakable(breaks);
    co_await tls_->async_shutdown(token);
  }
  boost::system::error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

void FramedStream::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

}  // namespace hyperscale::runtime
