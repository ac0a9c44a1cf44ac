#include "name_server.h"
#include "node/executors/host_endpoints.h"
#include "node/executors/name_resolver.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

using plan::AddressFamily;
using plan::RequestKind;
using testing::ElementsAre;
using testing::HasSubstr;
using Type = DnsRecord::Type;

DnsRecord a(std::string name, std::string address) {
  return {.name = std::move(name), .type = Type::kA, .value = std::move(address)};
}
DnsRecord aaaa(std::string name, std::string address) {
  return {.name = std::move(name), .type = Type::kAaaa, .value = std::move(address)};
}
DnsRecord mx(std::string name, std::uint16_t preference, std::string exchanger) {
  return {.name = std::move(name), .type = Type::kMx, .value = std::move(exchanger), .preference = preference};
}

// "exchanger preference address" of each endpoint, in their order.
std::vector<std::string> mail_places(const Result<LookedUp>& found) {
  if (!found) return {found.error().context};
  std::vector<std::string> places;
  for (const LookedUpEndpoint& one : found->endpoints) {
    places.push_back(one.exchanger
                         ? fmt::format("{} {} {}", one.exchanger->name, one.exchanger->preference, one.address)
                         : one.address);
  }
  return places;
}

Result<LookedUp> mail(const NameServer& server, AddressFamily family = AddressFamily::kAny, Duration timeout = 5s) {
  return lookup(RequestKind::kSmtp, "shop.example", 0, family, server.settings(timeout));
}

// A domain whose web server, mail server and families all differ, so that a wrong lookup cannot give the right answer.
std::vector<DnsRecord> zone() {
  return {a("shop.example", "127.0.0.1"), aaaa("shop.example", "::1"), mx("shop.example", 10, "mail.example"),
          a("mail.example", "192.0.2.25")};
}

struct Expected {
  RequestKind kind;
  std::uint16_t port;
  plan::Transport transport;
  std::vector<std::string> addresses;
};

class LookupByKind : public testing::TestWithParam<Expected> {};

// proves part: HOOK-ARG-7 (the lookup of each kind; nothing is sent over QUIC or UDP yet)
TEST_P(LookupByKind, DecidesFamilyTransportPortAndQuery) {
  const Expected& wanted = GetParam();
  const NameServer server(zone());
  const std::uint16_t given = plan::traits(wanted.kind).port == 0 ? wanted.port : 0;
  const auto found = lookup(wanted.kind, "shop.example", given, AddressFamily::kAny, server.settings());
  ASSERT_TRUE(found) << found.error().context;
  std::vector<std::string> addresses;
  for (const LookedUpEndpoint& one : found->endpoints) {
    addresses.push_back(one.address);
    EXPECT_EQ(one.port, wanted.port);
    EXPECT_EQ(one.transport, wanted.transport);
    EXPECT_EQ(one.family, one.address.find(':') == std::string::npos ? AddressFamily::kIpv4 : AddressFamily::kIpv6);
    EXPECT_EQ(one.exchanger.has_value(), wanted.kind == RequestKind::kSmtp);
  }
  if (wanted.kind == RequestKind::kFtp) {
    EXPECT_EQ(addresses, wanted.addresses);
  } else {
    EXPECT_THAT(addresses, testing::UnorderedElementsAreArray(wanted.addresses));
  }
  EXPECT_EQ(server.mx_questions(), wanted.kind == RequestKind::kSmtp ? 1 : 0);
  for (const auto family : {AddressFamily::kIpv4, AddressFamily::kIpv6}) {
    const auto one_family = lookup(wanted.kind, "shop.example", given, family, server.settings());
    const bool is_missing = wanted.kind == RequestKind::kSmtp && family == AddressFamily::kIpv6;
    ASSERT_EQ(one_family.has_value(), !is_missing) << "the exchanger alone has no IPv6 address";
    if (is_missing) continue;
    for (const LookedUpEndpoint& one : one_family->endpoints) EXPECT_EQ(one.family, family);
  }
}

// Of these the resolver prefers ::1 (RFC 6724), FTP does not.
const std::vector<std::string> kOwn = {"127.0.0.1", "::1"};

INSTANTIATE_TEST_SUITE_P(Kinds, LookupByKind,
                         testing::Values(Expected{RequestKind::kHttp, 80, plan::Transport::kTcp, kOwn},
                                         Expected{RequestKind::kHttp2, 80, plan::Transport::kTcp, kOwn},
                                         Expected{RequestKind::kHttp3, 443, plan::Transport::kQuic, kOwn},
                                         Expected{RequestKind::kTcp, 7, plan::Transport::kTcp, kOwn},
                                         Expected{RequestKind::kUdp, 7, plan::Transport::kUdp, kOwn},
                                         Expected{RequestKind::kFtp, 21, plan::Transport::kTcp, kOwn},
                                         Expected{RequestKind::kSmtp, 25, plan::Transport::kTcp, {"192.0.2.25"}}),
                         [](const auto& info) { return std::string(plan::name(info.param.kind)); });

TEST(KindLookup, AKindWithoutAPortNeedsOne) {
  const auto found = lookup(RequestKind::kTcp, "192.0.2.1", 0, AddressFamily::kAny);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kInvalidArgument);
}

