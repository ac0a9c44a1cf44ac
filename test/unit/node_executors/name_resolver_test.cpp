#include "node/executors/name_resolver.h"

#include "name_server.h"
#include "node/executors/host_endpoints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(NameResolver, LiteralsNeedNoQuery) {
  const auto v4 = resolve_host("192.0.2.7", plan::AddressFamily::kAny);
  ASSERT_TRUE(v4);
  EXPECT_THAT(v4->addresses, ElementsAre("192.0.2.7"));
  EXPECT_EQ(v4->lookup_time, Duration::zero());
  EXPECT_THAT(resolve_host("2001:db8::1", plan::AddressFamily::kIpv6)->addresses, ElementsAre("2001:db8::1"));
  EXPECT_FALSE(resolve_host("2001:db8::1", plan::AddressFamily::kIpv4));
  EXPECT_FALSE(resolve_host("192.0.2.7", plan::AddressFamily::kIpv6));
}

TEST(NameResolver, LocalhostComesFromTheHostsFile) {
  const auto host = resolve_host("localhost", plan::AddressFamily::kIpv4);
  ASSERT_TRUE(host) << host.error().context;
  EXPECT_THAT(host->addresses, testing::Contains("127.0.0.1"));
}

TEST(NameResolver, AnUnknownNameIsSaidPlainly) {
  const NameServer server(NameServer::Manner::kAnswers);
  const auto host = resolve_host("nosuch.example", plan::AddressFamily::kAny, server.settings(5s));
  ASSERT_FALSE(host);
  EXPECT_EQ(host.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(host.error().context, "cannot resolve \"nosuch.example\": no such host");
}

TEST(NameResolver, ASilentServerIsNotWaitedForForever) {
  const NameServer server(NameServer::Manner::kSilent);
  const auto host = resolve_host("nosuch.example", plan::AddressFamily::kAny, server.settings(200ms));
  ASSERT_FALSE(host);
  EXPECT_EQ(host.error().code, ErrorCode::kTimeout);
}

plan::Plan plan_for(const std::string& url) {
  plan::Plan plan;
  plan.steps.push_back(
      {.name = "s", .requests = {{.method = "GET", .url = url, .headers = {}, .body = {}}}, .expect = {}});
  return plan;
}

TEST(HostEndpoints, EachHostOnceWithItsAddresses) {
  plan::Plan plan = plan_for("http://127.0.0.1:81/a");
  plan.steps[0].requests.push_back(plan.steps[0].requests[0]);
  plan.steps[0].requests.push_back({.method = "GET", .url = "https://[::1]/", .headers = {}, .body = {}});
  ASSERT_TRUE(fill_endpoints(plan, {}));
  ASSERT_EQ(plan.endpoints.size(), 2U);
  EXPECT_EQ(plan.endpoints[0].host, "127.0.0.1");
  EXPECT_EQ(plan.endpoints[0].port, 81);
  EXPECT_EQ(plan.endpoints[1].host, "::1");
  EXPECT_EQ(plan.endpoints[1].port, 443);
}

TEST(HostEndpoints, OverridesBeatTheResolver) {
  plan::Plan plan = plan_for("http://nosuch.example/");
  ASSERT_TRUE(fill_endpoints(plan, {"nosuch.example:80:192.0.2.1,[2001:db8::1]"}));
  EXPECT_THAT(plan.endpoints[0].addresses, ElementsAre("192.0.2.1", "2001:db8::1"));
}

TEST(HostEndpoints, AnOverrideThatNothingUsesIsATypo) {
  plan::Plan plan = plan_for("http://127.0.0.1/");
  const Status filled = fill_endpoints(plan, {"other.example:80:192.0.2.1"});
  ASSERT_FALSE(filled);
  EXPECT_THAT(filled.error().context, HasSubstr("no URL connects to other.example:80"));
  for (const char* bad : {"x", "x:80", "x:80:", "x:0:1.2.3.4", "x:80:name", ":80:1.2.3.4", "[::1:80:1.2.3.4"}) {
    EXPECT_FALSE(fill_endpoints(plan, {bad})) << bad;
  }
}

TEST(HostEndpoints, BehindAProxyOrAUnixSocketNoNameIsAskedFor) {
  plan::Plan plan = plan_for("http://nosuch.example/");
  plan.network.proxy = "http://127.0.0.1:3128";
  ASSERT_TRUE(fill_endpoints(plan, {}));
  ASSERT_EQ(plan.endpoints.size(), 1U);
  EXPECT_EQ(plan.endpoints[0].port, 3128);
  plan.network.proxy.clear();
  plan.network.unix_socket = "/tmp/x.sock";
  ASSERT_TRUE(fill_endpoints(plan, {}));
  EXPECT_TRUE(plan.endpoints.empty());
}

}  // namespace
}  // namespace hyperscale::node
