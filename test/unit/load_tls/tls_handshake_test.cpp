#include "tls_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using results::Outcome;
using testing::ElementsAre;
using testing::StartsWith;

class TlsHandshake : public testing::Test {
 protected:
  TestAuthority authority;
  Identity identity = authority.issue({.names = {"DNS:a.example", "DNS:*.b.example", "IP:192.0.2.1"}});
};

TEST_F(TlsHandshake, EndsReadyWithWhatWasAgreed) {
  TestTlsContext server(identity);
  TlsPair pair(server, client_context(trusting(authority)));
  pair.start();
  EXPECT_EQ(pair.record.readies, 1);
  EXPECT_FALSE(pair.record.failure) << pair.record.detail;
  EXPECT_TRUE(pair.server.handshake_done());
  EXPECT_EQ(pair.server.server_name(), "a.example");
  EXPECT_TRUE(pair.transport->negotiated_h2());
  EXPECT_FALSE(pair.transport->resumed());
  const TlsDetails details = pair.transport->details();
  EXPECT_EQ(details.version, "TLSv1.3");
  EXPECT_THAT(details.cipher, StartsWith("TLS_"));
  EXPECT_EQ(details.alpn, "h2");
  EXPECT_FALSE(details.resumed);
  EXPECT_EQ(details.subject, "CN=a.example");
  EXPECT_EQ(details.issuer, "CN=Test Authority");
  EXPECT_THAT(details.names, ElementsAre("a.example", "*.b.example", "192.0.2.1"));
  EXPECT_THAT(details.not_after, testing::MatchesRegex("20..-..-.. ..:..:.. UTC"));
}

TEST_F(TlsHandshake, OffersTheProtocolsOfThePlan) {
  struct Case {
    plan::HttpVersion version;
    std::string server_chooses;
    bool h2;
    std::string alpn;
  };
  using plan::HttpVersion;
  for (const Case& one :
       {Case{HttpVersion::kAuto, "h2", true, "h2"}, Case{HttpVersion::kAuto, "http/1.1", false, "http/1.1"},
        Case{HttpVersion::kHttp1, "h2", false, ""}, Case{HttpVersion::kHttp1, "http/1.1", false, "http/1.1"},
        Case{HttpVersion::kHttp2, "http/1.1", false, ""}, Case{HttpVersion::kHttp2, "h2", true, "h2"},
        Case{HttpVersion::kAuto, "", false, ""}}) {
    TestTlsContext server(identity, {.alpn = one.server_chooses});
    TlsPair pair(server, client_context(trusting(authority), one.version));
    pair.start();
    ASSERT_EQ(pair.record.readies, 1);
    EXPECT_EQ(pair.transport->negotiated_h2(), one.h2);
    EXPECT_EQ(pair.transport->details().alpn, one.alpn);
  }
}

TEST_F(TlsHandshake, WorksInPiecesOfOneByteInBothVersions) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TestTlsContext server(identity, {.version_max = version});
    TlsPair pair(server, client_context(trusting(authority)));
    pair.piece = 1;
    pair.start();
    ASSERT_EQ(pair.record.readies, 1) << pair.record.detail;
    EXPECT_EQ(pair.transport->details().version, version == TLS1_2_VERSION ? "TLSv1.2" : "TLSv1.3");
    pair.server.send("hello");
    pair.run();
    EXPECT_EQ(pair.record.received, "hello");
  }
}

TEST_F(TlsHandshake, AnAddressIsVerifiedAndNotSentAsAName) {
  TestTlsContext server(identity);
  TlsPair pair(server, client_context(trusting(authority)), "192.0.2.1");
  pair.start();
  EXPECT_EQ(pair.record.readies, 1) << pair.record.detail;
  EXPECT_EQ(pair.server.server_name(), "");
}

