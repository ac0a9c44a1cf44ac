#include "manager/share_book.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

constexpr std::uint64_t kEpoch = 8;
const jobs::ShareNumber kNumber{2, wire::SharePart::kSteps, 1};

MonoTime at(int seconds) {
  return MonoTime() + std::chrono::seconds(seconds);
}

wire::WorkflowFinalResult final_of(const Share& share, std::uint64_t bytes = 100) {
  wire::WorkflowFinalResult result;
  result.attempt.fence = share.attempt().fence;
  result.bytes = bytes;
  return result;
}

class OneShare : public testing::Test {
 protected:
  // As far as its phase says, at a worker.
  void bring_to(SharePhase phase, const std::string& worker = "w1", std::uint64_t epoch = kEpoch) {
    share_.place(worker, at(1));
    if (phase == SharePhase::kPlaced) return;
    share_.propose(wire::BootId(5), epoch, at(2));
    if (phase == SharePhase::kProvisioning) return;
    share_.provisioned(share_.attempt().fence, at(3));
    if (phase == SharePhase::kDispatching) return;
    share_.accepted(at(4));
    if (phase == SharePhase::kPreparing) return;
    share_.ready(at(5));
    if (phase == SharePhase::kReady) return;
    share_.starting(at(6));
    if (phase == SharePhase::kStarting) return;
    share_.running(at(7));
    if (phase == SharePhase::kRunning) return;
    share_.finished(final_of(share_), at(8));
    if (phase == SharePhase::kFinal) return;
    share_.fetched(at(9));
  }
  void lose(const LossDecision& decision, bool blames = true) {
    share_.propose_end(decision, blames, "gone", at(10));
    share_.attempt_ended(at(11));
  }

  Share share_{kNumber, 4, {4, 5}, at(0)};
};

TEST_F(OneShare, RunsToItsEnd) {
  bring_to(SharePhase::kFetched);
  EXPECT_FALSE(share_.ended());
  share_.counted(at(10));
  EXPECT_TRUE(share_.ended());
  EXPECT_EQ(share_.phase(), SharePhase::kCounted);
  EXPECT_EQ(share_.attempt().fence, (wire::Fence{kEpoch, 1}));
  EXPECT_EQ(share_.attempt().boot, wire::BootId(5));
}

// Messages may overtake each other: a later one implies the earlier ones.
TEST_F(OneShare, LaterNewsImplyEarlierOnes) {
  bring_to(SharePhase::kDispatching);
  share_.ready(at(4));
  EXPECT_EQ(share_.phase(), SharePhase::kReady);
  share_.accepted(at(5));
  share_.ready(at(5));
  EXPECT_EQ(share_.phase(), SharePhase::kReady);
  EXPECT_EQ(share_.since(), at(4));
  share_.starting(at(6));
  share_.finished(final_of(share_), at(7));
  share_.running(at(8));
  EXPECT_EQ(share_.phase(), SharePhase::kFinal);
}

// proves part: FAIL-WORKER-2 (the core; no manager runs with it yet)
// proves part: FAIL-WORKER-1 (new fence, exclusion, count; the content is that of its digest)
TEST_F(OneShare, LostAttemptIsFencedAndItsWorkerExcluded) {
  bring_to(SharePhase::kRunning);
  share_.set_digest({1});
  lose({.again = true});
  EXPECT_EQ(share_.phase(), SharePhase::kUnplaced);
  EXPECT_EQ(share_.waits_since(), at(11));
  bring_to(SharePhase::kRunning, "w2");
  EXPECT_EQ(share_.attempt().fence, (wire::Fence{kEpoch, 2}));
  lose({.again = true});
  EXPECT_THAT(share_.excluded(), testing::ElementsAre("w1", "w2"));
  EXPECT_EQ(share_.losses(), 2U);
  EXPECT_DEATH(share_.place("w1", at(12)), "placed at w1");
  EXPECT_DEATH(share_.set_digest({2}), "another content");
  bring_to(SharePhase::kRunning, "w3");
  lose({.again = false});
  EXPECT_EQ(share_.phase(), SharePhase::kOver);
  EXPECT_EQ(share_.error(), "gone");
}

TEST_F(OneShare, RefusedAttemptBlamesNobody) {
  bring_to(SharePhase::kDispatching);
  lose({.again = true}, false);
  EXPECT_TRUE(share_.excluded().empty());
  EXPECT_EQ(share_.losses(), 0U);
  EXPECT_EQ(share_.waits_since(), at(0));  // nobody has taken it so far
  share_.place("w1", at(12));
}

