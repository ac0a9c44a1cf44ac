#include "load/protocols/tls/tls_context.h"

#include "test_authority.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

std::string problem(const plan::Tls& tls) {
  const auto context = TlsContext::make(tls, plan::HttpVersion::kAuto);
  if (context) return "";
  EXPECT_EQ(context.error().code, ErrorCode::kInvalidArgument);
  return context.error().context;
}

TEST(TlsContext, AnEmptyPlanUsesTheSystemsAuthorities) {
  EXPECT_EQ(problem({}), "");
}

TEST(TlsContext, SaysWhatIsWrongWithTheAuthorities) {
  plan::Tls tls;
  tls.ca_pem = "nonsense";
  EXPECT_EQ(problem(tls), "the CA certificate holds no certificate in PEM form");
  tls.ca_pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  EXPECT_EQ(problem(tls).substr(0, 31), "the CA certificate is damaged: ");
  const TestAuthority one("one");
  const TestAuthority two("two");
  tls.ca_pem = one.pem() + two.pem();
  EXPECT_EQ(problem(tls), "");
  tls.ca_pem = one.pem() + "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n";
  EXPECT_EQ(problem(tls).substr(0, 31), "the CA certificate is damaged: ");
}

TEST(TlsContext, SaysWhatIsWrongWithTheClientCertificate) {
  const TestAuthority authority;
  const Identity identity = authority.issue();
  const Identity other = authority.issue();
  plan::Tls tls;
  tls.certificate_pem = identity.certificate_pem;
  EXPECT_EQ(problem(tls), "there is a client certificate and no client key");
  tls.key_pem = identity.key_pem;
  EXPECT_EQ(problem(tls), "");
  tls.key_pem = other.key_pem;
  EXPECT_EQ(problem(tls), "the client key does not belong to the client certificate");
  tls.key_pem = "nonsense";
  EXPECT_EQ(problem(tls), "the client key holds no private key in PEM form");
  tls.key_pem = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
  EXPECT_EQ(problem(tls), "the client key has a passphrase; remove it with: openssl pkey -in <key> -out <new key>");
  tls.key_pem = identity.key_pem;
  tls.certificate_pem = "nonsense";
  EXPECT_EQ(problem(tls), "the client certificate holds no certificate in PEM form");
  tls.certificate_pem.clear();
  EXPECT_EQ(problem(tls), "there is a client key and no client certificate");
}

TEST(TlsContext, AServerIsKnownByHostAndPort) {
  const auto context = TlsContext::make({}, plan::HttpVersion::kAuto);
  ASSERT_TRUE(context);
  TlsServer& one = (*context)->server("a.example", 443);
  EXPECT_EQ(&(*context)->server("a.example", 443), &one);
  EXPECT_NE(&(*context)->server("a.example", 444), &one);
  EXPECT_NE(&(*context)->server("b.example", 443), &one);
  EXPECT_FALSE(one.is_address());
  EXPECT_TRUE((*context)->server("192.0.2.1", 443).is_address());
  EXPECT_TRUE((*context)->server("2001:db8::1", 443).is_address());
}

TEST(TlsContext, BuffersAreUsedAgainWithinTheirLimits) {
  const auto context = TlsContext::make({}, plan::HttpVersion::kAuto);
  ASSERT_TRUE(context);
  std::vector<std::uint8_t> buffer(1000);
  const std::uint8_t* place = buffer.data();
  (*context)->give_back(std::move(buffer));
  std::vector<std::uint8_t> again = (*context)->take_buffer();
  EXPECT_TRUE(again.empty());
  EXPECT_EQ(again.data(), place);
  (*context)->give_back(std::vector<std::uint8_t>(kTlsSpareBufferBytesMax + 1));
  EXPECT_EQ((*context)->take_buffer().capacity(), 0u);
}

}  // namespace
}  // namespace hyperscale::load
