#include "membership/member_state.h"

#include "base/check.h"

namespace hyperscale::membership {

std::string_view name(MemberState state) {
  switch (state) {
    case MemberState::kUnconfirmed:
      return "unconfirmed";
    case MemberState::kAlive:
      return "alive";
    case MemberState::kSuspect:
      return "suspect";
    case MemberState::kDead:
      return "dead";
    case MemberState::kLeft:
      return "left";
  }
  UNREACHABLE("member state {}", static_cast<int>(state));
}

}  // namespace hyperscale::membership
