#include "plan/host.h"

#include <gmock/gmock.h>

namespace hyperscale::plan {
namespace {

TEST(Host, Ipv6Addresses) {
  for (const std::string_view good : {"::", "::1", "1::", "2001:db8::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::",
                                      "::2:3:4:5:6:7:8", "::ffff:192.0.2.1", "1:2:3:4:5:6:192.0.2.1", "ABCD:ef01::"}) {
    EXPECT_TRUE(is_ipv6_address(good)) << good;
  }
  for (const std::string_view bad : {"", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3",
                                     "12345::", "g::", "::1%eth0", "1:2:3:4:5:6:7:", ":2:3:4:5:6:7:8", "192.0.2.1",
                                     "192.0.2.1::", "::256.0.0.1", "::1.2.3", "1:2:3:4::5:6:7:8", "::1 "}) {
    EXPECT_FALSE(is_ipv6_address(bad)) << bad;
  }
}

TEST(Host, Ipv4Addresses) {
  for (const std::string_view good : {"0.0.0.0", "127.0.0.1", "255.255.255.255", "10.20.30.40"}) {
    EXPECT_TRUE(is_ipv4_address(good)) << good;
  }
  for (const std::string_view bad :
       {"", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.999", "01.2.3.4", "1.2.3.x", "1..2.3"}) {
    EXPECT_FALSE(is_ipv4_address(bad)) << bad;
  }
}

TEST(Host, NamesAreLowerCase) {
  EXPECT_EQ(parse_host("Example.COM"), "example.com");
  EXPECT_EQ(parse_host("[2001:DB8::1]"), "2001:db8::1");
  EXPECT_EQ(parse_host("my_service"), "my_service");
  EXPECT_EQ(parse_host("example.com."), "example.com.");
}

TEST(Host, NamesBeyondAsciiBecomePunycode) {
  EXPECT_EQ(parse_host("B\u00fccher.example"), "xn--bcher-kva.example");
  EXPECT_EQ(parse_host("fa\u00df.de"), "xn--fa-hia.de");
  EXPECT_EQ(parse_host("\uff25xample.com"), "example.com");
  for (const std::string bad : {"\ufffd.example", "a\u00adb c", "\xff.example", "\u2488com"})
    EXPECT_FALSE(parse_host(bad)) << bad;
}

TEST(Host, RefusesWhatIsNoHost) {
  for (const std::string& bad :
       {std::string(), std::string("."), std::string("a..b"), std::string(".a"), std::string("a b"),
        std::string("a%20b"), std::string(64, 'a'), std::string("1.2.3"), std::string("8080"), std::string("[::1"),
        std::string("[]"), std::string("["), std::string("[1.2.3.4]"), std::string("a,b"), std::string("a.1")}) {
    const auto host = parse_host(bad);
    ASSERT_FALSE(host) << bad;
    EXPECT_EQ(host.error().code, ErrorCode::kInvalidArgument);
  }
  std::string long_name;
  while (long_name.size() <= 253) long_name += "abc.";
  EXPECT_FALSE(parse_host(long_name + "de"));
}

}  // namespace
}  // namespace hyperscale::plan
