#include "server_fixture.h"

#include <chrono>
#include <future>
#include <new>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

constexpr auto kBound = std::chrono::seconds(20);
constexpr asio::as_tuple_t<asio::use_awaitable_t<>> kToken{};
using RequestPtr = std::shared_ptr<const Request>;

asio::awaitable<Response> hello(RequestPtr request) {
  co_return Response::text(200, "hello " + request->query("name").value_or("world"));
}

asio::awaitable<Response> echo(RequestPtr request) {
  Response response = Response::text(200, std::string(request->body.text()));
  response.headers.push_back({"x-http-major", std::to_string(request->http_major)});
  co_return response;
}

asio::awaitable<Response> hold(std::shared_ptr<HandlerGate> gate, RequestPtr request) {
  const auto executor = co_await asio::this_coro::executor;
  const auto timer = std::make_shared<asio::steady_timer>(executor, asio::steady_timer::time_point::max());
  const auto registration = request->cancel.on_cancel([gate] { gate->canceled(); });
  gate->enter(timer);
  co_await timer->async_wait(kToken);
  co_return Response::text(200, "released");
}

asio::awaitable<Response> stuck(std::shared_ptr<HandlerGate> gate, RequestPtr request) {
  const asio::disable_cancellation none;
  co_await asio::this_coro::reset_cancellation_state(none);
  Response response = co_await hold(gate, request);
  co_return response;
}

asio::awaitable<Response> broken(RequestPtr) {
  throw std::runtime_error("secret detail");
  co_return Response{};
}

asio::awaitable<Response> admin(RequestPtr request) {
  co_return Response::text(200, request->header("authorization") ? "leaked" : "granted");
}

// Three pieces at once; the end comes when the gate is released, or with stop().
class HeldFeed final : public BodyFeed {
 public:
  HeldFeed(std::shared_ptr<HandlerGate> gate, asio::any_io_executor executor)
      : gate_(std::move(gate)),
        timer_(std::make_shared<asio::steady_timer>(executor, asio::steady_timer::time_point::max())) {}

  asio::awaitable<std::optional<std::string>> next() override {
    if (stopped_) co_return std::nullopt;
    if (given_ < 3) co_return fmt::format("piece {};", given_++);
    gate_->enter(timer_);
    co_await timer_->async_wait(kToken);
    co_return std::nullopt;
  }
  void stop() override {
    if (!std::exchange(stopped_, true)) gate_->canceled();
    timer_->cancel();
  }

 private:
  std::shared_ptr<HandlerGate> gate_;
  std::shared_ptr<asio::steady_timer> timer_;
  int given_ = 0;
  bool stopped_ = false;
};

asio::awaitable<Response> held_feed(std::shared_ptr<HandlerGate> gate, RequestPtr) {
  Response response = Response::text(200, "");
  response.feed = std::make_shared<HeldFeed>(gate, co_await asio::this_coro::executor);
  co_return response;
}

// More than any window or buffer holds, in large pieces, without an end.
class EndlessFeed final : public BodyFeed {
 public:
  explicit EndlessFeed(std::shared_ptr<HandlerGate> gate) : gate_(std::move(gate)) {}
  asio::awaitable<std::optional<std::string>> next() override {
    if (stopped_) co_return std::nullopt;
    co_return std::string(kBigBodyBytes, 'x');
  }
  void stop() override {
    if (!std::exchange(stopped_, true)) gate_->canceled();
  }

 private:
  std::shared_ptr<HandlerGate> gate_;
  bool stopped_ = false;
};

asio::awaitable<Response> endless_feed(std::shared_ptr<HandlerGate> gate, RequestPtr) {
  Response response = Response::text(200, "");
  response.feed = std::make_shared<EndlessFeed>(gate);
  co_return response;
}

// Fails after a piece, as one that finds no memory does.
class BrokenFeed final : public BodyFeed {
 public:
  asio::awaitable<std::optional<std::string>> next() override {
    if (std::exchange(begun_, true)) throw std::bad_alloc();
    co_return "piece";
  }
  void stop() override {}

 private:
  bool begun_ = false;
};

asio::awaitable<Response> broken_feed(RequestPtr) {
  Response response = Response::text(200, "");
  response.feed = std::make_shared<BrokenFeed>();
  co_return response;
}

