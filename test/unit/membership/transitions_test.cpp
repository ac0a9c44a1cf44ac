#include "membership/transitions.h"

#include "sim/bugs/bug_planter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership {
namespace {

using wire::Incarnation;
using wire::UpdateKind;

constexpr Mutations kNone;

Verdict heard(MemberState state, std::uint64_t held, UpdateKind said, std::uint64_t incarnation,
              Source source = Source::kGossip) {
  return judge(Held{state, Incarnation(held)}, said, Incarnation(incarnation), source, kNone);
}
Contact met(MemberState state, std::uint64_t held, std::uint64_t incarnation) {
  return judge_contact(Held{state, Incarnation(held)}, Incarnation(incarnation), kNone);
}

// proves: AD29-8, SWIM-2
// proves part: AD31-11 (told as a recovery on every path; not that votes and the count of workers take it back)
// proves part: SWIM-1 (states, timers, gossip and callbacks; no manager gives out work by them yet)
// proves part: AD35-LIFE-1 (any message makes a peer ALIVE, not only an ack both ways)
TEST(Transitions, FollowTheTableOfStates) {
  EXPECT_EQ(heard(MemberState::kAlive, 3, UpdateKind::kSuspect, 3), Verdict::kSuspect);
  EXPECT_EQ(heard(MemberState::kAlive, 3, UpdateKind::kSuspect, 4), Verdict::kSuspect);
  EXPECT_EQ(heard(MemberState::kSuspect, 3, UpdateKind::kAlive, 4), Verdict::kRefute);
  EXPECT_EQ(heard(MemberState::kSuspect, 3, UpdateKind::kSuspect, 3), Verdict::kConfirm);
  EXPECT_EQ(heard(MemberState::kSuspect, 3, UpdateKind::kSuspect, 4), Verdict::kSuspect);
  EXPECT_EQ(heard(MemberState::kSuspect, 3, UpdateKind::kDead, 3), Verdict::kDie);
  EXPECT_EQ(heard(MemberState::kDead, 3, UpdateKind::kAlive, 4), Verdict::kRecover);
  EXPECT_EQ(heard(MemberState::kDead, 3, UpdateKind::kJoin, 4), Verdict::kRecover);
  EXPECT_EQ(heard(MemberState::kLeft, 3, UpdateKind::kAlive, 4), Verdict::kRecover);
  EXPECT_EQ(heard(MemberState::kAlive, 3, UpdateKind::kLeave, 3), Verdict::kLeave);
}

// proves: SWIM-2, AD29-1
// proves part: SWIM-1 (states, timers, gossip and callbacks; no manager gives out work by them yet)
TEST(Transitions, EqualIncarnationsDoNotClearASuspicionOrADeath) {
  EXPECT_EQ(heard(MemberState::kSuspect, 3, UpdateKind::kAlive, 3), Verdict::kKnown);
  EXPECT_EQ(heard(MemberState::kDead, 3, UpdateKind::kAlive, 3), Verdict::kStale);
  EXPECT_EQ(heard(MemberState::kLeft, 3, UpdateKind::kJoin, 3), Verdict::kStale);
  EXPECT_EQ(met(MemberState::kSuspect, 3, 3), Contact::kAccused);
  EXPECT_EQ(met(MemberState::kDead, 3, 3), Contact::kAccused);
  EXPECT_EQ(met(MemberState::kSuspect, 3, 4), Contact::kRefute);
  EXPECT_EQ(met(MemberState::kDead, 3, 4), Contact::kRecover);
}

TEST(Transitions, ADeathThatNobodySuspectedIsDoubted) {
  EXPECT_EQ(heard(MemberState::kAlive, 3, UpdateKind::kDead, 3), Verdict::kDoubt);
  EXPECT_EQ(heard(MemberState::kSuspect, 3, UpdateKind::kDead, 3, Source::kSync), Verdict::kConfirm);
}

// proves: AD29-4, AD29-8
// proves part: AD35-LIFE-2 (probes, refusals and gossip; not: a suspicion of the job layer)
TEST(Transitions, AnUnconfirmedPeerIsNeitherSuspectedNorDies) {
  for (const std::uint64_t incarnation : {0, 1, 2, 9}) {
    for (const UpdateKind said : {UpdateKind::kSuspect, UpdateKind::kDead, UpdateKind::kLeave}) {
      for (const Source source : {Source::kGossip, Source::kSync}) {
        const Verdict verdict = heard(MemberState::kUnconfirmed, 1, said, incarnation, source);
        EXPECT_TRUE(verdict == Verdict::kStale || verdict == Verdict::kKnown || verdict == Verdict::kFresher ||
                    verdict == Verdict::kForget);
      }
    }
  }
}

// proves part: AD35-LIFE-2 (probes, refusals and gossip; not: a suspicion of the job layer)
TEST(Transitions, OnlyTheLivingAreSuspected) {
  for (const MemberState state : {MemberState::kUnconfirmed, MemberState::kDead, MemberState::kLeft}) {
    for (const std::uint64_t incarnation : {0, 1, 2, 9}) {
      for (const Source source : {Source::kGossip, Source::kSync}) {
        const Verdict verdict = heard(state, 1, UpdateKind::kSuspect, incarnation, source);
        EXPECT_NE(verdict, Verdict::kSuspect);
        EXPECT_NE(verdict, Verdict::kDoubt);
      }
    }
  }
  EXPECT_EQ(heard(MemberState::kAlive, 1, UpdateKind::kSuspect, 1), Verdict::kSuspect);
}

// proves: AD29-8
// proves part: SWIM-1 (states, timers, gossip and callbacks; no manager gives out work by them yet)
// proves part: AD29-3 (configuration and gossip; not DNS results)
TEST(Transitions, GossipIntroducesAndOnlyContactConfirms) {
  EXPECT_EQ(judge(std::nullopt, UpdateKind::kJoin, Incarnation(1), Source::kGossip, kNone), Verdict::kLearn);
  EXPECT_EQ(heard(MemberState::kUnconfirmed, 1, UpdateKind::kAlive, 7), Verdict::kFresher);
  EXPECT_EQ(judge_contact(std::nullopt, Incarnation(1), kNone), Contact::kMeet);
  EXPECT_EQ(met(MemberState::kUnconfirmed, 1, 1), Contact::kMeet);
}

// proves: AD31-3, SWIM-2
// proves part: SWIM-1 (states, timers, gossip and callbacks; no manager gives out work by them yet)
RC_GTEST_PROP(Transitions, LowerIncarnationsNeverChangeAnything, ()) {
  const auto held = *rc::gen::inRange<std::uint64_t>(1, 1'000);
  const auto old = *rc::gen::inRange<std::uint64_t>(0, held);
  const auto state = static_cast<MemberState>(*rc::gen::inRange(0, 5));
  const auto said = static_cast<UpdateKind>(*rc::gen::inRange(1, 6));
  const auto source = *rc::gen::element(Source::kGossip, Source::kSync);
  RC_ASSERT(heard(state, held, said, old, source) == Verdict::kStale);
}

RC_GTEST_PROP(Transitions, EachMutationWithdrawsItsProtection, ()) {
  const auto held = *rc::gen::inRange<std::uint64_t>(2, 1'000);
  const Held dead{MemberState::kDead, Incarnation(held)};
  const auto judged = [&](Held about, UpdateKind said, std::uint64_t incarnation, const Mutations& mutations) {
    return judge(about, said, Incarnation(incarnation), Source::kGossip, mutations);
  };
  RC_ASSERT(judged(dead, UpdateKind::kAlive, held, {.resurrect_by_old_gossip = BugPlanter::planted()}) ==
            Verdict::kRecover);
  RC_ASSERT(judged(dead, UpdateKind::kAlive, held - 1, {.forget_incarnation_check = BugPlanter::planted()}) ==
            Verdict::kRecover);
  RC_ASSERT(judged(dead, UpdateKind::kDead, held, {.callbacks_twice = BugPlanter::planted()}) == Verdict::kDie);
  const Held alive{MemberState::kAlive, Incarnation(held)};
  RC_ASSERT(judged(alive, UpdateKind::kDead, held, {.believe_deaths_at_once = BugPlanter::planted()}) == Verdict::kDie);
  const Held unconfirmed{MemberState::kUnconfirmed, Incarnation(held)};
  RC_ASSERT(judged(unconfirmed, UpdateKind::kSuspect, held, {.suspect_unconfirmed = BugPlanter::planted()}) ==
            Verdict::kSuspect);
}

}  // namespace
}  // namespace hyperscale::membership
