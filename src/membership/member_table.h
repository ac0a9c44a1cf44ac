// MemberTable: the peers of this node by address, with indexes that follow state changes: counts per state, lists of
// present and of dead or left members (for a random choice), the next timer, and a digest of each scope for sync.
//
// Thread rule: one owner. Pointers to members stay valid until remove(). Bounded: add() refuses past its limits. Every
// operation costs O(log n) or less.
#pragma once

#include "base/prng.h"
#include "base/time.h"
#include "membership/member.h"
#include "membership/place_list.h"
#include "membership/scope_digests.h"
#include "membership/transitions.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace hyperscale::membership {

class MemberTable {
 public:
  struct Limits {
    std::size_t members_max = 0;
    std::size_t unconfirmed_max = 0;
  };
  explicit MemberTable(Limits limits) : limits_(limits) {}
  MemberTable(const MemberTable&) = delete;
  MemberTable& operator=(const MemberTable&) = delete;

  Member* find(const wire::NodeAddress& address);
  const Member* find(const wire::NodeAddress& address) const;
  std::optional<Held> held(const wire::NodeAddress& address) const;

  // Null when the table, or its unconfirmed part, is full. REQUIRES: no member of that address.
  Member* add(Member member);
  void remove(Member& member);

  void set_state(Member& member, MemberState state, MonoTime now);
  void set_incarnation(Member& member, wire::Incarnation incarnation);
  void set_identity(Member& member, const wire::NodeIdentity& identity);  // REQUIRES: the same address
  void set_timer(Member& member, MonoTime time);                          // max() for none

  std::size_t count(MemberState state) const { return counts_[static_cast<std::size_t>(state)]; }
  std::size_t present_count() const { return present_.size(); }
  std::size_t size() const { return members_.size(); }

  Member* random_present(Prng& prng) const { return present_.any(prng); }
  Member* random_gone(Prng& prng) const { return gone_.any(prng); }
  const PlaceList<&Member::present_place>& present() const { return present_; }

  // The member whose timer is due, earliest first; null when none is.
  Member* due(MonoTime now);
  MonoTime next_timer() const { return timers_.empty() ? MonoTime::max() : timers_.begin()->first; }

  // Of the members that `peer` watches.
  std::uint64_t digest_for(const wire::NodeIdentity& peer) const { return digests_.digest_for(peer); }

  const std::map<wire::NodeAddress, Member>& all() const { return members_; }

 private:
  void index(Member& member);
  void unindex(Member& member);

  Limits limits_;
  std::map<wire::NodeAddress, Member> members_;
  std::array<std::size_t, 5> counts_ = {};
  PlaceList<&Member::present_place> present_;
  PlaceList<&Member::gone_place> gone_;
  std::set<std::pair<MonoTime, wire::NodeAddress>> timers_;
  ScopeDigests digests_;
};

}  // namespace hyperscale::membership
