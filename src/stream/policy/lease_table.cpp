#include "stream/policy/lease_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::stream {

Result<Lease> LeaseTable::grant(StreamNumber stream, Role role, ClientId client, Epoch epoch, MonoTime now) {
  if (leases_.size() >= kLeasesMax) return fail(ErrorCode::kBusy, fmt::format("all {} leases are taken", kLeasesMax));
  if (role == Role::kProducer && producer_of(stream) != nullptr)
    return fail(ErrorCode::kConflict, fmt::format("stream {} has a producer", stream));
  for (const auto& [id, lease] : leases_) {
    if (lease.stream == stream && lease.client == client)
      return fail(ErrorCode::kConflict, fmt::format("client {} has a lease on stream {}", client, stream));
  }
  const Lease lease{
      .id = next_, .stream = stream, .role = role, .client = client, .mapped = epoch, .expires = now + lease_time_};
  next_ = LeaseId(next_.value() + 1);
  leases_.emplace(lease.id, lease);
  return lease;
}

Result<Lease> LeaseTable::keep_alive(LeaseId id, ClientId client, Epoch mapped, MonoTime now) {
  const auto found = leases_.find(id);
  if (found == leases_.end() || found->second.client != client)
    return fail(ErrorCode::kNotFound, fmt::format("lease {} has ended", id));
  Lease& lease = found->second;
  if (mapped < lease.mapped)
    return fail(ErrorCode::kInvalidArgument, fmt::format("epoch {} is before {}", mapped, lease.mapped));
  lease.mapped = mapped;
  lease.expires = std::max(lease.expires, now + lease_time_);
  return lease;
}

std::optional<Lease> LeaseTable::hand_over(LeaseId id, ClientId from, ClientId to) {
  const auto found = leases_.find(id);
  if (found == leases_.end() || found->second.client != from) return std::nullopt;
  found->second.client = to;
  return found->second;
}

std::optional<Lease> LeaseTable::end(LeaseId id, ClientId client) {
  const auto found = leases_.find(id);
  if (found == leases_.end() || found->second.client != client) return std::nullopt;
  const Lease lease = found->second;
  leases_.erase(found);
  return lease;
}

template <typename Ends>
std::vector<Lease> LeaseTable::take(const Ends& ends) {
  std::vector<Lease> taken;
  std::erase_if(leases_, [&](const auto& entry) {
    if (!ends(entry.second)) return false;
    taken.push_back(entry.second);
    return true;
  });
  return taken;
}

std::vector<Lease> LeaseTable::expire(MonoTime now) {
  return take([now](const Lease& lease) { return now > lease.expires; });
}

std::vector<Lease> LeaseTable::end_all_of(ClientId client) {
  return take([client](const Lease& lease) { return lease.client == client; });
}

std::vector<Lease> LeaseTable::end_all() {
  return take([](const Lease&) { return true; });
}

const Lease* LeaseTable::producer_of(StreamNumber stream) const {
  for (const auto& [id, lease] : leases_) {
    if (lease.stream == stream && lease.role == Role::kProducer) return &lease;
  }
  return nullptr;
}

std::optional<Epoch> LeaseTable::lowest_referenced(StreamNumber stream) const {
  std::optional<Epoch> lowest;
  for (const auto& [id, lease] : leases_) {
    if (lease.stream == stream && (!lowest || lease.mapped < *lowest)) lowest = lease.mapped;
  }
  return lowest;
}

std::vector<Lease> LeaseTable::all() const {
  std::vector<Lease> out;
  out.reserve(leases_.size());
  for (const auto& [id, lease] : leases_) out.push_back(lease);
  return out;
}

}  // namespace hyperscale::stream