TEST_F(OneShare, FencesRiseAlsoUnderANewLeader) {
  bring_to(SharePhase::kRunning);
  lose({.again = true});
  bring_to(SharePhase::kRunning, "w2", kEpoch + 1);
  EXPECT_EQ(share_.attempt().fence, (wire::Fence{kEpoch + 1, 1}));
  share_.rise_above({kEpoch + 1, 7});
  lose({.again = true});
  bring_to(SharePhase::kDispatching, "w3", kEpoch + 1);
  EXPECT_EQ(share_.attempt().fence, (wire::Fence{kEpoch + 1, 8}));
}

TEST_F(OneShare, FenceOfAShareThatIsOverStopsItsAttempts) {
  bring_to(SharePhase::kRunning);
  EXPECT_EQ(share_.known_fence(), share_.attempt().fence);
  share_.close("cancelled", at(9));
  EXPECT_GT(share_.known_fence(), share_.attempt().fence);
}

// Nothing is decided while another decision is on its way.
TEST_F(OneShare, OneDecisionAtATime) {
  bring_to(SharePhase::kProvisioning);
  EXPECT_TRUE(share_.decision_open());
  EXPECT_DEATH(share_.close("", at(3)), "is provisioning");
  EXPECT_DEATH(share_.propose_end({}, true, "", at(3)), "is provisioning");
  EXPECT_DEATH(share_.finished(final_of(share_), at(3)), "is provisioning");
  share_.provisioned(share_.attempt().fence, at(3));
  share_.propose_end({.again = true}, true, "gone", at(4));
  EXPECT_TRUE(share_.decision_open());
  EXPECT_DEATH(share_.finished(final_of(share_), at(4)), "is losing");
  EXPECT_DEATH(share_.propose_end({}, true, "", at(4)), "is losing");
}

TEST_F(OneShare, EachInstantCountsOnce) {
  bring_to(SharePhase::kRunning);
  lose({.again = true, .from_elapsed = 4s, .counted_to = 4s});
  bring_to(SharePhase::kRunning, "w2");
  EXPECT_EQ(share_.attempt().from_elapsed, 4s);
  lose({.again = true, .from_elapsed = 9s, .counted_to = 9s});
  bring_to(SharePhase::kFetched, "w3");
  share_.counted(at(12));
  EXPECT_EQ(share_.attempt().from_elapsed, 9s);
}

TEST_F(OneShare, CountingAnInstantTwiceIsABug) {
  bring_to(SharePhase::kRunning);
  lose({.again = true, .from_elapsed = 0s, .counted_to = 4s});  // counts, and begins again from the start
  bring_to(SharePhase::kFetched, "w2");
  EXPECT_DEATH(share_.counted(at(12)), "it has counted to 4000000000 ns");
}

TEST_F(OneShare, EndedShareNeverChanges) {
  bring_to(SharePhase::kFetched);
  share_.counted(at(10));
  EXPECT_DEATH(share_.close("", at(11)), "from counted to over");
}

TEST_F(OneShare, DispatchNeedsItsRecord) {
  bring_to(SharePhase::kPlaced);
  EXPECT_DEATH(share_.provisioned({kEpoch, 1}, at(2)), "is placed");
  share_.propose(wire::BootId(5), kEpoch, at(2));
  EXPECT_DEATH(share_.provisioned({kEpoch, 2}, at(2)), "is provisioning");
  EXPECT_FALSE(share_.with_worker());
}

TEST(ShareBook, FindsTheSharesOfAPart) {
  ShareBook book;
  for (const std::uint32_t share : {0U, 1U, 2U}) book.add(Share({1, wire::SharePart::kSteps, share}, 0, {share}, {}));
  book.add(Share({1, wire::SharePart::kSetup, 0}, 0, {0}, {}));
  book.add(Share({2, wire::SharePart::kSteps, 0}, 0, {0}, {}));
  EXPECT_EQ(book.of(1, wire::SharePart::kSteps).size(), 3U);
  EXPECT_EQ(book.of(1, wire::SharePart::kSetup).size(), 1U);
  EXPECT_TRUE(book.of(1, wire::SharePart::kTeardown).empty());
  EXPECT_EQ(book.find({1, wire::SharePart::kSteps, 2})->cores().front(), 2U);
  EXPECT_EQ(book.find({1, wire::SharePart::kSteps, 3}), nullptr);
  EXPECT_DEATH(book.add(Share({2, wire::SharePart::kSteps, 0}, 0, {0}, {})), "is there already");
}

}  // namespace
}  // namespace hyperscale::manager
