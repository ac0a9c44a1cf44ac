// Raw TCP and UDP of the target, as a plain client sees them.
#include "target/limits.h"
#include "target/target_server.h"

#include <array>
#include <string>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::target {
namespace {

class RawServerTest : public testing::Test {
 protected:
  RawServerTest() {
    TargetOptions options;
    options.tcp_port = options.udp_port = std::uint16_t{0};
    auto started = TargetServer::start(options);
    EXPECT_TRUE(started);
    server = std::move(*started);
  }

  // A blocking socket that gives up after a while.
  static int connected(int type, std::uint16_t port) {
    const int fd = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
    const timeval patience{10, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(port);
    EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    return fd;
  }
  static void send(int fd, const std::string& text) {
    ASSERT_EQ(::send(fd, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }
  // So many bytes, or fewer when the connection ends.
  static std::string receive(int fd, std::size_t count) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (text.size() < count) {
      const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
      if (got <= 0) break;
      text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

  std::unique_ptr<TargetServer> server;
};

TEST_F(RawServerTest, ALineIsAnsweredByALine) {
  const int fd = connected(SOCK_STREAM, server->tcp_port());
  send(fd, "PING\r\n");
  EXPECT_EQ(receive(fd, 7), "+PONG\r\n");
  send(fd, "ping\nECHO a b\r\nwhat\r\n");
  EXPECT_EQ(receive(fd, 7 + 6 + 22), "+PONG\r\n+a b\r\n-ERR unknown command\r\n");
  send(fd, "PI");
  send(fd, "NG\r\n");
  EXPECT_EQ(receive(fd, 7), "+PONG\r\n");
  send(fd, "SIZE 5\r\nSTRAY\r\n");
  EXPECT_EQ(receive(fd, 44), "+xxxxx\r\n+STRAY\r\n-NOBODY asked for this\r\n");
  send(fd, "NEVER\r\nCLOSE\r\n");
  EXPECT_EQ(receive(fd, 1), "");
  ::close(fd);
  const Counters counted = server->counters();
  EXPECT_EQ(counted.tcp, 9U);
  EXPECT_EQ(counted.tcp_connections, 1U);
  EXPECT_EQ(counted.requests, 0U);
}

TEST_F(RawServerTest, ALineThatDoesNotEndEndsTheConnection) {
  const int fd = connected(SOCK_STREAM, server->tcp_port());
  send(fd, std::string(kLineBytesMax + 1, 'x'));
  EXPECT_EQ(receive(fd, 1000), "-ERR line too long\r\n");
  ::close(fd);
}

TEST_F(RawServerTest, MuchIsAnsweredWhole) {
  const int fd = connected(SOCK_STREAM, server->tcp_port());
  send(fd, "SIZE 3000000\r\n");
  EXPECT_EQ(receive(fd, 3'000'003).size(), 3'000'003U);
  ::close(fd);
}

TEST_F(RawServerTest, ADatagramComesBack) {
  const int fd = connected(SOCK_DGRAM, server->udp_port());
  for (const std::string& text : {std::string("one"), std::string("two\0", 4), std::string(60'000, 'd')}) {
    send(fd, text);
    std::string got(65'536, 0);
    got.resize(static_cast<std::size_t>(std::max<ssize_t>(::recv(fd, got.data(), got.size(), 0), 0)));
    EXPECT_EQ(got, text);
  }
  EXPECT_EQ(server->counters().udp, 3U);
  ::close(fd);
}

TEST_F(RawServerTest, ADatagramCanBeDelayedOrLost) {
  const int fd = connected(SOCK_DGRAM, server->udp_port());
  send(fd, "DELAY 20ms late");
  send(fd, "NEVER this");
  send(fd, "now");
  std::array<char, 64> buffer{};
  EXPECT_EQ(::recv(fd, buffer.data(), buffer.size(), 0), 3);
  EXPECT_EQ(::recv(fd, buffer.data(), buffer.size(), 0), 15);
  EXPECT_EQ(server->counters().udp, 3U);
  ::close(fd);
}

TEST_F(RawServerTest, APortIsHeldByOneServer) {
  TargetOptions second;
  second.udp_port = server->udp_port();
  EXPECT_FALSE(TargetServer::start(second));
  TargetOptions third;
  third.tcp_port = server->tcp_port();
  EXPECT_FALSE(TargetServer::start(third));
}

}  // namespace
}  // namespace hyperscale::target
