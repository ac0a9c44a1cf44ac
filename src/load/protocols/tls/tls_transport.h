// TlsTransport: a stream of the event loop as a Transport, encrypted by OpenSSL.
//
// Single-threaded. The loop, the context, the server and the events outlive it. start() begins the handshake and
// on_transport_ready() ends it, so the caller measures between the two. close() and every other call is allowed inside
// a callback, but not destroying the object. An idle transport holds OpenSSL's state and no buffer.
//
// Bytes are encrypted at most kTlsEncryptBytesMax ahead of the socket. The end of the last handshake flight and the
// first send() from inside on_transport_ready() are sent together.
//
// Failures are kTls with one sentence: a certificate that is expired, not for this server or of an unknown authority,
// an alert, a bad record, a connection that ends inside the handshake or without close_notify. A connection that breaks
// after the handshake fails as it would in clear text.
#pragma once

#include "load/protocols/tls/stream_bio.h"
#include "load/protocols/tls/tls_context.h"
#include "load/protocols/tls/tls_details.h"
#include "load/protocols/transport.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::load {

// What the client offers in ALPN: the protocols of the plan's HTTP version, or nothing.
enum class Alpn : std::uint8_t { kHttp, kNone };

class TlsTransport final : public Transport, private StreamEvents {
 public:
  TlsTransport(EventLoop& loop, TlsContext& context, TlsServer& server, TransportEvents& events,
               Alpn alpn = Alpn::kHttp);
  ~TlsTransport() override;
  TlsTransport(const TlsTransport&) = delete;
  TlsTransport& operator=(const TlsTransport&) = delete;

  void start(StreamId stream) override;
  DataMoment data_moment() const override { return loop_.data_moment(stream_); }
  // REQUIRES: ready. After close() or a failure it does nothing and returns true.
  bool send(ByteView bytes, Sending sending) override;
  void close() override;
  // In plaintext bytes; a partially sent record counts as unsent, because the peer cannot read it.
  std::size_t unsent() const override;

  // From on_transport_ready() on, also after close().
  bool negotiated_h2() const { return negotiated_h2_; }
  bool resumed() const { return resumed_; }
  // REQUIRES: ready and not closed.
  TlsDetails details() const;

 private:
  enum class State : std::uint8_t {
    kHandshake,
    kOpen,
    kPeerEnded,  // close_notify was received
    kClosed,
  };

  void on_connected() override {}
  void on_data(ByteView bytes) override;
  void on_sent() override;
  void on_end() override;
  void on_failed(int error) override;

  void shake_hands();
  void note_agreement();
  void read_records();
  void encrypt();
  void write_out();
  void fail(std::string_view detail);
  void release();

  EventLoop& loop_;
  TlsServer& server_;
  TransportEvents& events_;
  StreamBio bio_;
  SslOwner ssl_;
  StreamId stream_;
  ByteView unsent_;                    // plaintext of the user that is still to be encrypted
  std::size_t plain_output_ = 0;       // plaintext whose records are in the buffer of bio_
  std::size_t plain_sending_ = 0;      // plaintext whose records are in sending_
  std::vector<std::uint8_t> sending_;  // being sent by the loop
  std::size_t lost_ = 0;               // bytes that were unsent when it failed
  std::string note_;                   // the fault of the certificate
  const Alpn alpn_;
  State state_ = State::kClosed;
  bool send_pending_ = false;
  bool owes_sent_ = false;
  bool negotiated_h2_ = false;
  bool resumed_ = false;
};

}  // namespace hyperscale::load
