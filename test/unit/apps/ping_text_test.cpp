#include "apps/hyperscale/ping/ping_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::app {
namespace {

using testing::HasSubstr;
using testing::Not;

Ping mail_ping() {
  Ping ping;
  ping.kind = plan::RequestKind::kSmtp;
  ping.host = "shop.example";
  ping.port = 25;
  return ping;
}

PingOutcome answered(Duration connect) {
  PingOutcome outcome;
  outcome.lookup = 2ms;
  outcome.connect = connect;
  outcome.greeting = 3ms;
  outcome.total = connect + 5ms;
  outcome.endpoint = node::LookedUpEndpoint{.address = "2001:db8::25",
                                            .family = plan::AddressFamily::kIpv6,
                                            .transport = plan::Transport::kTcp,
                                            .port = 25,
                                            .exchanger = node::MailExchanger{.name = "mx.example", .preference = 10}};
  outcome.greeting_line = "220 mx.example ESMTP";
  return outcome;
}

TEST(PingText, OnePingWithItsPhasesAndItsServer) {
  const std::vector outcomes = {answered(1ms)};
  EXPECT_EQ(ping_text(mail_ping(), outcomes, Glyphs::kAscii), R"(> smtp shop.example:25
< 220 mx.example ESMTP

  name lookup       2.00ms
  connect           1.00ms
  greeting          3.00ms
  total             6.00ms
  address       [2001:db8::25]:25
  family        IPv6
  transport     TCP
  exchanger     mx.example, preference 10
)");
}

TEST(PingText, SeveralPingsShowTheirSpread) {
  const std::vector outcomes = {answered(9ms), answered(1ms), answered(2ms), answered(4ms)};
  const std::string text = ping_text(mail_ping(), outcomes, Glyphs::kAscii);
  EXPECT_THAT(text, HasSubstr("4 of 4 answered"));
  EXPECT_THAT(text, HasSubstr("                       min    median       max\n"));
  EXPECT_THAT(text, HasSubstr("  connect           1.00ms    3.00ms    9.00ms\n"));
}

TEST(PingText, FailedPingsDoNotBlurTheTimesOfTheOthers) {
  PingOutcome late = answered(800ms);
  late.greeting.reset();
  late.error = "no whole greeting within 1s";
  const std::vector outcomes = {answered(1ms), late};
  const std::string text = ping_text(mail_ping(), outcomes, Glyphs::kAscii);
  EXPECT_THAT(text, HasSubstr("1 of 2 answered"));
  EXPECT_THAT(text, HasSubstr("failed: no whole greeting within 1s\n"));
  EXPECT_THAT(text, Not(HasSubstr("800")));
}

TEST(PingText, NothingOfThePeerReachesTheTerminalRaw) {
  PingOutcome rude = answered(1ms);
  rude.greeting_line =
      "220 \x1b[2J\x07\xc2\x9b"
      "31m\xff";
  rude.endpoint->exchanger->name = "mx\x1b.example";
  rude.error = "bad \x1b thing";
  const std::vector outcomes = {rude};
  for (const std::string& text : {ping_text(mail_ping(), outcomes, Glyphs::kUnicode),
                                  ping_text(mail_ping(), outcomes, Glyphs::kAscii), ping_json(mail_ping(), outcomes)}) {
    for (const char* raw : {"\x1b", "\x07", "\xc2\x9b", "\xff"}) EXPECT_THAT(text, Not(HasSubstr(raw)));
  }
}

TEST(PingText, JsonIsOneLine) {
  const std::vector outcomes = {answered(1ms)};
  EXPECT_EQ(
      ping_json(mail_ping(), outcomes),
      R"({"kind": "smtp", "host": "shop.example", "port": 25, "ok": true, "pings": 1, "answered": 1, "error": null, )"
      R"("address": "2001:db8::25", "family": "IPv6", "transport": "TCP", )"
      R"("exchanger": {"name": "mx.example", "preference": 10}, "greeting": "220 mx.example ESMTP", )"
      R"("lookup_ms": {"min": 2, "median": 2, "max": 2}, "connect_ms": {"min": 1, "median": 1, "max": 1}, )"
      R"("greeting_ms": {"min": 3, "median": 3, "max": 3}, "total_ms": {"min": 6, "median": 6, "max": 6}})"
      "\n");
}

TEST(PingText, JsonOfAFailureHasNoTimesForWhatDidNotHappen) {
  PingOutcome unknown;
  unknown.error = "cannot resolve \"shop.example\": no such host";
  unknown.total = 1ms;
  const std::vector outcomes = {unknown};
  const std::string json = ping_json(mail_ping(), outcomes);
  EXPECT_THAT(json, HasSubstr(R"("ok": false)"));
  EXPECT_THAT(json, HasSubstr(R"("address": null)"));
  EXPECT_THAT(json, HasSubstr(R"("connect_ms": null)"));
  EXPECT_THAT(json, HasSubstr(R"(no such host")"));
}

}  // namespace
}  // namespace hyperscale::app
