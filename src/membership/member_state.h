// MemberState: what one node holds true about another (SWIM-1, AD-29, AD35-LIFE-1). The table of passages between them
// is in transitions.h.
//
// Plain values; any thread may use them.
#pragma once

#include <cstdint>
#include <string_view>

namespace hyperscale::membership {

enum class MemberState : std::uint8_t {
  kUnconfirmed,  // heard of, never heard from: cannot be suspected and cannot die
  kAlive,
  kSuspect,
  kDead,
  kLeft,  // went with a goodbye
};

std::string_view name(MemberState state);

// Answers for work, votes and proxies: confirmed, and not known to be gone.
constexpr bool is_present(MemberState state) {
  return state == MemberState::kAlive || state == MemberState::kSuspect;
}
constexpr bool is_gone(MemberState state) {
  return state == MemberState::kDead || state == MemberState::kLeft;
}

}  // namespace hyperscale::membership
