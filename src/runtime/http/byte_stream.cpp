#include "runtime/http/byte_stream.h"

#include "runtime/http/await_token.h"
#include "runtime/http/http_limits.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/write.hpp>
#include <sys/socket.h>

namespace hyperscale::runtime {
namespace {

constexpr Duration kGoodbyeTime = 500ms;
constexpr std::size_t kLingerBytesMax = 256 << 10;
constexpr std::string_view kGoodbye;  // no label: a timeout while the peer closes is not counted

IoEnd end_of(const boost::system::error_code& error, const IoDeadline& deadline) {
  if (deadline.expired()) return IoEnd::kTimeout;
  if (!error) return IoEnd::kOk;
  if (error == asio::error::eof || error == asio::ssl::error::stream_truncated) return IoEnd::kEof;
  return IoEnd::kError;
}

}  // namespace

ByteStream::ByteStream(asio::ip::tcp::socket socket, std::shared_ptr<asio::ssl::context> tls, Metrics& metrics)
    : socket_(std::move(socket)), tls_context_(std::move(tls)), metrics_(metrics) {
  if (tls_context_) tls_.emplace(socket_, *tls_context_);
  const auto on_expired = [this](std::string_view op) {
    if (op != kGoodbye) metrics_.add(Counter::kIoTimeouts, op);
    cancel();
  };
  reading_ = std::make_shared<IoDeadline>(socket_.get_executor(), on_expired);
  writing_ = std::make_shared<IoDeadline>(socket_.get_executor(), on_expired);
}

asio::awaitable<IoEnd> ByteStream::handshake(Duration timeout) {
  if (!tls_) co_return IoEnd::kOk;
  reading_->set("handshake", timeout);
  const auto [error] = co_await tls_->async_handshake(asio::ssl::stream_base::server, kAwait);
  reading_->clear();
  const IoEnd end = end_of(error, *reading_);
  if (end != IoEnd::kOk) broken_ = true;
  co_return end;
}

bool ByteStream::alpn_is_h2() {
  if (!tls_) return false;
  const unsigned char* name = nullptr;
  unsigned length = 0;
  SSL_get0_alpn_selected(tls_->native_handle(), &name, &length);
  return std::string_view(reinterpret_cast<const char*>(name), length) == "h2";
}

asio::awaitable<ReadResult> ByteStream::read_some(asio::mutable_buffer buffer) {
  if (reading_->expired()) co_return ReadResult{IoEnd::kTimeout, 0};
  if (tls_) {
    const auto [error, bytes] = co_await tls_->async_read_some(buffer, kAwait);
    co_return ReadResult{end_of(error, *reading_), bytes};
  }
  const auto [error, bytes] = co_await socket_.async_read_some(buffer, kAwait);
  co_return ReadResult{end_of(error, *reading_), bytes};
}

asio::awaitable<IoEnd> ByteStream::write(std::string_view bytes, Duration timeout) {
  while (!bytes.empty()) {
    const asio::const_buffer piece(bytes.data(), std::min(bytes.size(), kWritePieceBytes));
    writing_->set("write", timeout);
    boost::system::error_code error;
    if (tls_) {
      const auto [failed, written] = co_await asio::async_write(*tls_, piece, kAwait);
      error = failed;
    } else {
      const auto [failed, written] = co_await asio::async_write(socket_, piece, kAwait);
      error = failed;
    }
    writing_->clear();
    const IoEnd end = end_of(error, *writing_);
    if (end != IoEnd::kOk) {
      broken_ = true;
      if (end != IoEnd::kTimeout) metrics_.add(Counter::kIoErrors, "write");
      co_return end;
    }
    bytes.remove_prefix(piece.size());
  }
  co_return IoEnd::kOk;
}

asio::awaitable<void> ByteStream::finish(bool linger) {
  boost::system::error_code ignored;
  if (!socket_.is_open()) co_return;
  limit_reading(kGoodbye, kGoodbyeTime);
  if (tls_ && !broken_) {
    co_await tls_->async_shutdown(kAwait);
  }
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  std::array<char, 4096> waste;
  const asio::mutable_buffer buffer(waste.data(), waste.size());
  for (std::size_t wasted = 0; linger && !broken_ && wasted < kLingerBytesMax && !reading_->expired();) {
    const auto [error, bytes] = co_await socket_.async_read_some(buffer, kAwait);
    if (error) break;
    wasted += bytes;
  }
  unlimit_reading();
  socket_.close(ignored);
}

void ByteStream::watch_peer(std::function<void()> on_gone) {
  *watching_ = true;
  auto readable = [this, watching = watching_, on_gone = std::move(on_gone)](const boost::system::error_code& error) {
    if (error || !*watching) return;
    switch (peek()) {
      case Input::kNothingYet:  // spurious wake-up of the reactor
        return watch_peer(on_gone);
      case Input::kWaits:
        return watch_reset(on_gone);
      case Input::kEnded:
        *watching = false;
        on_gone();
    }
  };
  socket_.async_wait(asio::ip::tcp::socket::wait_read,
                     asio::bind_cancellation_slot(peer_watch_.slot(), std::move(readable)));
}

// For a peer that has sent its next request already: the reactor reports an error condition to this wait, nothing else.
void ByteStream::watch_reset(std::function<void()> on_gone) {
  auto broken = [watching = watching_, on_gone = std::move(on_gone)](const boost::system::error_code& error) {
    if (error || !*watching) return;
    *watching = false;
    on_gone();
  };
  socket_.async_wait(asio::ip::tcp::socket::wait_error,
                     asio::bind_cancellation_slot(peer_watch_.slot(), std::move(broken)));
}

ByteStream::Input ByteStream::peek() {
  char byte = 0;
  const ssize_t got = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (got > 0) return Input::kWaits;
  const bool nothing_yet = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  return nothing_yet ? Input::kNothingYet : Input::kEnded;
}

void ByteStream::unwatch_peer() {
  *watching_ = false;
  peer_watch_.emit(asio::cancellation_type::terminal);
}

void ByteStream::cancel() {
  boost::system::error_code ignored;
  socket_.cancel(ignored);
}

void ByteStream::abort() {
  boost::system::error_code ignored;
  broken_ = true;
  socket_.close(ignored);
}

}  // namespace hyperscale::runtime
