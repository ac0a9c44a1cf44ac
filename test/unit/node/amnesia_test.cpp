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
  // The status of the answer, of which `secret` is counted.
  int exchange() {
    EXPECT_EQ(::send(fd_, request_.data(), used_, MSG_NOSIGNAL), static_cast<long>(used_));
    used_ = 0;
    answered_ = static_cast<std::size_t>(std::max(::recv(fd_, answer_.data(), answer_.size(), 0), 0L));
    return answered_ < 12 ? 0 : std::atoi(answer_.data() + 9);
  }
  bool answer_has(const MaskedText& text) const {
    for (std::size_t i = 0; i + text.size() <= answered_; ++i) {
      if (text.is_at(answer_.data() + i)) return true;
    }
    return false;
  }
  std::string location() const {
    const std::string_view answer(answer_.data(), answered_);
    const auto at = answer.find("/api/v1/jobs/");
    return std::string(answer.substr(at, answer.find_first_not_of("0123456789", at + 13) - at));
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
    client.add("POST /api/v1/reload HTTP/1.1\r\nhost: test\r\ncontent-length: 0\r\nauthorization: Bearer ").add(token).add("\r\n\r\n");
    EXPECT_EQ(client.exchange(), 202);
  }
}

std::string have_job_accepted(RunningNode& node, const MaskedText& marker) {
  WipingClient client(node.api());
  client.add("POST /api/v1/compute?mode=async HTTP/1.1\r\nhost: test\r\ncontent-length: 64\r\n\r\n{\"job\":\"echo\",\"data\":\"")
      .add(marker)
      .add("\"}");
  EXPECT_EQ(client.exchange(), 202);
  return client.location();
}

bool result_arrives(RunningNode& node, const std::string& location, const MaskedText& marker) {
  return eventually([&] {
    WipingClient client(node.api());
    client.add("GET ").add(location).add(" HTTP/1.1\r\nhost: test\r\n\r\n");
    return client.exchange() == 200 && client.answer_has(marker);
  });
}

class AmnesiaTest : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Flavour, AmnesiaTest, ::testing::Values(1u, 3u), [](const auto& info) {
  return std::string(info.param == 1 ? "single_thread" : "threads");
});

TEST_P(AmnesiaTest, NothingOfTokensAndJobsIsLeftInMemoryWhenTheNodeIsGone) {
#ifdef HYPERSCALE_SANITIZED
  GTEST_SKIP() << "freed memory cannot be read under a sanitizer";
#endif
  const MaskedText token(40);
  const MaskedText marker(40);
  {
    std::array<char, 40> plain{};
    token.reveal(plain.data());
    runtime::NodeConfig config = test_config(GetParam());
    config.node.amnesia = true;
    RunningNode node(config, runtime::Secret::take(plain.data(), plain.size()));
    node.start();
    ASSERT_TRUE(node.wait_until_ready());
    use_admin_routes(node, token);
    const std::string location = have_job_accepted(node, marker);
    ASSERT_TRUE(result_arrives(node, location, marker));
    // The scan sees what is there: the token's own page, and the cached result.
    EXPECT_GE(scan_memory(token).found, 1);
    EXPECT_GE(scan_memory(marker).found, 1);
    node.shut_down();
    ASSERT_EQ(node.wait(), ExitCode::kOk);
  }
  const MemoryScan tokens = scan_memory(token);
  EXPECT_EQ(tokens.found, 0) << tokens.where;
  const MemoryScan markers = scan_memory(marker);
  EXPECT_EQ(markers.found, 0) << markers.where;
  EXPECT_GT(markers.bytes, 1u << 20);
}

}  // namespace
}  // namespace hyperscale::node
