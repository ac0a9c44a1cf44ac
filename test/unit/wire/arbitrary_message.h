// Random cluster messages within the limits of the codec, for property tests: the same seed gives the same message.
#pragma once

#include "base/prng.h"
#include "wire/cluster_codec.h"

#include <string>
#include <utility>

namespace hyperscale::wire {

class ArbitraryMessage {
 public:
  explicit ArbitraryMessage(std::uint64_t seed) : prng_(seed) {}

  std::string text(std::size_t least, std::size_t most) {
    std::string text(least + prng_.below(most - least + 1), ' ');
    for (char& c : text) c = static_cast<char>('!' + prng_.below('~' - '!' + 1));
    return text;
  }

  NodeAddress address() {
    NodeAddress address = address_v4(10, 0, byte(), byte(), port());
    if (coin()) {
      for (std::uint8_t& b : address.ip) b = byte();
    }
    return address;
  }

  NodeIdentity identity() {
    return {.name = text(1, coin() ? 12 : kNodeNameBytesMax),
            .role = static_cast<NodeRole>(1 + prng_.below(3)),
            .datacenter = text(0, coin() ? 5 : kDatacenterBytesMax),
            .address = address(),
            .tcp_port = coin() ? port() : std::uint16_t{0}};
  }

  MemberUpdate update() {
    // A page tells no joins, so that any update may stand in one.
    return {.kind = static_cast<UpdateKind>(2 + prng_.below(4)),
            .subject = identity(),
            .incarnation = Incarnation(number()),
            .origin = coin() ? address() : NodeAddress{}};
  }

  // With a body of the given kind; without gossip.
  ClusterMessage message(std::size_t kind) {
    ClusterMessage message;
    message.version.minor = static_cast<std::uint16_t>(prng_.below(5));
    message.sender = identity();
    message.incarnation = Incarnation(number());
    message.body = body(kind);
    if (coin()) message.coordinate = coordinate();
    if (coin()) message.embedded_state = SharedBytes::copy_of(text(1, kEmbeddedStateBytesMax));
    return message;
  }
  ClusterMessage message() { return message(prng_.below(std::variant_size_v<ClusterBody>)); }

  // As full of gossip as a datagram takes.
  ClusterMessage full_message(std::size_t kind) {
    ClusterMessage filled = message(kind);
    std::size_t size = encoded_size_bound(filled);
    while (filled.gossip.size() < kGossipUpdatesMax) {
      MemberUpdate next = update();
      size += encoded_size_bound(next);
      if (size > kClusterMessageBytesMax) break;
      filled.gossip.push_back(std::move(next));
    }
    return filled;
  }

  Coordinate coordinate() {
    Coordinate coordinate{.height_ms = real(), .relative_error = real(), .error_ms = real(), .sample_count = 0};
    for (float& axis : coordinate.position) axis = real();
    coordinate.sample_count = static_cast<std::uint32_t>(number());
    return coordinate;
  }

 private:
  bool coin() { return prng_.below(2) == 0; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(prng_.next()); }
  std::uint16_t port() { return static_cast<std::uint16_t>(1 + prng_.below(65535)); }
  std::uint64_t number() { return prng_.next() >> prng_.below(64); }
  float real() { return coin() ? 0.0F : static_cast<float>(prng_.unit() * 2000 - 1000); }
  CandidateRank rank() {
    return coin() ? CandidateRank{}
                  : CandidateRank{.health_score = byte(), .priority = static_cast<std::uint32_t>(number())};
  }

  ClusterBody body(std::size_t kind) {
    switch (kind) {
      case 0:
        return Probe{.sequence = number(), .target = address()};
      case 1:
        return Ack{.sequence = number(), .rtt_us = static_cast<std::uint32_t>(number())};
      case 2:
        return PingReq{.sequence = number(), .target = address()};
      case 3:
        return IndirectAck{.sequence = number(), .target = address()};
      case 4:
        return Nack{.sequence = number(), .target = address()};
      case 5:
        return Join{};
      case 6:
        return Leave{};
      case 7:
        return Announce{.update = update()};
      case 8:
        return SyncRequest{.digest = number()};
      case 9:
        return page();
      case 10:
        return PreVoteRequest{.term = Term(number()), .rank = rank()};
      case 11:
        return PreVoteResponse{.term = Term(number()), .granted = coin()};
      case 12:
        return VoteRequest{.term = Term(number()), .rank = rank()};
      case 13:
        return VoteResponse{.term = Term(number()), .granted = coin()};
      case 14:
        return LeaderAnnounce{.term = Term(number())};
      case 15:
        return LeaderHeartbeat{.term = Term(number()), .sequence = number(), .rank = rank()};
      default:
        return LeaderHeartbeatAck{.term = Term(number()), .sequence = number()};
    }
  }

  // Short enough to leave room for a state of the largest size.
  SyncPage page() {
    SyncPage page;
    for (std::uint64_t left = prng_.below(4); left > 0; --left) page.members.push_back(update());
    return page;
  }

  Prng prng_;
};

}  // namespace hyperscale::wire
