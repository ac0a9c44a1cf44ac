#include "wire/certificate_identity.h"

#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

using Uris = std::vector<std::string>;

Uris uris(std::string_view role, std::string_view cluster = "prod", std::string_view environment = "eu",
          std::string_view datacenter = "ams1") {
  return {"hyperscale://role/" + std::string(role), "hyperscale://cluster/" + std::string(cluster),
          "hyperscale://env/" + std::string(environment), "hyperscale://dc/" + std::string(datacenter)};
}

CertificateExpectation expected(PeerRole own_role) {
  return {.cluster = "prod", .environment = "eu", .own_role = own_role};
}

std::string refusal(const Uris& presented, PeerRole own_role = PeerRole::kManager) {
  const auto identity = check_certificate(presented, expected(own_role));
  if (identity) return "";
  EXPECT_EQ(identity.error().code, ErrorCode::kUnauthorized);
  return identity.error().context;
}

// proves part: AD28-SEC-3 (of who connects, and a node's own; not that it asks nobody whose certificate lacks them)
TEST(CertificateIdentity, IsReadFromTheUris) {
  Uris presented = uris("worker");
  presented.emplace_back("https://example.org/");
  presented.emplace_back("spiffe://x/role/gate");
  const auto identity = parse_certificate_identity(presented);
  ASSERT_TRUE(identity);
  EXPECT_EQ(*identity, (CertificateIdentity{
                           .role = PeerRole::kWorker, .cluster = "prod", .environment = "eu", .datacenter = "ams1"}));
}

// proves part: AD28-SEC-3 (of who connects, and a node's own; not that it asks nobody whose certificate lacks them)
TEST(CertificateIdentity, EachPartMustStandThereOnce) {
  for (std::size_t part = 0; part < 4; ++part) {
    Uris without = uris("worker");
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(part));
    EXPECT_FALSE(parse_certificate_identity(without)) << part;
    EXPECT_NE(refusal(without), "") << part;
    Uris twice = uris("worker");
    twice.push_back(twice[part]);
    EXPECT_FALSE(parse_certificate_identity(twice)) << part;
    EXPECT_NE(refusal(twice), "") << part;
  }
}

// proves part: AD28-SEC-3 (of who connects, and a node's own; not that it asks nobody whose certificate lacks them)
TEST(CertificateIdentity, RefusesNamesThatAreNone) {
  for (const std::string_view role : {"", "root", "Worker", "worker/", "worker?x", "*"}) {
    EXPECT_FALSE(parse_certificate_identity(uris(role))) << role;
  }
  EXPECT_FALSE(parse_certificate_identity(uris("worker", "prod", "eu", "")));
  EXPECT_FALSE(parse_certificate_identity(uris("worker", "prod", "eu", std::string(65, 'd'))));
  EXPECT_FALSE(parse_certificate_identity(uris("worker", "prod\n")));
  Uris many(kCertificateUrisMax, "https://example.org/");
  for (const std::string& uri : uris("worker")) many.push_back(uri);
  EXPECT_FALSE(parse_certificate_identity(many));
}

// proves part: AD28-SEC-2 (in certificates; there is no registration message yet)
TEST(CertificateIdentity, ForeignClusterIsRefusedBeforeOtherChecks) {
  EXPECT_EQ(refusal(uris("worker", "test")), "cluster_id mismatch, expected: prod");
  EXPECT_EQ(refusal(uris("worker", "prod", "us")), "environment_id mismatch, expected: eu");
  // Nothing else of the certificate is looked at before.
  EXPECT_EQ(refusal(uris("nonsense", "test", "us", "")), "cluster_id mismatch, expected: prod");
  EXPECT_EQ(refusal({}), "cluster_id mismatch, expected: prod");
}

// proves part: AD28-SEC-5 (by certificates; not the whole sentence where state sync refuses a role)
// proves part: AD28-SEC-3 (of who connects, and a node's own; not that it asks nobody whose certificate lacks them)
// proves part: AD28-SEC-4 (the table; not that clients may ask managers where there is no gate)
TEST(CertificateIdentity, TheTableOfRolesDecidesWhoMayConnect) {
  struct Row {
    std::string_view initiator;
    bool worker, manager, gate, client;
  };
  for (const Row& row : {Row{"client", false, false, true, false}, Row{"gate", false, true, true, true},
                         Row{"manager", true, true, true, true}, Row{"worker", false, true, false, false}}) {
    for (const auto& [target, allowed] : {std::pair{PeerRole::kWorker, row.worker},
                                          {PeerRole::kManager, row.manager},
                                          {PeerRole::kGate, row.gate},
                                          {PeerRole::kClient, row.client}}) {
      const std::string denied = "Connection denied: role '" + std::string(row.initiator) + "' cannot connect to '" +
                                 std::string(name(target)) + "'";
      EXPECT_EQ(refusal(uris(row.initiator), target), allowed ? "" : denied);
    }
  }
}

TEST(CertificateIdentity, InitiatorChecksAcceptorBySameRules) {
  const auto judge = [](const Uris& presented, PeerRole own_role) {
    const auto identity = check_acceptor_certificate(presented, expected(own_role));
    return identity ? "" : identity.error().context;
  };
  EXPECT_EQ(judge(uris("worker"), PeerRole::kManager), "");
  EXPECT_EQ(judge(uris("worker"), PeerRole::kGate), "Connection denied: role 'gate' cannot connect to 'worker'");
  EXPECT_EQ(judge(uris("worker", "test"), PeerRole::kManager), "cluster_id mismatch, expected: prod");
  EXPECT_EQ(judge(uris("worker", "prod", "us"), PeerRole::kManager), "environment_id mismatch, expected: eu");
}

}  // namespace
}  // namespace hyperscale::wire
