#include "load/protocols/http/request_preparation.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

std::string h2_value(const PreparedRequest& request, std::string_view name) {
  const auto found = std::ranges::find(request.h2, name, &HeaderPair::name);
  return found == request.h2.end() ? "(none)" : found->value;
}

TEST(PreparedRequest, IsTheBytesOnTheWire) {
  const auto ready = prepare_request(
      {.method = "GET", .url = "http://a.example:8080/x?q=1", .headers = {{"X-Mine", "1"}}, .body = ""}, {});
  ASSERT_TRUE(ready);
  EXPECT_EQ(
      ready->h1,
      "GET /x?q=1 HTTP/1.1\r\nHost: a.example:8080\r\nUser-Agent: hyperscale\r\nAccept: */*\r\nX-Mine: 1\r\n\r\n");
  EXPECT_EQ(ready->host, "a.example");
  EXPECT_EQ(ready->port, 8080);
  EXPECT_FALSE(ready->secure);
  EXPECT_EQ(h2_value(*ready, ":authority"), "a.example:8080");
  EXPECT_EQ(h2_value(*ready, ":path"), "/x?q=1");
  EXPECT_EQ(h2_value(*ready, "x-mine"), "1");
}

TEST(PreparedRequest, TheUsersHeadersReplaceOurs) {
  const auto ready = prepare_request({.method = "GET",
                                      .url = "http://a.example/",
                                      .headers = {{"host", "b.example"}, {"USER-AGENT", "me"}, {"accept", "text/html"}},
                                      .body = ""},
                                     {});
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->h1, "GET / HTTP/1.1\r\nhost: b.example\r\nUSER-AGENT: me\r\naccept: text/html\r\n\r\n");
  EXPECT_EQ(h2_value(*ready, ":authority"), "b.example");
  EXPECT_EQ(h2_value(*ready, "host"), "(none)");
}

TEST(PreparedRequest, ABodyHasItsLengthAndSoHasAnEmptyPost) {
  EXPECT_NE(prepare_request({.method = "PUT", .url = "http://h/", .headers = {}, .body = "abc"}, {})
                ->h1.find("Content-Length: 3\r\n\r\nabc"),
            std::string::npos);
  EXPECT_NE(prepare_request({.method = "POST", .url = "http://h/", .headers = {}, .body = ""}, {})
                ->h1.find("Content-Length: 0\r\n"),
            std::string::npos);
  EXPECT_EQ(
      prepare_request({.method = "GET", .url = "http://h/", .headers = {}, .body = ""}, {})->h1.find("Content-Length"),
      std::string::npos);
}

TEST(PreparedRequest, WhatCannotBeSentIsRefused) {
  EXPECT_FALSE(prepare_request({.method = "GE T", .url = "http://h/", .headers = {}, .body = ""}, {}));
  EXPECT_FALSE(prepare_request({.method = "GET", .url = "http://h/", .headers = {{"bad name", "x"}}, .body = ""}, {}));
  const auto split =
      prepare_request({.method = "GET", .url = "http://h/", .headers = {{"X", "a\r\nEvil: 1"}}, .body = ""}, {});
  ASSERT_FALSE(split);
  EXPECT_NE(split.error().context.find("line break"), std::string::npos);
}

TEST(PreparedRequest, ConnectionFieldsDoNotReachHttp2) {
  const auto ready = prepare_request(
      {.method = "GET", .url = "https://h/", .headers = {{"Connection", "close"}, {"Upgrade", "x"}}, .body = ""}, {});
  ASSERT_TRUE(ready);
  EXPECT_TRUE(ready->secure);
  EXPECT_EQ(h2_value(*ready, "connection"), "(none)");
  EXPECT_EQ(h2_value(*ready, "upgrade"), "(none)");
  EXPECT_EQ(h2_value(*ready, ":scheme"), "https");
}

