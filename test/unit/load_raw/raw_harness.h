// RawHarness: a RawClient with one user on a real loop, and what it told its listener. Servers are sockets that the
// test reads and writes by hand, between turns of the loop.
#pragma once

#include "load/protocols/client_environment.h"
#include "load/protocols/raw/late_sockets.h"
#include "load/protocols/raw/prepared_raw.h"
#include "load/protocols/raw/raw_client.h"

#include <cerrno>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::load {

struct Done {
  std::uint32_t slot = 0;
  results::Outcome outcome = results::Outcome::kOk;
  std::string message;
  std::string body;
  bool complete = false;
  bool sent = false;
  bool turned_away = false;
  std::uint16_t connections_opened = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  Duration first_byte{};
};

// A loopback socket of the test: bound, and listening if it is of streams.
class TestSocket {
 public:
  explicit TestSocket(int type) : fd_(::socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&any), sizeof any), 0);
    if (type == SOCK_STREAM) {
      EXPECT_EQ(::listen(fd_, 16), 0);
    }
    socklen_t size = sizeof any;
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&any), &size);
    port = ntohs(any.sin_port);
  }
  ~TestSocket() { close(); }
  TestSocket(const TestSocket&) = delete;
  TestSocket& operator=(const TestSocket&) = delete;

  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  std::uint16_t port = 0;

 private:
  int fd_;
};

class RawHarness : public testing::TestWithParam<LoopBackend>, protected ExchangeListener {
 protected:
  explicit RawHarness(Protocol protocol) : protocol_(protocol) {}

  void SetUp() override {
    auto made = make_event_loop(GetParam());
    if (!made && GetParam() == LoopBackend::kIoUring) GTEST_SKIP() << made.error().context;
    ASSERT_TRUE(made);
    loop = std::move(*made);
    environment.emplace(*loop);
    make_client(1);
  }
  void TearDown() override {
    client.reset();
    environment.reset();
  }
  void make_client(std::uint32_t slots) {
    ExchangeListener& listener = *this;
    client = std::make_unique<RawClient>(protocol_, *environment, listener, ClientSetup{.slots = slots});
  }

  const PreparedRaw& call(std::uint16_t port, const std::string& send, const std::string& until = {},
                          std::uint64_t read = 0) {
    plan::Request request;
    request.url = std::string(plan::name(protocol_)) + "://127.0.0.1:" + std::to_string(port);
    request.body = send;
    request.until = until;
    request.read_bytes = read;
    auto ready = prepare_raw(request, wants_body);
    EXPECT_TRUE(ready) << ready.error().context;
    calls.push_back(std::make_unique<PreparedRaw>(std::move(*ready)));
    calls.back()->lasting = lasting;
    return *calls.back();
  }
  void start(const PreparedRaw& what, std::uint32_t slot = 0) { client->start(slot, what, EventLoop::now()); }

  // Turns of the loop until the condition holds; sockets of the test are looked at every millisecond.
  testing::AssertionResult run_until(const std::function<bool()>& condition) {
    bool over = false;
    Timer bound([](void* flag) { *static_cast<bool*>(flag) = true; }, &over);
    Timer turn([](void*) {}, nullptr);
    loop->timers().set(bound, EventLoop::now() + 20s);
    bool holds = condition();
    while (!holds && !over) {
      loop->timers().set(turn, EventLoop::now() + 1ms);
      loop->run_once();
      environment->bury();
      holds = condition();
    }
    return holds ? testing::AssertionSuccess() : testing::AssertionFailure() << "not within 20 s";
  }
  testing::AssertionResult run_until_done(std::size_t count = 1) {
    return run_until([&] { return done.size() >= count; });
  }
  const Done& last() { return done.back(); }

  void exchange_done(std::uint32_t, std::uint32_t slot, const ExchangeReport& report) override {
    done.push_back({.slot = slot,
                    .outcome = report.outcome,
                    .message = std::string(report.message),
                    .body = std::string(report.body),
                    .complete = report.complete,
                    .sent = report.sent,
                    .turned_away = report.turned_away,
                    .connections_opened = report.connections_opened,
                    .bytes_sent = report.bytes_sent,
                    .bytes_received = report.bytes_received,
                    .first_byte = report.first_byte});
    EXPECT_EQ(report.status, 0);
    EXPECT_EQ(report.resent, 0);
    if (on_done) on_done();
  }
  void connection_opened(std::uint32_t, Protocol, std::uint8_t) override { ++opened; }
  void connection_bytes(std::uint32_t, const ByteCounts& bytes) override { unasked += bytes.received; }
  void late_datagram(std::uint32_t) override { ++late; }
  void exchange_header(std::uint32_t, std::uint32_t, std::string_view, std::string_view) override {}

  const Protocol protocol_;
  std::unique_ptr<EventLoop> loop;
  std::optional<ClientEnvironment> environment;
  std::unique_ptr<RawClient> client;
  std::vector<std::unique_ptr<PreparedRaw>> calls;
  bool wants_body = true;
  bool lasting = true;
  std::vector<Done> done;
  std::function<void()> on_done;
  int opened = 0;
  int late = 0;
  std::uint64_t unasked = 0;
};

inline const auto kBackends = testing::Values(LoopBackend::kEpoll, LoopBackend::kIoUring);
inline const auto kBackendName = [](const auto& info) {
  return std::string(info.param == LoopBackend::kEpoll ? "epoll" : "io_uring");
};

}  // namespace hyperscale::load
