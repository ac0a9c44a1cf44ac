#include "runtime/http/connection.h"

#include "runtime/http/h1_session.h"
#include "runtime/http/h2_session.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <boost/asio/post.hpp>

namespace hyperscale::runtime {
namespace {

constexpr std::string_view kH2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr std::size_t kFirstReadBytes = 16 << 10;

}  // namespace

Connection::Connection(std::shared_ptr<RequestPipeline> pipeline, asio::ip::tcp::socket socket,
                       std::shared_ptr<asio::ssl::context> tls, Peer peer)
    : pipeline_(std::move(pipeline)),
      strand_(socket.get_executor()),
      stream_(std::move(socket), std::move(tls), pipeline_->metrics()),
      peer_(std::move(peer)) {}

asio::awaitable<void> Connection::run() {
  const auto self = shared_from_this();
  const Protocol protocol = co_await detect();
  if (protocol == Protocol::kNone) {
    co_await stream_.finish(false);
  } else {
    co_await run_session(protocol);
  }
}

asio::awaitable<Connection::Protocol> Connection::detect() {
  const auto limits = pipeline_->limits();
  if (closing_) co_return Protocol::kNone;
  const IoEnd shaken = co_await stream_.handshake(limits->handshake_timeout);
  if (shaken != IoEnd::kOk) {
    pipeline_->metrics().add(Counter::kHandshakesDropped, shaken == IoEnd::kTimeout ? "timeout" : "failed");
    co_return Protocol::kNone;
  }
  if (stream_.alpn_is_h2()) co_return Protocol::kH2;
  // Without ALPN the first bytes decide: no HTTP/1 request begins with the HTTP/2 preface.
  stream_.limit_reading("read", limits->read_timeout);
  while (!closing_) {
    const std::string_view seen(static_cast<const char*>(buffer_.data().data()), buffer_.size());
    const std::size_t common = std::min(seen.size(), kH2Preface.size());
    if (seen.substr(0, common) != kH2Preface.substr(0, common)) co_return Protocol::kH1;
    if (common == kH2Preface.size()) co_return Protocol::kH2;
    const asio::mutable_buffer room = buffer_.prepare(kFirstReadBytes);
    const ReadResult read = co_await stream_.read_some(room);
    if (read.end != IoEnd::kOk) co_return Protocol::kNone;
    buffer_.commit(read.bytes);
  }
  co_return Protocol::kNone;
}

// Ensures that nothing of the session is called or keeps running after it ends, even by an exception.
class Connection::RunningSession {
 public:
  RunningSession(Connection& connection, Session& session) : connection_(connection) {
    connection_.session_ = &session;
  }
  ~RunningSession() { std::exchange(connection_.session_, nullptr)->cancel(); }
  RunningSession(const RunningSession&) = delete;
  RunningSession& operator=(const RunningSession&) = delete;

 private:
  Connection& connection_;
};

asio::awaitable<void> Connection::run_session(Protocol protocol) {
  if (protocol == Protocol::kH2) {
    const auto session = std::make_shared<H2Session>(pipeline_, strand_, stream_, buffer_, peer_);
    const RunningSession running(*this, *session);
    co_await session->run();
    co_return;
  }
  H1Session session(pipeline_, strand_, stream_, buffer_, peer_);
  const RunningSession running(*this, session);
  co_await session.run();
}

void Connection::begin_close() {
  asio::post(strand_, [self = shared_from_this()] {
    self->closing_ = true;
    if (self->session_ != nullptr) {
      self->session_->begin_close();
    } else {
      self->stream_.cancel();
    }
  });
}

void Connection::abort() {
  asio::post(strand_, [self = shared_from_this()] {
    self->closing_ = true;
    if (self->session_ != nullptr) self->session_->cancel();
    self->stream_.abort();
  });
}

}  // namespace hyperscale::runtime
