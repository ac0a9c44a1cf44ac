// MemberState: state of a member as one node sees it (SWIM-1, AD-29, AD35-LIFE-1). Transitions are in transitions.h.
//
// Plain values; any thread may use them.
#pragma once

#include <cstdint>
#include <string_view>

namespace hyperscale::membership {

enum class MemberState : std::uint8_t {
  kUnconfirmed,  // known by gossip or configuration only: cannot be suspected or declared dead
  kAlive,
  kSuspect,
  kDead,
  kLeft,  // left gracefully
};

std::string_view name(MemberState state);

// May get work, vote and act as a proxy: confirmed, and not known to be dead or left.
constexpr bool is_present(MemberState state) {
  return state == MemberState::kAlive || state == MemberState::kSuspect;
}
constexpr bool is_gone(MemberState state) {
  return state == MemberState::kDead || state == MemberState::kLeft;
}

}  // namespace hyperscale::membership
