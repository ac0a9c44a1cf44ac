// Looks for a wake-up that is lost: many short exchanges on connections that are opened and closed again, against a
// server that answers in pieces and stands still now and then, with and without timers that wake the loop anyway. An
// answer that is not handed out, or a sleep that is too long, shows as a stream on which nothing moves.
#include "base/prng.h"
#include "load/loop/event_loop.h"

#include <array>
#include <atomic>
#include <cstring>
#include <list>
#include <memory>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::load {
namespace {

constexpr std::size_t kMessageBytes = 64;
constexpr int kStreams = 10;
constexpr int kExchangesPerConnection = 200;
constexpr Duration kStressTime = 1500ms;
constexpr Duration kStallEvery = 100ms;
constexpr Duration kStall = 10ms;
constexpr Duration kStuck = 2s;  // far more than a stall, also on a busy machine

// Echoes messages, each connection on a thread of its own.
class StallingServer {
 public:
  StallingServer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&any), sizeof any), 0);
    EXPECT_EQ(::listen(listener_, 64), 0);
    socklen_t size = sizeof any;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&any), &size);
    address_ = *SocketAddress::from_literal("127.0.0.1", ntohs(any.sin_port));
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~StallingServer() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    for (const int fd : connections_) ::shutdown(fd, SHUT_RDWR);
    for (std::thread& thread : threads_) thread.join();
    for (const int fd : connections_) ::close(fd);
    ::close(listener_);
  }
  const SocketAddress& address() const { return address_; }

 private:
  void accept_all() {
    for (std::uint64_t number = 0;; ++number) {
      const int fd = ::accept(listener_, nullptr, nullptr);
      if (fd < 0) return;
      const int yes = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      connections_.push_back(fd);
      threads_.emplace_back([this, fd, number] { echo(fd, number); });
    }
  }

  void echo(int fd, std::uint64_t number) const {
    Prng random(number);
    std::array<char, kMessageBytes> message{};
    while (::recv(fd, message.data(), message.size(), MSG_WAITALL) == static_cast<ssize_t>(message.size())) {
      while (!stopping_ && Duration(EventLoop::now().ns()) % kStallEvery < kStall) std::this_thread::yield();
      const std::size_t first = 1 + random.below(kMessageBytes - 1);
      if (::send(fd, message.data(), first, MSG_NOSIGNAL) < 0) return;
      if (random.below(2) == 0) std::this_thread::yield();
      if (::send(fd, message.data() + first, kMessageBytes - first, MSG_NOSIGNAL) < 0) return;
    }
  }

  int listener_;
  SocketAddress address_;
  std::atomic<bool> stopping_ = false;
  std::list<std::thread> threads_;
  std::vector<int> connections_;  // of the acceptor; closed when all is over
  std::thread acceptor_;
};

// One exchange after the other; the connection is replaced after some of them.
class Chatter final : StreamEvents {
 public:
  Chatter(EventLoop& loop, const SocketAddress& to, std::uint64_t number)
      : loop_(loop), to_(to), random_(number), timer_(&Chatter::on_timer, this) {
    message_.fill(static_cast<std::uint8_t>(number));
    connect();
  }
  ~Chatter() { loop_.close(stream_, EventLoop::Close::kReset); }

  void use_timers() { loop_.timers().set(timer_, EventLoop::now() + some_time()); }
  std::uint64_t exchanges() const { return exchanges_; }
  Duration quiet(MonoTime now) const { return now - moved_; }
  Duration latest_timer() const { return latest_timer_; }

 private:
  Duration some_time() { return Duration(static_cast<std::int64_t>(random_.below(2'000'000))); }

  void connect() {
    moved_ = EventLoop::now();
    received_ = 0;
    sending_ = false;
    int error = 0;
    StreamEvents& events = *this;
    stream_ = loop_.connect(to_, {}, events, error);
    EXPECT_EQ(error, 0);
  }
  void send() {
    moved_ = EventLoop::now();
    sending_ = !loop_.send(stream_, message_, random_.below(2) == 0 ? Sending::kOnce : Sending::kTracked);
  }

  void on_connected() override { send(); }
  void on_data(ByteView bytes) override {
    moved_ = EventLoop::now();
    received_ += bytes.size();
    ASSERT_LE(received_, kMessageBytes);
    if (received_ == kMessageBytes && !sending_) answered();
  }
  void on_sent() override {
    sending_ = false;
    if (received_ == kMessageBytes) answered();
  }
  void on_end() override { ADD_FAILURE() << "the server left"; }
  void on_failed(int error) override { ADD_FAILURE() << std::strerror(error); }

  void answered() {
    received_ = 0;
    if (++exchanges_ % kExchangesPerConnection != 0) return send();
    loop_.close(stream_, EventLoop::Close::kReset);
    connect();
  }

  static void on_timer(void* context) {
    auto& self = *static_cast<Chatter*>(context);
    self.latest_timer_ = std::max(self.latest_timer_, EventLoop::now() - self.timer_.at());
    self.use_timers();
  }

  EventLoop& loop_;
  const SocketAddress to_;
  Prng random_;
  Timer timer_;
  StreamId stream_;
  std::array<std::uint8_t, kMessageBytes> message_{};
  std::size_t received_ = 0;
  std::uint64_t exchanges_ = 0;
  bool sending_ = false;
  MonoTime moved_;
  Duration latest_timer_{};
};

struct Stress {
  LoopBackend backend;
  bool timers;
};

class EventLoopStress : public testing::TestWithParam<Stress> {};

TEST_P(EventLoopStress, NoAnswerAndNoTimerIsForgotten) {
  auto loop = make_event_loop(GetParam().backend);
  if (!loop && GetParam().backend == LoopBackend::kIoUring) GTEST_SKIP() << loop.error().context;
  ASSERT_TRUE(loop);
  StallingServer server;
  std::vector<std::unique_ptr<Chatter>> chatters;
  for (std::uint64_t i = 0; i < kStreams; ++i)
    chatters.push_back(std::make_unique<Chatter>(**loop, server.address(), i));
  if (GetParam().timers)
    for (const auto& chatter : chatters) chatter->use_timers();
  Timer bound([](void*) {}, nullptr);  // a sleep that never ends would hide what is being looked for
  const MonoTime start = EventLoop::now();
  (*loop)->timers().set(bound, start + kStressTime + kStuck);
  for (MonoTime now = start; now - start < kStressTime; now = EventLoop::now()) {
    (*loop)->run_once();
    for (const auto& chatter : chatters) ASSERT_LT(chatter->quiet(EventLoop::now()), kStuck);
  }
  for (const auto& chatter : chatters) {
    EXPECT_GT(chatter->exchanges(), 0U);
    EXPECT_LT(chatter->latest_timer(), kStuck);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, EventLoopStress,
                         testing::Values(Stress{LoopBackend::kEpoll, false}, Stress{LoopBackend::kEpoll, true},
                                         Stress{LoopBackend::kIoUring, false}, Stress{LoopBackend::kIoUring, true}),
                         [](const auto& info) {
                           return std::string(info.param.backend == LoopBackend::kEpoll ? "Epoll" : "IoUring") +
                                  (info.param.timers ? "WithTimers" : "");
                         });

}  // namespace
}  // namespace hyperscale::load
