#include "runtime/net/accept_gate.h"
#include "server_fixture.h"

#include <sys/resource.h>

namespace hyperscale::runtime {
namespace {

class ConnectionLimits : public ServerFixture {};
INSTANTIATE_FLAVOURS(ConnectionLimits);

TEST_P(ConnectionLimits, ConnectionsOverTheMaximumAreTurnedAway) {
  limits.max_conns = 2;
  start();
  H1Client first(port());
  auto second = std::make_unique<H1Client>(port());
  EXPECT_EQ(first.get("/hello").status, 200);
  EXPECT_EQ(second->get("/hello").status, 200);
  H1Client third(port());
  EXPECT_EQ(third.receive().status, 503);
  EXPECT_TRUE(third.at_end());
  EXPECT_EQ(count(Counter::kConnectionsRefused, "max_conns"), 1);
  second.reset();
  ASSERT_TRUE(eventually([this] { return server->open_connections() == 1; }));
  H1Client fourth(port());
  EXPECT_EQ(fourth.get("/hello").status, 200);
}

// proves part: NODE-IO-2 (all but the default of 4 MiB)
TEST_P(ConnectionLimits, AnAddressThatComesTooOftenIsTurnedAway) {
  limits.accept_rate_per_ip = 0;
  limits.accept_burst_per_ip = 3;
  start();
  for (int i = 0; i < 3; ++i) {
    H1Client client(port());
    EXPECT_EQ(client.get("/hello").status, 200);
  }
  H1Client refused(port());
  EXPECT_EQ(refused.receive().status, 503);
  EXPECT_EQ(count(Counter::kConnectionsRefused, "accept_rate"), 1);
  limits.accept_burst_per_ip = 10;
  server->set_limits(limits);
  H1Client welcome(port());
  EXPECT_EQ(welcome.get("/hello").status, 200) << "new limits are in force at once";
}

// proves part: NODE-INV-9 (work queue, connections and log; a full blocking pool refuses without a count)
TEST_P(ConnectionLimits, BurstIsRefusedWhileOldConnectionsAreServed) {
  limits.max_conns = 1;
  limits.accept_burst_per_ip = 100000;
  start();
  H1Client served(port());
  EXPECT_EQ(served.get("/hello").status, 200);
  constexpr int kBurst = 500;
  for (int i = 0; i < kBurst; ++i) H1Client burst(port());
  EXPECT_TRUE(eventually([this] { return count(Counter::kConnectionsRefused, "max_conns") == kBurst; }));
  EXPECT_EQ(served.get("/hello").status, 200);
  EXPECT_EQ(server->open_connections(), 1u);
}

// Lowers the limit of open files for one test.
class FileLimit {
 public:
  explicit FileLimit(rlim_t soft) {
    ::getrlimit(RLIMIT_NOFILE, &saved_);
    rlimit lower = saved_;
    lower.rlim_cur = soft;
    ::setrlimit(RLIMIT_NOFILE, &lower);
  }
  ~FileLimit() { ::setrlimit(RLIMIT_NOFILE, &saved_); }

 private:
  rlimit saved_{};
};

TEST_P(ConnectionLimits, RunningOutOfFilesIsSurvived) {
  start();
  H1Client before(port());
  EXPECT_EQ(before.get("/hello").status, 200);
  H1Client waiting(port());
  EXPECT_EQ(waiting.get("/hello").status, 200);
  // UBSan needs a file descriptor the first time it checks a type; the server will use this one when there is none
  // left.
  const boost::system::error_code no_files(EMFILE, boost::system::system_category());
  ASSERT_FALSE(no_files.message().empty());
  const int next = ::dup(0);
  ::close(next);
  std::unique_ptr<H1Client> late;
  {
    // Room for the client's own socket and for none of the server's.
    const FileLimit limit(static_cast<rlim_t>(next) + 1);
    late = std::make_unique<H1Client>(port());
    ASSERT_TRUE(late->socket.connected());
    ASSERT_TRUE(eventually([this] { return count(Counter::kIoErrors, "accept") >= 2; }));
    EXPECT_LT(count(Counter::kIoErrors, "accept"), 100) << "the accept loop must not spin";
    EXPECT_EQ(before.get("/hello").status, 200);
  }
  EXPECT_EQ(late->get("/hello").status, 200) << "accepted once there is room";
}

TEST_P(ConnectionLimits, BindSaysWhyItFails) {
  start();
  const auto taken =
      std::make_shared<HttpServer>(io.get_executor(), "b", Router{}, limits, metrics)->bind("127.0.0.1", port());
  ASSERT_FALSE(taken.has_value());
  EXPECT_NE(taken.error().context.find("in use"), std::string::npos);
  EXPECT_EQ(
      std::make_shared<HttpServer>(io.get_executor(), "c", Router{}, limits, metrics)->bind("example", 0).error().code,
      ErrorCode::kInvalidArgument);
  EXPECT_TRUE(
      std::make_shared<HttpServer>(io.get_executor(), "d", Router{}, limits, metrics)->bind("::1", 0).has_value());
}

TEST_P(ConnectionLimits, OneAddressHasItsShareOfTheConnections) {
  limits.max_conns = 4;
  limits.conns_per_ip = 2;
  start();
  H1Client first(port());
  auto second = std::make_unique<H1Client>(port());
  EXPECT_EQ(first.get("/hello").status, 200);
  EXPECT_EQ(second->get("/hello").status, 200);
  EXPECT_EQ(H1Client(port()).receive().status, 503);
  EXPECT_EQ(count(Counter::kConnectionsRefused, "conns_per_ip"), 1);
  second.reset();
  ASSERT_TRUE(eventually([this] { return server->open_connections() == 1; }));
  EXPECT_EQ(H1Client(port()).get("/hello").status, 200);
}

TEST(AcceptGate, AddressesAreCountedApartAndBucketsRefill) {
  const AcceptLimits limits{.max_conns = 5, .conns_per_ip = 3, .rate_per_ip = 10, .burst_per_ip = 1};
  AcceptGate gate(limits);
  const MonoTime start = MonoTime::from_ns(1);
  EXPECT_EQ(gate.refusal("a", {}, limits, start), std::nullopt);
  EXPECT_EQ(gate.refusal("a", {}, limits, start), "accept_rate");
  EXPECT_EQ(gate.refusal("b", {}, limits, start), std::nullopt);
  EXPECT_EQ(gate.refusal("a", {}, limits, start + 101ms), std::nullopt);
  EXPECT_EQ(gate.refusal("c", {.all = limits.max_conns}, limits, start), "max_conns");
  EXPECT_EQ(gate.refusal("d", {.all = 4, .of_ip = 3}, limits, start), "conns_per_ip");
  EXPECT_EQ(gate.refusal("e", {.all = 4, .of_ip = 2}, limits, start), std::nullopt);
}

TEST(AcceptGate, AHostIsAnAddressOrANetworkOfIpv6) {
  const auto group = [](const char* text) { return address_group(asio::ip::make_address(text)); };
  EXPECT_EQ(group("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(group("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(group("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(group("2001:db8:1:2::1"), group("2001:db8:1:2:ffff::"));
  EXPECT_NE(group("2001:db8:1:2::1"), group("2001:db8:1:3::1"));
}

}  // namespace
}  // namespace hyperscale::runtime
