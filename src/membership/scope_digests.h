// ScopeDigests: one number per scope (role and datacenter) that changes whenever a member of it is added, is removed or
// gets a new incarnation. Two nodes with equal entries for the members they share compute the same number, regardless
// of other members, and need not exchange their tables.
//
// Thread rule: one owner. Toggling the same entry twice restores the number; scopes are few and never forgotten.
#pragma once

#include "wire/cluster_message.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::membership {

// Contribution of one member to the number.
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
