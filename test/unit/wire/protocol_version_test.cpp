#include "wire/protocol_version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr ProtocolVersion v(std::uint16_t major, std::uint16_t minor) {
  return {.major = major, .minor = minor};
}

Handshake hello(ProtocolVersion version) {
  return {.version = version, .capabilities = features_of(version), .node_version = "hyperscale-0.1.0"};
}

// proves: AD25-1
TEST(ProtocolVersion, SameMajorIsCompatibleOtherIsRefused) {
  EXPECT_TRUE(compatible(v(1, 0), v(1, 9)));
  EXPECT_FALSE(compatible(v(1, 9), v(2, 0)));
  EXPECT_FALSE(compatible(v(2, 0), v(1, 9)));
  EXPECT_FALSE(negotiate(hello(v(2, 0)), hello(v(1, 2))));
  EXPECT_TRUE(negotiate(hello(v(1, 0)), hello(v(1, 9))));
  const Result<Agreement> refused = negotiate(hello(v(1, 2)), hello(v(2, 0)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().to_string(), "Conflict: protocol version 2.0 of the peer is not compatible with 1.2");
}

// proves: AD25-2
TEST(ProtocolVersion, ANewerNodeUsesTheFeaturesOfTheOlderOne) {
  const Agreement agreement = *negotiate(hello(v(1, 2)), hello(v(1, 1)));
  EXPECT_EQ(agreement.version, v(1, 1));
  EXPECT_THAT(agreement.features, ElementsAre("batched_stats", "cancellation"));
  EXPECT_FALSE(agreement.has("fence_tokens"));
}

// A rolling upgrade has nodes of 1.2 and 1.3 side by side, and gives a node of 1.2 no jobs.
// proves part: AD25-2 (jobs with a node of 1.2)
TEST(ProtocolVersion, ANodeWithoutJobsKeepsTheRest) {
  for (const Agreement& agreement :
       {*negotiate(hello(v(1, 3)), hello(v(1, 2))), *negotiate(hello(v(1, 2)), hello(v(1, 3)))}) {
    EXPECT_EQ(agreement.version, v(1, 2));
    EXPECT_EQ(agreement.features, negotiate(hello(v(1, 2)), hello(v(1, 2)))->features);
    EXPECT_TRUE(agreement.has(kFenceTokens));
    EXPECT_FALSE(agreement.has(kJobs));
  }
  EXPECT_TRUE(negotiate(hello(v(1, 3)), hello(v(1, 3)))->has(kJobs));
}

// proves: AD25-2
TEST(ProtocolVersion, CapabilitiesThatNobodyHereKnowsAreIgnored) {
  Handshake later = hello(v(1, 7));
  later.capabilities.emplace_back("telepathy");
  Handshake mine = hello(v(1, 2));
  EXPECT_EQ(negotiate(mine, later)->features, negotiate(mine, mine)->features);
  mine.capabilities.emplace_back("telepathy");
  EXPECT_FALSE(negotiate(mine, later)->has("telepathy"));
}

// proves: AD25-3
TEST(ProtocolVersion, WhatIsAgreedIsWhatBothHave) {
  Handshake a = hello(v(1, 2));
  Handshake b = hello(v(1, 2));
  a.capabilities = {"fence_tokens", "cancellation", "batched_stats"};
  b.capabilities = {"client_reconnection", "batched_stats", "fence_tokens"};
  EXPECT_THAT(negotiate(a, b)->features, ElementsAre("batched_stats", "fence_tokens"));
  EXPECT_EQ(negotiate(a, b)->features, negotiate(b, a)->features);
  b.capabilities.clear();
  EXPECT_THAT(negotiate(a, b)->features, IsEmpty());
}

// proves: AD25-4
TEST(ProtocolVersion, AFeatureNeedsBothVersionsToHaveIt) {
  EXPECT_EQ(introduced_in("cancellation"), v(1, 0));
  EXPECT_EQ(introduced_in("batched_stats"), v(1, 1));
  EXPECT_EQ(introduced_in("client_reconnection"), v(1, 2));
  EXPECT_EQ(introduced_in("fence_tokens"), v(1, 2));
  EXPECT_EQ(introduced_in("jobs"), v(1, 3));
  EXPECT_EQ(introduced_in("anything else"), v(999, 999));
  EXPECT_TRUE(usable("fence_tokens", v(1, 2), v(1, 3)));
  EXPECT_FALSE(usable("fence_tokens", v(1, 2), v(1, 1)));
  EXPECT_FALSE(usable("fence_tokens", v(1, 1), v(1, 2)));
  EXPECT_TRUE(usable("fence_tokens", v(2, 0), v(2, 0)));  // compared as a pair, not part by part
  EXPECT_FALSE(usable("anything else", v(998, 999), v(998, 999)));
  // A claim does not help where the version is too old for it.
  Handshake old = hello(v(1, 0));
  old.capabilities.emplace_back("fence_tokens");
  EXPECT_FALSE(negotiate(hello(v(1, 2)), old)->has("fence_tokens"));
}

// proves: AD25-3, AD25-4
TEST(ProtocolVersion, BothSidesAgreeOnTheSame) {
  EXPECT_TRUE(rc::check("symmetric", [] {
    const auto any = [] {
      Handshake handshake = hello(v(1, *rc::gen::inRange<std::uint16_t>(0, 5)));
      for (const std::string& feature : features_of(kProtocolVersion)) {
        if (*rc::gen::arbitrary<bool>()) handshake.capabilities.push_back(feature);
      }
      return handshake;
    };
    const Handshake a = any();
    const Handshake b = any();
    const Agreement one = *negotiate(a, b);
    const Agreement other = *negotiate(b, a);
    RC_ASSERT(one.features == other.features);
    RC_ASSERT(one.version == other.version);
    for (const std::string& feature : one.features) RC_ASSERT(usable(feature, a.version, b.version));
  }));
}

TEST(ProtocolVersion, ReadsAndPrints) {
  EXPECT_EQ(parse_protocol_version("1.2"), v(1, 2));
  EXPECT_EQ(to_string(v(12, 34)), "12.34");
  EXPECT_EQ(kProtocolVersion, v(1, 3));
  for (const std::string_view text : {"", "1", "1.", ".2", "1.2.3", "1.-2", " 1.2", "1.02", "65536.0", "a.b"}) {
    EXPECT_FALSE(parse_protocol_version(text)) << text;
  }
}

TEST(ProtocolVersion, AHandshakeIsBounded) {
  Handshake many = hello(v(1, 2));
  many.capabilities.assign(kCapabilitiesMax + 1, "x");
  EXPECT_EQ(negotiate(hello(v(1, 2)), many).error().code, ErrorCode::kTooLarge);
  many.capabilities = {std::string(kCapabilityBytesMax + 1, 'x')};
  EXPECT_EQ(negotiate(hello(v(1, 2)), many).error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace hyperscale::wire
