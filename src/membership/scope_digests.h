// ScopeDigests: one number for each kind of member (role and datacenter) that changes whenever a member of it comes,
// goes or gets a new incarnation. Two nodes that hold the same about the members they share compute the same number,
// whatever else each of them knows, and need not send each other their tables.
//
// Thread rule: one owner. Toggling the same entry twice restores the number; scopes are few and never forgotten.
#pragma once

#include "wire/cluster_message.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::membership {

// The part of one member in the number.
std::uint64_t digest_of(const wire::NodeAddress& address, wire::Incarnation incarnation);

class ScopeDigests {
 public:
  std::size_t scope_of(const wire::NodeIdentity& member);
  void toggle(std::size_t scope, std::uint64_t digest) { scopes_[scope].digest ^= digest; }
  std::uint64_t digest_for(const wire::NodeIdentity& peer) const;

 private:
  struct Scope {
    wire::NodeIdentity example;
    std::uint64_t digest = 0;
  };
  std::vector<Scope> scopes_;
};

}  // namespace hyperscale::membership
