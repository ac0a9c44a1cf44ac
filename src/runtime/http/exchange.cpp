#include "runtime/http/exchange.h"

#include "base/check.h"
#include "runtime/http/await_token.h"
#include "runtime/http/http_target.h"
#include "runtime/http/what_of.h"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>

namespace hyperscale::runtime {
namespace {

constexpr std::size_t kInflateStepBytes = 64 << 10;
constexpr std::string_view kOther = "other";  // label of unknown values: peers must not create series
constexpr std::array<std::string_view, 7> kKnownMethods{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"};

std::string_view method_label(std::string_view method) {
  const auto* found = std::find(kKnownMethods.begin(), kKnownMethods.end(), method);
  return found == kKnownMethods.end() ? kOther : *found;
}

}  // namespace

Exchange::Exchange(std::shared_ptr<RequestPipeline> pipeline, asio::any_io_executor strand, RequestHead head,
                   const Peer& peer)
    : pipeline_(std::move(pipeline)),
      limits_(pipeline_->limits()),
      strand_(std::move(strand)),
      timer_(strand_),
      request_(std::make_shared<Request>()),
      authorization_(std::move(head.authorization)),
      content_length_(head.content_length) {
  request_->method = std::move(head.method);
  request_->target = std::move(head.target);
  request_->path = path_of_target(request_->target).value_or(std::string_view());
  request_->headers = std::move(head.headers);
  request_->peer_ip = peer.ip;
  request_->peer_is_loopback = peer.is_loopback;
  request_->http_major = head.http_major;
  request_->received_at = pipeline_->now();
  request_->deadline = request_->received_at + limits_->deadline;
  request_->cancel = cancel_source_.token();
  body_deadline_ = request_->deadline;
}

Exchange::~Exchange() = default;

std::optional<Response> Exchange::admit() {
  std::optional<Response> refusal = refusal_of_origin();
  if (!refusal) refusal = refusal_of_route();
  if (!refusal) refusal = refusal_of_access();
  authorization_ = {};
  if (!refusal) refusal = refusal_of_body();
  if (!refusal) return std::nullopt;
  return conclude(std::move(*refusal));
}

Response Exchange::counted(AccessRefusal refusal) {
  pipeline_->count_refusal(refusal.reason);
  return std::move(refusal.response);
}

std::optional<Response> Exchange::refusal_of_origin() {
  if (pipeline_->access() == nullptr) return std::nullopt;
  auto refusal = refusal_of_sender(*request_, *pipeline_->access());
  if (!refusal) return std::nullopt;
  return counted(std::move(*refusal));
}

std::optional<Response> Exchange::refusal_of_route() {
  const Router::Match match = pipeline_->router().match(request_->method, request_->path);
  const Route* route = match.route ? &pipeline_->router().routes()[*match.route] : nullptr;
  if (pipeline_->draining() && (route == nullptr || !route->while_draining)) {
    pipeline_->count_refusal("draining");
    Response response = Response::error({ErrorCode::kUnavailable, "the node is shutting down"});
    response.close = true;
    return response;
  }
  if (route == nullptr) return not_matched(match.allow);
  route_ = route;
  request_->deadline = request_->received_at + route->deadline.value_or(limits_->deadline);
  body_deadline_ = std::min(request_->deadline, request_->received_at + limits_->read_timeout);
  return std::nullopt;
}

Response Exchange::not_matched(const std::string& allow) {
  Response response = Response::error({ErrorCode::kNotFound, "no such path"});
  if (allow.empty()) return response;
  response = Response::error({ErrorCode::kInvalidArgument, "this path does not take this method"});
  response.status = 405;
  response.headers.push_back({"allow", allow});
  return response;
}

std::optional<Response> Exchange::refusal_of_access() {
  if (route_->admin) {
    if (auto refusal = refusal_of_bearer()) return counted(std::move(*refusal));
  }
  const std::size_t index = static_cast<std::size_t>(route_ - pipeline_->router().routes().data());
  const std::uint32_t concurrency = route_->concurrency.value_or(limits_->concurrency_per_route);
  permit_ = pipeline_->try_acquire(index, concurrency);
  if (permit_) return std::nullopt;
  pipeline_->metrics().add(Counter::kBusyRejections, route_->path);
  return Response::error({ErrorCode::kBusy, fmt::format("{} requests are in flight on {}", concurrency, route_->path)});
}

// The access check is the only reader of the authorization header. It gets a copy that is wiped here.
std::optional<AccessRefusal> Exchange::refusal_of_bearer() {
  static const AccessRules kNobody;
  const AccessRules& rules = pipeline_->access() != nullptr ? *pipeline_->access() : kNobody;
  if (authorization_.empty()) return refusal_of_token(*request_, rules);
  request_->headers.push_back({"authorization", std::string(authorization_.begin(), authorization_.end())});
  auto refusal = refusal_of_token(*request_, rules);
  std::string& value = request_->headers.back().value;
  ::explicit_bzero(value.data(), value.size());
  request_->headers.pop_back();
  return refusal;
}

std::optional<Response> Exchange::refusal_of_body() {
  if (pipeline_->access() != nullptr) {
    const bool announced = content_length_.value_or(0) > 0 || request_->header("transfer-encoding");
    if (auto refusal = refusal_of_media(*request_, announced)) return counted(std::move(*refusal));
  }
  body_.emplace(route_->body_bytes_max.value_or(limits_->body_bytes_max));
  if (content_length_ && !body_->has_room(*content_length_)) return body_too_large();
  const auto encoding = request_->header("content-encoding");
  if (!encoding) return std::nullopt;
  const auto coding = parse_content_coding(*encoding);
  if (coding) {
    coding_ = *coding;
    return std::nullopt;
  }
  pipeline_->count_refusal("encoding");
  Response response = Response::error({ErrorCode::kInvalidArgument, "content-encoding must be gzip or deflate"});
  response.status = 415;
  response.headers.push_back({"accept-encoding", "gzip, deflate"});
  return response;
}

Response Exchange::body_too_large() {
  pipeline_->count_refusal("body_limit");
  return Response::error({ErrorCode::kTooLarge, fmt::format("the body may have {} bytes", body_->bytes_max())});
}

Response Exchange::body_timed_out() {
  Response response = Response::error({ErrorCode::kTimeout, "the request body did not arrive in time"});
  response.status = 408;
  response.close = request_->http_major == 1;
  return response;
}

Duration Exchange::body_time_left() const {
  return std::max<Duration>(body_deadline_ - pipeline_->now(), 0ns);
}

void Exchange::body_complete() {
  body_done_ = true;
  wake();
}

void Exchange::refuse(Response response) {
  if (!outcome_) outcome_ = std::move(response);
  wake();
}

void Exchange::cancel() {
  if (concluded_ || canceled_) return;
  canceled_ = true;
  permit_.release();
  pipeline_->metrics().add(Counter::kTasksCanceled, "request");
  cancel_source_.cancel();
  handler_cancel_.emit(asio::cancellation_type::terminal);
  wake();
}

asio::awaitable<Response> Exchange::answer() {
  const auto self = shared_from_this();
  co_await wait_for_body();
  if (!outcome_ && !canceled_) co_await decode_body();
  if (!outcome_ && !canceled_) {
    start_handler();
    if (!outcome_ && on_waiting_) on_waiting_();
    while (!outcome_ && !canceled_) {
      const Duration left = request_->deadline - pipeline_->now();
      if (left <= 0ns) break;
      timer_.expires_after(left);
      co_await timer_.async_wait(kAwait);
    }
  }
  on_waiting_ = nullptr;
  if (!outcome_ && !canceled_) {
    pipeline_->metrics().add(Counter::kIoTimeouts, "request");
    outcome_ = Response::error({ErrorCode::kTimeout, fmt::format("request exceeded its deadline of {} ms",
                                                                 (request_->deadline - request_->received_at) / 1ms)});
    cancel_source_.cancel();
    handler_cancel_.emit(asio::cancellation_type::terminal);
  }
  Response response = canceled_ ? Response::error({ErrorCode::kCanceled, "the peer left"}) : std::move(*outcome_);
  response = conclude(std::move(response));
  co_return response;
}

asio::awaitable<void> Exchange::wait_for_body() {
  while (!body_done_ && !outcome_ && !canceled_) {
    const Duration left = body_time_left();
    if (left <= 0ns) {
      pipeline_->metrics().add(Counter::kIoTimeouts, "read");
      outcome_ = body_timed_out();
      break;
    }
    timer_.expires_after(left);
    co_await timer_.async_wait(kAwait);
  }
}

asio::awaitable<void> Exchange::decode_body() {
  std::string raw = body_->take();
  // HTTP/2 does not have to announce a body.
  if (pipeline_->access() != nullptr) {
    if (auto refusal = refusal_of_media(*request_, !raw.empty())) {
      outcome_ = counted(std::move(*refusal));
      co_return;
    }
  }
  if (coding_ == ContentCoding::kIdentity || raw.empty()) {
    request_->body = SharedBytes::adopt(std::move(raw));
    co_return;
  }
  InflateGuard guard(coding_, as_bytes(raw), {limits_->decompression_ratio_max, limits_->decompressed_bytes_max});
  while (!canceled_) {
    const Result<bool> done = guard.step(kInflateStepBytes);
    if (!done) {
      pipeline_->count_refusal(done.error().code == ErrorCode::kTooLarge ? "expansion" : "malformed");
      outcome_ = Response::error(done.error());
      co_return;
    }
    if (*done) break;
    // Lets other work of this thread run between two steps of a large body.
    co_await asio::post(strand_, kAwaitThrowing);
  }
  request_->body = SharedBytes::adopt(guard.take_output());
}

void Exchange::start_handler() {
  const auto self = shared_from_this();
  auto ended = [self](const std::exception_ptr& failure, Response response) {
    self->handler_ended(failure, std::move(response));
  };
  try {
    asio::co_spawn(strand_, route_->handler(request_),
                   asio::bind_cancellation_slot(handler_cancel_.slot(), std::move(ended)));
  } catch (...) {
    handler_ended(std::current_exception(), {});
  }
}

void Exchange::handler_ended(const std::exception_ptr& failure, Response response) {
  if (concluded_ || canceled_ || outcome_) return;
  if (failure) {
    response = Response::error(
        {ErrorCode::kInternal, fmt::format("{} {} failed: {}", route_->method, route_->path, what_of(failure))});
  }
  outcome_ = std::move(response);
  wake();
}

Response Exchange::conclude(Response response) {
  CHECK(!concluded_);
  concluded_ = true;
  if (!response.feed) permit_.release();
  if (!response.log_message.empty()) pipeline_->log_error(response.log_message);
  pipeline_->metrics().observe_latency(route_ != nullptr ? std::string_view(route_->path) : kOther,
                                       method_label(request_->method), pipeline_->now() - request_->received_at);
  return response;
}

}  // namespace hyperscale::runtime
