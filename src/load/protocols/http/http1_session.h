// Http1Session: HttpSession over HTTP/1.1 with keep-alive, and with pipelining when more than one exchange is allowed.
//
// Answers come in the order of the requests. Requests that were accepted between two flushes are written in one send;
// those that follow answers of a pipeline are written when they fill half of it, or when no other answer is expected. A
// request whose bytes outlive the connection is written without tracking when it is small enough to fit into the
// socket; others are kept until the transport is done.
//
// Bytes without a written request that they answer end the session: later bytes could be mistaken for the answer to
// another request. A request that was accepted and not written by then is given back.
#pragma once

#include "load/protocols/http1/response_parser.h"
#include "load/protocols/http_session.h"
#include "load/protocols/transport.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::load {

// How many bytes around the fault of a refused answer are shown.
inline constexpr std::size_t kFaultyBytesMax = 200;

// RFC 9112, section 9.3.2: after a connection that ended without an answer, nothing is pipelined before a first answer.
enum class FirstRequest : std::uint8_t { kWithOthers, kAlone };

class Http1Session final : public HttpSession, private ResponseVisitor {
 public:
  Http1Session(Transport& transport, SessionEvents& events, std::uint32_t pipeline,
               FirstRequest first = FirstRequest::kWithOthers, KnownHeads* known_heads = nullptr);

  std::uint32_t capacity() const override { return capacity_; }
  std::uint32_t in_flight() const override { return count_; }
  bool usable() const override { return usable_; }
  void send_request(std::uint32_t slot, const PreparedRequest& request) override;
  void flush() override;
  ByteCounts bytes_of(std::uint32_t slot) const override;
  ByteCounts bytes() const override { return {.sent = handed_ - transport_.unsent(), .received = read_}; }
  void abandon(std::uint32_t slot) override;
  void silence() override;
  void on_bytes(ByteView bytes) override;
  void on_sent() override;
  void on_end() override;
  void on_broken(results::Outcome outcome, std::string_view detail) override;

 private:
  struct Pending {
    std::uint32_t slot = 0;
    const PreparedRequest* request = nullptr;
    std::uint64_t begin = 0, end = 0;  // offsets in all bytes handed to the transport; both 0: not written
  };

  void on_field(std::string_view name, std::string_view value) override;
  void on_body(ByteView bytes) override;

  Pending& at(std::uint32_t position) { return queue_[(first_ + position) % queue_.size()]; }
  void hand_over(Pending& pending);
  std::uint64_t sent_of(const Pending& pending) const;
  void expect_next();
  void report_first_byte();
  void report_head();
  void refuse(ByteView bytes);
  void complete();
  Pending take_first();
  void give_back_all();
  void lose_all(results::Outcome outcome, std::string_view detail);
  void fail_first(results::Outcome outcome, std::string_view detail);
  void end_all(results::Outcome outcome, std::string_view detail);
  void settle();

  Transport& transport_;
  SessionEvents& events_;
  KnownHeads* const known_heads_;  // shared by all sessions; null: every head is parsed
  std::vector<Pending> queue_;     // a ring: requests that were accepted and not answered, oldest first
  std::uint32_t capacity_;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t unwritten_ = 0;  // how many of the newest
  ResponseParser parser_;
  std::uint64_t received_ = 0;  // bytes of the answer that is being read
  std::uint64_t handed_ = 0;    // to the transport, since the start
  std::uint64_t read_ = 0;      // since the start
  std::string name_;            // of a field, in lower case
  std::string outgoing_;        // buffer of a tracked send
  bool answered_ = false;       // at least one request
  bool sending_ = false;
  bool first_byte_reported_ = false;
  bool head_reported_ = false;
  bool usable_ = true;
  bool reading_ = false;  // inside on_bytes
  bool over_reported_ = false;
};

}  // namespace hyperscale::load
