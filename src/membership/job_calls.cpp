// The job layer of failure detection, as the roles see it: liveness of a node for one job (AD-30). Unknown nodes are
// neither suspected nor doubted.

#include "membership/membership_parts.h"

#include <string>

namespace hyperscale::membership {

using wire::NodeAddress;

namespace {
JobKey key(std::string_view job) {
  return JobKey(std::string(job));
}
}  // namespace

bool Membership::suspect_job(std::string_view job, const NodeAddress& node, const NodeAddress& from, MonoTime now) {
  const Member* member = parts_->table.find(node);
  if (member == nullptr || !is_present(member->state)) return false;
  parts_->update_detector();
  const std::uint64_t refused_before = parts_->detector.stats().refused();
  const bool accepted = parts_->detector.suspect_job(
      key(job), {.node = node, .role = member->identity.role, .incarnation = member->incarnation, .from = from}, now);
  if (!accepted) parts_->note_if_full(refused_before, node, now);
  return accepted;
}

bool Membership::confirm_job(std::string_view job, const NodeAddress& node, const NodeAddress& from, MonoTime now) {
  const Member* member = parts_->table.find(node);
  if (member == nullptr) return false;
  parts_->update_detector();
  return parts_->detector.confirm_job(key(job), node, member->incarnation, from, now);
}

bool Membership::refute_job(std::string_view job, const NodeAddress& node, wire::Incarnation incarnation, MonoTime) {
  return parts_->detector.refute_job(key(job), node, incarnation);
}

bool Membership::answered_job(std::string_view job, const NodeAddress& node) {
  return parts_->detector.answered_job(key(job), node);
}

std::size_t Membership::clear_job(std::string_view job) {
  return parts_->detector.clear_job(key(job));
}

bool Membership::is_alive_for_job(std::string_view job, const NodeAddress& node) const {
  return parts_->detector.is_alive_for_job(key(job), node);
}

}  // namespace hyperscale::membership
