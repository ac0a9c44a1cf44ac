// The limits of a ClusterMessage, checked on the value: the writer and the reader share them.
#include "wire/cluster_codec.h"
#include "wire/proto_fields.h"
#include "wire/wire_text.h"

#include <cmath>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

Status refuse(std::string why) {
  return fail(ErrorCode::kProtocol, std::move(why));
}

Status check_address(const NodeAddress& address, std::string_view at) {
  if (address.port == 0) return refuse(fmt::format("{}.port is missing", at));
  return {};
}

Status check_update(const MemberUpdate& update, std::string_view at) {
  if (update.kind < UpdateKind::kJoin || update.kind > UpdateKind::kDead) {
    return refuse(fmt::format("{}.kind has no meaning as {}", at, static_cast<int>(update.kind)));
  }
  if (Status ok = check_identity(update.subject, at); !ok) return ok;
  // An update without an origin has none at all; half of an address is a mistake.
  if (update.origin != NodeAddress{}) return check_address(update.origin, at);
  return {};
}

Status check_updates(const std::vector<MemberUpdate>& updates, std::string_view at) {
  if (updates.size() > kGossipUpdatesMax) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("{} has {} updates, at most {}", at, updates.size(), kGossipUpdatesMax));
  }
  for (const MemberUpdate& update : updates) {
    if (Status ok = check_update(update, at); !ok) return ok;
  }
  return {};
}

Status check_coordinate(const Coordinate& coordinate) {
  bool finite = std::isfinite(coordinate.height_ms) && std::isfinite(coordinate.relative_error) &&
                std::isfinite(coordinate.error_ms);
  for (const float axis : coordinate.position) finite = finite && std::isfinite(axis);
  if (!finite) return refuse("coordinate has a number that is not finite");
  return {};
}

struct BodyCheck {
  Status operator()(const Probe& body) const { return check_address(body.target, "probe.target"); }
  Status operator()(const PingReq& body) const { return check_address(body.target, "ping_req.target"); }
  Status operator()(const IndirectAck& body) const { return check_address(body.target, "indirect_ack.target"); }
  Status operator()(const Nack& body) const { return check_address(body.target, "nack.target"); }
  Status operator()(const Announce& body) const { return check_update(body.update, "announce.update"); }
  Status operator()(const SyncPage& body) const {
    if (Status ok = check_updates(body.members, "sync_page.members"); !ok) return ok;
    for (const MemberUpdate& member : body.members) {
      if (member.kind == UpdateKind::kJoin) return refuse("sync_page.members tells states, and join is none");
    }
    return {};
  }
  Status operator()(const auto&) const { return {}; }
};

}  // namespace

Status check_identity(const NodeIdentity& identity, std::string_view at) {
  if (identity.name.empty()) return refuse(fmt::format("{}.name is missing", at));
  if (Status ok = check_text(identity.name, kNodeNameBytesMax); !ok) {
    return refuse(fmt::format("{}.name {}", at, ok.error().context));
  }
  if (Status ok = check_text(identity.datacenter, kDatacenterBytesMax); !ok) {
    return refuse(fmt::format("{}.datacenter {}", at, ok.error().context));
  }
  if (identity.role < NodeRole::kGate || identity.role > NodeRole::kWorker) {
    return refuse(fmt::format("{}.role has no meaning as {}", at, static_cast<int>(identity.role)));
  }
  return check_address(identity.address, at);
}

Status check_cluster_message(const ClusterMessage& message) {
  if (message.version.major == 0) return refuse("version_major is missing");
  if (Status ok = check_identity(message.sender, "sender"); !ok) return ok;
  if (Status ok = std::visit(BodyCheck{}, message.body); !ok) return ok;
  if (message.coordinate) {
    if (Status ok = check_coordinate(*message.coordinate); !ok) return ok;
  }
  if (message.embedded_state.size() > kEmbeddedStateBytesMax) {
    return fail(ErrorCode::kTooLarge, fmt::format("embedded_state has {} bytes, at most {}",
                                                  message.embedded_state.size(), kEmbeddedStateBytesMax));
  }
  return check_updates(message.gossip, "gossip");
}

}  // namespace hyperscale::wire
