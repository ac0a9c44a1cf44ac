#include "apps/hyperscale/ping/ping_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::app {
namespace {

using plan::RequestKind;
using testing::HasSubstr;

PingOptions to(std::string target) {
  PingOptions options;
  options.target = std::move(target);
  return options;
}

TEST(PingRequest, HostsAndPorts) {
  struct Case {
    RequestKind kind;
    const char* text;
    const char* host;
    std::uint16_t port;
  };
  for (const Case& one :
       {Case{RequestKind::kTcp, "Localhost:5432", "localhost", 5432},
        Case{RequestKind::kTcp, "[::1]:5432", "::1", 5432}, Case{RequestKind::kSmtp, "example.com", "example.com", 25},
        Case{RequestKind::kSmtp, "example.com:587", "example.com", 587}, Case{RequestKind::kFtp, "::1", "::1", 21},
        Case{RequestKind::kFtp, "[::1]", "::1", 21}}) {
    const auto ping = read_ping(one.kind, to(one.text));
    ASSERT_TRUE(ping) << ping.error().context;
    EXPECT_EQ(ping->host, one.host);
    EXPECT_EQ(ping->port, one.port);
  }
}

TEST(PingRequest, WrongTargetsAreNamed) {
  EXPECT_THAT(read_ping(RequestKind::kTcp, to("localhost")).error().context, HasSubstr("has no port"));
  EXPECT_THAT(read_ping(RequestKind::kTcp, to("")).error().context, HasSubstr("no host given"));
  for (const char* bad : {"a:0", "a:65536", "a:x", "a:", "[::1", "[::1]x", "a:1:2", ":25", "user@example.com"}) {
    EXPECT_FALSE(read_ping(RequestKind::kSmtp, to(bad))) << bad;
  }
}

TEST(PingRequest, NameServersAreAddresses) {
  PingOptions options = to("example.com");
  for (const auto& [text, servers] : {std::pair{"192.0.2.53", "192.0.2.53:53"},
                                      {"192.0.2.53:5353", "192.0.2.53:5353"},
                                      {"::1", "[::1]:53"},
                                      {"[::1]:5353", "[::1]:5353"}}) {
    options.dns_server = text;
    const auto ping = read_ping(RequestKind::kSmtp, options);
    ASSERT_TRUE(ping) << ping.error().context;
    EXPECT_EQ(ping->resolver.servers, servers);
  }
  options.dns_server = "dns.example";
  EXPECT_THAT(read_ping(RequestKind::kSmtp, options).error().context, HasSubstr("--dns-server"));
}

TEST(PingRequest, LimitsAndFamilies) {
  PingOptions options = to("example.com");
  options.count = "3";
  options.timeout = "250ms";
  options.ipv6 = true;
  const auto ping = read_ping(RequestKind::kSmtp, options);
  ASSERT_TRUE(ping) << ping.error().context;
  EXPECT_EQ(ping->count, 3U);
  EXPECT_EQ(ping->timeout, 250ms);
  EXPECT_EQ(ping->resolver.timeout, 250ms);
  EXPECT_EQ(ping->family, plan::AddressFamily::kIpv6);
  options.ipv4 = true;
  EXPECT_THAT(read_ping(RequestKind::kSmtp, options).error().context, HasSubstr("contradicts"));
  for (const char* bad : {"0", "-1", "10001", "x"}) {
    options = to("example.com");
    options.count = bad;
    EXPECT_FALSE(read_ping(RequestKind::kSmtp, options)) << bad;
  }
  for (const char* bad : {"0s", "2h", "soon"}) {
    options = to("example.com");
    options.timeout = bad;
    EXPECT_FALSE(read_ping(RequestKind::kSmtp, options)) << bad;
  }
}

}  // namespace
}  // namespace hyperscale::app
