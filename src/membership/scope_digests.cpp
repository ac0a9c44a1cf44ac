#include "membership/scope_digests.h"

namespace hyperscale::membership {
namespace {

std::uint64_t mix(std::uint64_t x) {  // the finisher of splitmix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t digest_of(const wire::NodeAddress& address, wire::Incarnation incarnation) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint8_t byte : address.ip) hash = (hash ^ byte) * 0x100000001b3;
  return mix(mix(hash ^ address.port) ^ incarnation.value());
}

std::size_t ScopeDigests::scope_of(const wire::NodeIdentity& member) {
  for (std::size_t i = 0; i < scopes_.size(); ++i) {
    const wire::NodeIdentity& example = scopes_[i].example;
    if (example.role == member.role && example.datacenter == member.datacenter) return i;
  }
  scopes_.push_back({.example = member, .digest = 0});
  return scopes_.size() - 1;
}

std::uint64_t ScopeDigests::digest_for(const wire::NodeIdentity& peer) const {
  std::uint64_t digest = 0;
  for (const Scope& scope : scopes_) {
    if (scope.digest != 0 && wire::related(scope.example, peer)) digest ^= scope.digest;
  }
  return digest;
}

}  // namespace hyperscale::membership
