#include "wire/proto_fields.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

constexpr std::size_t kV4Bytes = 4;

tl::unexpected<Error> out_of_range(std::string_view field, std::uint64_t value) {
  return fail(ErrorCode::kProtocol, fmt::format("{} has no meaning as {}", field, value));
}

}  // namespace

void write_address(const NodeAddress& from, proto::Address& to) {
  const std::size_t skipped = is_mapped_v4(from) ? kMappedV4Prefix.size() : 0;
  to.set_ip(from.ip.data() + skipped, from.ip.size() - skipped);
  to.set_port(from.port);
}

void write_identity(const NodeIdentity& from, proto::Identity& to) {
  to.set_name(from.name);
  to.set_role(static_cast<std::uint32_t>(from.role));
  to.set_datacenter(from.datacenter);
  write_address(from.address, *to.mutable_address());
  to.set_tcp_port(from.tcp_port);
}

void write_update(const MemberUpdate& from, proto::Update& to) {
  to.set_kind(static_cast<std::uint32_t>(from.kind));
  write_identity(from.subject, *to.mutable_subject());
  to.set_incarnation(from.incarnation.value());
  if (from.origin != NodeAddress{}) write_address(from.origin, *to.mutable_origin());
}

void write_coordinate(const Coordinate& from, proto::Coordinate& to) {
  for (const float axis : from.position) to.add_position(axis);
  to.set_height_ms(from.height_ms);
  to.set_relative_error(from.relative_error);
  to.set_error_ms(from.error_ms);
  to.set_sample_count(from.sample_count);
}

void write_rank(const CandidateRank& from, proto::Rank& to) {
  to.set_health_score(from.health_score);
  to.set_priority(from.priority);
}

Result<NodeAddress> read_address(const proto::Address& from) {
  NodeAddress address;
  const std::string& ip = from.ip();
  if (ip.empty()) return missing("ip");
  if (ip.size() != kV4Bytes && ip.size() != address.ip.size()) {
    return fail(ErrorCode::kProtocol, fmt::format("ip has {} bytes, not 4 or 16", ip.size()));
  }
  if (ip.size() == kV4Bytes) std::copy(kMappedV4Prefix.begin(), kMappedV4Prefix.end(), address.ip.begin());
  std::copy(ip.begin(), ip.end(), address.ip.end() - static_cast<std::ptrdiff_t>(ip.size()));
  if (from.port() == 0) return missing("port");
  if (from.port() > std::numeric_limits<std::uint16_t>::max()) return out_of_range("port", from.port());
  address.port = static_cast<std::uint16_t>(from.port());
  return address;
}

Result<NodeIdentity> read_identity(const proto::Identity& from) {
  NodeIdentity identity;
  if (from.name().empty()) return missing("name");
  identity.name = from.name();
  if (from.role() == 0) return missing("role");
  if (from.role() > static_cast<std::uint32_t>(NodeRole::kWorker)) return out_of_range("role", from.role());
  identity.role = static_cast<NodeRole>(from.role());
  identity.datacenter = from.datacenter();
  if (!from.has_address()) return missing("address");
  const Result<NodeAddress> address = read_address(from.address());
  if (!address) return within("address", address.error());
  identity.address = *address;
  if (from.tcp_port() > std::numeric_limits<std::uint16_t>::max()) return out_of_range("tcp_port", from.tcp_port());
  identity.tcp_port = static_cast<std::uint16_t>(from.tcp_port());
  return identity;
}

Result<MemberUpdate> read_update(const proto::Update& from) {
  MemberUpdate update;
  if (from.kind() == 0) return missing("kind");
  if (from.kind() > static_cast<std::uint32_t>(UpdateKind::kDead)) return out_of_range("kind", from.kind());
  update.kind = static_cast<UpdateKind>(from.kind());
  if (!from.has_subject()) return missing("subject");
  Result<NodeIdentity> subject = read_identity(from.subject());
  if (!subject) return within("subject", subject.error());
  update.subject = std::move(*subject);
  update.incarnation = Incarnation(from.incarnation());
  if (from.has_origin()) {
    const Result<NodeAddress> origin = read_address(from.origin());
    if (!origin) return within("origin", origin.error());
    update.origin = *origin;
  }
  return update;
}

Result<Coordinate> read_coordinate(const proto::Coordinate& from) {
  Coordinate coordinate;
  if (from.position_size() != static_cast<int>(kCoordinateDimensions)) {
    return fail(ErrorCode::kProtocol,
                fmt::format("position has {} dimensions, not {}", from.position_size(), kCoordinateDimensions));
  }
  std::copy(from.position().begin(), from.position().end(), coordinate.position.begin());
  coordinate.height_ms = from.height_ms();
  coordinate.relative_error = from.relative_error();
  coordinate.error_ms = from.error_ms();
  coordinate.sample_count = from.sample_count();
  return coordinate;
}

Result<CandidateRank> read_rank(const proto::Rank& from) {
  if (from.health_score() > std::numeric_limits<std::uint8_t>::max()) {
    return out_of_range("health_score", from.health_score());
  }
  return CandidateRank{.health_score = static_cast<std::uint8_t>(from.health_score()), .priority = from.priority()};
}

}  // namespace hyperscale::wire
