#include "runtime/http/access_rules.h"

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

AccessRules rules_with(std::string token, std::vector<std::string> hosts = {}, bool tls = false) {
  return {.token = Secret::take(token.data(), token.size()), .hosts = std::move(hosts), .tls = tls};
}

Request request_with(std::vector<Header> headers, bool loopback = true) {
  Request request;
  request.method = "POST";
  request.target = "/x";
  request.headers = std::move(headers);
  request.peer_is_loopback = loopback;
  return request;
}

int status_of(const std::optional<AccessRefusal>& refusal) {
  return refusal ? refusal->response.status : 200;
}

TEST(AccessRules, AHostIsAnAddressLocalhostOrAKnownName) {
  const std::vector<std::string> hosts{"Bench.example"};
  for (const char* ours : {"127.0.0.1", "127.0.0.1:7070", "10.1.2.3:80", "[::1]", "[::1]:7070", "[2001:db8::1]",
                           "localhost", "LocalHost:7070", "bench.example", "BENCH.example:443"})
    EXPECT_TRUE(host_is_ours(ours, hosts)) << ours;
  for (const char* other : {"",
                            "evil.example",
                            "evil.example:7070",
                            "127.0.0.1.evil.example",
                            "localhost.evil.example",
                            "xbench.example",
                            "::1",
                            "[::1",
                            "[::1]x",
                            "[evil.example]",
                            "127.0.0.1:",
                            "127.0.0.1:80a",
                            "127.1",
                            "0x7f000001",
                            "2130706433",
                            "a@127.0.0.1",
                            "127.0.0.1:80:80",
                            "localhost.",
                            ":7070",
                            "[127.0.0.1]"})
    EXPECT_FALSE(host_is_ours(other, hosts)) << other;
}

TEST(AccessRules, ARequestForAnotherHostIsMisdirected) {
  const AccessRules rules = rules_with("t");
  EXPECT_EQ(status_of(refusal_of_sender(request_with({{"host", "127.0.0.1:80"}}), rules)), 200);
  EXPECT_EQ(status_of(refusal_of_sender(request_with({{"host", "evil.example"}}), rules)), 421);
  EXPECT_EQ(status_of(refusal_of_sender(request_with({{"host", "127.0.0.1"}, {"host", "evil.example"}}), rules)), 421);
  EXPECT_EQ(status_of(refusal_of_sender(request_with({}), rules)), 200) << "HTTP/1.0, which no browser speaks";
  Request absolute = request_with({{"host", "127.0.0.1"}});
  absolute.target = "http://evil.example/x";
  EXPECT_EQ(status_of(refusal_of_sender(absolute, rules)), 421) << "the target beats Host (RFC 9112, 3.2.2)";
  absolute.target = "http://127.0.0.1/x";
  EXPECT_EQ(status_of(refusal_of_sender(absolute, rules)), 200);
}

TEST(AccessRules, APageOfAnotherOriginIsRefused) {
  const AccessRules plain = rules_with("t");
  const AccessRules tls = rules_with("t", {}, true);
  const auto with = [](const char* origin) { return request_with({{"host", "127.0.0.1:7070"}, {"origin", origin}}); };
  EXPECT_EQ(status_of(refusal_of_sender(with("http://127.0.0.1:7070"), plain)), 200);
  EXPECT_EQ(status_of(refusal_of_sender(with("https://127.0.0.1:7070"), plain)), 200) << "TLS ended before us";
  EXPECT_EQ(status_of(refusal_of_sender(with("https://127.0.0.1:7070"), tls)), 200);
  EXPECT_EQ(status_of(refusal_of_sender(with("http://127.0.0.1:7070"), tls)), 403);
  for (const char* other : {"null", "", "http://127.0.0.1", "http://127.0.0.1:70", "http://localhost:7070",
                            "http://evil.example", "http://127.0.0.1:7070.evil.example", "file://"})
    EXPECT_EQ(status_of(refusal_of_sender(with(other), plain)), 403) << other;
}

TEST(AccessRules, ABrowserMustCallFromTheSameOrigin) {
  const AccessRules rules = rules_with("t");
  const auto with = [](const char* site) { return request_with({{"host", "localhost"}, {"sec-fetch-site", site}}); };
  EXPECT_EQ(status_of(refusal_of_sender(with("same-origin"), rules)), 200);
  EXPECT_EQ(status_of(refusal_of_sender(with("none"), rules)), 200);
  EXPECT_EQ(status_of(refusal_of_sender(with("same-site"), rules)), 403);
  EXPECT_EQ(status_of(refusal_of_sender(with("cross-site"), rules)), 403);
}

TEST(AccessRules, OnlyTheBearerOfTheTokenPasses) {
  const AccessRules rules = rules_with("the token");
  const auto with = [](const char* value) { return request_with({{"authorization", value}}); };
  EXPECT_EQ(status_of(refusal_of_token(with("Bearer the token"), rules)), 200);
  EXPECT_EQ(status_of(refusal_of_token(with("bearer the token"), rules)), 200) << "RFC 9110, 11.1";
  for (const char* wrong :
       {"Bearer the toke", "Bearer the tokenx", "Bearer ", "Bearer", "Basic the token", "the token"})
    EXPECT_EQ(status_of(refusal_of_token(with(wrong), rules)), 401) << wrong;
  EXPECT_EQ(status_of(refusal_of_token(request_with({}), rules)), 401) << "loopback is not enough";
  EXPECT_EQ(status_of(refusal_of_token(with("Bearer "), AccessRules())), 401) << "without a token nobody passes";
}

TEST(AccessRules, ProxyHeadersGrantNothing) {
  const AccessRules rules = rules_with("the token");
  for (const char* name : {"x-forwarded-for", "x-real-ip", "forwarded"})
    EXPECT_EQ(status_of(refusal_of_token(request_with({{name, "127.0.0.1"}}), rules)), 401);
}

TEST(AccessRules, TheTokenIsNotTakenOverClearText) {
  const auto from_elsewhere = request_with({{"authorization", "Bearer the token"}}, false);
  EXPECT_EQ(status_of(refusal_of_token(from_elsewhere, rules_with("the token"))), 403);
  EXPECT_EQ(status_of(refusal_of_token(from_elsewhere, rules_with("the token", {}, true))), 200);
}

TEST(AccessRules, WhatChangesSomethingCarriesJsonOrNothing) {
  const auto with = [](const char* type) { return request_with({{"content-type", type}}); };
  EXPECT_EQ(status_of(refusal_of_media(request_with({}), false)), 200);
  EXPECT_EQ(status_of(refusal_of_media(request_with({}), true)), 415);
  EXPECT_EQ(status_of(refusal_of_media(with("application/json"), true)), 200);
  EXPECT_EQ(status_of(refusal_of_media(with("Application/JSON; charset=utf-8"), true)), 200);
  for (const char* other : {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b",
                            "application/jsonp", "text/plain; application/json", ""})
    EXPECT_EQ(status_of(refusal_of_media(with(other), false)), 415) << other;
  Request get = request_with({{"content-type", "text/plain"}});
  get.method = "GET";
  EXPECT_EQ(status_of(refusal_of_media(get, false)), 200);
}

}  // namespace
}  // namespace hyperscale::runtime
