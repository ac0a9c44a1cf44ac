#include "node/cluster/refused_packets.h"

#include <algorithm>
#include <array>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>
#include <poll.h>

namespace hyperscale::node {
namespace {

namespace asio = boost::asio;
using asio::ip::udp;

struct RefusedPackets : testing::TestWithParam<const char*> {
  udp::endpoint here() const { return {asio::ip::make_address(GetParam()), 0}; }
  // A port that was just given back.
  udp::endpoint closed_port() {
    udp::socket gone(io, here());
    return gone.local_endpoint();
  }
  static void wait_for_error(udp::socket& socket) {
    pollfd wait{.fd = socket.native_handle(), .events = 0, .revents = 0};
    ASSERT_EQ(::poll(&wait, 1, 10'000), 1) << "the kernel says nothing";
  }

  asio::io_context io;
};

TEST_P(RefusedPackets, TellWhomThePacketWasFor) {
  udp::socket socket(io, here());
  report_refusals(socket.native_handle(), here().address().is_v6());
  EXPECT_TRUE(take_refusals(socket.native_handle()).empty());
  const udp::endpoint nobody = closed_port();
  socket.send_to(asio::buffer("hello", 5), nobody);
  wait_for_error(socket);
  const auto refusals = take_refusals(socket.native_handle());
  ASSERT_EQ(refusals.size(), 1);
  EXPECT_EQ(refusals.front(), nobody);
  EXPECT_TRUE(take_refusals(socket.native_handle()).empty()) << "each is told once";
}

TEST_P(RefusedPackets, AreNoneWhereSomebodyListens) {
  udp::socket socket(io, here());
  udp::socket peer(io, here());
  report_refusals(socket.native_handle(), here().address().is_v6());
  socket.send_to(asio::buffer("hello", 5), peer.local_endpoint());
  std::array<char, 8> got{};
  EXPECT_EQ(peer.receive(asio::buffer(got)), 5);
  EXPECT_TRUE(take_refusals(socket.native_handle()).empty());
}

INSTANTIATE_TEST_SUITE_P(Families, RefusedPackets, testing::Values("127.0.0.1", "::1"),
                         [](const auto& info) { return std::string(info.param) == "::1" ? "V6" : "V4"; });

}  // namespace
}  // namespace hyperscale::node
