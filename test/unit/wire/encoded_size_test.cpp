#include "arbitrary_message.h"
#include "wire/cluster_codec.h"
#include "wire/sealed_datagram.h"
#include "wire/seeded_entropy.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::wire {
namespace {

constexpr std::size_t kKinds = std::variant_size_v<ClusterBody>;
// What a bound may be too large by: a length that might have to grow, floats that turned out to be zero.
constexpr std::size_t kSlackBytes = 28;

TEST(EncodedSize, IsNeverTooSmallAndHardlyTooLarge) {
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    EXPECT_TRUE(rc::check("bound of a message", [kind](std::uint64_t seed) {
      ArbitraryMessage arbitrary(seed);
      const ClusterMessage message = arbitrary.full_message(kind);
      const std::size_t size = encode_cluster(message).size();
      RC_ASSERT(encoded_size_bound(message) >= size);
      RC_ASSERT(encoded_size_bound(message) <= size + kSlackBytes);
    }));
  }
}

TEST(EncodedSize, AnUpdateAddsExactlyItsBound) {
  EXPECT_TRUE(rc::check("bound of an update", [](std::uint64_t seed) {
    ArbitraryMessage arbitrary(seed);
    ClusterMessage message = arbitrary.message(5);
    const MemberUpdate update = arbitrary.update();
    const std::size_t before = encode_cluster(message).size();
    message.gossip.push_back(update);
    RC_ASSERT(encode_cluster(message).size() == before + encoded_size_bound(update));
  }));
}

TEST(EncodedSize, AFilledPageFitsADatagram) {
  EXPECT_TRUE(rc::check("filling a page", [](std::uint64_t seed) {
    ArbitraryMessage arbitrary(seed);
    ClusterMessage message = arbitrary.message(5);
    message.embedded_state = {};
    message.body = SyncPage{};
    std::size_t size = encoded_size_bound(message);
    auto& members = std::get<SyncPage>(message.body).members;
    while (members.size() < kGossipUpdatesMax) {
      MemberUpdate next = arbitrary.update();
      size += encoded_size_bound(next);
      if (size > kClusterMessageBytesMax) break;
      members.push_back(std::move(next));
    }
    RC_ASSERT(encode_cluster(message).size() <= kClusterMessageBytesMax);
  }));
}

// Too much for a datagram: gossip goes first, from its end; the state goes only when nothing else is left.
TEST(FitDatagram, DropsGossipFirstAndKeepsTheState) {
  EXPECT_TRUE(rc::check("fitting", [](std::uint64_t seed) {
    ArbitraryMessage arbitrary(seed);
    ClusterMessage message = arbitrary.message(1);
    message.embedded_state = SharedBytes::copy_of(std::string(kEmbeddedStateBytesMax, 's'));
    for (int i = 0; i < 40; ++i) message.gossip.push_back(arbitrary.update());
    const std::vector<MemberUpdate> all = message.gossip;
    const std::size_t dropped = fit_datagram(message);
    RC_ASSERT(dropped > 0);
    RC_ASSERT(message.gossip.size() + dropped == all.size());
    RC_ASSERT(std::equal(message.gossip.begin(), message.gossip.end(), all.begin()));
    RC_ASSERT(message.embedded_state.size() == kEmbeddedStateBytesMax);
    RC_ASSERT(encode_cluster(message).size() <= kClusterMessageBytesMax);
    message.gossip.push_back(all[message.gossip.size()]);
    RC_ASSERT(encoded_size_bound(message) > kClusterMessageBytesMax);
  }));
}

TEST(FitDatagram, DropsTheStateWhenAPageLeavesNoRoom) {
  ArbitraryMessage arbitrary(3);
  ClusterMessage message = arbitrary.message(5);
  message.embedded_state = SharedBytes::copy_of(std::string(kEmbeddedStateBytesMax, 's'));
  SyncPage page;
  MemberUpdate member = arbitrary.update();
  for (int i = 0; i < 12; ++i) {
    member.subject.name = std::string(kNodeNameBytesMax, 'n');
    if (encoded_size_bound(member) * (page.members.size() + 1) < 1000) page.members.push_back(member);
  }
  message.body = page;
  EXPECT_EQ(fit_datagram(message), 0u);
  EXPECT_TRUE(message.embedded_state.empty());
  EXPECT_LE(encode_cluster(message).size(), kClusterMessageBytesMax);
}

TEST(FitDatagram, LeavesWhatFitsAlone) {
  ArbitraryMessage arbitrary(5);
  ClusterMessage message = arbitrary.full_message(0);
  const std::vector<std::uint8_t> before = encode_cluster(message);
  EXPECT_EQ(fit_datagram(message), 0u);
  EXPECT_EQ(encode_cluster(message), before);
}

// proves part: SWIM-GOSSIP-2 (the buffer and every message; not the bound that a node gives its buffer)
TEST(FitDatagram, LargestMessageFitsTheDatagramSize) {
  const Keyring keys = *Keyring::make("kT9#vLq2@xRw7!mZ");
  DatagramSealer sealer(keys, {.cluster = "c", .environment = "e"});
  SeededEntropy entropy(Prng(1));
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ArbitraryMessage arbitrary(seed);
    const std::vector<std::uint8_t> plain = encode_cluster(arbitrary.full_message(seed % kKinds));
    const SharedBytes packet = sealer.seal(plain, SnowflakeId(1), entropy);
    EXPECT_EQ(packet.size(), plain.size() + kSealOverheadBytes);
    EXPECT_LE(packet.size(), kDatagramBytesMax);
    EXPECT_LE(packet.size(), 1452U) << "an Ethernet frame less the headers of IPv6 and UDP";
  }
}

}  // namespace
}  // namespace hyperscale::wire
