#include "membership/tombstones.h"

namespace hyperscale::membership {

using wire::NodeAddress;

bool Tombstones::raise(const NodeAddress& address, wire::Incarnation incarnation, MonoTime now) {
  purge(now);
  const auto found = stones_.find(address);
  if (found != stones_.end() && found->second.incarnation >= incarnation) return false;
  remove(address);
  if (stones_.size() >= tombstones_max_) {
    remove(by_end_.begin()->second);
    ++dropped_;
  }
  stones_.emplace(address, Stone{incarnation, now + kept_});
  by_end_.emplace(now + kept_, address);
  return true;
}

std::optional<wire::Incarnation> Tombstones::find(const NodeAddress& address, MonoTime now) const {
  const auto found = stones_.find(address);
  if (found == stones_.end() || found->second.until <= now) return std::nullopt;
  return found->second.incarnation;
}

void Tombstones::remove(const NodeAddress& address) {
  const auto found = stones_.find(address);
  if (found == stones_.end()) return;
  by_end_.erase({found->second.until, address});
  stones_.erase(found);
}

void Tombstones::purge(MonoTime now) {
  while (!by_end_.empty() && by_end_.begin()->first <= now) remove(by_end_.begin()->second);
}

}  // namespace hyperscale::membership
