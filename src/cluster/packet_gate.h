// PacketGate: validates packets between the network and the protocol cores. Packets in: key id, rate of opening, seal,
// codec, version, role, replay, rate per sender, in this order: noise costs a comparison, and only authentic packets
// count against a member's rate. The source address of a packet is ignored, because it can be forged. Packets out:
// fitted to a datagram, stamped, sealed.
//
// Thread rule: one thread. Refused packets are only counted.
#pragma once

#include "base/bytes.h"
#include "base/time.h"
#include "cluster/cluster_config.h"
#include "cluster/cluster_view.h"
#include "cluster/message_ids.h"
#include "wire/cluster_message.h"
#include "wire/sealed_datagram.h"

#include <optional>
#include <utility>

namespace hyperscale::cluster {

// How far ahead a sender's clock may be without a durable note; a restarted process refuses packets made in this first
// time of its life.
inline constexpr Duration kAheadUnnoted = 50ms;

class PacketGate {
 public:
  // Packets made up to `not_before` are stale: a process before this one may have accepted them.
  PacketGate(const ClusterConfig& config, ClusterStats& stats, WallTime not_before);

  std::optional<wire::ClusterMessage> open(ByteView packet, MonoTime now, WallTime wall);
  // Nothing when the clock is outside the range of stamps.
  std::optional<SharedBytes> seal(const wire::NodeAddress& to, wire::KeyDomain domain, wire::ClusterMessage message,
                                  WallTime wall);
  void rotate(const wire::Keyring& keys);
  // The last opened packet came from a clock so far ahead that a restart would not make it stale: this time must be
  // durable before the packet takes effect. At most once per interval that clocks may be ahead.
  std::optional<WallTime> take_heard_until() { return std::exchange(heard_until_news_, std::nullopt); }

 private:
  wire::DatagramSealer& sealer(wire::KeyDomain domain) {
    return domain == wire::KeyDomain::kWorkers ? workers_ : group_;
  }
  void note_time(SnowflakeId id, WallTime wall);
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
  const Duration ahead_max_;
  WallTime heard_until_;
  std::optional<WallTime> heard_until_news_;
  MessageIds ids_;
};

}  // namespace hyperscale::cluster