TEST(PreparedRequest, ProxiedClearTextTargetIsAbsolute) {
  RequestShape shape;
  shape.through_proxy = true;
  shape.proxy_authorization = "Basic eDp5";
  const auto clear = prepare_request({.method = "GET", .url = "http://h/p", .headers = {}, .body = ""}, shape);
  EXPECT_TRUE(clear->h1.starts_with("GET http://h/p HTTP/1.1\r\n"));
  EXPECT_NE(clear->h1.find("Proxy-Authorization: Basic eDp5\r\n"), std::string::npos);
  EXPECT_EQ(h2_value(*clear, "proxy-authorization"), "(none)");
}

TEST(PreparedRequest, TheProxysPasswordStaysOutOfTheTunnel) {
  RequestShape shape;
  shape.through_proxy = true;
  shape.proxy_authorization = "Basic eDp5";
  const auto secure = prepare_request({.method = "GET", .url = "https://h/p", .headers = {}, .body = ""}, shape);
  EXPECT_TRUE(secure->h1.starts_with("GET /p HTTP/1.1\r\n"));
  EXPECT_EQ(secure->h1.find("Proxy-"), std::string::npos);
  const auto clear = prepare_request({.method = "GET", .url = "http://h/p", .headers = {}, .body = ""}, shape);
  const auto moved = redirected_request(*clear, 302, "https://h/p");
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->h1.find("Proxy-"), std::string::npos) << "also after a redirect";
}

TEST(PreparedRequest, AProxysPasswordInAHeaderIsNotTunnelled) {
  RequestShape shape;
  shape.through_proxy = true;
  const plan::Request request{
      .method = "GET", .url = "https://h/p", .headers = {{"proxy-authorization", "Basic eDp5"}}, .body = ""};
  const auto secure = prepare_request(request, shape);
  ASSERT_FALSE(secure);
  EXPECT_NE(secure.error().context.find("--proxy http://USER:PASSWORD@HOST:PORT"), std::string::npos);
  plan::Request clear = request;
  clear.url = "http://h/p";
  const auto moved = redirected_request(*prepare_request(clear, shape), 302, "https://h/p");
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->h1.find("roxy-"), std::string::npos);
}

TEST(PreparedRequest, KnowsWhichMethodsMayBeRepeated) {
  for (const std::string method : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "POST", "PATCH", "get", "X"}) {
    const auto ready = prepare_request({.method = method, .url = "http://h/", .headers = {}, .body = ""}, {});
    EXPECT_EQ(ready->idempotent, method.size() > 2 && method != "POST" && method != "PATCH" && method != "get")
        << method;
  }
}

TEST(PreparedRequest, CookiesArePatchedInBeforeTheBody) {
  const auto plain = prepare_request({.method = "POST", .url = "http://h/", .headers = {}, .body = "body"}, {});
  const PreparedRequest with = with_cookies(*plain, "a=1");
  EXPECT_TRUE(with.h1.ends_with("Cookie: a=1\r\n\r\nbody"));
  EXPECT_EQ(h2_value(with, "cookie"), "a=1");
  EXPECT_FALSE(with.lasting);
}

TEST(PreparedRequest, RedirectsKeepOrChangeTheMethod) {
  const auto post = prepare_request({.method = "POST",
                                     .url = "http://h/a/b",
                                     .headers = {{"Content-Type", "text/plain"}, {"Authorization", "Basic x"}},
                                     .body = "data"},
                                    {});
  const auto see_other = redirected_request(*post, 303, "c");
  ASSERT_TRUE(see_other);
  EXPECT_TRUE(see_other->h1.starts_with("GET /a/c HTTP/1.1\r\n"));
  EXPECT_EQ(see_other->h1.find("data"), std::string::npos);
  EXPECT_EQ(see_other->h1.find("Content-Type"), std::string::npos);
  EXPECT_NE(see_other->h1.find("Authorization"), std::string::npos);
  const auto temporary = redirected_request(*post, 307, "http://other/x");
  EXPECT_TRUE(temporary->h1.starts_with("POST /x HTTP/1.1\r\n"));
  EXPECT_TRUE(temporary->h1.ends_with("data"));
  EXPECT_EQ(temporary->h1.find("Authorization"), std::string::npos) << "credentials stay with their host";
  EXPECT_FALSE(redirected_request(*post, 302, "gopher://x/"));
}

}  // namespace
}  // namespace hyperscale::load
