// Exchange: the stages of one request in the pipeline, the same for both HTTP versions:
//   admit() (route, drain, access, permit, announced size) -> body -> answer() (undo the coding, run the handler,
//   deadline).
//
// Time: the deadline of the request runs from its complete head. At the deadline answer() returns a typed 504: the
// handler is cancelled (asio cancellation and the CancelToken) and, if it ignores that, continues without a receiver,
// kept alive by its own references. The permit is returned with the answer, or with the exchange itself when the answer
// has a feed.
// Thread rule: the strand given at construction. Cancelling from other threads goes through the connection.
#pragma once

#include "runtime/http/body_buffer.h"
#include "runtime/http/cancel_token.h"
#include "runtime/http/inflate_guard.h"
#include "runtime/http/request_head.h"
#include "runtime/http/request_pipeline.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::runtime {

struct Peer {
  std::string ip;
  std::string group;  // group of addresses whose connection limit it counts against
  bool is_loopback = false;
};

class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(std::shared_ptr<RequestPipeline> pipeline, asio::any_io_executor strand, RequestHead head, const Peer& peer);
  ~Exchange();

  // A refusal to send at once, or nothing: then read the body and await answer().
  std::optional<Response> admit();

  // Buffer of the request body, with the limit of the route. REQUIRES: admit() returned nothing.
  BodyBuffer& body() { return *body_; }
  void body_complete();
  // Ends the exchange with this answer instead of running the handler; wakes answer() if it waits for the body.
  void refuse(Response response);
  Response body_too_large();
  Response body_timed_out();
  // How long the body may still take.
  Duration body_time_left() const;

  // REQUIRES: admit() returned nothing. Called once. For a cancelled exchange the value is meaningless.
  asio::awaitable<Response> answer();
  // The handler is running and did not finish at once: a good time to begin watching the peer.
  void on_waiting(std::function<void()> callback) { on_waiting_ = std::move(callback); }

  // The peer disconnected: cancels the handler and releases the permit.
  void cancel();
  bool canceled() const { return canceled_; }
  // The answer is decided, whether or not the rest of the body comes.
  bool ended_early() const { return outcome_.has_value() || canceled_; }
  bool is_head_request() const { return request_->method == "HEAD"; }

 private:
  std::optional<Response> refusal_of_route();
  std::optional<Response> refusal_of_origin();
  std::optional<Response> refusal_of_access();
  std::optional<Response> refusal_of_body();
  std::optional<AccessRefusal> refusal_of_bearer();
  Response counted(AccessRefusal refusal);
  Response not_matched(const std::string& allow);
  asio::awaitable<void> wait_for_body();
  asio::awaitable<void> decode_body();
  void start_handler();
  void handler_ended(const std::exception_ptr& failure, Response response);
  Response conclude(Response response);
  void wake() { timer_.cancel(); }

  std::shared_ptr<RequestPipeline> pipeline_;
  std::shared_ptr<const HttpLimits> limits_;
  asio::any_io_executor strand_;
  asio::steady_timer timer_;
  std::shared_ptr<Request> request_;
  WipingVector<char> authorization_;
  std::optional<std::uint64_t> content_length_;
  ContentCoding coding_ = ContentCoding::kIdentity;
  const Route* route_ = nullptr;
  Permit permit_;
  std::optional<BodyBuffer> body_;
  MonoTime body_deadline_;
  CancelSource cancel_source_;
  asio::cancellation_signal handler_cancel_;
  std::function<void()> on_waiting_;
  std::optional<Response> outcome_;
  bool body_done_ = false;
  bool canceled_ = false;
  bool concluded_ = false;
};

}  // namespace hyperscale::runtime
