// PlainTransport: a stream of the event loop as a Transport, in clear text. Translates errors and does nothing else.
#pragma once

#include "load/protocols/transport.h"

namespace hyperscale::load {

// The outcome of a failure to connect, send or receive.
results::Outcome outcome_of_errno(int error);

class PlainTransport final : public Transport, private StreamEvents {
 public:
  PlainTransport(EventLoop& loop, TransportEvents& events) : loop_(loop), events_(events) {}
  ~PlainTransport() override;
  PlainTransport(const PlainTransport&) = delete;
  PlainTransport& operator=(const PlainTransport&) = delete;

  void start(StreamId stream) override;
  // After close() or a failure it does nothing and returns true.
  DataMoment data_moment() const override { return loop_.data_moment(stream_); }
  bool send(ByteView bytes, Sending sending) override { return !stream_ || loop_.send(stream_, bytes, sending); }
  void close() override;
  std::size_t unsent() const override { return stream_ ? loop_.unsent(stream_) : lost_; }

 private:
  void on_connected() override {}
  void on_data(ByteView bytes) override { events_.on_transport_data(bytes); }
  void on_sent() override { events_.on_transport_sent(); }
  void on_end() override { events_.on_transport_end(); }
  void on_failed(int error) override;

  EventLoop& loop_;
  TransportEvents& events_;
  StreamId stream_;
  std::size_t lost_ = 0;  // bytes that were unsent when it failed
};

}  // namespace hyperscale::load