asio::awaitable<Response> big(RequestPtr) {
  co_return Response::text(200, std::string(kBigBodyBytes, 'x'));
}

}  // namespace

bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kBound;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

void HandlerGate::enter(std::shared_ptr<asio::steady_timer> timer) {
  const std::lock_guard lock(mutex_);
  timers_.push_back(std::move(timer));
  ++entered_;
  changed_.notify_all();
}

void HandlerGate::canceled() {
  const std::lock_guard lock(mutex_);
  ++canceled_;
  changed_.notify_all();
}

bool HandlerGate::wait(const std::function<bool()>& condition) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kBound, condition);
}

bool HandlerGate::wait_entered(int count) {
  return wait([this, count] { return entered_ >= count; });
}

bool HandlerGate::wait_canceled(int count) {
  return wait([this, count] { return canceled_ >= count; });
}

void HandlerGate::release() {
  const std::lock_guard lock(mutex_);
  for (auto& timer : timers_) {
    auto executor = timer->get_executor();
    asio::post(executor, [timer] { timer->cancel(); });
  }
  timers_.clear();
}

void HandlerGate::forget_timers() {
  const std::lock_guard lock(mutex_);
  timers_.clear();
}

ServerFixture::ServerFixture() : work_(asio::make_work_guard(io)) {
  for (int i = 0; i < GetParam(); ++i) threads_.emplace_back([this] { io.run(); });
}

ServerFixture::~ServerFixture() {
  if (server) close_server(0ns);
  work_.reset();
  io.stop();
  for (auto& thread : threads_) thread.join();
  gate->forget_timers();
}

Router ServerFixture::routes() {
  Router router;
  const auto held = [gate = gate](RequestPtr request) { return hold(gate, std::move(request)); };
  const auto kept = [gate = gate](RequestPtr request) { return stuck(gate, std::move(request)); };
  router.add({.method = "GET", .path = "/hello", .handler = hello});
  router.add({.method = "POST", .path = "/echo", .handler = echo});
  router.add({.method = "GET", .path = "/hold", .handler = held, .deadline = 20s, .concurrency = 2});
  router.add({.method = "POST", .path = "/hold", .handler = held, .deadline = 20s, .concurrency = 2});
  router.add({.method = "GET", .path = "/stuck", .handler = kept, .deadline = 200ms, .concurrency = 1});
  router.add({.method = "GET", .path = "/fail", .handler = broken});
  router.add({.method = "GET", .path = "/admin", .handler = admin, .admin = true});
  router.add({.method = "GET", .path = "/health", .handler = hello, .while_draining = true});
  router.add({.method = "GET", .path = "/big", .handler = big});
  router.add({.method = "GET", .path = "/broken-feed", .handler = broken_feed});
  const auto gate_of_feeds = gate;
  router.add({.method = "GET",
              .path = "/feed",
              .handler = [gate_of_feeds](RequestPtr request) { return held_feed(gate_of_feeds, std::move(request)); },
              .concurrency = 1});
  router.add({.method = "GET", .path = "/endless", .handler = [gate_of_feeds](RequestPtr request) {
                return endless_feed(gate_of_feeds, std::move(request));
              }});
  return router;
}

void ServerFixture::guard(std::vector<std::string> hosts) {
  std::string token = "right";
  options.access = std::make_shared<const AccessRules>(
      AccessRules{.token = Secret::take(token.data(), token.size()), .hosts = std::move(hosts)});
}

void ServerFixture::start() {
  options.log_error = [this](std::string message) {
    const std::lock_guard lock(log_mutex_);
    log_.push_back(std::move(message));
  };
  server = std::make_shared<HttpServer>(io.get_executor(), "test", routes(), limits, metrics, options);
  const auto bound = server->bind("127.0.0.1", 0);
  ASSERT_TRUE(bound.has_value()) << bound.error().to_string();
  endpoint_ = *bound;
  served = asio::co_spawn(io, server->serve(), asio::use_future);
}

std::vector<std::string> ServerFixture::logged() {
  const std::lock_guard lock(log_mutex_);
  return log_;
}

void ServerFixture::close_server(Duration deadline) {
  asio::co_spawn(io, server->close(deadline), asio::use_future).get();
}

}  // namespace hyperscale::runtime
