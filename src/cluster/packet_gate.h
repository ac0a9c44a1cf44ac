// PacketGate: what stands between the network and the protocol cores. Packets in: key id, what may be deciphered,
// seal, codec, version, role, replay, rate, in this order: noise costs a comparison, and only what a member really said
// counts against that member's rate. Nothing depends on the address that a packet came from, which anybody can forge.
// Packets out: fitted to a datagram, stamped, sealed.
//
// Thread rule: one thread. Whatever is refused is counted and changes nothing else.
#pragma once

#include "base/bytes.h"
#include "base/time.h"
#include "cluster/cluster_config.h"
#include "cluster/cluster_view.h"
#include "cluster/message_ids.h"
#include "wire/cluster_message.h"
#include "wire/sealed_datagram.h"

#include <optional>

namespace hyperscale::cluster {

class PacketGate {
 public:
  // Packets made before `started` are stale.
  PacketGate(const ClusterConfig& config, ClusterStats& stats, WallTime started);

  std::optional<wire::ClusterMessage> open(ByteView packet, MonoTime now, WallTime wall);
  // Nothing when the clock is so wrong that no packet could be stamped.
  std::optional<SharedBytes> seal(const wire::NodeAddress& to, wire::KeyDomain domain, wire::ClusterMessage message,
                                  WallTime wall);
  void rotate(const wire::Keyring& keys);

 private:
  wire::DatagramSealer& sealer(wire::KeyDomain domain) {
    return domain == wire::KeyDomain::kWorkers ? workers_ : group_;
  }
  void count_refusal(wire::OpenRefusal refusal);
  bool is_replay(const wire::NodeAddress& source, SnowflakeId id, WallTime wall);

  const wire::AddressBytes own_address_;
  const wire::NodeAddress self_;
  const wire::NodeRole role_;
  const wire::ProtocolVersion version_;
  const bool accept_replays_;
  ClusterStats& stats_;
  std::shared_ptr<wire::EntropySource> entropy_;
  const wire::PacketRate opening_rate_;
  wire::PacketBucket opening_;
  wire::SourceRateLimit rate_;
  wire::DatagramSealer group_;
  wire::DatagramSealer workers_;
  wire::ReplayGuard replays_;
  MessageIds ids_;
};

}  // namespace hyperscale::cluster
