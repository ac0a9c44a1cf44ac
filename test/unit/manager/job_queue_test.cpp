#include "manager/job_queue.h"

#include <string>

#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

constexpr auto kNothing = [](const std::string&) { return false; };
constexpr auto kAnything = [](const std::string&) { return true; };
constexpr auto kSmall = [](const std::string& job) { return job.starts_with("small"); };

TEST(JobQueue, IsInOrder) {
  JobQueue queue;
  for (const char* job : {"a", "b", "c"}) queue.add(job, "tenant", MonoTime());
  EXPECT_EQ(queue.position_of("a"), 1U);
  EXPECT_EQ(queue.position_of("c"), 3U);
  EXPECT_EQ(queue.next(kNothing, MonoTime()), std::nullopt);
  EXPECT_EQ(queue.next(kAnything, MonoTime()), "a");
  EXPECT_EQ(queue.next(kAnything, MonoTime()), "b");
  EXPECT_EQ(queue.position_of("c"), 1U);
  EXPECT_EQ(queue.position_of("a"), 0U);
}

TEST(JobQueue, OrderWithinATenantIsStrict) {
  JobQueue queue;
  queue.add("large", "one", MonoTime());
  queue.add("small of the same", "one", MonoTime());
  EXPECT_EQ(queue.next(kSmall, MonoTime()), std::nullopt);
  queue.add("small of another", "two", MonoTime());
  EXPECT_EQ(queue.next(kSmall, MonoTime()), "small of another");
}

TEST(JobQueue, NothingOvertakesTheOldestForLong) {
  JobQueue queue;
  queue.add("large", "one", MonoTime());
  queue.add("small 1", "two", MonoTime());
  queue.add("small 2", "three", MonoTime());
  EXPECT_EQ(queue.next(kSmall, MonoTime() + kOvertakenMax - 1ns), "small 1");
  EXPECT_EQ(queue.next(kSmall, MonoTime() + kOvertakenMax), std::nullopt);
  EXPECT_EQ(queue.next(kAnything, MonoTime() + kOvertakenMax), "large");
  EXPECT_EQ(queue.next(kSmall, MonoTime() + kOvertakenMax), "small 2");
}

// proves part: BP-3 (the manager's queue; its error)
TEST(JobQueue, FullQueueRefuses) {
  JobQueue queue;
  for (std::size_t i = 0; i + 2 < kQueuedJobsMax; ++i) queue.add(std::to_string(i), "tenant", MonoTime());
  EXPECT_TRUE(queue.has_room(1));
  const Status full = queue.has_room(2);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::kBusy);
  EXPECT_EQ(full.error().context, "capacity exceeded: 10000 jobs wait, no more are accepted");
}

TEST(JobQueue, KnowsSinceWhenAJobWaits) {
  JobQueue queue;
  queue.add("a", "tenant", MonoTime() + 1s);
  queue.add("b", "tenant", MonoTime() + 2s);
  EXPECT_EQ(queue.waits_since("b"), MonoTime() + 2s);
  EXPECT_EQ(queue.waiting_since_before(MonoTime() + 2s), std::vector<std::string>{"a"});
  EXPECT_TRUE(queue.remove("a"));
  EXPECT_FALSE(queue.remove("a"));
  EXPECT_EQ(queue.waits_since("a"), std::nullopt);
  EXPECT_EQ(queue.size(), 1U);
}

}  // namespace
}  // namespace hyperscale::manager
