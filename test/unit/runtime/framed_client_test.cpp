// The two ends of the framed transport against each other, plain and with certificates.
#include "runtime/transport/framed_client.h"

#include "frame_client.h"
#include "loop_test.h"
#include "peer_files.h"
#include "runtime/channel/one_shot.h"
#include "runtime/clock/clock.h"
#include "runtime/metrics/metrics.h"
#include "runtime/net/listen.h"
#include "runtime/transport/framed_server.h"
#include "wire/certificate_identity.h"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>

namespace hyperscale::runtime {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using wire::PeerRole;

struct Script {
  std::string method = "echo";
  std::string body = "hello";
  Duration timeout = kTestBound;
};

class FramedClientTest : public LoopTest {
 protected:
  ~FramedClientTest() override { stop(); }

  // "echo" answers with the body, "wait" when released, anything else is not found.
  static asio::awaitable<Result<SharedBytes>> handle(FramedClientTest& self, wire::RequestPayload request,
                                                     CancelToken) {
    ++self.handled;
    if (request.method_name() == "echo") co_return request.body;
    if (request.method_name() != "wait") co_return fail(ErrorCode::kNotFound, "no such method");
    const auto released = self.released;
    const auto done = co_await released->wait_until(mono_now() + kTestBound);
    if (!done) co_return fail(ErrorCode::kTimeout, "nobody released it");
    co_return SharedBytes::copy_of(std::string_view("released"));
  }

  void start(PeerGuard guard = {}, FramedLimits limits = {}) {
    auto handler = [this](wire::RequestPayload request, CancelToken cancel) {
      return handle(*this, std::move(request), std::move(cancel));
    };
    server = std::make_shared<FramedServer>(
        loops.make_strand(), [this] { return loops.make_strand(); }, limits, handler, metrics, std::move(guard));
    port = server->bind("127.0.0.1", 0)->port();
    served = spawn(server->serve());
  }
  void stop() {
    if (!server) return;
    released->set(true);
    server->stop_accepting();
    served.get();
    run(close(*server));
    server.reset();
  }
  static asio::awaitable<void> close(FramedServer& server) { co_await server.close(mono_now() + kTestBound); }

  FramedClientOptions options(PeerGuard guard = {}) const {
    FramedClientOptions made{.to = {asio::ip::address_v4::loopback(), port}, .guard = std::move(guard)};
    made.connect_timeout = kTestBound;
    return made;
  }

  // Connects, sends these requests at once, closes, and says what came of it.
  struct Outcome {
    Status connected;
    std::vector<Result<SharedBytes>> answers;
  };
  Outcome talk(FramedClientOptions how, std::vector<Script> script) {
    const auto strand = loops.make_strand();
    return asio::co_spawn(strand, conversation(strand, std::move(how), std::move(script), metrics), asio::use_future)
        .get();
  }
  static asio::awaitable<Outcome> conversation(asio::any_io_executor strand, FramedClientOptions how,
                                               std::vector<Script> script, Metrics& metrics) {
    const auto client = std::make_shared<FramedClient>(strand, std::move(how), metrics);
    Outcome outcome;
    outcome.connected = co_await client->connect();
    if (!outcome.connected) co_return outcome;
    std::vector<std::future<Result<SharedBytes>>> asked;
    for (const Script& each : script) {
      auto question = client->request(each.method, SharedBytes::copy_of(each.body), each.timeout);
      asked.push_back(asio::co_spawn(strand, std::move(question), asio::use_future));
    }
    // The futures are ready when all requests are done, which their count tells.
    asio::steady_timer pause(strand);
    do {
      pause.expires_after(kPollInterval);
      co_await pause.async_wait(asio::use_awaitable);
    } while (client->in_flight() > 0);
    for (auto& each : asked) outcome.answers.push_back(each.get());
    co_await client->close();
    co_return outcome;
  }
  Result<SharedBytes> ask(FramedClientOptions how, Script script = {}) {
    Outcome outcome = talk(std::move(how), {std::move(script)});
    if (!outcome.connected) return fail(outcome.connected.error());
    return std::move(outcome.answers.at(0));
  }

