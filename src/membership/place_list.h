// PlaceList: an unordered list of members that supports adding, removing and a random choice in constant time. Each
// member carries its own place in the field that the template names.
//
// Thread rule: one owner. The order depends on the history of calls alone.
#pragma once

#include "base/prng.h"
#include "membership/member.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::membership {

template <std::size_t Member::* kPlace>
class PlaceList {
 public:
  void add(Member& member) {
    member.*kPlace = members_.size();
    members_.push_back(&member);
  }
  void remove(Member& member) {  // nothing when it is not in
    const std::size_t place = member.*kPlace;
    if (place == SIZE_MAX) return;
    members_[place] = members_.back();
    members_[place]->*kPlace = place;
    members_.pop_back();
    member.*kPlace = SIZE_MAX;
  }
  Member* any(Prng& prng) const {  // null when empty
    return members_.empty() ? nullptr : members_[prng.below(members_.size())];
  }
  Member* at(std::size_t place) const { return members_[place]; }
  std::size_t size() const { return members_.size(); }

 private:
  std::vector<Member*> members_;
};

}  // namespace hyperscale::membership
