#include "membership/audit_log.h"

#include "base/check.h"

namespace hyperscale::membership {

std::string_view name(AuditEvent event) {
  switch (event) {
    case AuditEvent::kPeerLearned:
      return "PEER_LEARNED";
    case AuditEvent::kPeerConfirmed:
      return "PEER_CONFIRMED";
    case AuditEvent::kUnconfirmedPeerRemoved:
      return "UNCONFIRMED_PEER_REMOVED";
    case AuditEvent::kSuspected:
      return "SUSPECTED";
    case AuditEvent::kRefuted:
      return "REFUTED";
    case AuditEvent::kDied:
      return "DIED";
    case AuditEvent::kLeft:
      return "LEFT";
    case AuditEvent::kRecovered:
      return "RECOVERED";
    case AuditEvent::kReaped:
      return "REAPED";
    case AuditEvent::kSelfRefuted:
      return "SELF_REFUTED";
    case AuditEvent::kSelfLeft:
      return "SELF_LEFT";
  }
  UNREACHABLE("audit event {}", static_cast<int>(event));
}

AuditLog::AuditLog(std::size_t entries_max) : entries_max_(entries_max) {
  CHECK(entries_max > 0);
}

void AuditLog::record(const AuditEntry& entry) {
  if (ring_.size() < entries_max_) {
    ring_.push_back(entry);
  } else {
    ring_[total_ % entries_max_] = entry;
  }
  ++total_;
}

std::vector<AuditEntry> AuditLog::entries() const {
  std::vector<AuditEntry> ordered;
  ordered.reserve(ring_.size());
  const std::size_t oldest = ring_.size() < entries_max_ ? 0 : total_ % entries_max_;
  for (std::size_t i = 0; i < ring_.size(); ++i) ordered.push_back(ring_[(oldest + i) % ring_.size()]);
  return ordered;
}

}  // namespace hyperscale::membership
