#include "tls_pair.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

class TlsResumption : public testing::TestWithParam<int> {
 protected:
  bool connect_resumes(const std::shared_ptr<TlsContext>& client, bool in_order = true,
                       const std::string& host = "a.example") {
    TlsPair pair(server, client, host);
    pair.start();
    EXPECT_EQ(pair.record.readies, 1) << pair.record.detail;
    const bool resumed = pair.transport->resumed();
    EXPECT_EQ(pair.server.resumed(), resumed);
    EXPECT_EQ(pair.transport->details().resumed, resumed);
    if (in_order) {
      pair.transport->close();
    } else {
      pair.loop.events->on_failed(ECONNRESET);
    }
    EXPECT_EQ(pair.transport->resumed(), resumed) << "known after the end too";
    return resumed;
  }
  TestAuthority authority;
  TestTlsContext server{authority.issue({.names = {"DNS:a.example", "DNS:b.example"}}), {.version_max = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(Versions, TlsResumption, testing::Values(TLS1_2_VERSION, TLS1_3_VERSION),
                         [](const auto& version) { return version.param == TLS1_2_VERSION ? "Tls12" : "Tls13"; });

TEST_P(TlsResumption, EveryConnectionAfterTheFirstResumes) {
  const auto client = client_context(trusting(authority));
  EXPECT_FALSE(connect_resumes(client));
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(connect_resumes(client)) << i;
  EXPECT_LE(client->server("a.example", 443).session_count(), kTlsSessionsMax);
}

// A connection that breaks must not spoil the session for the others.
TEST_P(TlsResumption, BrokenConnectionsLeaveTheirSessionsUsable) {
  const auto client = client_context(trusting(authority));
  EXPECT_FALSE(connect_resumes(client, false));
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(connect_resumes(client, false)) << i;
}

TEST_P(TlsResumption, SessionsBelongToTheirServer) {
  const auto client = client_context(trusting(authority));
  EXPECT_FALSE(connect_resumes(client));
  EXPECT_FALSE(connect_resumes(client, true, "b.example"));
  EXPECT_TRUE(connect_resumes(client, true, "b.example"));
}

TEST_P(TlsResumption, APlanCanSwitchItOff) {
  plan::Tls tls = trusting(authority);
  tls.resume = false;
  const auto client = client_context(tls);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(connect_resumes(client));
  EXPECT_EQ(client->server("a.example", 443).session_count(), 0u);
}

TEST_P(TlsResumption, ManyConnectionsAtOnceShareTheSessions) {
  const auto client = client_context(trusting(authority));
  EXPECT_FALSE(connect_resumes(client));
  std::vector<std::unique_ptr<TlsPair>> pairs;
  for (int i = 0; i < 40; ++i) {
    pairs.push_back(std::make_unique<TlsPair>(server, client));
    pairs.back()->start();
    EXPECT_TRUE(pairs.back()->transport->resumed());
  }
}

}  // namespace
}  // namespace hyperscale::load
