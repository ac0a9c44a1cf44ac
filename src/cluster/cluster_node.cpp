#include "cluster/cluster_node.h"

#include "base/check.h"
#include "cluster/node_parts.h"

#include <algorithm>
#include <utility>

namespace hyperscale::cluster {

ClusterNode::ClusterNode(ClusterConfig config, DurableState durable)
    : parts_(std::make_unique<Parts>(std::move(config), std::move(durable))) {}
ClusterNode::~ClusterNode() = default;
ClusterNode::ClusterNode(ClusterNode&&) noexcept = default;
ClusterNode& ClusterNode::operator=(ClusterNode&&) noexcept = default;

Actions<ClusterNode::Action> ClusterNode::step(const Event& event, MonoTime now) {
  std::visit([&](const auto& each) { parts_->take(each, now); }, event);
  parts_->after_step(now);
  return std::exchange(parts_->out, {});
}

MonoTime ClusterNode::next_wake() const {
  const MonoTime members = parts_->membership.next_wake();
  return parts_->election ? std::min(members, parts_->election->next_wake()) : members;
}

bool ClusterNode::leads(MonoTime now) const {
  return parts_->election && parts_->election->leads(now);
}

bool ClusterNode::suspect_job(std::string_view job, const wire::NodeAddress& member, MonoTime now) {
  return parts_->membership.suspect_job(job, member, parts_->config.self.address, now);
}

bool ClusterNode::answered_job(std::string_view job, const wire::NodeAddress& member) {
  return parts_->membership.answered_job(job, member);
}

std::size_t ClusterNode::clear_job(std::string_view job) {
  return parts_->membership.clear_job(job);
}

bool ClusterNode::is_alive_for_job(std::string_view job, const wire::NodeAddress& member) const {
  return parts_->membership.is_alive_for_job(job, member);
}

std::vector<membership::AuditEntry> ClusterNode::audit() const {
  return parts_->membership.audit().entries();
}

ClusterView ClusterNode::view(MonoTime now) const {
  return parts_->view(now);
}

}  // namespace hyperscale::cluster
