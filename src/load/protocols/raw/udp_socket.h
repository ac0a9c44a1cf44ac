// UdpSocket: a RawConnection over UDP: a socket with one peer.
//
// A datagram that comes after the exchange has timed out must not answer the next one: the next exchange gets another
// socket, and the old socket goes to LateSockets, where such datagrams are counted.
#pragma once

#include "load/loop/event_loop.h"
#include "load/protocols/raw/raw_connection.h"

namespace hyperscale::load {

class UdpSocket final : public RawConnection, private StreamEvents {
 public:
  using RawConnection::RawConnection;
  ~UdpSocket() override;

  void open(MonoTime now, std::uint32_t address_turn) override;
  void send(const PreparedRaw& call) override;
  std::size_t unsent() const override;
  bool is_sending() const override { return sending_; }
  void close() override;
  void give_up() override;

 private:
  void on_connected() override {}
  void on_data(ByteView bytes) override;
  void on_sent() override { sending_ = false; }
  void on_end() override {}
  void on_failed(int error) override;

  StreamId stream_;
  bool sending_ = false;
};

}  // namespace hyperscale::load
