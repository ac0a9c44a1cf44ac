// Transitions: the tables of membership as pure functions (SWIM-1, AD-29, AD-31, A.5 of AD-35). From the state of a
// member and a received update they compute the transition; Membership executes it.
//
// Heard from others (judge):
//
//   held \ said   join, alive        suspect             dead                          leave
//   nothing       learn              learn               bury                          bury
//   UNCONFIRMED   fresher if newer   fresher if newer    forget and bury               forget and bury
//   ALIVE         fresher if newer   suspect if not old  die if not old (*)            leave if not old
//   SUSPECT       refute if newer    confirm, suspect    die if not old (+)            leave if not old
//                                    again if newer
//   DEAD, LEFT    recover if newer   -                   fresher if newer              fresher if newer
//
// "newer" is a higher incarnation than the stored one, "not old" an equal or higher one. Everything else is stale. (*)
// A death of a member that is not suspected here becomes a suspicion that can be refuted, so that one side of a
// partition does not declare live members of the other dead (SWIM-1 has no passage from ALIVE to DEAD). (+) A death
// from a sync page, which may be old, does not declare even a suspect dead: it stays suspected.
//
// Thread rule: none, they are functions of their arguments.
#pragma once

#include "membership/config.h"
#include "membership/member_state.h"
#include "wire/cluster_message.h"

#include <cstdint>
#include <optional>

namespace hyperscale::membership {

struct Held {
  MemberState state = MemberState::kUnconfirmed;
  wire::Incarnation incarnation;
};

enum class Verdict : std::uint8_t {
  kStale,    // too old: ignored and not gossiped on
  kKnown,    // nothing new
  kLearn,    // becomes UNCONFIRMED
  kFresher,  // only the incarnation rises
  kSuspect,  // becomes SUSPECT, or is suspected again at a higher incarnation
  kConfirm,  // one more confirmation of a suspicion
  kDoubt,    // a death, treated as a suspicion
  kDie,
  kLeave,
  kForget,   // an unconfirmed peer is removed without a death, its incarnation is kept
  kBury,     // dead or left and not in the table: its incarnation is kept
  kRefute,   // SUSPECT to ALIVE
  kRecover,  // DEAD or LEFT to ALIVE
};

enum class Source : std::uint8_t { kGossip, kSync };

Verdict judge(std::optional<Held> held, wire::UpdateKind said, wire::Incarnation incarnation, Source source,
              const Mutations& mutations);

// Effect of a message from the member itself; `incarnation` is the one in the message.
enum class Contact : std::uint8_t {
  kNothing,
  kMeet,  // an unknown or unconfirmed peer becomes ALIVE
  kFresher,
  kRefute,
  kRecover,
  kAccused,  // it is alive, but suspect, dead or left here at this incarnation: notify it, so that it can refute
};

Contact judge_contact(std::optional<Held> held, wire::Incarnation incarnation, const Mutations& mutations);

}  // namespace hyperscale::membership
