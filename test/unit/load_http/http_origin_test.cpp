#include "load/protocols/http/http_origin.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

class HttpOriginTest : public testing::Test {
 protected:
  void add(const std::string& host, std::uint16_t port, const std::string& address) {
    auto origin = std::make_unique<HttpOrigin>();
    origin->host = host;
    origin->port = port;
    origin->addresses = {*SocketAddress::from_literal(address, port)};
    environment.origins.push_back(std::move(origin));
  }

  std::unique_ptr<EventLoop> loop = std::move(*make_event_loop(LoopBackend::kEpoll));
  HttpEnvironment environment{*loop};
};

TEST_F(HttpOriginTest, ARedirectToAnotherPortOfAKnownHostHasItsAddresses) {
  add("a.example", 80, "192.0.2.1");
  const HttpOrigin* secure = environment.find_or_add("a.example", 8443, true);
  ASSERT_NE(secure, nullptr);
  EXPECT_EQ(secure->addresses.at(0).to_string(), "192.0.2.1:8443");
  EXPECT_EQ(secure->text(), "https://a.example:8443");
  EXPECT_EQ(environment.find_or_add("a.example", 8443, true), secure) << "it is made once";
}

TEST_F(HttpOriginTest, AnAddressNeedsNoLookupAndANameThatIsNotInThePlanIsUnknown) {
  add("a.example", 80, "192.0.2.1");
  EXPECT_EQ(environment.find_or_add("::1", 81, false)->addresses.at(0).to_string(), "[::1]:81");
  EXPECT_EQ(environment.find_or_add("b.example", 80, false), nullptr);
}

TEST_F(HttpOriginTest, ThroughAProxyEveryOriginGoesThere) {
  add("a.example", 80, "192.0.2.9");
  environment.origins.back()->by_way = true;
  environment.through_proxy = true;
  environment.proxy_authorization = "Basic eDp5";
  const HttpOrigin* other = environment.find_or_add("b.example", 443, true);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->addresses.at(0).to_string(), "192.0.2.9:80");
  EXPECT_EQ(other->connect_request,
            "CONNECT b.example:443 HTTP/1.1\r\nHost: b.example:443\r\nProxy-Authorization: Basic eDp5\r\n\r\n");
}

}  // namespace
}  // namespace hyperscale::load
