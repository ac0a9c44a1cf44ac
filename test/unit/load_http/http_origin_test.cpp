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
    environment.endpoints.push_back({.host = host, .port = port, .addresses = {address}, .lookup_time = {}});
  }

  std::unique_ptr<EventLoop> loop = std::move(*make_event_loop(LoopBackend::kEpoll));
  HttpEnvironment environment{*loop};
};

TEST_F(HttpOriginTest, OtherPortReusesAddressesOfKnownHost) {
  add("a.example", 80, "192.0.2.1");
  const HttpOrigin* secure = environment.find_or_add("a.example", 8443, true);
  ASSERT_NE(secure, nullptr);
  EXPECT_EQ(secure->addresses.at(0).to_string(), "192.0.2.1:8443");
  EXPECT_EQ(secure->text(), "https://a.example:8443");
  EXPECT_EQ(environment.find_or_add("a.example", 8443, true), secure) << "it is made once";
}

TEST_F(HttpOriginTest, AddressNeedsNoLookupUnknownNameHasNoOrigin) {
  add("a.example", 80, "192.0.2.1");
  EXPECT_EQ(environment.find_or_add("::1", 81, false)->addresses.at(0).to_string(), "[::1]:81");
  EXPECT_EQ(environment.find_or_add("b.example", 80, false), nullptr);
}

TEST_F(HttpOriginTest, APortMayHaveAddressesOfItsOwn) {
  add("a.example", 80, "192.0.2.1");
  environment.endpoints.push_back({.host = "a.example", .port = 443, .addresses = {"192.0.2.2"}, .lookup_time = {}});
  EXPECT_EQ(environment.find_or_add("a.example", 443, true)->addresses.at(0).to_string(), "192.0.2.2:443");
}

TEST_F(HttpOriginTest, RedirectsStayWithHostsOfThePlan) {
  add("a.example", 8080, "192.0.2.1");
  EXPECT_TRUE(environment.may_redirect_to("a.example", 8080, false));
  EXPECT_TRUE(environment.may_redirect_to("a.example", 8080, true));
  EXPECT_TRUE(environment.may_redirect_to("a.example", 80, false));
  EXPECT_TRUE(environment.may_redirect_to("a.example", 443, true));
  EXPECT_FALSE(environment.may_redirect_to("a.example", 443, false)) << "the port of the other scheme";
  EXPECT_FALSE(environment.may_redirect_to("a.example", 22, false));
  EXPECT_FALSE(environment.may_redirect_to("b.example", 80, false));
  EXPECT_FALSE(environment.may_redirect_to("192.0.2.1", 8080, false));
  environment.http.redirects_anywhere = true;
  EXPECT_TRUE(environment.may_redirect_to("192.0.2.7", 22, false));
}

TEST_F(HttpOriginTest, WhereARedirectLedIsNotOfThePlan) {
  add("a.example", 8080, "192.0.2.1");
  ASSERT_NE(environment.find_or_add("192.0.2.7", 90, false, true), nullptr);
  EXPECT_FALSE(environment.may_redirect_to("192.0.2.7", 90, false));
  environment.find_or_add("192.0.2.7", 90, false);
  EXPECT_TRUE(environment.may_redirect_to("192.0.2.7", 90, false)) << "a function named it since";
}

TEST_F(HttpOriginTest, OriginsAreBounded) {
  for (std::size_t i = 0; i < kOriginsMax; ++i)
    ASSERT_NE(environment.find_or_add("192.0.2.1", static_cast<std::uint16_t>(i + 1), false), nullptr);
  EXPECT_EQ(environment.find_or_add("192.0.2.1", 65535, false), nullptr);
  EXPECT_NE(environment.find_or_add("192.0.2.1", 1, false), nullptr);
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