  // A server of this role that takes the table of roles seriously.
  PeerGuard acceptor(PeerRole own_role) {
    const wire::CertificateExpectation expected{.cluster = "prod", .environment = "eu", .own_role = own_role};
    return {.tls = *make_acceptor_tls_context(files.make(certificate_of(own_role))),
            .check = [expected](std::span<const std::string> uris) -> Status {
              const auto identity = wire::check_certificate(uris, expected);
              if (!identity) return fail(identity.error());
              return {};
            },
            .on_refused =
                [this](const std::string& source, const std::string& why) {
                  const std::lock_guard lock(refusals_mutex);
                  refusals.emplace_back(source, why);
                }};
  }
  PeerGuard initiator(const PeerTlsFiles& of) {
    return {.tls = *make_initiator_tls_context(of), .check = nullptr, .on_refused = nullptr};
  }
  PeerGuard initiator(PeerRole role) { return initiator(files.make(certificate_of(role))); }
  std::vector<std::pair<std::string, std::string>> turned_away() {
    const std::lock_guard lock(refusals_mutex);
    return refusals;
  }
  bool was_turned_away(const std::string& why) {
    return eventually([&] {
      for (const auto& [source, reason] : turned_away())
        if (source == "127.0.0.1" && reason.find(why) != std::string::npos) return true;
      return false;
    });
  }
  bool count_is(Counter counter, const char* label, double expected) {
    return eventually([&] { return metrics.value(counter, label) == expected; });
  }

