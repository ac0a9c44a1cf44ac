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

constexpr std::string_view kProbeHex = "?";
constexpr std::string_view kPacketHex = "?";
constexpr std::string_view kHeartbeatHex = "?";
constexpr std::string_view kFrameHex = "?";

TEST(WireFormat, AProbeHasTheDocumentedBytes) {
  EXPECT_EQ(hex(encode_cluster(probe())), kProbeHex);
}

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

TEST(WireFormat, ASealedFramePayloadHasTheDocumentedBytes) {
  MessageSeal seal(SealForm::kFrame, *Keyring::make("kT9#vLq2@xRw7!mZ"), {.cluster = "prod", .environment = "eu"});
  CountingEntropy entropy;
  const FrameContent content{
      .sender = address_v4(10, 0, 0, 1, 7100), .action = "echo", .data = SharedBytes::copy_of("hi")};
  EXPECT_EQ(hex(seal_frame_payload(seal, content, SnowflakeId(1), entropy)->view()), kFrameHex);
}

}  // namespace
}  // namespace hyperscale::wire
