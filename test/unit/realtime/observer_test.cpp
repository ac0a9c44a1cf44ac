#include "realtime/observe/observer.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {
namespace {

constexpr std::uint64_t kWorldGeneration = 1;

// One field of one cell, whose value is the tick; ticks 1 to 3 are published, a ring of 4.
class ObserverTest : public testing::Test {
 protected:
  ObserverTest() {
    store.prepare([](FieldGeneration& generation) { generation.segment = Segment(1); });
    for (int i = 0; i < 3; ++i) publish();
  }
  void publish() {
    FieldGeneration& staged = store.stage();
    staged.tick = store.next_epoch();
    staged.world_generation = kWorldGeneration;
    const std::span<double> value = staged.segment.allocate(1);
    value[0] = static_cast<double>(staged.tick);
    staged.fields = {value};
    store.publish();
  }
  ObsResult observe(std::optional<std::uint64_t> tick) { return observer.run(record, plan, tick, values, mask); }

  FieldStore store{4, 1};
  const CoarseClock clock;
  WorldMetrics metrics;
  MomentHook hook;
  Observer observer{store, clock, hook, metrics};
  WorkerRecord<>& record = store.workers()[0];
  ObsPlan plan =
      *ObsPlan::compile({{.field = 0}, {.field = 0}}, Grid{1, 1}, std::vector<std::uint32_t>{1}, kWorldGeneration);
  std::vector<double> values = std::vector<double>(2);
  std::vector<std::uint8_t> mask = std::vector<std::uint8_t>(2);
};

// proves: MURK-WRK-1, MURK-PIN-2, MURK-SAFE-14
TEST_F(ObserverTest, PinIsHeldFromFirstToLastField) {
  std::vector<std::pair<Moment, Epoch>> pinned;
  hook = [&](Moment moment) { pinned.emplace_back(moment, record.pinned_epoch()); };
  const ObsResult seen = observe(2);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->tick, 2u);
  EXPECT_EQ(values, (std::vector<double>{2, 2}));
  EXPECT_EQ(pinned, (std::vector<std::pair<Moment, Epoch>>{{Moment::kSelected, kEpochUnpinned},
                                                           {Moment::kPinned, 2},
                                                           {Moment::kValidated, 2},
                                                           {Moment::kRegion, 2},
                                                           {Moment::kRead, 2},
                                                           {Moment::kRegion, 2},
                                                           {Moment::kRead, 2},
                                                           {Moment::kUnpinning, 2}}));
  EXPECT_FALSE(record.is_pinned());
  const ObsResult latest = observe(std::nullopt);
  ASSERT_TRUE(latest);
  EXPECT_EQ(latest->tick, 3u);
  EXPECT_EQ(values, (std::vector<double>{3, 3}));
  EXPECT_FALSE(record.is_pinned());
}

// proves: MURK-PIN-2
TEST_F(ObserverTest, TheLatestIsPinnedBeforeItsFirstFieldToo) {
  std::vector<Epoch> pinned;
  hook = [&](Moment moment) {
    if (moment != Moment::kSelected) pinned.push_back(record.pinned_epoch());
  };
  ASSERT_TRUE(observe(std::nullopt));
  EXPECT_EQ(pinned, std::vector<Epoch>(7, 3)) << "from the pin to the last field";
}

// proves: MURK-WRK-1, MURK-WRK-3, MURK-RING-4, MURK-SAFE-14, MURK-TEST-9
// proves part: MURK-SAFE-12 (a flag of its own for shutdown; not that the detector names the pin it has judged)
// proves part: MURK-WRK-4 (unpinned after every error and cancellation; not one call site in the worker loop)
// proves part: P-1 (failures and cancellation)
// proves part: MURK-WRK-2 (the reason follows the cause; not that it is told as ExecutionFailed)
TEST_F(ObserverTest, EveryFailureIsToldAndLeavesNoPin) {
  const auto failure = [&](std::optional<std::uint64_t> tick) {
    const ObsResult result = observe(tick);
    EXPECT_FALSE(record.is_pinned());
    return result ? std::nullopt : std::optional(result.error().kind);
  };
  EXPECT_EQ(failure(9), ObsErrorKind::kTimeoutWaitingForTick);
  int regions = 0;
  const auto in_the_first_region = [&](const auto& what) {
    regions = 0;
    hook = [&regions, what](Moment moment) {
      if (moment == Moment::kRead && ++regions == 1) what();
    };
  };
  in_the_first_region([&] { record.request_cancel(record.sequence()); });
  EXPECT_EQ(failure(std::nullopt), ObsErrorKind::kWorkerStalled);
  EXPECT_EQ(regions, 1) << "the second region was not begun";
  in_the_first_region([&] {
    for (int i = 0; i < 4; ++i) publish();
  });
  EXPECT_EQ(failure(std::nullopt), ObsErrorKind::kPlanInvalidated);
  EXPECT_EQ(failure(1), ObsErrorKind::kNotAvailable);
  in_the_first_region([&] { observer.cancel_all(); });
  EXPECT_EQ(failure(std::nullopt), ObsErrorKind::kWorkerCancelled);
}

}  // namespace
}  // namespace hyperscale::realtime
