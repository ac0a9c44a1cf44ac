#include "tls_pair.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using testing::MatchesRegex;

class TlsCertificate : public testing::Test {
 protected:
  // The sentence that a handshake with this certificate ends in; empty when it succeeds.
  std::string sentence_for(const Identity& identity, const std::string& host, const plan::Tls& tls) {
    TestTlsContext server(identity);
    TlsPair pair(server, client_context(tls), host);
    pair.start();
    EXPECT_EQ(pair.record.readies, pair.record.failure ? 0 : 1);
    if (pair.record.failure) {
      EXPECT_EQ(pair.record.failure, results::Outcome::kTls);
      EXPECT_TRUE(pair.loop.closed);
      EXPECT_TRUE(pair.server.failed()) << "the server is told by an alert";
    }
    return pair.record.detail;
  }
  TestAuthority authority;
};

TEST_F(TlsCertificate, Expired) {
  const Identity identity = authority.issue({.valid_from_s = -7200, .valid_to_s = -3600});
  EXPECT_THAT(sentence_for(identity, "a.example", trusting(authority)),
              MatchesRegex("certificate of a.example expired on 20..-..-.. ..:..:.. UTC"));
}

TEST_F(TlsCertificate, NotValidYet) {
  const Identity identity = authority.issue({.valid_from_s = 3600, .valid_to_s = 7200});
  EXPECT_THAT(sentence_for(identity, "a.example", trusting(authority)),
              MatchesRegex("certificate of a.example is not valid before 20..-..-.. ..:..:.. UTC"));
}

TEST_F(TlsCertificate, ForAnotherHost) {
  EXPECT_EQ(sentence_for(authority.issue(), "b.example", trusting(authority)),
            "certificate is for a.example, not for b.example");
  EXPECT_EQ(sentence_for(authority.issue(), "192.0.2.7", trusting(authority)),
            "certificate is for a.example, not for 192.0.2.7");
  CertificateWish many;
  many.names.clear();
  for (int i = 0; i < 8; ++i) many.names.push_back("DNS:h" + std::to_string(i) + ".example");
  EXPECT_EQ(
      sentence_for(authority.issue(many), "b.example", trusting(authority)),
      "certificate is for h0.example, h1.example, h2.example, h3.example, h4.example and 3 more, not for b.example");
}

TEST_F(TlsCertificate, OfAnUnknownAuthority) {
  const TestAuthority other("Other Authority");
  EXPECT_EQ(sentence_for(other.issue(), "a.example", trusting(authority)),
            "certificate of a.example is signed by an unknown authority: Other Authority");
}

// The file is read at the start, its certificates with the first connection.
TEST_F(TlsCertificate, SystemAuthoritiesKeptForLaterVerifyPeers) {
  const std::string path = testing::TempDir() + "authorities.pem";
  std::ofstream(path) << authority.pem();
  ::setenv("SSL_CERT_FILE", path.c_str(), 1);
  const auto context = TlsContext::make({}, plan::HttpVersion::kAuto, SystemAuthorities::kReadWhenNeeded);
  ::unsetenv("SSL_CERT_FILE");
  std::filesystem::remove(path);
  ASSERT_TRUE(context);
  const TestAuthority other("Other Authority");
  for (const auto& [identity, readies] : {std::pair(authority.issue(), 1), std::pair(other.issue(), 0)}) {
    TestTlsContext server(identity);
    TlsPair pair(server, *context);
    pair.start();
    EXPECT_EQ(pair.record.readies, readies) << pair.record.detail;
  }
}

TEST_F(TlsCertificate, SignedByItself) {
  EXPECT_EQ(sentence_for(self_signed({}), "a.example", trusting(authority)),
            "certificate of a.example is signed by itself and not trusted");
}

TEST_F(TlsCertificate, AnInsecurePlanAcceptsThemAll) {
  plan::Tls tls;
  tls.insecure = true;
  EXPECT_EQ(sentence_for(self_signed({.valid_to_s = -1800}), "b.example", tls), "");
}

TEST_F(TlsCertificate, AClientCertificateIsShownWhenItIsAskedFor) {
  const TestAuthority clients("Clients");
  const Identity client = clients.issue({.common_name = "worker", .names = {}});
  plan::Tls tls = trusting(authority);
  tls.certificate_pem = client.certificate_pem;
  tls.key_pem = client.key_pem;
  TestTlsContext server(authority.issue(), {.client_ca_pem = clients.pem()});
  TlsPair pair(server, client_context(tls));
  pair.start();
  EXPECT_EQ(pair.record.readies, 1);
  EXPECT_FALSE(pair.record.failure) << pair.record.detail;
  EXPECT_TRUE(pair.server.has_client_certificate());
}

// In TLS 1.3 the client is done before the server has looked, so the refusal comes after ready.
TEST_F(TlsCertificate, AMissingClientCertificateIsNamed) {
  const TestAuthority clients("Clients");
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TestTlsContext server(authority.issue(), {.version_max = version, .client_ca_pem = clients.pem()});
    TlsPair pair(server, client_context(trusting(authority)));
    pair.start();
    pair.expect_tls_failure(version == TLS1_2_VERSION ? "the server refused the handshake: handshake failure"
                                                      : "the server ended the connection: certificate required");
    EXPECT_EQ(pair.record.readies, version == TLS1_2_VERSION ? 0 : 1);
  }
}

}  // namespace
}  // namespace hyperscale::load
