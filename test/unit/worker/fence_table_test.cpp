#include "worker/fence_table.h"

#include "sample_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::worker {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using wire::Refusal;

constexpr MonoTime kNow = MonoTime::from_ns(1'000'000'000'000);
const wire::Sha256 kDigest = digest_of(1);

bool admit(FenceTable& table, const wire::AttemptId& attempt, MonoTime now = kNow) {
  const FenceTable::Verdict verdict = table.judge(attempt, kDigest);
  return verdict.refusal == Refusal::kNone && !verdict.repeated && table.admit(attempt, kDigest, now);
}

// As an attempt that ran and whose result was released.
void run(FenceTable& table, const wire::AttemptId& attempt, MonoTime now = kNow) {
  ASSERT_TRUE(admit(table, attempt, now));
  wire::WorkflowDispatchAck ack;
  ack.attempt = attempt;
  ack.accepted = true;
  table.store(ack);
  table.bury(attempt, now);
}

TEST(FenceTable, TombstonesStayWhileThereIsRoom) {
  FenceTable table(kBoot);
  const wire::AttemptId attempt = attempt_of(share_of("job"));
  run(table, attempt);
  ASSERT_TRUE(admit(table, attempt_of(share_of("other")), kNow + 100h));
  EXPECT_TRUE(table.judge(attempt, kDigest).repeated);
}

TEST(FenceTable, FullTableForgetsWhatIsLongOver) {
  FenceTable table(kBoot, 3);
  run(table, attempt_of(share_of("old")));
  run(table, attempt_of(share_of("young")), kNow + 30min);
  ASSERT_TRUE(admit(table, attempt_of(share_of("running"))));
  EXPECT_FALSE(admit(table, attempt_of(share_of("next")), kNow + kTombstoneKept - 1s));
  EXPECT_TRUE(admit(table, attempt_of(share_of("next")), kNow + kTombstoneKept));
  EXPECT_EQ(table.newest(share_of("old")), wire::Fence{});
  EXPECT_NE(table.newest(share_of("young")), wire::Fence{});
  EXPECT_NE(table.newest(share_of("running")), wire::Fence{}) << "what runs is never forgotten";
  EXPECT_FALSE(admit(table, attempt_of(share_of("more")), kNow + kTombstoneKept));
}

TEST(FenceTable, CancelsOfUnknownSharesAreBoundedToo) {
  FenceTable table(kBoot, 4);
  wire::WorkflowCancelRequest request;
  request.job = "job";
  request.epoch = 10;
  for (std::uint32_t i = 0; i < 10; ++i) request.shares.push_back(share_of("job", i));
  table.block(request, kNow);
  EXPECT_EQ(table.shares(), 4U);
  for (int i = 0; i < 10; ++i) {
    request.job = "job" + std::to_string(i);
    request.shares.clear();
    table.block(request, kNow);
  }
  EXPECT_THAT(table.tombstones(""), IsEmpty()) << "no attempt of them was here";
}

TEST(FenceTable, BlockOutlivesALaterEpoch) {
  FenceTable table(kBoot);
  wire::WorkflowCancelRequest request;
  request.job = "job";
  request.epoch = 10;
  table.block(request, kNow);
  request.epoch = 7;
  table.block(request, kNow);
  EXPECT_FALSE(admit(table, attempt_of(share_of("job"), 10)));
  EXPECT_TRUE(admit(table, attempt_of(share_of("job", 0, wire::SharePart::kTeardown), 10)));
  EXPECT_TRUE(admit(table, attempt_of(share_of("job"), 11)));
}

TEST(FenceTable, LatestTombstonesAreAnswered) {
  FenceTable table(kBoot);
  const auto count = static_cast<std::uint32_t>(wire::kTombstonesPerAnswerMax);
  for (std::uint32_t i = 0; i < count + 10; ++i) run(table, attempt_of(share_of("job", i)), kNow + i * 1s);
  const auto all = table.tombstones("");
  ASSERT_THAT(all, SizeIs(wire::kTombstonesPerAnswerMax));
  EXPECT_EQ(all.front().attempt.share.share, count + 9);
  EXPECT_EQ(all.back().attempt.share.share, 10U);
  EXPECT_THAT(table.tombstones("another"), IsEmpty());
}

RC_GTEST_PROP(FenceTable, FencesNeverFall, ()) {
  FenceTable table(kBoot, 8);
  std::map<wire::ShareId, wire::Fence> highest;
  MonoTime now = kNow;
  for (int i = 0; i < 200; ++i) {
    const wire::ShareId share = share_of(std::string(1, *rc::gen::inRange('a', 'd')), *rc::gen::inRange(0U, 4U));
    const wire::AttemptId attempt = attempt_of(share, *rc::gen::inRange(1U, 5U), *rc::gen::inRange(1U, 4U));
    now += *rc::gen::inRange(0, 20) * 1min;
    const wire::Fence known = table.newest(share);
    if (admit(table, attempt, now)) {
      RC_ASSERT(attempt.fence > known);
      highest[share] = attempt.fence;
    }
    if (*rc::gen::inRange(0, 3) == 0) table.bury(attempt, now);
    if (*rc::gen::inRange(0, 8) == 0) {
      wire::WorkflowCancelRequest request;
      request.job = share.job;
      request.epoch = *rc::gen::inRange(1U, 5U);
      table.block(request, now);
    }
    RC_ASSERT((table.newest(share) == wire::Fence{} || table.newest(share) == highest[share]));
    RC_ASSERT(table.shares() <= 8U);
  }
}

}  // namespace
}  // namespace hyperscale::worker
