#include "target/connection.h"

#include "target/http1_connection.h"
#include "target/http2_connection.h"
#include "target/line_connection.h"

#include <string_view>

namespace hyperscale::target {
namespace {

constexpr std::string_view kHttp2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

}  // namespace

Connection::Connection(CoreServices& core, SSL_CTX* tls, Speaks speaks, ConnectionOwner& owner)
    : core_(core),
      owner_(owner),
      tls_(tls ? std::make_unique<TlsPipe>(tls, static_cast<PipeUser&>(*this)) : nullptr),
      socket_(core.loop, tls_ ? static_cast<PipeUser&>(*tls_) : *this) {
  if (tls_) tls_->set_lower(socket_);
  if (speaks == Speaks::kLines) protocol_ = std::make_unique<LineConnection>(core_, pipe());
}

void Connection::stop() {
  if (protocol_) {
    protocol_->stop();
  } else {
    pipe().finish();
  }
}

void Connection::on_pipe_bytes(ByteView bytes) {
  if (protocol_) {
    protocol_->on_pipe_bytes(bytes);
  } else {
    choose_protocol(bytes);
  }
}

// The matched part of the preface is a constant, so it is not stored.
void Connection::choose_protocol(ByteView bytes) {
  const std::size_t before = preface_matched_;
  std::size_t used = 0;
  while (used < bytes.size() && preface_matched_ < kHttp2Preface.size() &&
         bytes[used] == static_cast<std::uint8_t>(kHttp2Preface[preface_matched_])) {
    ++used;
    ++preface_matched_;
  }
  if (preface_matched_ == kHttp2Preface.size()) {
    protocol_ = std::make_unique<Http2Connection>(core_, pipe());
  } else if (used < bytes.size()) {
    protocol_ = std::make_unique<Http1Connection>(core_, pipe());
  } else {
    return;
  }
  if (before > 0) protocol_->on_pipe_bytes(as_bytes(kHttp2Preface.substr(0, before)));
  protocol_->on_pipe_bytes(bytes);
}

void Connection::on_pipe_sent() {
  if (protocol_) protocol_->on_pipe_sent();
}

void Connection::on_pipe_end() {
  if (protocol_) {
    protocol_->on_pipe_end();
  } else {
    pipe().finish();
  }
}

void Connection::on_pipe_closed() {
  if (protocol_) protocol_->on_pipe_closed();
  owner_.on_connection_over(*this);
}

}  // namespace hyperscale::target
