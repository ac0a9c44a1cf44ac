#include "command_line_tool.h"
#include "target/self_signed.h"
#include "target_client.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace hyperscale::target {
namespace {

class TlsServer : public ::testing::Test {
 protected:
  void SetUp() override {
    NEED_TOOL("curl");
    const auto certificate = make_self_signed();
    ASSERT_TRUE(certificate.has_value());
    std::ofstream(cert_file_) << certificate->cert_pem;
    server_ = start_target({.tls_cert_pem = certificate->cert_pem, .tls_key_pem = certificate->key_pem});
  }
  void TearDown() override { std::filesystem::remove(cert_file_); }

  // The certificate is checked: its names have to fit.
  ToolRun curl(const std::string& host, const std::string& path, std::vector<std::string> options = {}) {
    std::vector<std::string> command{"curl", "-sS", "-m", "20", "--cacert", cert_file_.string()};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(fmt::format("https://{}:{}{}", host, server_->port(), path));
    return run_tool(command);
  }

  std::filesystem::path cert_file_ =
      std::filesystem::temp_directory_path() / fmt::format("target-test-{}.pem", ::getpid());
  std::unique_ptr<TargetServer> server_;
};

TEST_F(TlsServer, AlpnChoosesTheProtocol) {
  EXPECT_EQ(curl("localhost", "/", {"--http2", "-w", "%{http_version}"}).output, "hello\n2");
  EXPECT_EQ(curl("127.0.0.1", "/", {"--http1.1", "-w", "%{http_version}"}).output, "hello\n1.1");
  EXPECT_EQ(curl("127.0.0.1", "/", {"--no-alpn", "-w", "%{http_version}"}).output, "hello\n1.1");
}

TEST_F(TlsServer, LargeBodiesGoBothWays) {
  EXPECT_EQ(curl("localhost", "/size/5MiB", {"--http1.1"}).output.size(), 5u << 20);
  EXPECT_EQ(curl("localhost", "/size/5MiB", {"--http2"}).output.size(), 5u << 20);
  const std::string text(300'000, 'x');
  std::ofstream(cert_file_.string() + ".body") << text;
  for (const char* version : {"--http1.1", "--http2"}) {
    const ToolRun echo = curl("localhost", "/echo", {version, "--data-binary", "@" + cert_file_.string() + ".body"});
    EXPECT_NE(echo.output.find(text), std::string::npos);
  }
  std::filesystem::remove(cert_file_.string() + ".body");
}

TEST_F(TlsServer, OldAndNewVersionsOfTls) {
  EXPECT_EQ(curl("localhost", "/", {"--tls-max", "1.2"}).output, "hello\n");
  EXPECT_EQ(curl("localhost", "/", {"--tlsv1.3"}).output, "hello\n");
  EXPECT_NE(curl("localhost", "/", {"--tls-max", "1.1"}).exit_code, 0);
}

TEST_F(TlsServer, ClearTextIsTurnedAway) {
  TargetClient client(*server_);
  client.send(get_text("/"));
  EXPECT_EQ(client.read_rest().find("HTTP"), std::string::npos);
  EXPECT_EQ(server_->counters().requests, 0u);
  EXPECT_EQ(curl("localhost", "/").output, "hello\n");
}

TEST_F(TlsServer, H2loadCountsWhatWeCount) {
  NEED_TOOL("h2load");
  for (const char* protocol : {"h2", "http/1.1"}) {
    const std::uint64_t before = server_->counters().requests;
    const ToolRun run = run_tool({"h2load", "-n", "5000", "-c", "5", "-m", "10", std::string("--npn-list=") + protocol,
                                  fmt::format("https://127.0.0.1:{}/", server_->port())});
    EXPECT_NE(run.output.find("5000 succeeded, 0 failed"), std::string::npos) << run.output;
    EXPECT_EQ(server_->counters().requests - before, 5000u);
  }
}

TEST(SelfSigned, IsNewEveryTime) {
  EXPECT_NE(make_self_signed()->cert_pem, make_self_signed()->cert_pem);
}

}  // namespace
}  // namespace hyperscale::target