TEST_F(TlsHandshake, ConfiguredServerNameReplacesHost) {
  plan::Tls tls = trusting(authority);
  tls.server_name = "x.b.example";
  TestTlsContext server(identity);
  TlsPair pair(server, client_context(tls), "127.0.0.1");
  pair.start();
  EXPECT_EQ(pair.record.readies, 1) << pair.record.detail;
  EXPECT_EQ(pair.server.server_name(), "x.b.example");
}

TEST_F(TlsHandshake, TheFirstRequestLeavesWithTheEndOfTheHandshake) {
  TestTlsContext server(identity);
  TlsPair pair(server, client_context(trusting(authority)));
  pair.record.on_ready = [&] { EXPECT_TRUE(pair.transport->send(as_bytes("request"), Sending::kOnce)); };
  pair.start();
  EXPECT_EQ(pair.server.received, "request");
  EXPECT_EQ(pair.loop.sends, 2) << "the first flight, then Finished and the request";
}

TEST_F(TlsHandshake, ClosingInsideReadyIsAllowed) {
  TestTlsContext server(identity);
  TlsPair pair(server, client_context(trusting(authority)));
  pair.record.on_ready = [&] { pair.transport->close(); };
  pair.start();
  EXPECT_TRUE(pair.loop.closed);
  EXPECT_FALSE(pair.record.failure);
}

TEST_F(TlsHandshake, AnOldServerIsRefused) {
  TestTlsContext server(identity, {.version_max = TLS1_1_VERSION, .version_min = TLS1_VERSION});
  TlsPair pair(server, client_context(trusting(authority)));
  pair.start();
  EXPECT_EQ(pair.record.failure, Outcome::kTls);
  EXPECT_THAT(pair.record.detail, StartsWith("the server refused the handshake: "));
}

TEST_F(TlsHandshake, AServerWithoutTlsIsNamedAsSuch) {
  TestTlsContext server(identity);
  TlsPair pair(server, client_context(trusting(authority)));
  pair.transport->start(MemoryLoop::kStream);
  pair.deliver(as_bytes("HTTP/1.1 400 Bad Request\r\n\r\n"));
  pair.expect_tls_failure("the server does not speak TLS on this port");
}

TEST_F(TlsHandshake, ConnectionEndInHandshakeIsATlsFailure) {
  TestTlsContext server(identity);
  {
    TlsPair pair(server, client_context(trusting(authority)));
    pair.transport->start(MemoryLoop::kStream);
    pair.loop.events->on_end();
    pair.expect_tls_failure("the server closed the connection in the handshake");
  }
  TlsPair pair(server, client_context(trusting(authority)));
  pair.transport->start(MemoryLoop::kStream);
  pair.loop.events->on_failed(ECONNRESET);
  EXPECT_EQ(pair.record.failure, Outcome::kTls);
  EXPECT_EQ(pair.record.detail, "the server broke the connection off in the handshake: Connection reset by peer");
  EXPECT_FALSE(pair.loop.closed) << "the loop has closed it";
}

// Whatever the server sends instead of its flight, the transport fails once and does not fall over.
TEST_F(TlsHandshake, DamagedFlightsFailOnce) {
  TestTlsContext server(identity);
  TlsPair first(server, client_context(trusting(authority)));
  first.transport->start(MemoryLoop::kStream);
  first.server.feed(std::exchange(first.loop.out, {}));
  const std::size_t size = first.server.wire().size();
  const auto context = client_context(trusting(authority));
  for (std::size_t at = 0; at < size; at += 7) {
    TlsPair pair(server, context);
    pair.transport->start(MemoryLoop::kStream);
    pair.server.feed(std::exchange(pair.loop.out, {}));
    auto flight = pair.server.wire();
    flight[at % flight.size()] ^= 0x55;
    pair.deliver(flight);
    if (!pair.record.failure) pair.loop.events->on_end();
    ASSERT_EQ(pair.record.failure, Outcome::kTls) << "byte " << at;
    ASSERT_FALSE(pair.record.detail.empty());
    ASSERT_TRUE(pair.loop.closed);
  }
}

}  // namespace
}  // namespace hyperscale::load
