#include "intake/raw_from_options.h"

#include "intake/plan_from_options.h"
#include "intake/run_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::intake {
namespace {

using testing::HasSubstr;

constexpr Machine kMachine{.descriptors_max = 20'000, .cores = 4};

RunOptions raw(const std::string& url = "tcp://localhost:6379", const std::string& send = "PING\\r\\n") {
  RunOptions options;
  options.request.url = url;
  options.request.send = send;
  options.request.send_given = true;
  return options;
}

std::string error_for(const RunOptions& options) {
  const auto run = plan_of(options, kMachine);
  return run ? "no error" : run.error().context;
}

TEST(RawFromOptions, EscapesBecomeBytes) {
  RunOptions options = raw("TCP://LOCALHOST:6379");
  options.request.until = "\\r\\n";
  options.request.until_given = true;
  options.request.expect_body = "PONG";
  const auto run = plan_of(options, kMachine);
  ASSERT_TRUE(run) << run.error().context;
  ASSERT_EQ(run->plan.steps.size(), 1U);
  const plan::Step& step = run->plan.steps.front();
  EXPECT_EQ(step.name, "tcp://localhost:6379");
  EXPECT_EQ(step.expect.body_contains, "PONG");
  ASSERT_EQ(step.requests.size(), 1U);
  EXPECT_EQ(step.requests[0].body, "PING\r\n");
  EXPECT_EQ(step.requests[0].until, "\r\n");
  EXPECT_EQ(step.requests[0].url, "tcp://localhost:6379");
  EXPECT_EQ(step.requests[0].method, "TCP");
}

TEST(RawFromOptions, AWrongEscapeNamesOptionAndPlace) {
  EXPECT_EQ(error_for(raw("tcp://a:1", "PING\\q")),
            "--send: \"\\q\" at position 5 is not an escape; there are \\r \\n \\t \\xNN and \\\\");
  RunOptions options = raw();
  options.request.until = "\\x1";
  options.request.until_given = true;
  EXPECT_THAT(error_for(options), HasSubstr("--until: \"\\x1\" at position 1"));
}

TEST(RawFromOptions, WhatIsMissingIsNamed) {
  RunOptions options = raw();
  options.request.send_given = false;
  EXPECT_THAT(error_for(options), HasSubstr("tcp://localhost:6379 needs --send"));
  EXPECT_THAT(error_for(raw("tcp://a:1", "")), HasSubstr("--send: there is nothing to send"));
  EXPECT_THAT(error_for(raw("udp://a")), HasSubstr("the URL has no port"));
  options = raw();
  options.request.until_given = true;
  EXPECT_THAT(error_for(options), HasSubstr("--until: is empty"));
}

TEST(RawFromOptions, AnAnswerEndsInOneWay) {
  RunOptions options = raw();
  options.request.read = "7";
  EXPECT_EQ(plan_of(options, kMachine)->plan.steps[0].requests[0].read_bytes, 7U);
  options.request.until = "\\n";
  options.request.until_given = true;
  EXPECT_THAT(error_for(options), HasSubstr("--read: contradicts until"));
  options = raw("udp://a:1");
  options.request.read = "7";
  EXPECT_THAT(error_for(options), HasSubstr("--read: is for tcp:// and tls://"));
}

TEST(RawFromOptions, OptionsOfOtherProtocolsAreRefused) {
  const auto with = [](auto change) {
    RunOptions options = raw();
    change(options);
    return error_for(options);
  };
  EXPECT_EQ(with([](RunOptions& all) { all.request.headers = {"A: b"}; }), "--header: is for http:// and https://");
  EXPECT_THAT(with([](RunOptions& all) { all.request.body_given = true; }), HasSubstr("--body: is for http"));
  EXPECT_THAT(with([](RunOptions& all) { all.request.expect_status = "200"; }), HasSubstr("--expect-status: is for"));
  EXPECT_THAT(with([](RunOptions& all) { all.http.http2 = true; }), HasSubstr("--http2: is for"));
  EXPECT_THAT(with([](RunOptions& all) { all.http.redirects = "3"; }), HasSubstr("--redirects: is for"));
  EXPECT_THAT(with([](RunOptions& all) { all.http.no_cookies = true; }), HasSubstr("--no-cookies: is for"));
  EXPECT_THAT(with([](RunOptions& all) { all.network.proxy = "http://p:1"; }), HasSubstr("--proxy: is for"));
  EXPECT_EQ(with([](RunOptions& all) { all.tls.insecure = true; }), "--insecure: is for tls:// and https://");
  EXPECT_EQ(with([](RunOptions& all) {
              all.tls.insecure = true;
              all.request.url = "tls://a:1";
            }),
            "no error");
  EXPECT_EQ(with([](RunOptions& all) { all.http.no_keepalive = true; }), "no error");
  EXPECT_EQ(with([](RunOptions& all) { all.request.url = "http://a/"; }), "--send: is for tcp://, tls:// and udp://");
}

TEST(RawFromOptions, TheProtocolIsTold) {
  const auto described = [](const std::string& url) {
    return describe_protocol(plan_of(raw(url), kMachine)->plan, {});
  };
  EXPECT_EQ(described("tcp://a:1"), "TCP");
  EXPECT_EQ(described("tls://a:1"), "TLS");
  EXPECT_EQ(described("udp://a:1"), "UDP");
  plan::Plan both = plan_of(raw("udp://a:1"), kMachine)->plan;
  both.steps.push_back({.name = "page"});
  both.steps.back().requests = {{.method = "GET", .url = "https://a/", .headers = {}, .body = {}}};
  EXPECT_EQ(describe_protocol(both, {.http1 = 0, .http2 = 3}), "HTTPS/2 and UDP");
}

}  // namespace
}  // namespace hyperscale::intake
