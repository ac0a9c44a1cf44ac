#include "membership/member_table.h"

#include "base/check.h"

#include <utility>

namespace hyperscale::membership {

using wire::NodeAddress;

Member* MemberTable::find(const NodeAddress& address) {
  const auto found = members_.find(address);
  return found == members_.end() ? nullptr : &found->second;
}

const Member* MemberTable::find(const NodeAddress& address) const {
  const auto found = members_.find(address);
  return found == members_.end() ? nullptr : &found->second;
}

std::optional<Held> MemberTable::held(const NodeAddress& address) const {
  const Member* member = find(address);
  if (member == nullptr) return std::nullopt;
  return Held{.state = member->state, .incarnation = member->incarnation};
}

Member* MemberTable::add(Member member) {
  if (members_.size() >= limits_.members_max) return nullptr;
  if (member.state == MemberState::kUnconfirmed && count(MemberState::kUnconfirmed) >= limits_.unconfirmed_max) {
    return nullptr;
  }
  const MonoTime timer = std::exchange(member.timer, MonoTime::max());
  const auto [entry, is_new] = members_.emplace(member.address(), std::move(member));
  CHECK(is_new, "{} is a member already", wire::to_string(entry->first));
  entry->second.scope = digests_.scope_of(entry->second.identity);
  index(entry->second);
  set_timer(entry->second, timer);
  return &entry->second;
}

void MemberTable::remove(Member& member) {
  set_timer(member, MonoTime::max());
  unindex(member);
  members_.erase(members_.find(member.address()));
}

void MemberTable::set_state(Member& member, MemberState state, MonoTime now) {
  unindex(member);
  member.state = state;
  member.since = now;
  index(member);
}

void MemberTable::set_incarnation(Member& member, wire::Incarnation incarnation) {
  unindex(member);
  member.incarnation = incarnation;
  index(member);
}

void MemberTable::set_identity(Member& member, const wire::NodeIdentity& identity) {
  CHECK(identity.address == member.address());
  if (member.named && member.identity == identity) return;
  unindex(member);
  member.identity = identity;
  member.named = true;
  member.scope = digests_.scope_of(identity);
  index(member);
}

void MemberTable::set_timer(Member& member, MonoTime time) {
  if (member.timer == time) return;
  if (member.timer != MonoTime::max()) timers_.erase({member.timer, member.address()});
  member.timer = time;
  if (time != MonoTime::max()) timers_.emplace(time, member.address());
}

Member* MemberTable::due(MonoTime now) {
  if (timers_.empty() || timers_.begin()->first > now) return nullptr;
  return find(timers_.begin()->second);
}

void MemberTable::index(Member& member) {
  ++counts_[static_cast<std::size_t>(member.state)];
  if (is_present(member.state)) present_.add(member);
  if (is_gone(member.state)) gone_.add(member);
  // The gone are forgotten at different times by different nodes; only who is there has to agree.
  if (member.named && !is_gone(member.state)) {
    digests_.toggle(member.scope, digest_of(member.address(), member.incarnation));
  }
}

void MemberTable::unindex(Member& member) {
  --counts_[static_cast<std::size_t>(member.state)];
  present_.remove(member);
  gone_.remove(member);
  if (member.named && !is_gone(member.state)) {
    digests_.toggle(member.scope, digest_of(member.address(), member.incarnation));
  }
}

}  // namespace hyperscale::membership
