#include "membership/transitions.h"

#include "base/check.h"

namespace hyperscale::membership {

using wire::Incarnation;
using wire::UpdateKind;

namespace {

Verdict judge_alive(const Held& held, Incarnation incarnation, const Mutations& mutations) {
  bool newer = incarnation > held.incarnation || mutations.forget_incarnation_check;
  if (is_gone(held.state) && mutations.resurrect_by_old_gossip) newer = true;
  if (!newer) return incarnation == held.incarnation && !is_gone(held.state) ? Verdict::kKnown : Verdict::kStale;
  switch (held.state) {
    case MemberState::kUnconfirmed:
    case MemberState::kAlive:
      return Verdict::kFresher;
    case MemberState::kSuspect:
      return Verdict::kRefute;
    case MemberState::kDead:
    case MemberState::kLeft:
      return Verdict::kRecover;
  }
  UNREACHABLE("member state {}", static_cast<int>(held.state));
}

Verdict judge_suspect(const Held& held, Incarnation incarnation, const Mutations& mutations) {
  if (incarnation < held.incarnation && !mutations.forget_incarnation_check) return Verdict::kStale;
  const bool newer = incarnation > held.incarnation;
  switch (held.state) {
    case MemberState::kUnconfirmed:
      if (mutations.suspect_unconfirmed) return Verdict::kSuspect;
      return newer ? Verdict::kFresher : Verdict::kKnown;  // AD29-4
    case MemberState::kAlive:
      return Verdict::kSuspect;
    case MemberState::kSuspect:
      return newer ? Verdict::kSuspect : Verdict::kConfirm;
    case MemberState::kDead:
    case MemberState::kLeft:
      return Verdict::kStale;  // it was alive in between: gossip will report that
  }
  UNREACHABLE("member state {}", static_cast<int>(held.state));
}

Verdict judge_gone(const Held& held, UpdateKind said, Incarnation incarnation, Source source,
                   const Mutations& mutations) {
  if (incarnation < held.incarnation && !mutations.forget_incarnation_check) return Verdict::kStale;
  const bool left = said == UpdateKind::kLeave;
  switch (held.state) {
    case MemberState::kUnconfirmed:
      if (mutations.suspect_unconfirmed && !left) return Verdict::kDie;
      return Verdict::kForget;  // U18: recorded, but it cannot die
    case MemberState::kAlive:
      if (left) return Verdict::kLeave;
      return mutations.believe_deaths_at_once ? Verdict::kDie : Verdict::kDoubt;
    case MemberState::kSuspect:
      if (left) return Verdict::kLeave;
      return source == Source::kSync ? Verdict::kConfirm : Verdict::kDie;
    case MemberState::kDead:
    case MemberState::kLeft:
      if (mutations.callbacks_twice && !left) return Verdict::kDie;
      return incarnation > held.incarnation ? Verdict::kFresher : Verdict::kKnown;
  }
  UNREACHABLE("member state {}", static_cast<int>(held.state));
}

}  // namespace

Verdict judge(std::optional<Held> held, UpdateKind said, Incarnation incarnation, Source source,
              const Mutations& mutations) {
  switch (said) {
    case UpdateKind::kJoin:
    case UpdateKind::kAlive:
      return held ? judge_alive(*held, incarnation, mutations) : Verdict::kLearn;
    case UpdateKind::kSuspect:
      return held ? judge_suspect(*held, incarnation, mutations) : Verdict::kLearn;
    case UpdateKind::kLeave:
    case UpdateKind::kDead:
      return held ? judge_gone(*held, said, incarnation, source, mutations) : Verdict::kBury;
  }
  return Verdict::kStale;  // a kind of a later version
}

Contact judge_contact(std::optional<Held> held, Incarnation incarnation, const Mutations& mutations) {
  if (!held || held->state == MemberState::kUnconfirmed) return Contact::kMeet;
  const bool newer = incarnation > held->incarnation || mutations.forget_incarnation_check;
  switch (held->state) {
    case MemberState::kUnconfirmed:
      break;
    case MemberState::kAlive:
      return incarnation > held->incarnation ? Contact::kFresher : Contact::kNothing;
    case MemberState::kSuspect:
      return newer ? Contact::kRefute : Contact::kAccused;
    case MemberState::kDead:
    case MemberState::kLeft:
      return newer || mutations.resurrect_by_old_gossip ? Contact::kRecover : Contact::kAccused;
  }
  UNREACHABLE("member state {}", static_cast<int>(held->state));
}

}  // namespace hyperscale::membership
