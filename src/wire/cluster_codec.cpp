#include "wire/cluster_codec.h"

#include "wire/proto_fields.h"

#include <limits>

#include <fmt/format.h>
#include <google/protobuf/arena.h>

namespace hyperscale::wire {
namespace {

// Most messages are taken apart without asking the heap for more than their texts.
constexpr std::size_t kArenaBlockBytes = 8192;

class MessageArena {
 public:
  MessageArena() : arena_(options()) {}
  proto::ClusterMessage& message() { return *google::protobuf::Arena::CreateMessage<proto::ClusterMessage>(&arena_); }

 private:
  google::protobuf::ArenaOptions options() {
    google::protobuf::ArenaOptions options;
    options.initial_block = block_;
    options.initial_block_size = sizeof block_;
    return options;
  }

  alignas(std::max_align_t) char block_[kArenaBlockBytes];
  google::protobuf::Arena arena_;
};

struct BodyWriter {
  proto::ClusterMessage& to;

  static void targeted(const auto& body, proto::Targeted& into) {
    into.set_sequence(body.sequence);
    write_address(body.target, *into.mutable_target());
  }
  static void candidacy(const auto& body, proto::Candidacy& into) {
    into.set_term(body.term.value());
    if (body.rank != CandidateRank{}) write_rank(body.rank, *into.mutable_rank());
  }
  static void vote(const auto& body, proto::Vote& into) {
    into.set_term(body.term.value());
    into.set_granted(body.granted);
  }

