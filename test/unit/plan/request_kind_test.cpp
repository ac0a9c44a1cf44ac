#include "plan/request_kind.h"

#include <gtest/gtest.h>

namespace hyperscale::plan {
namespace {

class EachKind : public testing::TestWithParam<KindTraits> {};

TEST_P(EachKind, HasItsTransportPortsAndLookup) {
  const KindTraits& wanted = GetParam();
  const auto kind = parse_request_kind(wanted.name);
  ASSERT_TRUE(kind);
  EXPECT_EQ(*kind, wanted.kind);
  EXPECT_EQ(name(*kind), wanted.name);
  const KindTraits& found = traits(*kind);
  EXPECT_EQ(found.transport, wanted.transport);
  EXPECT_EQ(found.port, wanted.port);
  EXPECT_EQ(found.secure_port, wanted.secure_port);
  EXPECT_EQ(found.lookup, wanted.lookup);
}

INSTANTIATE_TEST_SUITE_P(
    RequestKind, EachKind,
    testing::Values(KindTraits{RequestKind::kHttp, "http", Transport::kTcp, 80, 443, Lookup::kAddresses},
                    KindTraits{RequestKind::kHttp2, "http2", Transport::kTcp, 80, 443, Lookup::kAddresses},
                    KindTraits{RequestKind::kHttp3, "http3", Transport::kQuic, 443, 443, Lookup::kAddresses},
                    KindTraits{RequestKind::kGraphql, "graphql", Transport::kTcp, 80, 443, Lookup::kAddresses},
                    KindTraits{RequestKind::kGrpc, "grpc", Transport::kTcp, 80, 443, Lookup::kAddresses},
                    KindTraits{RequestKind::kWebsocket, "websocket", Transport::kTcp, 80, 443, Lookup::kAddresses},
                    KindTraits{RequestKind::kTcp, "tcp", Transport::kTcp, 0, 0, Lookup::kAddresses},
                    KindTraits{RequestKind::kUdp, "udp", Transport::kUdp, 0, 0, Lookup::kAddresses},
                    KindTraits{RequestKind::kFtp, "ftp", Transport::kTcp, 21, 990, Lookup::kFtp},
                    KindTraits{RequestKind::kSmtp, "smtp", Transport::kTcp, 25, 465, Lookup::kMail}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(RequestKind, TheTableAboveIsWhole) {
  EXPECT_EQ(all_kinds().size(), 10U);
}

TEST(RequestKind, UnknownNamesAreNoKind) {
  for (const char* text : {"", "HTTP", "https", "http4", "smtp "}) EXPECT_FALSE(parse_request_kind(text)) << text;
}

TEST(RequestKind, UrlsOfAPlanAreHttpOfTheirVersion) {
  EXPECT_EQ(kind_of(HttpVersion::kAuto), RequestKind::kHttp);
  EXPECT_EQ(kind_of(HttpVersion::kHttp1), RequestKind::kHttp);
  EXPECT_EQ(kind_of(HttpVersion::kHttp2), RequestKind::kHttp2);
}

TEST(RequestKind, TheFamilyOfAnAddressIsSeenFromItsText) {
  EXPECT_EQ(family_of("192.0.2.1"), AddressFamily::kIpv4);
  EXPECT_EQ(family_of("2001:db8::1"), AddressFamily::kIpv6);
  EXPECT_EQ(family_of("example.com"), AddressFamily::kAny);
  EXPECT_EQ(name(family_of("::1")), "IPv6");
  EXPECT_EQ(name(Transport::kQuic), "QUIC");
}

}  // namespace
}  // namespace hyperscale::plan
