#include "cluster/packet_gate.h"

#include "base/check.h"
#include "wire/cluster_codec.h"
#include "wire/protocol_version.h"

#include <utility>

namespace hyperscale::cluster {
namespace {

using wire::KeyDomain;

wire::ClusterScope scope_of(const ClusterConfig& config, KeyDomain domain) {
  return {.cluster = config.cluster, .environment = config.environment, .domain = domain};
}

}  // namespace

PacketGate::PacketGate(const ClusterConfig& config, ClusterStats& stats, WallTime not_before)
    : own_address_(wire::address_bytes(config.self.address)),
      self_(config.self.address),
      role_(config.self.role),
      version_(config.version),
      accept_replays_(config.mutations.accept_replays),
      stats_(stats),
      entropy_(config.entropy),
      opening_rate_(config.opening),
      rate_(config.rate),
      group_(config.keys, scope_of(config, KeyDomain::kGroup), config.mutations.seal),
      workers_(config.keys, scope_of(config, KeyDomain::kWorkers), config.mutations.seal),
      replays_(config.replay, not_before),
      ahead_max_(config.replay.ahead),
      heard_until_(not_before),
      ids_(Prng(config.seed).stream("message ids")) {
  CHECK(entropy_ != nullptr, "a node needs a source of entropy");
}

std::optional<wire::ClusterMessage> PacketGate::open(ByteView packet, MonoTime now, WallTime wall) {
  ++stats_.datagrams_in;
  stats_.bytes_in += packet.size();
  const auto refuse = [](std::uint64_t& counter) {
    ++counter;
    return std::nullopt;
  };
  auto domain = KeyDomain::kGroup;
  if (group_.refusal_by_head(packet)) {
    domain = KeyDomain::kWorkers;
    if (const auto refusal = workers_.refusal_by_head(packet)) {
      count_refusal(*refusal);
      return std::nullopt;
    }
  }
  if (!opening_.admit(opening_rate_, now)) return refuse(stats_.refused_opening);
  const wire::OpenResult opened = sealer(domain).open(packet, own_address_);
  if (!opened) {
    count_refusal(opened.error());
    return std::nullopt;
  }
  auto message = wire::decode_cluster(opened->plain.view());
  if (!message) return refuse(stats_.refused_malformed);
  if (!wire::compatible(message->version, version_)) return refuse(stats_.refused_foreign);
  if (message->sender.address == self_) return refuse(stats_.refused_replayed);  // its own, sent back
  if (domain != wire::domain_between(role_, message->sender.role)) return refuse(stats_.refused_role);
  if (is_replay(message->sender.address, opened->id, wall)) return std::nullopt;
  if (!rate_.admit(message->sender.address, now)) return refuse(stats_.refused_rate);
  note_time(opened->id, wall);
  return std::move(*message);
}

void PacketGate::note_time(SnowflakeId id, WallTime wall) {
  const WallTime made = parts_of(id).made_at;
  if (made <= wall + kAheadUnnoted || made <= heard_until_) return;
  heard_until_ = wall + ahead_max_;
  heard_until_news_ = heard_until_;
}

void PacketGate::count_refusal(wire::OpenRefusal refusal) {
  switch (refusal) {
    case wire::OpenRefusal::kMalformed:
      ++stats_.refused_malformed;
      return;
    case wire::OpenRefusal::kUnknownKey:
      ++stats_.refused_unsealed;
      return;
    case wire::OpenRefusal::kForged:
      ++stats_.refused_forged;
      return;
  }
}

bool PacketGate::is_replay(const wire::NodeAddress& source, SnowflakeId id, WallTime wall) {
  if (accept_replays_) return false;
  switch (replays_.check(source, id, wall)) {
    case wire::ReplayVerdict::kFresh:
      return false;
    case wire::ReplayVerdict::kDuplicate:
      ++stats_.refused_replayed;
      return true;
    case wire::ReplayVerdict::kStale:
    case wire::ReplayVerdict::kAhead:
      break;
  }
  ++stats_.refused_stale;
  return true;
}

void PacketGate::rotate(const wire::Keyring& keys) {
  group_.rotate(keys);
  workers_.rotate(keys);
}

std::optional<SharedBytes> PacketGate::seal(const wire::NodeAddress& to, KeyDomain domain, wire::ClusterMessage message,
                                            WallTime wall) {
  const auto id = ids_.next(wall);
  if (!id) {
    ++stats_.dropped_unstamped;
    return std::nullopt;
  }
  message.version = version_;
  stats_.updates_cut += wire::fit_datagram(message);
  SharedBytes packet = sealer(domain).seal(wire::encode_cluster(message), *id, *entropy_, wire::address_bytes(to));
  ++stats_.datagrams_out;
  stats_.bytes_out += packet.size();
  return packet;
}

}  // namespace hyperscale::cluster
