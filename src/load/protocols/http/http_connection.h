// HttpConnection: one virtual user's connection to one origin: connecting, a proxy's tunnel, TLS, then the HTTP session
// on top. It is opened when a request needs it and reopened after it has ended.
//
// Single-threaded. Events of the session are passed to the client, which identifies exchanges by their slot.
#pragma once

#include "load/loop/event_loop.h"
#include "load/protocols/http/http_origin.h"
#include "load/protocols/http1/response_parser.h"
#include "load/protocols/http_session.h"
#include "load/protocols/transport.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace hyperscale::load {

class HttpClient;
class TlsTransport;

class HttpConnection final : private StreamEvents, private TransportEvents, private SessionEvents {
 public:
  HttpConnection(HttpClient& client, const HttpOrigin& origin);
  virtual ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  enum class State : std::uint8_t { kClosed, kConnecting, kTunnel, kTls, kOpen };
  State state() const { return state_; }
  bool is_opening() const { return state_ != State::kClosed && state_ != State::kOpen; }
  const HttpOrigin& origin() const { return origin_; }
  // Whether a request can be sent at once.
  bool has_room() const;
  // Open, with nothing in flight, and not to be used again.
  bool is_spent() const;
  // Open, with requests in flight, and closed to further requests: the peer has sent GOAWAY.
  // An HTTP/1.1 session gives back unanswered requests at once.
  bool is_draining() const {
    return http_major_ == 2 && state_ == State::kOpen && !session_->usable() && session_->in_flight() > 0;
  }
  // Starts to connect. REQUIRES: state() == kClosed. Calls connection_ready or connection_failed of the client,
  // possibly before this returns.
  void open(MonoTime now, std::uint32_t address_turn);
  void send(std::uint32_t slot, const PreparedRequest& request) { session_->send_request(slot, request); }
  void flush() { session_->flush(); }
  // Abandons one exchange; returns its bytes written and read.
  ByteCounts abandon(std::uint32_t slot);
  // Bytes written and read of an exchange that is about to be dropped; tell_own_bytes() then excludes them.
  ByteCounts take_bytes(std::uint32_t slot);
  // Reports bytes that belong to no exchange to the client, each byte once. REQUIRES: exchanges in flight are counted
  // later, or never.
  void tell_own_bytes();
  // Closes without reporting exchanges in flight to the client.
  void drop();
  // Deadline of the current phase of opening.
  MonoTime phase_deadline() const;
  void opening_timed_out(std::string_view limit);

  // Of the last opening.
  Duration connect_time() const { return connect_time_; }
  Duration tls_time() const { return tls_time_; }
  bool resumed() const { return resumed_; }
  std::uint64_t requests_sent = 0;
  const PreparedRequest* last_request = nullptr;  // a lasting one that is known to go to this origin
  std::uint32_t exchanges = 0;                    // that wait for it or are on it
  std::uint32_t last_turn = 0;                    // of the client, when it was used last
  bool is_left = false;                           // its user was replaced: nothing new is sent on it
  std::uint8_t http_major() const { return http_major_; }
  bool has_answered() const { return answers_ > 0; }  // since it was opened
  const TlsTransport* secure() const { return secure_; }
  const SocketAddress* address() const { return address_; }  // null before the first time

 private:
  void on_connected() override;
  void on_data(ByteView bytes) override;  // of the proxy, before there is a tunnel
  void on_sent() override {}
  void on_end() override;
  void on_failed(int error) override;

  void on_transport_ready() override;
  void on_transport_data(ByteView bytes) override;
  void on_transport_sent() override;
  void on_transport_end() override;
  void on_transport_failed(const TransportFailure& failure) override;

  void on_first_byte(std::uint32_t slot) override;
  void on_header(std::uint32_t slot, std::string_view name, std::string_view value) override;
  void on_head(std::uint32_t slot, const ResponseHead& head) override;
  void on_body(std::uint32_t slot, ByteView bytes) override;
  void on_response_complete(std::uint32_t slot, const ByteCounts& bytes) override;
  void on_response_failed(std::uint32_t slot, results::Outcome outcome, std::string_view detail,
                          const ByteCounts& bytes) override;
  void on_faulty_bytes(std::uint32_t slot, std::string_view bytes) override;
  void on_unprocessed(std::uint32_t slot, const ByteCounts& bytes) override;
  void on_unwritten(std::uint32_t slot) override;
  void on_lost(std::uint32_t slot, results::Outcome outcome, std::string_view detail, const ByteCounts& bytes) override;
  void on_session_over() override;

  void start_transport();
  void failed_to_open(results::Outcome outcome, std::string_view detail);
  void shut();

  HttpClient& client_;
  const HttpOrigin& origin_;
  State state_ = State::kClosed;
  bool resumed_ = false;
  bool lost_ = false;  // the last session ended before it answered a request in flight
  std::uint8_t http_major_ = 0;
  std::uint64_t answers_ = 0;
  ByteCounts tunnel_bytes_;  // CONNECT and the proxy's answer
  ByteCounts known_bytes_;   // of exchanges, and own ones that were reported to the client
  StreamId stream_;          // until a transport owns it
  const SocketAddress* address_ = nullptr;
  MonoTime began_;
  Duration connect_time_{};
  Duration tls_time_{};
  std::unique_ptr<Transport> transport_;
  TlsTransport* secure_ = nullptr;  // transport_, if it is one with TLS
  std::unique_ptr<HttpSession> session_;
  std::unique_ptr<ResponseParser> tunnel_;
};

}  // namespace hyperscale::load
