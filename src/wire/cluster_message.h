// ClusterMessage: one datagram of the cluster before it is sealed, as a plain value (docs/formats/wire.md maps each
// kind to its catalogue id). Protocol cores make and read these; cluster_codec.h turns them into bytes and back.
//
// Plain values; any thread may use them. Limits are those of the codec: it refuses a message that breaks one.
#pragma once

#include "base/bytes.h"
#include "base/time.h"
#include "wire/node_identity.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::wire {

inline constexpr std::size_t kCoordinateDimensions = 4;
inline constexpr std::size_t kGossipUpdatesMax = 64;
inline constexpr std::size_t kEmbeddedStateBytesMax = 512;

// In falling priority when space is short (SWIM-GOSSIP-1).
enum class UpdateKind : std::uint8_t { kJoin = 1, kLeave = 2, kAlive = 3, kSuspect = 4, kDead = 5 };

// An update about one member, from itself or from another node.
struct MemberUpdate {
  UpdateKind kind = UpdateKind::kAlive;
  NodeIdentity subject;
  Incarnation incarnation;
  NodeAddress origin;  // first reporter: confirmations of a suspicion count by distinct origins

  bool operator==(const MemberUpdate&) const = default;
};

// A Vivaldi coordinate in milliseconds (AD35-VIV-3). Finite when it comes out of the codec; the receiver checks whether
// it is plausible.
struct Coordinate {
  std::array<float, kCoordinateDimensions> position = {};
  float height_ms = 0;
  float relative_error = 0;
  float error_ms = 0;
  std::uint32_t sample_count = 0;

  bool operator==(const Coordinate&) const = default;
};

struct Probe {
  std::uint64_t sequence = 0;
  NodeAddress target;
  bool operator==(const Probe&) const = default;
};
struct Ack {
  std::uint64_t sequence = 0;
  std::uint32_t rtt_us = 0;  // last round trip to the prober measured by the answering node; 0: none yet
  bool operator==(const Ack&) const = default;
};
struct PingReq {
  std::uint64_t sequence = 0;
  NodeAddress target;
  bool operator==(const PingReq&) const = default;
};
struct IndirectAck {
  std::uint64_t sequence = 0;
  NodeAddress target;
  bool operator==(const IndirectAck&) const = default;
};
struct Nack {
  std::uint64_t sequence = 0;
  NodeAddress target;
  bool operator==(const Nack&) const = default;
};
struct Join {
  bool operator==(const Join&) const = default;
};
struct Leave {
  bool operator==(const Leave&) const = default;
};
// A refutation, suspicion or death sent at once instead of piggybacked.
struct Announce {
  MemberUpdate update;
  bool operator==(const Announce&) const = default;
};
// Repairs what gossip missed: the requester gets all members of its scope, in as many pages as needed.
struct SyncRequest {
  std::uint64_t digest = 0;  // of the requester's table; an equal one is answered with no page
  bool operator==(const SyncRequest&) const = default;
};
struct SyncPage {
  std::vector<MemberUpdate> members;  // at most kGossipUpdatesMax, kinds kAlive, kSuspect, kDead, kLeave
  bool operator==(const SyncPage&) const = default;
};

// How fit a candidate is: compared by health first, then priority, then name (LEAD-2).
struct CandidateRank {
  std::uint8_t health_score = 0;  // local health multiplier score, 0 is best
  std::uint32_t priority = 0;     // higher is better
  bool operator==(const CandidateRank&) const = default;
};
struct PreVoteRequest {
  Term term;  // the candidate's present term, unchanged (LEAD-3)
  CandidateRank rank;
  bool operator==(const PreVoteRequest&) const = default;
};
struct PreVoteResponse {
  Term term;
  bool granted = false;
  bool operator==(const PreVoteResponse&) const = default;
};
struct VoteRequest {
  Term term;
  CandidateRank rank;
  bool operator==(const VoteRequest&) const = default;
};
struct VoteResponse {
  Term term;
  bool granted = false;
  bool operator==(const VoteResponse&) const = default;
};
struct LeaderAnnounce {
  Term term;
  bool operator==(const LeaderAnnounce&) const = default;
};
struct LeaderHeartbeat {
  Term term;
  std::uint64_t sequence = 0;
  CandidateRank rank;
  bool operator==(const LeaderHeartbeat&) const = default;
};
struct LeaderHeartbeatAck {
  Term term;
  std::uint64_t sequence = 0;
  bool operator==(const LeaderHeartbeatAck&) const = default;
};

using ClusterBody =
    std::variant<Probe, Ack, PingReq, IndirectAck, Nack, Join, Leave, Announce, SyncRequest, SyncPage, PreVoteRequest,
                 PreVoteResponse, VoteRequest, VoteResponse, LeaderAnnounce, LeaderHeartbeat, LeaderHeartbeatAck>;

struct ProtocolVersion {
  std::uint16_t major = 1;
  std::uint16_t minor = 3;
  auto operator<=>(const ProtocolVersion&) const = default;
};

struct ClusterMessage {
  ProtocolVersion version;
  NodeIdentity sender;
  Incarnation incarnation;  // the sender's own
  ClusterBody body;
  std::optional<Coordinate> coordinate;
  SharedBytes embedded_state;  // a heartbeat of the sender's role; empty when it has none
  std::vector<MemberUpdate> gossip;
};

}  // namespace hyperscale::wire
