#include "manager/worker_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

using Change = WorkerPool::Change;

const ShareHolder kFirst{"job", {0, wire::SharePart::kSteps, 0}};
const ShareHolder kSecond{"job", {0, wire::SharePart::kSteps, 1}};
const ShareHolder kSetup{"job", {0, wire::SharePart::kSetup, 0}};
const ShareHolder kOther{"other", {0, wire::SharePart::kSteps, 0}};

WorkerNews news(std::uint64_t version, std::uint32_t available, std::uint64_t boot = 1) {
  return {.name = "w1", .boot = wire::BootId(boot), .total_cores = 8, .available_cores = available, .version = version};
}

TEST(WorkerPool, ReservedCoresAreNotFree) {
  WorkerPool pool;
  EXPECT_EQ(pool.seen(news(1, 8)), Change::kNew);
  pool.reserve("w1", kFirst, {0, 1, 2});
  EXPECT_EQ(pool.free("w1"), 5U);
  EXPECT_EQ(pool.reserved("w1"), 3U);
  EXPECT_EQ(*pool.worker_of(kFirst), "w1");
  pool.release(kFirst);
  pool.release(kFirst);
  EXPECT_EQ(pool.free("w1"), 8U);
  EXPECT_EQ(pool.reserved_total(), 0U);
}

// The dispatch is still on its way when the worker says that all its cores are free.
TEST(WorkerPool, LateHeartbeatDoesNotFreeCores) {
  WorkerPool pool;
  pool.seen(news(5, 8));
  pool.reserve("w1", kFirst, {0, 1, 2});
  EXPECT_EQ(pool.seen(news(5, 8)), Change::kUpdated);
  EXPECT_EQ(pool.free("w1"), 5U);
}

// Four cores are in use for something that this manager does not know.
TEST(WorkerPool, UnknownUseIsSubtractedOnce) {
  WorkerPool pool;
  pool.seen(news(5, 4));
  EXPECT_EQ(pool.free("w1"), 4U);
  pool.reserve("w1", kFirst, {0, 1, 2});
  EXPECT_EQ(pool.free("w1"), 1U);  // not known to the worker
  pool.accepted(kFirst);
  EXPECT_EQ(pool.free("w1"), 1U);
  pool.seen(news(6, 1));  // known
  EXPECT_EQ(pool.free("w1"), 1U);
  pool.release(kFirst);  // at once, before the worker says so
  EXPECT_EQ(pool.free("w1"), 4U);
  pool.seen(news(7, 4));
  EXPECT_EQ(pool.free("w1"), 4U);
}

// The reservation is accepted later than version 6 was made: that one may not know it.
TEST(WorkerPool, AcceptanceMakesAReservationYounger) {
  WorkerPool pool;
  pool.seen(news(5, 4));
  pool.reserve("w1", kFirst, {0, 1, 2});
  pool.seen(news(6, 4));
  pool.accepted(kFirst);
  EXPECT_EQ(pool.free("w1"), 1U);
  pool.seen(news(7, 1));
  EXPECT_EQ(pool.free("w1"), 1U);
}

TEST(WorkerPool, StaleNewsChangeNothing) {
  WorkerPool pool;
  pool.seen(news(5, 4));
  EXPECT_EQ(pool.seen(news(4, 8)), Change::kNone);
  EXPECT_EQ(pool.free("w1"), 4U);
}

TEST(WorkerPool, SharesOfAJobMayShareACore) {
  WorkerPool pool;
  pool.seen(news(1, 8));
  pool.reserve("w1", kFirst, {0, 1});
  EXPECT_EQ(pool.missing("w1", "job", {1, 2}), 1U);
  EXPECT_EQ(pool.missing("w1", "other", {1, 2}), 2U);
  pool.reserve("w1", kSetup, {0});
  pool.reserve("w1", kOther, {0});
  EXPECT_EQ(pool.reserved("w1"), 3U);
  pool.release(kFirst);
  EXPECT_EQ(pool.reserved("w1"), 2U);  // the setup still has core 0
  pool.release(kSetup);
  EXPECT_EQ(pool.reserved("w1"), 1U);
}

TEST(WorkerPool, RestartLosesEverything) {
  WorkerPool pool;
  pool.seen(news(9, 8));
  pool.reserve("w1", kFirst, {0, 1});
  EXPECT_EQ(pool.seen(news(1, 8, 2)), Change::kRestarted);
  EXPECT_FALSE(pool.is_up("w1", wire::BootId(1)));
  EXPECT_TRUE(pool.is_up("w1", wire::BootId(2)));
  EXPECT_EQ(pool.worker_of(kFirst), nullptr);
  EXPECT_EQ(pool.free("w1"), 8U);
  pool.release(kFirst);
  pool.reserve("w1", kFirst, {0});
  pool.down("w1");
  EXPECT_EQ(pool.worker_of(kFirst), nullptr);
  EXPECT_EQ(pool.total(), 0U);
}

TEST(WorkerPool, OnlyWorkersThatMayGetSharesHaveRoom) {
  WorkerPool pool;
  WorkerNews healthy = news(1, 8), degraded = news(1, 3), draining = news(1, 8);
  degraded.name = "w2";
  degraded.state = wire::WorkerState::kDegraded;
  draining.name = "w3";
  draining.state = wire::WorkerState::kDraining;
  for (const WorkerNews& each : {healthy, degraded, draining}) pool.seen(each);
  const auto rooms = pool.rooms(MonoTime());
  ASSERT_EQ(rooms.size(), 2U);
  EXPECT_EQ(rooms[0].worker, "w1");
  EXPECT_TRUE(rooms[0].healthy);
  EXPECT_EQ(rooms[1].free, 3U);
  EXPECT_FALSE(rooms[1].healthy);
  EXPECT_EQ(pool.total(), 16U);
}

TEST(WorkerPool, HeldOffWorkerHasNoRoomUntilItsNews) {
  WorkerPool pool;
  pool.seen(news(1, 8));
  pool.hold_off("w1", MonoTime() + 1s);
  EXPECT_TRUE(pool.rooms(MonoTime()).empty());
  EXPECT_EQ(pool.rooms(MonoTime() + 1s).size(), 1U);
  pool.seen(news(1, 8));
  EXPECT_TRUE(pool.rooms(MonoTime()).empty());
  pool.seen(news(2, 8));
  EXPECT_EQ(pool.rooms(MonoTime()).size(), 1U);
}

TEST(WorkerPoolDeathTest, MoreThanFreeIsABug) {
  WorkerPool pool;
  pool.seen(news(1, 2));
  EXPECT_DEATH(pool.reserve("w1", kFirst, {0, 1, 2}), "3 cores of w1, 2 are free");
  pool.reserve("w1", kFirst, {0});
  EXPECT_DEATH(pool.reserve("w1", kFirst, {1}), "has cores already");
}

}  // namespace
}  // namespace hyperscale::manager
