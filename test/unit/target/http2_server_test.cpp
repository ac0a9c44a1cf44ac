// HTTP/2 by prior knowledge, spoken by clients that others wrote.
#include "command_line_tool.h"
#include "target_client.h"

#include <chrono>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hyperscale::target {
namespace {

using Clock = std::chrono::steady_clock;

std::string url(const TargetServer& server, const std::string& path) {
  return fmt::format("http://127.0.0.1:{}{}", server.port(), path);
}

ToolRun curl(const TargetServer& server, const std::string& path, std::vector<std::string> options = {}) {
  std::vector<std::string> command{"curl", "-sS", "-m", "20", "--http2-prior-knowledge"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(url(server, path));
  return run_tool(command);
}

TEST(Http2Server, AnswersCurl) {
  NEED_TOOL("curl");
  const auto server = start_target();
  EXPECT_EQ(curl(*server, "/", {"-w", "%{http_version} %{http_code}"}).output, "hello\n2 200");
  EXPECT_EQ(curl(*server, "/status/503", {"-w", "%{http_code}"}).output, "503\n503");
  EXPECT_EQ(curl(*server, "/status/204", {"-w", "%{http_code}"}).output, "204");
  EXPECT_EQ(curl(*server, "/size/3MiB").output.size(), 3u << 20);
  EXPECT_EQ(curl(*server, "/chunked/64KiB/1KiB").output.size(), 65536u);
  EXPECT_EQ(curl(*server, "/size/0", {"-w", "%{http_code}"}).output, "200");
  EXPECT_EQ(curl(*server, "/gzip/64KiB", {"--compressed"}).output.size(), 65536u);
  EXPECT_TRUE(curl(*server, "/size/1MiB", {"-I"}).output.find("content-length: 1048576") != std::string::npos);
  EXPECT_EQ(curl(*server, "/nowhere", {"-o", "/dev/null", "-w", "%{http_code}"}).output, "404");
  EXPECT_EQ(server->counters().http1, 0u);
  EXPECT_EQ(server->counters().http2, 9u);
}

TEST(Http2Server, EchoHasTheHostAndTheBody) {
  NEED_TOOL("curl");
  const auto server = start_target();
  const std::string echo = curl(*server, "/echo", {"-d", "some text"}).output;
  EXPECT_TRUE(echo.starts_with(R"({"method":"POST","target":"/echo","headers":{"host":"127.0.0.1:)")) << echo;
  EXPECT_TRUE(echo.ends_with("\"body\":\"some text\"}\n")) << echo;
  EXPECT_EQ(server->counters().body_bytes, 9u);
}

TEST(Http2Server, EndingsConcernTheStream) {
  NEED_TOOL("curl");
  const auto server = start_target();
  EXPECT_EQ(curl(*server, "/reset").exit_code, 92);
  EXPECT_EQ(curl(*server, "/half").exit_code, 92);
  EXPECT_EQ(curl(*server, "/close").output, "bye\n");
  EXPECT_NE(curl(*server, "/garbage").exit_code, 0);
  EXPECT_EQ(curl(*server, "/never", {"-m", "0.2"}).exit_code, 28);
  EXPECT_EQ(server->counters().requests, 5u);
}

TEST(Http2Server, WaitsWhereTheRouteWaits) {
  NEED_TOOL("curl");
  const auto server = start_target();
  const auto begin = Clock::now();
  EXPECT_EQ(curl(*server, "/delay/150ms").output, "delayed\n");
  EXPECT_GE(Clock::now() - begin, 150ms);
  const auto drip = Clock::now();
  EXPECT_EQ(curl(*server, "/drip/256/50ms").output.size(), 256u);
  EXPECT_GE(Clock::now() - drip, 150ms);
}

TEST(Http2Server, H2loadCountsWhatWeCount) {
  NEED_TOOL("h2load");
  const auto server = start_target({.cores = 2});
  const ToolRun run = run_tool({"h2load", "-n", "30000", "-c", "10", "-m", "100", "-t", "1", url(*server, "/")});
  EXPECT_NE(run.output.find("30000 succeeded, 0 failed"), std::string::npos) << run.output;
  EXPECT_EQ(server->counters().http2, 30'000u);
  EXPECT_EQ(server->counters().connections, 10u);
}

TEST(Http2Server, StreamsWaitAtTheSameTime) {
  NEED_TOOL("h2load");
  const auto server = start_target();
  const auto begin = Clock::now();
  const ToolRun run = run_tool({"h2load", "-n", "500", "-c", "1", "-m", "500", url(*server, "/delay/100ms")});
  EXPECT_NE(run.output.find("500 succeeded, 0 failed"), std::string::npos) << run.output;
  EXPECT_LT(Clock::now() - begin, 5s);
}

TEST(Http2Server, LargeBodiesOfManyStreamsFitTheWindows) {
  NEED_TOOL("h2load");
  const auto server = start_target();
  const ToolRun run =
      run_tool({"h2load", "-n", "200", "-c", "2", "-m", "20", "-w", "16", "-W", "16", url(*server, "/size/256KiB")});
  EXPECT_NE(run.output.find("200 succeeded, 0 failed"), std::string::npos) << run.output;
}

TEST(Http2Server, ABodyLargerThanEveryBufferArrivesWhole) {
  NEED_TOOL("h2load");
  const auto server = start_target();
  const ToolRun run = run_tool({"h2load", "-n", "12", "-c", "2", "-m", "4", url(*server, "/size/5MiB")});
  EXPECT_NE(run.output.find("12 succeeded, 0 failed"), std::string::npos) << run.output;
}

TEST(Http2Server, AConnectionLeavesAfterItsShareOfRequests) {
  NEED_TOOL("nghttp");
  const auto server = start_target({.max_requests_per_connection = 2});
  const std::string page = url(*server, "/");
  const ToolRun run = run_tool({"nghttp", "-v", page, url(*server, "/status/201")});
  EXPECT_NE(run.output.find("recv GOAWAY frame"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("hello"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("201"), std::string::npos) << run.output;
  EXPECT_EQ(server->counters().requests, 2u);
}

TEST(Http2Server, FramesThatBreakTheProtocolEndTheConnection) {
  const auto server = start_target();
  TargetClient client(*server);
  client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  client.send(std::string(100, 'x'));
  EXPECT_FALSE(client.read_rest().empty());  // settings and GOAWAY, then the end
  EXPECT_FALSE(client.was_reset());
}

TEST(Http2Server, ThePrefaceMayArriveByteByByte) {
  const auto server = start_target();
  TargetClient client(*server);
  for (const char c : std::string_view("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) client.send({&c, 1});
  client.send(std::string_view("\0\0\0\4\0\0\0\0\0", 9));
  client.end_sending();
  const std::string frames = client.read_rest();
  ASSERT_GT(frames.size(), 9u);
  EXPECT_EQ(frames[3], 4);  // SETTINGS
}

}  // namespace
}  // namespace hyperscale::target
