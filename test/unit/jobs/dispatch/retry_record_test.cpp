#include "jobs/dispatch/retry_record.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::jobs {
namespace {

using testing::ElementsAre;

constexpr MonoTime kAt = MonoTime::from_ns(4'000'000'000);

RetryRecord record_of(std::string_view bytes = "dispatch") {
  return {SharedBytes::copy_of(bytes), kAt, Prng(11)};
}

RetryVerdict attempt_lost(RetryRecord& record, std::string_view worker, MonoTime now = kAt) {
  record.dispatched();
  return record.lost(worker, now);
}

RetryVerdict attempt_refused(RetryRecord& record, std::string_view worker, MonoTime now = kAt) {
  record.dispatched();
  return record.refused(worker, now);
}

// proves part: AD9-1 (kept as it was given; no manager runs with it yet)
// proves part: AD9-2 (the bytes stay; the fence is beside them)
TEST(RetryRecord, KeepsTheBytesOfTheFirstDispatch) {
  const SharedBytes original = SharedBytes::copy_of(std::string_view("a plan"));
  RetryRecord record(original, kAt, Prng(1));
  attempt_lost(record, "a");
  attempt_lost(record, "b");
  EXPECT_EQ(record.dispatch().data(), original.data()) << "not even copied";
  EXPECT_EQ(record.dispatch().text(), "a plan");
}

// proves part: FAIL-WORKER-2 (exclusion and the end; no manager chooses workers with it yet)
// proves part: FAIL-WORKER-1 (exclusion and count; no manager chooses workers with it yet)
// proves part: AD9-3 (the record; no manager chooses workers with it yet)
TEST(RetryRecord, ExclusionAccumulatesUntilTheEnd) {
  RetryRecord record = record_of();
  EXPECT_TRUE(record.may_use("a", kAt));
  EXPECT_EQ(attempt_lost(record, "a"), RetryVerdict::kRetry);
  EXPECT_FALSE(record.may_use("a", kAt + 24h));
  EXPECT_TRUE(record.may_use("b", kAt));
  EXPECT_EQ(attempt_lost(record, "b"), RetryVerdict::kRetry);
  EXPECT_EQ(attempt_lost(record, "c"), RetryVerdict::kRetry);
  EXPECT_EQ(record.retries(), 3);
  EXPECT_EQ(attempt_lost(record, "d"), RetryVerdict::kRetriesUsedUp) << "the fourth attempt was the last";
  EXPECT_THAT(record.failed_workers(), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(record.lost("e", kAt), RetryVerdict::kRetriesUsedUp);
  EXPECT_EQ(record.retries(), 3);
}

TEST(RetryRecord, ARefusalIsNoRetry) {
  RetryRecord record = record_of();
  EXPECT_EQ(attempt_refused(record, "a"), RetryVerdict::kRetry);
  EXPECT_EQ(record.retries(), 0);
  EXPECT_FALSE(record.may_use("a", kAt + 30s - 1ns));
  EXPECT_TRUE(record.may_use("a", kAt + 30s)) << "it may have free cores by now";
}

// proves part: ZOMBIE-DET-1 (both reasons and limits; not: the loop that looks every 30 s)
TEST(RetryRecord, TooManyDispatchesEvict) {
  RetryRecord record = record_of();
  for (const char* worker : {"a", "b", "c", "d", "e"}) {
    EXPECT_EQ(attempt_refused(record, worker), RetryVerdict::kRetry);
  }
  EXPECT_EQ(attempt_refused(record, "f"), RetryVerdict::kTooManyDispatches) << "six are more than five";
  EXPECT_EQ(name(RetryVerdict::kTooManyDispatches), "max_dispatch_attempts");
}

// proves part: ZOMBIE-DET-1 (both reasons and limits; not: the loop that looks every 30 s)
TEST(RetryRecord, WithoutAWorkerItFailsInTime) {
  RetryRecord record = record_of();
  EXPECT_EQ(record.waited(kAt + 300s - 1ns), RetryVerdict::kRetry);
  attempt_lost(record, "a", kAt + 200s);
  EXPECT_EQ(record.waited(kAt + 400s), RetryVerdict::kRetry) << "counted from when it waits again";
  EXPECT_EQ(record.waited(kAt + 500s), RetryVerdict::kNoWorkerInTime);
  EXPECT_EQ(name(RetryVerdict::kNoWorkerInTime), "timeout");
  EXPECT_EQ(record.refused("b", kAt + 501s), RetryVerdict::kNoWorkerInTime) << "final";
}

TEST(RetryRecord, DelaysGrowAndDiffer) {
  EXPECT_EQ(record_of().not_before(), kAt);
  Duration longest[3] = {};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RetryRecord record(SharedBytes(), kAt, Prng(seed));
    for (Duration& most : longest) {
      attempt_lost(record, "w");
      most = std::max(most, record.not_before() - kAt);
    }
  }
  EXPECT_GT(longest[0], 400ms);
  EXPECT_LE(longest[0], 500ms);
  EXPECT_GT(longest[1], 800ms);
  EXPECT_LE(longest[1], 1s);
  EXPECT_GT(longest[2], 1600ms);
  EXPECT_LE(longest[2], 2s);
}

RC_GTEST_PROP(RetryRecord, AttemptsAreBoundedAndTheEndFinal, ()) {
  RetryRecord record = record_of();
  MonoTime now = kAt;
  RetryVerdict last = RetryVerdict::kRetry;
  int attempts = 0;
  while (last == RetryVerdict::kRetry) {
    now += std::chrono::seconds(*rc::gen::inRange(0, 100));
    const std::string worker(1, *rc::gen::inRange('a', 'h'));
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        last = attempt_lost(record, worker, now);
        ++attempts;
        RC_ASSERT(!record.may_use(worker, now + 24h));
        break;
      case 1:
        last = attempt_refused(record, worker, now);
        ++attempts;
        break;
      default:
        last = record.waited(now);
    }
    RC_ASSERT(attempts <= kDispatchAttemptsMax + 1);
    RC_ASSERT(record.retries() <= kWorkflowRetriesMax);
  }
  RC_ASSERT(record.waited(now + 1h) == last);
  RC_ASSERT(record.lost("z", now) == last);
}

}  // namespace
}  // namespace hyperscale::jobs