  void operator()(const Probe& body) const { targeted(body, *to.mutable_probe()); }
  void operator()(const Ack& body) const {
    to.mutable_ack()->set_sequence(body.sequence);
    to.mutable_ack()->set_rtt_us(body.rtt_us);
  }
  void operator()(const PingReq& body) const { targeted(body, *to.mutable_ping_req()); }
  void operator()(const IndirectAck& body) const { targeted(body, *to.mutable_indirect_ack()); }
  void operator()(const Nack& body) const { targeted(body, *to.mutable_nack()); }
  void operator()(const Join&) const { to.mutable_join(); }
  void operator()(const Leave&) const { to.mutable_leave(); }
  void operator()(const Announce& body) const { write_update(body.update, *to.mutable_announce()->mutable_update()); }
  void operator()(const SyncRequest& body) const { to.mutable_sync_request()->set_digest(body.digest); }
  void operator()(const SyncPage& body) const {
    proto::SyncPage& page = *to.mutable_sync_page();
    for (const MemberUpdate& member : body.members) write_update(member, *page.add_members());
  }
  void operator()(const PreVoteRequest& body) const { candidacy(body, *to.mutable_pre_vote_request()); }
  void operator()(const PreVoteResponse& body) const { vote(body, *to.mutable_pre_vote_response()); }
  void operator()(const VoteRequest& body) const { candidacy(body, *to.mutable_vote_request()); }
  void operator()(const VoteResponse& body) const { vote(body, *to.mutable_vote_response()); }
  void operator()(const LeaderAnnounce& body) const { to.mutable_leader_announce()->set_term(body.term.value()); }
  void operator()(const LeaderHeartbeat& body) const {
    proto::LeaderHeartbeat& into = *to.mutable_leader_heartbeat();
    into.set_term(body.term.value());
    into.set_sequence(body.sequence);
    if (body.rank != CandidateRank{}) write_rank(body.rank, *into.mutable_rank());
  }
  void operator()(const LeaderHeartbeatAck& body) const {
    to.mutable_leader_heartbeat_ack()->set_term(body.term.value());
    to.mutable_leader_heartbeat_ack()->set_sequence(body.sequence);
  }
};

void write_message(const ClusterMessage& from, proto::ClusterMessage& to) {
  to.set_version_major(from.version.major);
  to.set_version_minor(from.version.minor);
  write_identity(from.sender, *to.mutable_sender());
  to.set_incarnation(from.incarnation.value());
  std::visit(BodyWriter{to}, from.body);
  if (from.coordinate) write_coordinate(*from.coordinate, *to.mutable_coordinate());
  to.set_embedded_state(from.embedded_state.data(), from.embedded_state.size());
  for (const MemberUpdate& update : from.gossip) write_update(update, *to.add_gossip());
}

template <typename Body>
Result<ClusterBody> read_targeted(const proto::Targeted& from) {
  if (!from.has_sequence()) return missing("sequence");
  if (!from.has_target()) return missing("target");
  const Result<NodeAddress> target = read_address(from.target());
  if (!target) return within("target", target.error());
  return Body{.sequence = from.sequence(), .target = *target};
}

template <typename Body>
Result<ClusterBody> read_candidacy(const proto::Candidacy& from) {
  if (!from.has_term()) return missing("term");
  const Result<CandidateRank> rank = read_rank(from.rank());
  if (!rank) return within("rank", rank.error());
  return Body{.term = Term(from.term()), .rank = *rank};
}

template <typename Body>
Result<ClusterBody> read_vote(const proto::Vote& from) {
  if (!from.has_term()) return missing("term");
  if (!from.has_granted()) return missing("granted");
  return Body{.term = Term(from.term()), .granted = from.granted()};
}

Result<ClusterBody> read_ack(const proto::Ack& from) {
  if (!from.has_sequence()) return missing("sequence");
  return Ack{.sequence = from.sequence(), .rtt_us = from.rtt_us()};
}

Result<ClusterBody> read_announce(const proto::Announce& from) {
  if (!from.has_update()) return missing("update");
  Result<MemberUpdate> update = read_update(from.update());
  if (!update) return within("update", update.error());
  return Announce{.update = std::move(*update)};
}

// The count is checked before anything is set aside for it.
Result<std::vector<MemberUpdate>> read_updates(const google::protobuf::RepeatedPtrField<proto::Update>& from) {
  if (static_cast<std::size_t>(from.size()) > kGossipUpdatesMax) {
    return fail(ErrorCode::kTooLarge, fmt::format("has {} updates, at most {}", from.size(), kGossipUpdatesMax));
  }
  std::vector<MemberUpdate> updates;
  updates.reserve(static_cast<std::size_t>(from.size()));
  for (const proto::Update& each : from) {
    Result<MemberUpdate> update = read_update(each);
    if (!update) return fail(update.error());
    updates.push_back(std::move(*update));
  }
  return updates;
}

Result<ClusterBody> read_page(const proto::SyncPage& from) {
  Result<std::vector<MemberUpdate>> members = read_updates(from.members());
  if (!members) return within("members", members.error());
  return SyncPage{.members = std::move(*members)};
}

Result<ClusterBody> read_leader_announce(const proto::LeaderAnnounce& from) {
  if (!from.has_term()) return missing("term");
  return LeaderAnnounce{.term = Term(from.term())};
}

Result<ClusterBody> read_leader_heartbeat(const proto::LeaderHeartbeat& from) {
  if (!from.has_term()) return missing("term");
  const Result<CandidateRank> rank = read_rank(from.rank());
  if (!rank) return within("rank", rank.error());
  return LeaderHeartbeat{.term = Term(from.term()), .sequence = from.sequence(), .rank = *rank};
}

Result<ClusterBody> read_leader_heartbeat_ack(const proto::LeaderHeartbeatAck& from) {
  if (!from.has_term()) return missing("term");
  return LeaderHeartbeatAck{.term = Term(from.term()), .sequence = from.sequence()};
}

// The allow-list of SEC-7: what is not one of these kinds is not a message.
Result<ClusterBody> read_body(const proto::ClusterMessage& from) {
  using Kind = proto::ClusterMessage::BodyCase;
  switch (from.body_case()) {
    case Kind::kProbe:
      return read_targeted<Probe>(from.probe());
    case Kind::kAck:
      return read_ack(from.ack());
    case Kind::kPingReq:
      return read_targeted<PingReq>(from.ping_req());
    case Kind::kIndirectAck:
      return read_targeted<IndirectAck>(from.indirect_ack());
    case Kind::kNack:
      return read_targeted<Nack>(from.nack());
    case Kind::kJoin:
      return Join{};
    case Kind::kLeave:
      return Leave{};
    case Kind::kAnnounce:
      return read_announce(from.announce());
    case Kind::kSyncRequest:
      return SyncRequest{.digest = from.sync_request().digest()};
    case Kind::kSyncPage:
      return read_page(from.sync_page());
    case Kind::kPreVoteRequest:
      return read_candidacy<PreVoteRequest>(from.pre_vote_request());
    case Kind::kPreVoteResponse:
      return read_vote<PreVoteResponse>(from.pre_vote_response());
    case Kind::kVoteRequest:
      return read_candidacy<VoteRequest>(from.vote_request());
    case Kind::kVoteResponse:
      return read_vote<VoteResponse>(from.vote_response());
    case Kind::kLeaderAnnounce:
      return read_leader_announce(from.leader_announce());
    case Kind::kLeaderHeartbeat:
      return read_leader_heartbeat(from.leader_heartbeat());
    case Kind::kLeaderHeartbeatAck:
      return read_leader_heartbeat_ack(from.leader_heartbeat_ack());
    case Kind::BODY_NOT_SET:
      break;
  }
  return fail(ErrorCode::kProtocol, "is missing, or of a kind that this version does not know");
}

Result<ProtocolVersion> read_version(const proto::ClusterMessage& from) {
  constexpr std::uint32_t kMax = std::numeric_limits<std::uint16_t>::max();
  if (from.version_major() == 0) return missing("version_major");
  if (from.version_major() > kMax || from.version_minor() > kMax) {
    return fail(ErrorCode::kProtocol,
                fmt::format("version {}.{} is beyond any version", from.version_major(), from.version_minor()));
  }
  return ProtocolVersion{.major = static_cast<std::uint16_t>(from.version_major()),
                         .minor = static_cast<std::uint16_t>(from.version_minor())};
}

Result<ClusterMessage> read_message(const proto::ClusterMessage& from) {
  ClusterMessage message;
  const Result<ProtocolVersion> version = read_version(from);
  if (!version) return fail(version.error());
  message.version = *version;
  if (!from.has_sender()) return missing("sender");
  Result<NodeIdentity> sender = read_identity(from.sender());
  if (!sender) return within("sender", sender.error());
  message.sender = std::move(*sender);
  message.incarnation = Incarnation(from.incarnation());
  Result<ClusterBody> body = read_body(from);
  if (!body) return fail(body.error().code, "body: " + body.error().context);
  message.body = std::move(*body);
  if (from.has_coordinate()) {
    const Result<Coordinate> coordinate = read_coordinate(from.coordinate());
    if (!coordinate) return within("coordinate", coordinate.error());
    message.coordinate = *coordinate;
  }
  if (!from.embedded_state().empty()) message.embedded_state = SharedBytes::copy_of(from.embedded_state());
  Result<std::vector<MemberUpdate>> gossip = read_updates(from.gossip());
  if (!gossip) return within("gossip", gossip.error());
  message.gossip = std::move(*gossip);
  return message;
}

}  // namespace

std::vector<std::uint8_t> encode_cluster(const ClusterMessage& message) {
  const Status ok = check_cluster_message(message);
  CHECK(ok.has_value(), "cluster message: {}", ok.error().context);
  MessageArena arena;
  proto::ClusterMessage& to = arena.message();
  write_message(message, to);
  const std::size_t size = to.ByteSizeLong();
  CHECK(size <= kClusterMessageBytesMax, "a cluster message of {} bytes", size);
  std::vector<std::uint8_t> bytes(size);
  to.SerializeWithCachedSizesToArray(bytes.data());
  return bytes;
}

Result<ClusterMessage> decode_cluster(ByteView bytes) {
  if (bytes.size() > kClusterMessageBytesMax) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("cluster message: {} bytes, at most {}", bytes.size(), kClusterMessageBytesMax));
  }
  MessageArena arena;
  proto::ClusterMessage& from = arena.message();
  if (!from.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return fail(ErrorCode::kProtocol, "cluster message: not protobuf");
  }
  Result<ClusterMessage> message = read_message(from);
  if (message) {
    if (Status ok = check_cluster_message(*message); !ok) message = fail(ok.error());
  }
  if (!message) return fail(message.error().code, "cluster message: " + message.error().context);
  return message;
}

}  // namespace hyperscale::wire
