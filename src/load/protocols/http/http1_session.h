// Http1Session: HttpSession over HTTP/1.1 with keep-alive, and with pipelining when more than one exchange is allowed.
//
// Answers come in the order of the requests. Requests that were taken between two flushes are written in one send;
// those that follow answers of a pipeline are written when they are half of it, or when no other answer is to come. A
// request whose bytes outlive the connection is written without tracking; others are kept until the transport is done.
#pragma once

#include "load/protocols/http1/response_parser.h"
#include "load/protocols/http_session.h"
#include "load/protocols/transport.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::load {

class Http1Session final : public HttpSession, private ResponseVisitor {
 public:
  Http1Session(Transport& transport, SessionEvents& events, std::uint32_t pipeline);

  std::uint32_t capacity() const override { return static_cast<std::uint32_t>(queue_.size()); }
  std::uint32_t in_flight() const override { return count_; }
  bool usable() const override { return usable_; }
  void send_request(std::uint32_t slot, const PreparedRequest& request) override;
  void flush() override;
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
  };

  void on_field(std::string_view name, std::string_view value) override;
  void on_body(ByteView bytes) override;

  Pending& at(std::uint32_t position) { return queue_[(first_ + position) % queue_.size()]; }
  void expect_next();
  void tell_first_byte();
  void tell_head();
  void complete();
  void fail_all(results::Outcome outcome, std::string_view detail);
  void settle();

  Transport& transport_;
  SessionEvents& events_;
  std::vector<Pending> queue_;  // a ring: requests that were taken and not answered, oldest first
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t unwritten_ = 0;  // the newest ones of them
  ResponseParser parser_;
  std::uint64_t received_ = 0;  // bytes of the answer that is being read
  std::string name_;            // of a field, in lower case
  std::string outgoing_;        // what a tracked send is reading
  bool sending_ = false;
  bool first_byte_told_ = false;
  bool head_told_ = false;
  bool usable_ = true;
  bool reading_ = false;  // inside on_bytes
  bool over_told_ = false;
};

}  // namespace hyperscale::load
