// TcpConnection: a RawConnection over TCP, in clear text or over TLS.
#pragma once

#include "load/loop/event_loop.h"
#include "load/protocols/raw/raw_connection.h"
#include "load/protocols/transport.h"

#include <memory>
#include <string_view>

namespace hyperscale::load {

class TlsTransport;

class TcpConnection final : public RawConnection, private StreamEvents, private TransportEvents {
 public:
  using RawConnection::RawConnection;
  ~TcpConnection() override;

  void open(MonoTime now, std::uint32_t address_turn) override;
  void send(const PreparedRaw& call) override;
  std::size_t unsent() const override { return transport_ ? transport_->unsent() : 0; }
  bool is_sending() const override { return sending_; }
  void close() override;
  void opening_timed_out(std::string_view limit) override;
  std::optional<TlsDetails> tls_details() const override;

 private:
  void on_connected() override;
  void on_data(ByteView) override {}  // the transport owns the stream before data comes
  void on_sent() override {}
  void on_end() override;
  void on_failed(int error) override;

  void on_transport_ready() override;
  void on_transport_data(ByteView bytes) override;
  void on_transport_sent() override { sending_ = false; }
  void on_transport_end() override;
  void on_transport_failed(const TransportFailure& failure) override;

  void failed_to_open(results::Outcome outcome, std::string_view detail);

  StreamId stream_;  // until a transport owns it
  std::unique_ptr<Transport> transport_;
  TlsTransport* tls_ = nullptr;  // transport_, if it is one with TLS
  bool sending_ = false;
};

}  // namespace hyperscale::load
