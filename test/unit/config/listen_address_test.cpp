#include "runtime/config/listen_address.h"

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

TEST(ParseListenAddress, HostAndPort) {
  EXPECT_EQ(parse_listen_address("127.0.0.1:8080"), (ListenAddress{"127.0.0.1", 8080}));
  EXPECT_EQ(parse_listen_address("0.0.0.0:0"), (ListenAddress{"0.0.0.0", 0}));
  EXPECT_EQ(parse_listen_address("localhost:65535"), (ListenAddress{"localhost", 65535}));
  EXPECT_EQ(parse_listen_address("node-1.example_a.org:1"), (ListenAddress{"node-1.example_a.org", 1}));
}

TEST(ParseListenAddress, Ipv6GoesInBrackets) {
  EXPECT_EQ(parse_listen_address("[::1]:8080"), (ListenAddress{"::1", 8080}));
  EXPECT_EQ(parse_listen_address("[::]:0"), (ListenAddress{"::", 0}));
  EXPECT_EQ(parse_listen_address("[::ffff:127.0.0.1]:1"), (ListenAddress{"::ffff:127.0.0.1", 1}));
  const auto bare = parse_listen_address("::1:8080");
  ASSERT_FALSE(bare);
  EXPECT_NE(bare.error().context.find("in brackets, such as [::1]:8080"), std::string::npos);
}

TEST(ParseListenAddress, EverythingElseIsRefused) {
  for (const char* bad : {"",
                          ":",
                          "8080",
                          "localhost",
                          ":8080",
                          "127.0.0.1:",
                          "127.0.0.1:65536",
                          "127.0.0.1:-1",
                          "127.0.0.1:+1",
                          "127.0.0.1: 1",
                          "127.0.0.1:80 ",
                          "127.0.0.1:http",
                          "300.0.0.1:80",
                          "1.2.3:80",
                          "[::1]",
                          "[::1",
                          "[]:80",
                          "[localhost]:80",
                          "[127.0.0.1]:80",
                          "[:::1]:80",
                          "a b:80",
                          "a/b:80",
                          "http://a:80",
                          "[::1%lo]:80",
                          "::1]:80"}) {
    const auto address = parse_listen_address(bad);
    ASSERT_FALSE(address) << bad;
    EXPECT_EQ(address.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_FALSE(parse_listen_address(std::string(254, 'a') + ":80"));
  EXPECT_FALSE(parse_listen_address(std::string_view("a\0b:80", 6)));
  EXPECT_FALSE(parse_listen_address(std::string_view("[::1\0]:80", 9)));
}

}  // namespace
}  // namespace hyperscale::runtime
