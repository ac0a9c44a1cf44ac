// Transitions: the tables of membership as pure functions (SWIM-1, AD-29, AD-31, A.5 of AD-35). Given what is held
// about a member and what was just heard, they say what is to happen; Membership carries it out.
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
// "newer" is a higher incarnation than the one held, "not old" an equal one or higher. Everything else is stale.
// (*) A death of a member that nobody here has heard suspected is doubted first: it becomes a suspicion that can be
// refuted, so that what one side of a partition believed does not kill the living on the other (SWIM-1 has no passage
// from ALIVE to DEAD). (+) Of what a sync page says of the dead, which may be long ago, even a suspect is only
// suspected.
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
  kStale,    // too old: nothing changes and nothing is passed on
  kKnown,    // nothing new
  kLearn,    // becomes UNCONFIRMED
  kFresher,  // only the incarnation rises
  kSuspect,  // becomes SUSPECT, or is suspected again at a higher incarnation
  kConfirm,  // one more voice for a suspicion
  kDoubt,    // a death, treated as a suspicion
  kDie,
  kLeave,
  kForget,   // an unconfirmed peer goes without having died, its incarnation is remembered
  kBury,     // a stranger that is gone: its incarnation is remembered
  kRefute,   // SUSPECT to ALIVE
  kRecover,  // DEAD or LEFT to ALIVE
};

enum class Source : std::uint8_t { kGossip, kSync };

Verdict judge(std::optional<Held> held, wire::UpdateKind said, wire::Incarnation incarnation, Source source,
              const Mutations& mutations);

// What a message from the member itself means; `incarnation` is the one it says it has.
enum class Contact : std::uint8_t {
  kNothing,
  kMeet,  // a stranger or an unconfirmed peer: ALIVE from here on
  kFresher,
  kRefute,
  kRecover,
  kAccused,  // it is alive but held to be suspect or gone at this incarnation: tell it, so that it can refute
};

Contact judge_contact(std::optional<Held> held, wire::Incarnation incarnation, const Mutations& mutations);

}  // namespace hyperscale::membership