  PeerFiles files;
  Metrics metrics;
  std::shared_ptr<OneShot<bool>> released = std::make_shared<OneShot<bool>>();
  std::atomic<int> handled{0};
  std::mutex refusals_mutex;
  std::vector<std::pair<std::string, std::string>> refusals;
  std::shared_ptr<FramedServer> server;
  std::future<void> served;
  std::uint16_t port = 0;
};
BOTH_FLAVOURS(FramedClientTest);

// proves: ARCH-FRAME-1
// proves part: ARCH-FRAME-3 (a server and the decoder; not answers that reach a client together)
// proves part: ARCH-FRAME-4 (a server and the decoder; not answers that reach a client together)
TEST_P(FramedClientTest, ManyRequestsOfOneConnectionGetTheirOwnAnswers) {
  start();
  const Outcome outcome = talk(options(), {{.body = "one"}, {.body = "two"}, {.body = std::string(300'000, 'x')}});
  ASSERT_EQ(outcome.answers.size(), 3u);
  EXPECT_EQ(outcome.answers[0]->text(), "one");
  EXPECT_EQ(outcome.answers[1]->text(), "two");
  EXPECT_EQ(outcome.answers[2]->size(), 300'000u);
}

TEST_P(FramedClientTest, PeerErrorIsTheAnswerAndKeepsConnection) {
  start();
  const Outcome outcome = talk(options(), {{.method = "nope"}, {.body = "still here"}});
  EXPECT_EQ(outcome.answers.at(0).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(outcome.answers.at(1)->text(), "still here");
}

TEST_P(FramedClientTest, EachRequestHasATimeOfItsOwn) {
  start();
  const Outcome outcome = talk(options(), {{.method = "wait", .timeout = 20ms}, {.method = "echo", .body = "in time"}});
  ASSERT_FALSE(outcome.answers.at(0));
  EXPECT_EQ(outcome.answers[0].error().code, ErrorCode::kTimeout);
  EXPECT_THAT(outcome.answers[0].error().context, HasSubstr("did not answer wait within 20ms"));
  EXPECT_EQ(outcome.answers.at(1)->text(), "in time");
}

TEST_P(FramedClientTest, RequestsBeyondTheLimitAreBusyAtOnce) {
  start();
  FramedClientOptions how = options();
  how.in_flight_max = 2;
  const Outcome outcome = talk(how, {{.method = "wait", .timeout = 50ms},
                                     {.method = "wait", .timeout = 50ms},
                                     {.method = "echo", .body = "too many"}});
  EXPECT_EQ(outcome.answers.at(2).error().code, ErrorCode::kBusy);
  EXPECT_EQ(handled, 2);
}

TEST_P(FramedClientTest, NobodyThereIsOneClearError) {
  start();
  FramedClientOptions how = options();
  stop();
  const auto answer = ask(how);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(answer.error().context, HasSubstr("no connection to 127.0.0.1:"));
}

TEST_P(FramedClientTest, APeerThatGoesAwayFailsWhatIsInFlight) {
  asio::ip::tcp::acceptor listener(loops.make_strand());
  port = listen_on(listener, "127.0.0.1", 0)->port();
  auto rude = [](asio::ip::tcp::acceptor& on) -> asio::awaitable<void> {
    auto socket = co_await on.async_accept(asio::use_awaitable);
    std::array<char, wire::kFrameHeaderBytes> some{};
    const auto buffer = asio::buffer(some);
    co_await asio::async_read(socket, buffer, asio::use_awaitable);
  };
  auto gone = spawn(rude(listener));
  const auto answer = ask(options());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  gone.get();
}

// Four letters of text are a length of more than a gigabyte.
// proves part: ARCH-FRAME-5 (a server, the decoder, unpacking; not that a client stops at a megabyte)
TEST_P(FramedClientTest, APeerThatSpeaksNoFramesIsGivenUp) {
  EXPECT_EQ(options().max_frame_bytes, std::size_t{1} << 20);
  asio::ip::tcp::acceptor listener(loops.make_strand());
  port = listen_on(listener, "127.0.0.1", 0)->port();
  auto rude = [](asio::ip::tcp::acceptor& on) -> asio::awaitable<void> {
    auto socket = co_await on.async_accept(asio::use_awaitable);
    const std::string text = "HTTP/1.1 400 Bad Request\r\n\r\n";
    const auto buffer = asio::buffer(text);
    co_await asio::async_write(socket, buffer, asio::use_awaitable);
    std::array<char, 4096> waste{};
    const auto into = asio::buffer(waste);
    boost::system::error_code ended;
    auto token = asio::redirect_error(asio::use_awaitable, ended);
    while (!ended) co_await socket.async_read_some(into, token);
  };
  auto gone = spawn(rude(listener));
  const auto answer = ask(options());
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().context, HasSubstr("sent no frame"));
  gone.get();
}

// proves: SEC-6
TEST_P(FramedClientTest, AnAnswerAboveAMebibyteIsNotRead) {
  asio::ip::tcp::acceptor listener(loops.make_strand());
  port = listen_on(listener, "127.0.0.1", 0)->port();
  auto generous = [](asio::ip::tcp::acceptor& on) -> asio::awaitable<void> {
    auto socket = co_await on.async_accept(asio::use_awaitable);
    std::array<std::uint8_t, 4> announced{};
    store_be32(announced.data(), (1u << 20) + 1);
    const auto buffer = asio::buffer(announced);
    co_await asio::async_write(socket, buffer, asio::use_awaitable);
    std::array<char, 4096> waste{};
    const auto into = asio::buffer(waste);
    boost::system::error_code ended;
    auto token = asio::redirect_error(asio::use_awaitable, ended);
    while (!ended) co_await socket.async_read_some(into, token);
  };
  auto gone = spawn(generous(listener));
  const auto answer = ask(options());
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().context, HasSubstr("sent no frame"));
  gone.get();
}

// proves part: NODE-TIME-6 (of the framed transport only that a silent handshake ends, not when)
TEST_P(FramedClientTest, AServerThatIsSilentInTheHandshakeIsGivenUp) {
  asio::ip::tcp::acceptor listener(loops.make_strand());
  port = listen_on(listener, "127.0.0.1", 0)->port();
  FramedClientOptions how = options(initiator(PeerRole::kManager));
  how.connect_timeout = 50ms;
  const auto answer = ask(how);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(metrics.value(Counter::kIoTimeouts, "connect"), 1);
  EXPECT_EQ(FramedClientOptions{}.connect_timeout, 2s) << "the handshake is within it";
}

TEST_P(FramedClientTest, WithCertificatesBothSidesKnowEachOther) {
  start(acceptor(PeerRole::kWorker));
  PeerGuard guard = initiator(PeerRole::kManager);
  std::vector<std::string> seen;
  guard.check = [&seen](std::span<const std::string> uris) -> Status {
    seen.assign(uris.begin(), uris.end());
    return {};
  };
  const auto answer = ask(options(guard), {.body = std::string(200'000, 'y')});
  ASSERT_TRUE(answer) << answer.error().context;
  EXPECT_EQ(answer->size(), 200'000u);
  EXPECT_THAT(seen, Contains("hyperscale://role/worker"));
  EXPECT_THAT(turned_away(), IsEmpty());
}

// proves part: SEC-9 (not settings for local and production)
TEST_P(FramedClientTest, WithoutACertificateNobodyComesIn) {
  start(acceptor(PeerRole::kWorker));
  auto bare = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  bare->set_verify_mode(asio::ssl::verify_none);
  FramedClientOptions how = options({.tls = bare, .check = nullptr, .on_refused = nullptr});
  how.verify_address = false;
  EXPECT_FALSE(ask(how));
  EXPECT_TRUE(was_turned_away("peer did not return a certificate"));
  EXPECT_TRUE(count_is(Counter::kHandshakesDropped, "failed", 1));
  EXPECT_EQ(handled, 0);
}

// proves part: SEC-9 (not settings for local and production)
TEST_P(FramedClientTest, ACertificateOfAnotherAuthorityIsRefused) {
  start(acceptor(PeerRole::kWorker));
  const auto of = files.make(certificate_of(PeerRole::kManager), files.other_authority, files.authority);
  EXPECT_FALSE(ask(options(initiator(of))));
  EXPECT_TRUE(was_turned_away("certificate verify failed"));
  EXPECT_EQ(handled, 0);
}

TEST_P(FramedClientTest, AServerOfAnotherAuthorityIsRefusedByTheClient) {
  start(acceptor(PeerRole::kWorker));
  const auto of = files.make(certificate_of(PeerRole::kManager), files.authority, files.other_authority);
  const auto answer = ask(options(initiator(of)));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(answer.error().context, HasSubstr("certificate verify failed"));
  EXPECT_EQ(handled, 0);
}

// proves part: AD28-SEC-5 (by certificates; not the whole sentence where state sync refuses a role)
// proves part: AD28-SEC-4 (a worker refuses gates and clients by their certificates)
// proves part: AD28-SEC-2 (in certificates; there is no registration message yet)
TEST_P(FramedClientTest, ForeignClusterOrRoleIsClosedSilently) {
  start(acceptor(PeerRole::kWorker));
  struct Case {
    wire::CertificateIdentity shown;
    std::string why;
  };
  for (const Case& each :
       {Case{certificate_of(PeerRole::kManager, "test"), "cluster_id mismatch, expected: prod"},
        Case{certificate_of(PeerRole::kManager, "prod", "us"), "environment_id mismatch, expected: eu"},
        Case{certificate_of(PeerRole::kGate), "Connection denied: role 'gate' cannot connect to 'worker'"},
        Case{certificate_of(PeerRole::kClient), "Connection denied: role 'client' cannot connect to 'worker'"}}) {
    const auto answer = ask(options(initiator(files.make(each.shown))));
    ASSERT_FALSE(answer) << each.why;
    EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(answer.error().context, testing::Not(HasSubstr("mismatch")));
    EXPECT_TRUE(was_turned_away(each.why)) << each.why;
  }
  EXPECT_TRUE(count_is(Counter::kConnectionsRefused, "certificate", 4));
  EXPECT_EQ(handled, 0);
}

TEST_P(FramedClientTest, AServerThatIsNotWhoItShouldBeGetsNoRequest) {
  start(acceptor(PeerRole::kWorker));
  PeerGuard guard = initiator(PeerRole::kManager);
  guard.check = [](std::span<const std::string>) -> Status { return fail(ErrorCode::kUnauthorized, "not this one"); };
  const auto answer = ask(options(guard));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(answer.error().context, HasSubstr("not this one"));
  EXPECT_EQ(handled, 0);
}

// proves part: SEC-9 (not settings for local and production)
TEST_P(FramedClientTest, CertificateAddressCheckCanBeDisabled) {
  PeerGuard guard = acceptor(PeerRole::kWorker);
  guard.tls = *make_acceptor_tls_context(
      files.make(certificate_of(PeerRole::kWorker), files.authority, files.authority, "10.9.8.7"));
  start(guard);
  FramedClientOptions how = options(initiator(PeerRole::kManager));
  const auto refused = ask(how);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().context, HasSubstr("IP address mismatch"));
  how.verify_address = false;
  const auto answer = ask(how);
  ASSERT_TRUE(answer) << answer.error().context;
  EXPECT_EQ(answer->text(), "hello");
}

TEST_P(FramedClientTest, PlainTextToATlsServerIsTurnedAway) {
  start(acceptor(PeerRole::kWorker));
  EXPECT_FALSE(ask(options()));
  EXPECT_EQ(handled, 0);
}

// proves part: NODE-TIME-6 (of the framed transport only that a silent handshake ends, not when)
TEST_P(FramedClientTest, SilentHandshakeTimesOutAndIsCounted) {
  FramedLimits limits;
  limits.handshake_timeout = 50ms;
  start(acceptor(PeerRole::kWorker), limits);
  FrameClient silent(port);
  EXPECT_TRUE(silent.at_end());
  EXPECT_TRUE(count_is(Counter::kHandshakesDropped, "timeout", 1));
}

// Closing the server lets what is in flight finish over TLS as it does without.
TEST_P(FramedClientTest, ATlsConnectionDrains) {
  start(acceptor(PeerRole::kWorker));
  const auto strand = loops.make_strand();
  auto talking = asio::co_spawn(
      strand, conversation(strand, options(initiator(PeerRole::kManager)), {{.method = "wait"}}, metrics),
      asio::use_future);
  ASSERT_TRUE(eventually([this] { return handled == 1; }));
  stop();
  const Outcome outcome = talking.get();
  ASSERT_TRUE(outcome.answers.at(0)) << outcome.answers[0].error().context;
  EXPECT_EQ(outcome.answers[0]->text(), "released");
}

// A node that is told to stop while a peer is in the middle of its handshake does not wait for that peer.
TEST_P(FramedClientTest, AHandshakeUnderWayDoesNotHoldUpTheEnd) {
  start(acceptor(PeerRole::kWorker));
  FrameClient silent(port);
  ASSERT_TRUE(eventually([this] { return server->open_connections() == 1; }));
  stop();
  EXPECT_TRUE(silent.at_end());
}

}  // namespace
}  // namespace hyperscale::runtime
