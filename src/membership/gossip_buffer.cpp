#include "membership/gossip_buffer.h"

#include "base/check.h"
#include "wire/cluster_codec.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hyperscale::membership {

using wire::MemberUpdate;
using wire::NodeAddress;
using wire::NodeIdentity;

std::uint32_t transmissions_of(double retransmit_factor, std::size_t members) {
  const double wanted = std::ceil(retransmit_factor * std::log(static_cast<double>(members) + 1));
  return static_cast<std::uint32_t>(std::max(1.0, wanted));
}

GossipBuffer::GossipBuffer(std::size_t updates_max) : updates_max_(updates_max) {
  CHECK(updates_max > 0);
}

std::optional<MemberUpdate> GossipBuffer::add(MemberUpdate update, MonoTime now) {
  const NodeAddress subject = update.subject.address;
  forget(subject);
  std::optional<MemberUpdate> given_up;
  if (by_subject_.size() == updates_max_) given_up = give_up_last();
  Scope& scope = scopes_[ScopeKey(update.subject.role, update.subject.datacenter)];
  if (scope.queue.empty()) scope.example = update.subject;
  const Rank rank(update.kind, 0, arrivals_++);
  scope.queue.emplace(rank, subject);
  by_subject_.emplace(subject, Queued{std::move(update), now, rank});
  return given_up;
}

std::vector<MemberUpdate> GossipBuffer::pick(const NodeIdentity& peer, Budget budget) {
  struct Head {
    Scope* scope;
    Queue::iterator next;
  };
  std::vector<Head> heads;
  for (auto& [key, scope] : scopes_) {
    if (!scope.queue.empty() && wire::related(scope.example, peer)) heads.push_back({&scope, scope.queue.begin()});
  }
  std::vector<MemberUpdate> picked;
  std::vector<NodeAddress> sent;
  while (picked.size() < budget.updates) {
    Head* best = nullptr;
    for (Head& head : heads) {
      if (head.next == head.scope->queue.end()) continue;
      if (best == nullptr || head.next->first < best->next->first) best = &head;
    }
    if (best == nullptr) break;
    if (best->next->second == peer.address) {  // it knows about itself
      ++best->next;
      continue;
    }
    const MemberUpdate& update = by_subject_.at(best->next->second).update;
    const std::size_t bytes = wire::encoded_size_bound(update);
    if (bytes > budget.bytes) break;
    budget.bytes -= bytes;
    picked.push_back(update);
    sent.push_back(best->next->second);
    ++best->next;
  }
  for (const NodeAddress& subject : sent) count_transmission(by_subject_.find(subject), budget.transmissions_max);
  return picked;
}

void GossipBuffer::count_transmission(std::map<NodeAddress, Queued>::iterator entry, std::uint32_t transmissions_max) {
  auto& [kind, transmissions, arrival] = entry->second.rank;
  if (transmissions + 1 >= transmissions_max) {
    drop(entry);
    return;
  }
  const NodeIdentity& subject = entry->second.update.subject;
  Queue& queue = scopes_.find(ScopeKey(subject.role, subject.datacenter))->second.queue;
  auto node = queue.extract(entry->second.rank);
  ++transmissions;
  node.key() = entry->second.rank;
  queue.insert(std::move(node));
}

void GossipBuffer::heard_again(const MemberUpdate& update, std::uint32_t transmissions_max) {
  const auto entry = by_subject_.find(update.subject.address);
  if (entry == by_subject_.end()) return;
  const MemberUpdate& queued = entry->second.update;
  if (queued.kind != update.kind || queued.incarnation != update.incarnation) return;
  count_transmission(entry, transmissions_max);
}

void GossipBuffer::forget(const NodeAddress& subject) {
  if (const auto entry = by_subject_.find(subject); entry != by_subject_.end()) drop(entry);
}

void GossipBuffer::drop_older_than(MonoTime time) {
  for (auto entry = by_subject_.begin(); entry != by_subject_.end();) {
    const auto next = std::next(entry);
    if (entry->second.since < time) drop(entry);
    entry = next;
  }
}

void GossipBuffer::drop(std::map<NodeAddress, Queued>::iterator entry) {
  const NodeIdentity& subject = entry->second.update.subject;
  const auto scope = scopes_.find(ScopeKey(subject.role, subject.datacenter));
  scope->second.queue.erase(entry->second.rank);
  if (scope->second.queue.empty()) scopes_.erase(scope);
  by_subject_.erase(entry);
}

std::optional<MemberUpdate> GossipBuffer::give_up_last() {
  const Queue* last = nullptr;
  for (const auto& [key, scope] : scopes_) {
    if (last == nullptr || last->rbegin()->first < scope.queue.rbegin()->first) last = &scope.queue;
  }
  const auto entry = by_subject_.find(last->rbegin()->second);
  MemberUpdate update = entry->second.update;
  drop(entry);
  return update;
}

}  // namespace hyperscale::membership
