// HttpClient: HTTP of one virtual user: its connections, its cookies, its exchanges in flight.
//
// A redirect is an exchange of its own in the same slot, reported with is_redirect; the client starts the next one.
#pragma once

#include "load/loop/timer_queue.h"
#include "load/protocols/http/cookie_jar.h"
#include "load/protocols/http/http_connection.h"
#include "load/protocols/http/http_origin.h"
#include "load/protocols/prepared_request.h"
#include "load/protocols/protocol_client.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::load {

// Connections that a user keeps open. One more closes the one that was idle for longest; those in use, bounded by the
// exchanges in flight, are never closed for it.
inline constexpr std::size_t kConnectionsKeptMax = 64;

class HttpClient final : public ProtocolClient {
 public:
  HttpClient(HttpEnvironment& environment, ExchangeListener& listener, const ClientSetup& setup);
  ~HttpClient() override;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void reserve_slots(std::uint32_t count) override;
  void start(std::uint32_t slot, const Prepared& call, MonoTime now) override;
  void cut(results::Outcome outcome, std::string_view message) override;
  void become_new_user() override;
  void tell_connection_bytes() override;
  ExchangeDetails details(std::uint32_t slot, const ExchangeReport& report) const override;
  // Created at the first use. Null: the plan keeps no cookies.
  CookieJar* cookies();

  // For its connections.
  HttpEnvironment& environment() { return environment_; }
  std::uint32_t user() const { return number_; }
  std::uint32_t per_connection() const { return per_connection_; }
  void set_moment(const DataMoment& data) {
    moment_ = data.came;
    noticed_ = data.noticed;
  }
  void set_moment_now() { moment_ = noticed_ = EventLoop::now(); }
  void connection_ready(HttpConnection& connection);
  void connection_failed(HttpConnection& connection, results::Outcome outcome, std::string_view message);
  void connection_over(HttpConnection& connection);
  void connection_advanced(HttpConnection& connection);  // another phase, with another deadline, has begun
  void first_byte(std::uint32_t slot) { exchanges_[slot].first_byte_at = moment_; }
  void header(std::uint32_t slot, std::string_view name, std::string_view value);
  void head(std::uint32_t slot, const ResponseHead& head) { exchanges_[slot].status = head.status; }
  void body(std::uint32_t slot, ByteView bytes);
  void faulty_bytes(std::uint32_t slot, std::string_view bytes);
  void complete(std::uint32_t slot, const ByteCounts& bytes);
  void failed(std::uint32_t slot, results::Outcome outcome, std::string_view detail, const ByteCounts& bytes);
  // The peer will not process the request: it is sent again, a few times.
  void given_back(std::uint32_t slot, const ByteCounts& bytes);
  // Its connection ended before a byte of the answer: an idempotent request is sent again once, others end as `closed`.
  void lost(std::uint32_t slot, std::string_view detail, const ByteCounts& bytes);
  void connection_bytes(const ByteCounts& bytes) { listener_.connection_bytes(user_, bytes); }

 private:
  enum class Phase : std::uint8_t {
    kFree,
    kWaiting,  // for its connection
    kSent,
    kPausing,  // before it is sent again
  };
  struct Exchange {
    const PreparedRequest* request = nullptr;
    HttpConnection* connection = nullptr;
    MonoTime began;  // start of the first of a chain of redirects: the timeout covers the chain
    MonoTime started;
    MonoTime sent_at;
    MonoTime first_byte_at;
    MonoTime resume_at;  // end of the pause
    ByteCounts bytes;    // of finished attempts
    Duration connect = stream::kNoPhase;
    Duration tls = stream::kNoPhase;
    Phase phase = Phase::kFree;
    bool was_written = false;     // in a finished attempt
    std::uint8_t given_back = 0;  // attempts that the server gave back
    std::uint16_t connections_opened = 0;
    std::uint16_t tls_resumed = 0;
    std::uint16_t status = 0;
    std::uint16_t redirects = 0;
    std::uint16_t resent = 0;
    bool body_cut = false;
    bool body_is_faulty = false;
    bool body_refused = false;             // the executor's bound on kept bodies is reached
    std::uint32_t body_charged = 0;        // bytes of this bound that the body takes
    std::unique_ptr<PreparedRequest> own;  // made for this exchange alone: cookies, a redirect
    std::string location;
    std::string content_encoding;
    std::string body;
  };

  HttpConnection* connection_to(const PreparedRequest& request, bool by_redirect);
  void make_room_for_connection();
  void retire(std::size_t connection);
  void leave(const HttpConnection& connection);
  void dispatch(std::uint32_t slot, MonoTime now);
  void put_on(HttpConnection& connection, std::uint32_t slot);
  void send_waiting(HttpConnection& connection);
  void note_opening(const HttpConnection& connection);
  void ensure_open(HttpConnection& connection);
  void keep_body(Exchange& exchange, ByteView bytes);
  void release_body(Exchange& exchange);
  // `next` is the request that follows a redirect.
  void finish(std::uint32_t slot, ExchangeReport& report, std::unique_ptr<PreparedRequest> next = nullptr);
  ExchangeReport report_of(const Exchange& exchange) const;
  std::unique_ptr<PreparedRequest> request_after(const Exchange& exchange, std::string& refusal) const;
  void begin_again(Exchange& exchange, const ByteCounts& bytes);
  void resume(std::uint32_t slot);
  void watch_deadline(const Exchange& exchange);
  static void deadline_passed(void* self);
  void check_deadlines();
  void timed_out(std::uint32_t slot);
  std::string passed_limit(const Exchange& exchange) const;
  MonoTime deadline_of(const Exchange& exchange) const;
  Duration total_timeout(const Exchange& exchange) const;

  HttpEnvironment& environment_;
  ExchangeListener& listener_;
  std::uint32_t user_;
  std::uint32_t number_;
  std::uint32_t per_connection_;
  std::uint32_t attempts_ = 0;  // failed ones to connect; each moves to the next address
  std::uint32_t turns_ = 0;     // exchanges begun, for the age of connections
  MonoTime moment_;             // when the event that is being handled happened
  MonoTime noticed_;            // when it was noticed; later than moment_ only after the loop was blocked
  LazyDeadline deadline_;
  std::vector<Exchange> exchanges_;
  std::vector<std::unique_ptr<HttpConnection>> connections_;
  std::unique_ptr<CookieJar> cookies_;
};

}  // namespace hyperscale::load