// proves part: HOOK-ARG-7 (the lookup of each kind; nothing is sent over QUIC or UDP yet)
TEST(KindLookup, APlanOfUrlsNeverAsksForMail) {
  const NameServer server({a("shop.example", "192.0.2.1"), mx("shop.example", 10, "mail.example")});
  plan::Plan plan;
  plan.steps.push_back({.name = "s",
                        .requests = {{.method = "GET", .url = "http://shop.example/", .headers = {}, .body = {}}},
                        .expect = {}});
  for (const auto version : {plan::HttpVersion::kAuto, plan::HttpVersion::kHttp1, plan::HttpVersion::kHttp2}) {
    plan.http.version = version;
    ASSERT_TRUE(fill_endpoints(plan, {}, server.settings()));
    EXPECT_THAT(plan.endpoints.at(0).addresses, ElementsAre("192.0.2.1"));
  }
  EXPECT_EQ(server.mx_questions(), 0);
}

TEST(MailLookup, ExchangersAreOrderedByPreference) {
  const NameServer server({mx("shop.example", 20, "c.example"), mx("shop.example", 5, "b.example"),
                           mx("shop.example", 20, "a.example"), mx("shop.example", 300, "d.example"),
                           a("a.example", "192.0.2.1"), a("b.example", "192.0.2.2"), a("c.example", "192.0.2.3"),
                           a("d.example", "192.0.2.4")});
  EXPECT_THAT(mail_places(mail(server)), ElementsAre("b.example 5 192.0.2.2", "c.example 20 192.0.2.3",
                                                     "a.example 20 192.0.2.1", "d.example 300 192.0.2.4"));
}

TEST(MailLookup, WithoutMxTheHostIsItsOwnExchanger) {
  const NameServer server({a("shop.example", "192.0.2.9")});
  EXPECT_THAT(mail_places(mail(server)), ElementsAre("shop.example 0 192.0.2.9"));
}

TEST(MailLookup, ANullMxMeansNoMail) {
  const NameServer server({mx("shop.example", 0, "."), a("shop.example", "192.0.2.9")});
  const auto found = mail(server);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(found.error().context, "cannot resolve \"shop.example\": the domain accepts no mail (null MX)");
}

TEST(MailLookup, ANullMxBesideOthersIsPassedOver) {
  const NameServer server(
      {mx("shop.example", 0, "."), mx("shop.example", 10, "a.example"), a("a.example", "192.0.2.1")});
  EXPECT_THAT(mail_places(mail(server)), ElementsAre("a.example 10 192.0.2.1"));
}

TEST(MailLookup, AnExchangerMayBeAnAlias) {
  const NameServer server({mx("shop.example", 10, "alias.example"),
                           {.name = "alias.example", .type = Type::kCname, .value = "real.example"},
                           a("real.example", "192.0.2.7")});
  EXPECT_THAT(mail_places(mail(server)), ElementsAre("alias.example 10 192.0.2.7"));
}

TEST(MailLookup, AnExchangerWithoutAddressIsPassedOver) {
  const NameServer server(
      {mx("shop.example", 10, "gone.example"), mx("shop.example", 20, "here.example"), a("here.example", "192.0.2.8")});
  EXPECT_THAT(mail_places(mail(server)), ElementsAre("here.example 20 192.0.2.8"));
}

TEST(MailLookup, UnresolvableExchangerDoesNotFallBackToHost) {
  const NameServer server({mx("shop.example", 10, "gone.example"), a("shop.example", "192.0.2.9")});
  const auto found = mail(server);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(found.error().context, HasSubstr("cannot resolve \"gone.example\": no such host"));
  EXPECT_THAT(found.error().context, HasSubstr("mail exchanger of \"shop.example\""));
}

TEST(MailLookup, Ipv6OnlyExchangersAreFound) {
  const NameServer server({mx("shop.example", 10, "six.example"), aaaa("six.example", "2001:db8::25")});
  EXPECT_THAT(mail_places(mail(server)), ElementsAre("six.example 10 2001:db8::25"));
  EXPECT_THAT(mail_places(mail(server, AddressFamily::kIpv6)), ElementsAre("six.example 10 2001:db8::25"));
  const auto four = mail(server, AddressFamily::kIpv4);
  ASSERT_FALSE(four);
  EXPECT_THAT(four.error().context, HasSubstr("no IPv4 address"));
}

TEST(MailLookup, AnUnknownDomainIsSaidPlainly) {
  const NameServer server(NameServer::Manner::kAnswers);
  const auto found = mail(server);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(found.error().context, "cannot resolve \"shop.example\": no such host");
}

TEST(MailLookup, ASilentServerIsNotWaitedForForever) {
  const NameServer server(NameServer::Manner::kSilent);
  const auto found = mail(server, AddressFamily::kAny, 200ms);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kTimeout);
}

TEST(MailLookup, AServerThatFailsIsNoReasonToGuess) {
  for (const auto manner : {NameServer::Manner::kFails, NameServer::Manner::kFailsForMx}) {
    const NameServer server({a("shop.example", "192.0.2.9")}, manner);
    const auto found = mail(server);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::kUnavailable) << found.error().context;
  }
}

TEST(MailLookup, LiteralsAndNamesOfTheHostsFileAskNobody) {
  const NameServer server(NameServer::Manner::kFails);
  EXPECT_THAT(mail_places(lookup(RequestKind::kSmtp, "192.0.2.5", 0, AddressFamily::kAny, server.settings())),
              ElementsAre("192.0.2.5"));
  EXPECT_THAT(mail_places(lookup(RequestKind::kSmtp, "localhost", 0, AddressFamily::kIpv4, server.settings())),
              testing::Contains("localhost 0 127.0.0.1"));
  EXPECT_EQ(server.mx_questions(), 0);
}

}  // namespace
}  // namespace hyperscale::node
