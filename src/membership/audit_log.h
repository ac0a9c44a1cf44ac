// AuditLog: the last membership changes with their times (SWIM-5), oldest first, in a ring of fixed size.
//
// Single-threaded. When it is full the oldest entry is evicted; total() counts all entries ever added.
#pragma once

#include "base/time.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hyperscale::membership {

enum class AuditEvent : std::uint8_t {
  kPeerLearned,
  kPeerConfirmed,
  kUnconfirmedPeerRemoved,
  kSuspected,
  kRefuted,
  kDied,
  kLeft,
  kRecovered,
  kReaped,
  kSelfRefuted,
  kSelfLeft,
};

std::string_view name(AuditEvent event);  // "PEER_CONFIRMED", "UNCONFIRMED_PEER_REMOVED", ...

struct AuditEntry {
  MonoTime time;
  AuditEvent event = AuditEvent::kPeerLearned;
  wire::NodeAddress subject;
  wire::Incarnation incarnation;
  bool heard_by_gossip = false;
};

class AuditLog {
 public:
  explicit AuditLog(std::size_t entries_max);

  void record(const AuditEntry& entry);
  std::vector<AuditEntry> entries() const;  // oldest first
  std::uint64_t total() const { return total_; }

 private:
  std::vector<AuditEntry> ring_;
  std::size_t entries_max_;
  std::uint64_t total_ = 0;
};

}  // namespace hyperscale::membership
