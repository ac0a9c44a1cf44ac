// What is left in the memory of the process when a node is gone. The scan reads freed memory, which sanitizers forbid.
#include "memory_scan.h"
#include "running_node.h"

#include <array>
#include <cstring>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HYPERSCALE_SANITIZED 1
#endif
#endif

namespace hyperscale::node {
namespace {

// Sends a request whose text is put together in one buffer, reads the answer into another, and wipes both.
class WipingClient {
 public:
  explicit WipingClient(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  }
  ~WipingClient() {
    ::explicit_bzero(request_.data(), request_.size());
    ::explicit_bzero(answer_.data(), answer_.size());
    ::close(fd_);
  }

  WipingClient& add(std::string_view text) {
    std::memcpy(request_.data() + used_, text.data(), text.size());
    used_ += text.size();
    return *this;
  }
  WipingClient& add(const MaskedText& text) {
    text.reveal(request_.data() + used_);
    used_ += text.size();
    return *this;
  }
  // The status of the answer.
  int exchange() {
    EXPECT_EQ(::send(fd_, request_.data(), used_, MSG_NOSIGNAL), static_cast<long>(used_));
    used_ = 0;
    answered_ = static_cast<std::size_t>(std::max(::recv(fd_, answer_.data(), answer_.size(), 0), 0L));
    return answered_ < 12 ? 0 : std::atoi(answer_.data() + 9);
  }

 private:
  int fd_;
  std::array<char, 4096> request_{};
  std::array<char, 8192> answer_{};
  std::size_t used_ = 0;
  std::size_t answered_ = 0;
};

void use_admin_routes(RunningNode& node, const MaskedText& token) {
  WipingClient client(node.api());
  for (int i = 0; i < 3; ++i) {
    client.add("POST /api/v1/reload HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 0\r\nauthorization: Bearer ")
        .add(token)
        .add("\r\n\r\n");
    EXPECT_EQ(client.exchange(), 202);
  }
}

void have_job_accepted(RunningNode& node, const MaskedText& token, const MaskedText& data) {
  WipingClient client(node.api());
  client
      .add(
          "POST /api/v1/compute?mode=async HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
          "content-length: 64\r\nauthorization: Bearer ")
      .add(token)
      .add("\r\n\r\n{\"job\":\"hash\",\"data\":\"")
      .add(data)
      .add("\"}");
  EXPECT_EQ(client.exchange(), 202);
}

class AmnesiaTest : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Flavour, AmnesiaTest, ::testing::Values(1u, 3u),
                         [](const auto& info) { return std::string(info.param == 1 ? "single_thread" : "threads"); });

// Key material and cached results. What a caller sent or fetched is in its own hands and in HTTP buffers that are not
// wiped.
//
// proves part: NODE-AMN-3 (a node outside of a cluster; the admin token and cached results, not keys of TLS)
// proves part: NODE-TEST-12 (a node outside of a cluster; the admin token and cached results, not keys of TLS)
// proves part: NODE-GATE-9 (a node outside of a cluster; not a worker that has a state_dir)
// proves part: NODE-AMN-1 (no writes; the admin token and cached results are wiped; not keys of TLS)
TEST_P(AmnesiaTest, TokensAndCachedResultsAreWipedFromMemory) {
#ifdef HYPERSCALE_SANITIZED
  GTEST_SKIP() << "freed memory cannot be read under a sanitizer";
#endif
  const MaskedText token(40);
  const MaskedText data(40);
  const MaskedText result = data.digest();
  {
    std::array<char, 40> plain{};
    token.reveal(plain.data());
    runtime::NodeConfig config = test_config(GetParam());
    config.node.amnesia = true;
    RunningNode node(config, runtime::Secret::take(plain.data(), plain.size()));
    node.start();
    ASSERT_TRUE(node.wait_until_ready());
    use_admin_routes(node, token);
    have_job_accepted(node, token, data);
    ASSERT_TRUE(eventually([&] { return node.compute->parts().results.stats().value_bytes > result.size(); }));
    // The scan sees what is there: the token's own page, and the cached result.
    EXPECT_GE(scan_memory(token).found, 1);
    EXPECT_GE(scan_memory(result).found, 1);
    node.shut_down();
    ASSERT_EQ(node.wait(), ExitCode::kOk);
  }
  const MemoryScan tokens = scan_memory(token);
  EXPECT_EQ(tokens.found, 0) << tokens.where;
  const MemoryScan results = scan_memory(result);
  EXPECT_EQ(results.found, 0) << results.where;
  EXPECT_GT(results.bytes, 1u << 20);
}

}  // namespace
}  // namespace hyperscale::node
