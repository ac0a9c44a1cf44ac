// Starting, stopping, stalling, several cores.
#include "command_line_tool.h"
#include "target_client.h"

#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace hyperscale::target {
namespace {

using Clock = std::chrono::steady_clock;

std::string url(const TargetServer& server, const std::string& path) {
  return fmt::format("http://127.0.0.1:{}{}", server.port(), path);
}

TEST(ServerLife, APortThatIsTakenIsRefused) {
  const auto server = start_target({.cores = 2});
  const auto second = TargetServer::start({.port = server->port(), .cores = 2});
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(second.error().context.find("cannot listen on 127.0.0.1:"), std::string::npos) << second.error().context;
}

TEST(ServerLife, BadOptionsAreRefused) {
  for (const TargetOptions& options : {TargetOptions{.cores = 0}, TargetOptions{.listen_address = "nowhere"},
                                       TargetOptions{.tls_cert_pem = "x", .tls_key_pem = "y"}}) {
    const auto server = TargetServer::start(options);
    ASSERT_FALSE(server.has_value());
    EXPECT_EQ(server.error().code, ErrorCode::kInvalidArgument) << server.error().context;
  }
}

TEST(ServerLife, StopFinishesAnswersAndClosesIdlePeers) {
  const auto server = start_target();
  TargetClient idle(*server);
  TargetClient fresh(*server);
  TargetClient waiting(*server);
  EXPECT_EQ(idle.get("/").status, 200);
  waiting.send(get_text("/delay/200ms"));
  while (server->counters().requests < 2) get_once(*server, "/count");
  server->stop();
  const TestAnswer answer = waiting.read_answer();
  EXPECT_EQ(answer.body, "delayed\n");
  EXPECT_TRUE(answer.has_field("Connection: close"));
  EXPECT_EQ(idle.read_rest(), "");
  EXPECT_EQ(fresh.read_rest(), "");
  EXPECT_EQ(server->counters().requests, 2u);
}

TEST(ServerLife, StopDoesNotWaitForWhatNeverEnds) {
  const auto server = start_target();
  TargetClient never(*server);
  TargetClient endless(*server);
  never.send(get_text("/never"));
  endless.send(get_text("/drip/1MiB/10ms"));
  while (server->counters().requests < 2) get_once(*server, "/count");
  const auto begin = Clock::now();
  server->stop();
  EXPECT_LT(Clock::now() - begin, 5s);
  EXPECT_LT(endless.read_rest().size(), 1u << 20);
}

TEST(ServerLife, CoresShareTheCounters) {
  constexpr int kConnections = 40;
  const auto server = start_target({.cores = 4});
  std::vector<std::thread> clients;
  for (int i = 0; i < kConnections; ++i) {
    clients.emplace_back([&] {
      TargetClient client(*server);
      for (int n = 0; n < 25; ++n) client.get("/status/200,500@10");
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(server->counters().requests, kConnections * 25u);
  EXPECT_EQ(server->counters().connections, std::uint64_t{kConnections});
}

TEST(ServerLife, CountingLeavesNoTrace) {
  const auto server = start_target();
  EXPECT_EQ(get_once(*server, "/").status, 200);
  for (int i = 0; i < 3; ++i) get_once(*server, "/count");
  const Counters counters = server->counters();
  EXPECT_EQ(counters.requests, 1u);
  EXPECT_EQ(counters.connections, 1u);
  EXPECT_EQ(counters.accepted, 4u);
  EXPECT_TRUE(TargetClient(*server).call("POST", "/reset-count").body.starts_with(R"({"requests":1,)"));
  EXPECT_EQ(server->counters().requests, 0u);
}

TEST(ServerLife, ListensOnUnixSocketAndReplacesStaleOne) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("target-test-{}.sock", ::getpid());
  for (int round = 0; round < 2; ++round) {
    const auto server = start_target({.unix_socket = path.string()});
    EXPECT_EQ(TargetClient(path.string()).get("/").body, "hello\n");
    EXPECT_EQ(get_once(*server, "/").body, "hello\n");
    EXPECT_FALSE(TargetServer::start({.unix_socket = path.string()}).has_value());
    // A server that was killed leaves its file behind.
    std::filesystem::rename(path, path.string() + ".kept");
    server->stop();
    std::filesystem::rename(path.string() + ".kept", path);
  }
  std::filesystem::remove(path);
}

// Requests are sent one after the other for two periods: in each, one of them waits for the end of the stall.
TEST(ServerLife, AStallHoldsAnswersBackAndNothingElse) {
  for (const bool everywhere : {false, true}) {
    const auto server = start_target({.stall = everywhere ? std::optional(Stall{150ms, 600ms}) : std::nullopt});
    const std::string target = everywhere ? "/" : "/stall/150ms/600ms";
    TargetClient client(*server);
    int slow = 0;
    int fast = 0;
    const auto begin = Clock::now();
    while (Clock::now() - begin < 1200ms) {
      const auto sent = Clock::now();
      ASSERT_EQ(client.get(target).body, "hello\n");
      ++(Clock::now() - sent < 100ms ? fast : slow);
    }
    EXPECT_GE(slow, 2);
    EXPECT_GT(fast, 10 * slow);
  }
}

TEST(ServerLife, RequestsOfAStallAreAnsweredTogetherAtItsEnd) {
  const auto server = start_target({.stall = Stall{300ms, 1h}});
  TargetClient first(*server);
  TargetClient second(*server);
  const auto begin = Clock::now();
  first.send(get_text("/"));
  second.send(get_text("/"));
  EXPECT_EQ(first.read_answer().body, "hello\n");
  const auto first_came = Clock::now();
  EXPECT_EQ(second.read_answer().body, "hello\n");
  EXPECT_GT(first_came - begin, 200ms);
  EXPECT_LT(Clock::now() - first_came, 50ms);
}

TEST(ServerLife, H2loadCountsWhatWeCountOverHttp1) {
  NEED_TOOL("h2load");
  const auto server = start_target();
  const ToolRun run = run_tool({"h2load", "--h1", "-n", "20000", "-c", "20", "-t", "1", url(*server, "/")});
  EXPECT_NE(run.output.find("20000 succeeded, 0 failed"), std::string::npos) << run.output;
  EXPECT_EQ(server->counters().requests, 20'000u);
  EXPECT_EQ(server->counters().http1, 20'000u);
  EXPECT_EQ(server->counters().connections, 20u);
}

TEST(ServerLife, CurlFollowsRedirectsKeepsCookiesAndUnpacks) {
  NEED_TOOL("curl");
  const auto server = start_target();
  EXPECT_EQ(run_tool({"curl", "-sSL", url(*server, "/redirect/3")}).output, "arrived\n");
  EXPECT_EQ(server->counters().requests, 4u);
  EXPECT_EQ(run_tool({"curl", "-sS", "-b", "", url(*server, "/cookie/set?a=1"), url(*server, "/cookie")}).output,
            "set\n{\"cookies\":{\"a\":\"1\"}}\n");
  EXPECT_EQ(run_tool({"curl", "-sS", "--compressed", url(*server, "/gzip/64KiB")}).output.size(), 65536u);
  EXPECT_EQ(run_tool({"curl", "-sS", url(*server, "/half")}).exit_code, 18);
  EXPECT_EQ(run_tool({"curl", "-sS", url(*server, "/reset")}).exit_code, 56);
  EXPECT_NE(run_tool({"curl", "-sS", url(*server, "/garbage")}).exit_code, 0);
}

}  // namespace
}  // namespace hyperscale::target
