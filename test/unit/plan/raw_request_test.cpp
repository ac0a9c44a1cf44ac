#include "plan/raw_request.h"

#include "plan/limits.h"
#include "plan/protocol.h"
#include "plan/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::HasSubstr;

std::string url_error(std::string_view text) {
  const auto url = parse_raw_url(text);
  return url ? "none" : url.error().context;
}

Request request_to(std::string url, std::string send = "x") {
  Request request;
  request.url = std::move(url);
  request.body = std::move(send);
  return request;
}

std::string error_of(const Request& request) {
  const Status checked = check_raw_request(request);
  return checked ? "none" : checked.error().context;
}

TEST(RawUrl, HasHostAndPortOnly) {
  const auto url = parse_raw_url("TCP://Redis.Example:6379");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "redis.example");
  EXPECT_EQ(url->port, 6379);
  EXPECT_FALSE(url->secure());
  EXPECT_EQ(url->text(), "tcp://redis.example:6379");
  EXPECT_EQ(parse_raw_url("udp://[::1]:53")->text(), "udp://[::1]:53");
  EXPECT_EQ(parse_raw_url("udp://[::1]:53")->host, "::1");
  EXPECT_TRUE(parse_raw_url("tls://localhost:6380")->secure());
}

TEST(RawUrl, EachMistakeHasItsSentence) {
  EXPECT_EQ(url_error("tcp://localhost"), "the URL has no port; write tcp://localhost:PORT");
  EXPECT_EQ(url_error("udp://[::1]"), "the URL has no port; write udp://[::1]:PORT");
  EXPECT_THAT(url_error("tcp://localhost:6379/0"), HasSubstr("something after the port; write tcp://host:port"));
  EXPECT_THAT(url_error("tcp://u:p@localhost:6379"), HasSubstr("no user or password"));
  EXPECT_THAT(url_error("tcp://:6379"), HasSubstr("host is missing"));
  EXPECT_THAT(url_error("tcp://a:0"), HasSubstr("port 0"));
  EXPECT_THAT(url_error("http://a:1"), HasSubstr("tcp://host:port"));
}

TEST(RawUrl, TheSchemeSaysWhichProtocol) {
  EXPECT_EQ(protocol_of(parse_target_url("TLS://a:1")->text()), Protocol::kTcp);
  EXPECT_EQ(protocol_of(parse_target_url("udp://a:1")->text()), Protocol::kUdp);
  EXPECT_EQ(protocol_of(parse_target_url("a:1/x")->text()), Protocol::kHttp);
  EXPECT_FALSE(parse_url("tcp://a:1"));  // proxies and redirects are HTTP
}

TEST(RawRequest, HttpToARawUrlIsNone) {
  Request request = request_to("tcp://a:1");
  EXPECT_FALSE(is_raw_request(request));  // a GET
  request.method = "TCP";
  EXPECT_TRUE(is_raw_request(request));
  EXPECT_THAT(parse_url("tcp://a:1").error().context, HasSubstr("here it has to be http:// or https://"));
}

TEST(RawRequest, WhatCannotBeSentIsRefused) {
  EXPECT_EQ(error_of(request_to("tcp://a:1")), "none");
  EXPECT_THAT(error_of(request_to("tcp://a:1", "")), HasSubstr("send: there is nothing to send"));
  EXPECT_EQ(error_of(request_to("udp://a:1", std::string(kDatagramBytesMax, 'x'))), "none");
  EXPECT_THAT(error_of(request_to("udp://a:1", std::string(kDatagramBytesMax + 1, 'x'))),
              HasSubstr("at most 65507 fit into a datagram"));
}

TEST(RawRequest, AnAnswerEndsInOneWay) {
  Request request = request_to("tcp://a:1");
  request.read_bytes = 7;
  EXPECT_EQ(error_of(request), "none");
  request.until = "\n";
  EXPECT_THAT(error_of(request), HasSubstr("read: contradicts until"));
  request.until.clear();
  request.read_bytes = kRawAnswerBytesMax + 1;
  EXPECT_THAT(error_of(request), HasSubstr("an answer has at most"));
  request.url = "udp://a:1";
  EXPECT_THAT(error_of(request), HasSubstr("read: is for tcp:// and tls://"));
  request.read_bytes = 0;
  request.until.assign(kUntilBytesMax + 1, 'x');
  EXPECT_THAT(error_of(request), HasSubstr("until: 1025 bytes, at most 1024"));
}

}  // namespace
}  // namespace hyperscale::plan
