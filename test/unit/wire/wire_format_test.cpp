// The examples of docs/formats/wire.md, byte for byte.
#include "wire/cluster_codec.h"
#include "wire/cluster_frame.h"
#include "wire/heartbeat.h"
#include "wire/sealed_datagram.h"

#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

std::string hex(ByteView bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

class CountingEntropy final : public EntropySource {
 public:
  void fill(std::span<std::uint8_t> bytes) override {
    for (std::uint8_t& byte : bytes) byte = next_++;
  }

 private:
  std::uint8_t next_ = 0;
};

ClusterMessage probe() {
  ClusterMessage message;
  message.sender = {.name = "m1",
                    .role = NodeRole::kManager,
                    .datacenter = "ams1",
                    .address = address_v4(10, 0, 0, 1, 7100),
                    .tcp_port = 7200};
  message.incarnation = Incarnation(3);
  message.body = Probe{.sequence = 9, .target = address_v4(10, 0, 0, 2, 7100)};
  return message;
}

constexpr std::string_view kProbeHex =
    "080110031a1a0a026d3110021a04616d733122090a040a00000110bc3728a038200382010d080912090a040a00000210bc37";
constexpr std::string_view kPacketHex =
    "d1b7bf0af2000102030405060708090a0b0c0d0e0f101112131415161718191a1b9145e567ca49a022f7aab41612da7cacca"
    "5303a07105a57a90114ccdf27b111dffa37c5b17b0bed98b95357de05c46e4b6f058fdc93d0acb697494b44cee76aed2390a"
    "d1510df1aafd92";
constexpr std::string_view kHeartbeatHex = "1a0e0a02673112064143544956451805";
constexpr std::string_view kFrameHex =
    "f1ad9f89a1000102030405060708090a0b0c0d0e0f101112131415161718191a1b1487b26495c0deb4eb5c7f32163fd15a76"
    "077971d8d1c4fb17fb01635ecba2f253a9664f28ada078f984621aa530a1ebfc0a";

TEST(WireFormat, AProbeHasTheDocumentedBytes) {
  EXPECT_EQ(hex(encode_cluster(probe())), kProbeHex);
}

// proves part: SEC-1 (datagrams, questions and answers; error frames between nodes are plain)
TEST(WireFormat, ASealedProbeHasTheDocumentedBytes) {
  DatagramSealer sealer(*Keyring::make("kT9#vLq2@xRw7!mZ"), {.cluster = "prod", .environment = "eu"});
  CountingEntropy entropy;
  const AddressBytes receiver = address_bytes(address_v4(10, 0, 0, 2, 7100));
  EXPECT_EQ(hex(sealer.seal(encode_cluster(probe()), SnowflakeId(1), entropy, receiver).view()), kPacketHex);
}

TEST(WireFormat, AHeartbeatHasTheDocumentedBytes) {
  GateHeartbeat heartbeat;
  heartbeat.node_id = "g1";
  heartbeat.state = ServerState::kActive;
  heartbeat.version = 5;
  EXPECT_EQ(hex(encode_heartbeat(heartbeat)), kHeartbeatHex);
}

// proves part: SEC-1 (datagrams, questions and answers; error frames between nodes are plain)
TEST(WireFormat, ASealedFramePayloadHasTheDocumentedBytes) {
  MessageSeal seal(SealForm::kFrame, *Keyring::make("kT9#vLq2@xRw7!mZ"), {.cluster = "prod", .environment = "eu"});
  CountingEntropy entropy;
  const FrameContent content{
      .sender = address_v4(10, 0, 0, 1, 7100), .action = "echo", .data = SharedBytes::copy_of("hi")};
  EXPECT_EQ(hex(seal_frame_payload(seal, content, SnowflakeId(1), entropy)->view()), kFrameHex);
}

}  // namespace
}  // namespace hyperscale::wire
