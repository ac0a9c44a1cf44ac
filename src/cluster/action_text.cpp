#include "base/crc32c.h"
#include "cluster/cluster_node.h"

#include <fmt/format.h>

namespace hyperscale::cluster {
namespace {

// A packet is shown by its checksum: two runs that differ in one byte have different traces.
std::string text_of(const ClusterNode::Send& action) {
  return fmt::format("send {} bytes {:08x} to {}", action.bytes.size(), crc32c(action.bytes.view()),
                     to_string(action.to));
}
std::string text_of(const ClusterNode::Persist& action) {
  return fmt::format("persist incarnation {} term {} vote {}", action.state.incarnation, action.state.term,
                     action.state.voted_for);
}
std::string text_of(const ClusterNode::BecameLeader& action) {
  return fmt::format("became leader of term {} fence {}", action.term, action.fence);
}
std::string text_of(const ClusterNode::LostLeadership& action) {
  return fmt::format("lost leadership of term {}: {}", action.term, action.reason);
}
std::string text_of(const ClusterNode::LeaderChanged& action) {
  return fmt::format("leader of term {} is {}", action.term, action.leader ? action.leader->name : "nobody");
}
std::string text_of(const ClusterNode::MemberUp& action) {
  return fmt::format("{} is {}", action.member.name, action.recovered ? "back" : "up");
}
std::string text_of(const ClusterNode::MemberDown& action) {
  return fmt::format("{} at incarnation {} {}{}", action.member.name, action.incarnation,
                     action.left ? "left" : "is dead", action.heard_by_gossip ? ", as heard" : "");
}
std::string text_of(const ClusterNode::StateReceived& action) {
  return fmt::format("state of {}: {} bytes", action.from.name, action.state.size());
}
std::string text_of(const ClusterNode::JobNodeDown& action) {
  return fmt::format("{} at incarnation {} does not answer for {}", action.member.name, action.incarnation, action.job);
}
std::string text_of(const ClusterNode::PrimaryChanged& action) {
  return fmt::format("primary manager of {} is {}: {}", action.datacenter,
                     action.manager ? action.manager->name : "nobody", name(action.reason));
}
std::string text_of(const ClusterNode::LeaderLearned& action) {
  return fmt::format("managers of {} are led by {} in term {}", action.datacenter,
                     action.leader ? action.leader->name : "nobody", action.term);
}
std::string text_of(const ClusterNode::Note& action) {
  return fmt::format("{}: {}", action.warning ? "warning" : "note", action.text);
}
std::string text_of(const ClusterNode::Left&) {
  return "left";
}

}  // namespace

std::string to_string(const ClusterNode::Action& action) {
  return std::visit([](const auto& each) { return text_of(each); }, action);
}

}  // namespace hyperscale::cluster
