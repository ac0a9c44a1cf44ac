// A real server on a loopback port, on one thread and on two, with handlers that tests can hold and let go.
#pragma once

#include "h1_client.h"
#include "runtime/http/http_server.h"

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio.hpp>
#include <gtest/gtest.h>

namespace hyperscale::runtime {

// Polls a condition that has no event to wait on (a counter), bounded so that a broken server fails the test.
bool eventually(const std::function<bool()>& condition);

// Holds handlers until a test releases them, and tells what happened to them. Thread-safe.
class HandlerGate {
 public:
  // For handlers.
  void enter(std::shared_ptr<asio::steady_timer> timer);
  void canceled();

  // For tests: each waits, bounded, and says whether it came true.
  bool wait_entered(int count);
  bool wait_canceled(int count);
  void release();
  void forget_timers();

 private:
  bool wait(const std::function<bool()>& condition);
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<asio::steady_timer>> timers_;
  int entered_ = 0;
  int canceled_ = 0;
};

class ServerFixture : public ::testing::TestWithParam<int> {
 protected:
  ServerFixture();
  ~ServerFixture() override;

  // Routes: GET /hello, POST /echo (answers with what it got), GET|POST /hold (held by `gate`), GET /stuck (ignores
  // cancellation), GET /fail (throws), GET /admin (admin), GET /health (while draining), GET /big, GET
  // /feed (three pieces, then held by `gate`; one at a time), GET /endless (a feed without an end), GET /broken-feed (a
  // feed that throws).
  void start();
  // Before start(): requests are held to the rules of access_rules.h, and the token is "right".
  void guard(std::vector<std::string> hosts = {});
  void close_server(Duration deadline);
  std::uint16_t port() const { return endpoint_.port(); }
  std::vector<std::string> logged();
  double count(Counter counter, std::string_view label) { return metrics.value(counter, label); }

  Metrics metrics;
  HttpLimits limits;
  HttpServerOptions options;
  std::shared_ptr<HandlerGate> gate = std::make_shared<HandlerGate>();
  asio::io_context io;
  std::shared_ptr<HttpServer> server;
  std::future<void> served;

 private:
  Router routes();
  std::mutex log_mutex_;
  std::vector<std::string> log_;
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::vector<std::thread> threads_;
  asio::ip::tcp::endpoint endpoint_;
};

inline constexpr std::string_view kBigBodyByte = "x";
inline constexpr std::size_t kBigBodyBytes = 1 << 20;

#define INSTANTIATE_FLAVOURS(suite) \
  INSTANTIATE_TEST_SUITE_P(Threads, suite, ::testing::Values(1, 2), ::testing::PrintToStringParamName())

}  // namespace hyperscale::runtime
