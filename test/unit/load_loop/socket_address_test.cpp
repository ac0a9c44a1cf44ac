#include "load/loop/socket_address.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

TEST(SocketAddress, LiteralsOfBothFamilies) {
  EXPECT_EQ(SocketAddress::from_literal("127.0.0.1", 80)->to_string(), "127.0.0.1:80");
  EXPECT_EQ(SocketAddress::from_literal("::1", 8080)->to_string(), "[::1]:8080");
  EXPECT_EQ(SocketAddress::from_literal("127.0.0.1", 80)->family(), AF_INET);
  EXPECT_EQ(SocketAddress::from_literal("::1", 80)->family(), AF_INET6);
}

TEST(SocketAddress, NamesAreNotLiterals) {
  const auto address = SocketAddress::from_literal("localhost", 80);
  ASSERT_FALSE(address);
  EXPECT_EQ(address.error().code, ErrorCode::kInvalidArgument);
}

TEST(SocketAddress, UnixPathsAreBounded) {
  EXPECT_EQ(SocketAddress::from_unix_path("/run/x.sock")->to_string(), "unix:/run/x.sock");
  EXPECT_FALSE(SocketAddress::from_unix_path(""));
  EXPECT_TRUE(SocketAddress::from_unix_path(std::string(107, 'a')));
  EXPECT_FALSE(SocketAddress::from_unix_path(std::string(108, 'a')));
}

}  // namespace
}  // namespace hyperscale::load
