#include "realtime/c_api_config.h"
#include "realtime/c_api_status.h"
#include "realtime/handle_table.h"
#include "test_world.h"

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <hyperscale/realtime.h>

namespace hyperscale::realtime {
namespace {

murk_status count_up(murk_step_context* context, void* user) {
  size_t length = 0;
  double* values = murk_step_write(context, 0, &length);
  for (size_t i = 0; i < length; ++i) values[i] += 1;
  return user != nullptr && *static_cast<std::atomic<bool>*>(user) ? MURK_ERROR_PROPAGATOR_FAILED : MURK_OK;
}

murk_config config_of(murk_mode mode, std::atomic<bool>* broken = nullptr) {
  static const murk_field fields[] = {{"level", MURK_PER_TICK, 1, 0.0}, {"fixed", MURK_FIXED, 1, 4.0}};
  murk_config config;
  murk_config_init(&config);
  config.mode = mode;
  config.rows = config.columns = 2;
  config.fields = fields;
  config.field_count = 2;
  config.propagator = count_up;
  config.user = broken;
  return config;
}

murk_world create(const murk_config& config) {
  murk_world world = 0;
  char error[200] = "";
  EXPECT_EQ(murk_create(&config, &world, error, sizeof(error)), MURK_OK) << error;
  return world;
}

TEST(HandleTable, StaleHandlesStayInvalidAndSlotsAreReused) {
  HandleTable<int> table;
  EXPECT_EQ(table.find(0), nullptr);
  const std::uint64_t first = table.add(std::make_shared<int>(1));
  EXPECT_EQ(*table.find(first), 1);
  EXPECT_NE(table.remove(first), nullptr);
  EXPECT_EQ(table.remove(first), nullptr);
  const std::uint64_t second = table.add(std::make_shared<int>(2));
  EXPECT_EQ(second >> 32, first >> 32) << "the same slot";
  EXPECT_EQ(static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(first) + 1) << "the next generation";
  EXPECT_EQ(table.find(first), nullptr);
}

TEST(HandleTable, ASlotWhoseGenerationWouldWrapIsRetired) {
  HandleTable<int> table(HandleTable<int>::kLastGeneration);
  const std::uint64_t last = table.add(std::make_shared<int>(1));
  table.remove(last);
  EXPECT_EQ(table.find(last), nullptr);
  EXPECT_NE(table.add(std::make_shared<int>(2)) >> 32, last >> 32);
}

// proves part: MURK-CABI-1 (runs to the end, with the result; not stalled_workers nor the timeout of 300 ms)
TEST(CApi, DestroyBlocksUntilTheWorldHasEndedAndTellsHow) {
  const murk_world world = create(config_of(MURK_REALTIME_ASYNC));
  murk_plan plan = 0;
  size_t size = 0;
  const murk_obs_entry all{};
  ASSERT_EQ(murk_plan_compile(world, &all, 1, &plan, &size), MURK_OK);
  ASSERT_EQ(size, 4u);
  std::vector<double> values(4);
  std::vector<uint8_t> mask(4);
  murk_obs_meta meta{};
  ASSERT_EQ(murk_observe_tick(world, plan, 2, 60'000, values.data(), mask.data(), size, &meta), MURK_OK);
  EXPECT_EQ(meta.tick, 2u);
  EXPECT_EQ(values[3], 2);
  murk_shutdown_result result{};
  const murk_status ended = murk_destroy(world, &result);
  const bool clean = result.leaked_threads == 0 && result.stalled_workers == 0;
  EXPECT_EQ(ended, clean ? MURK_OK : MURK_ERROR_SHUTDOWN_TIMEOUT);
  EXPECT_GE(result.final_tick, 2u);
  EXPECT_EQ(murk_destroy(world, &result), MURK_ERROR_INVALID_HANDLE) << "twice does no harm";
  EXPECT_EQ(murk_observe(world, plan, values.data(), mask.data(), size, &meta), MURK_ERROR_INVALID_HANDLE);
  EXPECT_EQ(murk_plan_destroy(plan), MURK_OK);
  EXPECT_EQ(murk_plan_destroy(plan), MURK_ERROR_INVALID_HANDLE);
}

// proves: MURK-SHUT-2
// proves part: MURK-CABI-1 (the error code and what leaked; not stalled_workers nor the timeout of 300 ms)
TEST(CApi, DestroyTellsOfATickThatHadToBeGivenUp) {
  static std::atomic<bool> hold, held, done;
  hold = true, held = false, done = false;
  murk_config config = config_of(MURK_REALTIME_ASYNC);
  config.propagator = [](murk_step_context*, void*) {
    held = true;
    wait_until([] { return !hold; });
    done = true;
    return MURK_OK;
  };
  const murk_world world = create(config);
  wait_until([] { return held.load(); });
  murk_shutdown_result result{};
  EXPECT_EQ(murk_destroy(world, &result), MURK_ERROR_SHUTDOWN_TIMEOUT);
  EXPECT_GE(result.leaked_threads, 1u);
  EXPECT_GE(result.phase_times_ms[0], 33u);
  hold = false;
  wait_until([] { return done.load(); });
}

// Whoever frees what its callbacks use after MURK_OK must be right to do so.
TEST(CApi, DestroyWaitsForAStepOrReportsTimeout) {
  static std::atomic<bool> hold, held;
  hold = true, held = false;
  murk_config config = config_of(MURK_LOCKSTEP);
  config.propagator = [](murk_step_context*, void*) {
    held = true;
    wait_until([] { return !hold; });
    return MURK_OK;
  };
  for (const bool in_time : {true, false}) {
    hold = true, held = false;
    const murk_world world = create(config);
    std::thread stepping([world] { murk_step(world, nullptr); });
    wait_until([] { return held.load(); });
    murk_shutdown_result result{};
    if (in_time) {
      std::thread ending([&] { hold = false; });
      const murk_status ended = murk_destroy(world, &result);
      EXPECT_EQ(ended, result.leaked_threads == 0 ? MURK_OK : MURK_ERROR_SHUTDOWN_TIMEOUT);
      ending.join();
    } else {
      EXPECT_EQ(murk_destroy(world, &result), MURK_ERROR_SHUTDOWN_TIMEOUT);
      EXPECT_EQ(result.leaked_threads, 1u);
      EXPECT_GE(result.phase_times_ms[0], 33u);
      EXPECT_EQ(result.final_tick, 0u);
      hold = false;
    }
    stepping.join();
  }
}

// proves: MURK-RING-4
TEST(CApi, APlanOfAnotherWorldIsInvalid) {
  murk_config config = config_of(MURK_LOCKSTEP);
  const murk_world small = create(config);
  config.rows = config.columns = 100;
  const murk_world large = create(config);
  const murk_world twin = create(config);
  murk_plan plan = 0;
  size_t size = 0;
  const murk_obs_entry all{};
  ASSERT_EQ(murk_plan_compile(large, &all, 1, &plan, &size), MURK_OK);
  std::vector<double> values(size);
  std::vector<uint8_t> mask(size);
  for (const murk_world world : {small, large, twin}) {
    ASSERT_EQ(murk_step(world, nullptr), MURK_OK);
    EXPECT_EQ(murk_observe(world, plan, values.data(), mask.data(), size, nullptr),
              world == large ? MURK_OK : MURK_ERROR_PLAN_INVALIDATED);
    EXPECT_EQ(murk_destroy(world, nullptr), MURK_OK);
  }
  murk_plan_destroy(plan);
}

TEST(CApi, LockstepStepsRollBackAndDisable) {
  std::atomic<bool> broken{false};
  const murk_world world = create(config_of(MURK_LOCKSTEP, &broken));
  uint64_t tick = 0;
  EXPECT_EQ(murk_step(world, &tick), MURK_OK);
  EXPECT_EQ(tick, 1u);
  broken = true;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(murk_step(world, &tick), MURK_ERROR_TICK_ROLLBACK);
  EXPECT_EQ(murk_step(world, &tick), MURK_ERROR_TICK_DISABLED);
  uint32_t rollbacks = 0;
  EXPECT_EQ(murk_consecutive_rollbacks(world, &rollbacks), MURK_OK);
  EXPECT_EQ(rollbacks, 3u);
  murk_health health{};
  EXPECT_EQ(murk_world_health(world, &health), MURK_OK);
  EXPECT_EQ(health.tick_disabled, 1);
  EXPECT_EQ(health.latest_tick, 1u);
  broken = false;
  EXPECT_EQ(murk_reset(world), MURK_OK);
  EXPECT_EQ(murk_step(world, &tick), MURK_OK);
  EXPECT_EQ(murk_destroy(world, nullptr), MURK_OK);
}

// proves: MURK-TEST-21
TEST(CApi, CommandsGetTheirReceipt) {
  const murk_world world = create(config_of(MURK_LOCKSTEP));
  std::vector<murk_receipt> receipts;
  const auto keep = [](const murk_receipt* receipt, void* user) {
    static_cast<std::vector<murk_receipt>*>(user)->push_back(*receipt);
  };
  const murk_command command{"rate", 1.0, 1, 0, 0, 0, 0};
  EXPECT_EQ(murk_submit(world, &command, keep, &receipts), MURK_OK);
  EXPECT_TRUE(receipts.empty());
  murk_step(world, nullptr);
  ASSERT_EQ(receipts.size(), 1u);
  EXPECT_EQ(receipts[0].status, MURK_ERROR_UNSUPPORTED_COMMAND) << "this world has no handler";
  EXPECT_EQ(murk_submit(world, &command, keep, &receipts), MURK_OK);
  murk_destroy(world, nullptr);
  ASSERT_EQ(receipts.size(), 2u);
  EXPECT_EQ(receipts[1].status, MURK_ERROR_SHUTTING_DOWN);
}

// proves: MURK-BACK-7
TEST(CApi, EveryParameterOfTheBackoffIsTakenOver) {
  murk_config config = config_of(MURK_REALTIME_ASYNC);
  config.initial_max_skew = 4;
  config.backoff_factor = 2;
  config.max_skew_cap = 12;
  config.decay_interval = 7;
  config.rejection_rate_threshold = 0.5;
  const auto made = world_config_of(config);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->backoff_config.initial_max_skew, 4u);
  EXPECT_EQ(made->backoff_config.backoff_factor, 2);
  EXPECT_EQ(made->backoff_config.max_skew_cap, 12u);
  EXPECT_EQ(made->backoff_config.decay_interval, 7u);
  EXPECT_EQ(made->backoff_config.rejection_rate_threshold, 0.5);
}

// proves: MURK-TEST-23, MURK-TEST-24, MURK-TEST-25, MURK-BACK-7
TEST(CApi, TheBackoffHasItsDefaultsUnlessTold) {
  const auto made = world_config_of(config_of(MURK_REALTIME_ASYNC));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->mode, Mode::kRealtimeAsync);
  EXPECT_EQ(made->backoff_config.initial_max_skew, 2u);
  EXPECT_EQ(made->backoff_config.backoff_factor, 1.5);
  EXPECT_EQ(made->backoff_config.max_skew_cap, 10u);
  EXPECT_EQ(made->backoff_config.decay_interval, 60u);
  EXPECT_EQ(made->backoff_config.rejection_rate_threshold, 0.20);
}

// proves: MURK-STALL-1, MURK-TEST-26
TEST(CApi, HoldGraceAndLockstepSkewAreTakenOver) {
  murk_config config = config_of(MURK_LOCKSTEP);
  const auto defaults = world_config_of(config);
  ASSERT_TRUE(defaults);
  EXPECT_EQ(defaults->mode, Mode::kLockstep);
  EXPECT_EQ(defaults->epoch_config.max_epoch_hold, 100ms);
  EXPECT_EQ(defaults->epoch_config.cancel_grace, 10ms);
  EXPECT_EQ(defaults->lockstep_skew, 0u);
  config.max_epoch_hold_ms = 70;
  config.cancel_grace_ms = 30;
  config.lockstep_skew = 1;
  const auto made = world_config_of(config);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->epoch_config.max_epoch_hold, 70ms);
  EXPECT_EQ(made->epoch_config.cancel_grace, 30ms);
  EXPECT_EQ(made->lockstep_skew, 1u);
}

// proves: MURK-WRK-3, MURK-RING-4
TEST(CApi, EveryErrorOfAnObservationHasItsStatus) {
  const std::vector<std::pair<ObsErrorKind, murk_status>> expected{
      {ObsErrorKind::kPlanInvalidated, MURK_ERROR_PLAN_INVALIDATED},
      {ObsErrorKind::kNoSnapshot, MURK_ERROR_EXECUTION_FAILED},
      {ObsErrorKind::kWorkerCancelled, MURK_ERROR_EXECUTION_FAILED},
      {ObsErrorKind::kWorkerStalled, MURK_ERROR_WORKER_STALLED},
      {ObsErrorKind::kTimeoutWaitingForTick, MURK_ERROR_TIMEOUT_WAITING_FOR_TICK},
      {ObsErrorKind::kNotAvailable, MURK_ERROR_NOT_AVAILABLE},
      {ObsErrorKind::kQueueFull, MURK_ERROR_QUEUE_FULL},
      {ObsErrorKind::kShuttingDown, MURK_ERROR_SHUTTING_DOWN},
      {ObsErrorKind::kTickDisabled, MURK_ERROR_TICK_DISABLED},
      {ObsErrorKind::kBufferTooSmall, MURK_ERROR_BUFFER_TOO_SMALL}};
  for (const auto& [kind, status] : expected) EXPECT_EQ(status_of(kind), status) << murk_status_name(status);
}

// proves: MURK-RING-1
TEST(CApi, TheRingHasEightSlotsUnlessTold) {
  murk_config config = config_of(MURK_LOCKSTEP);
  EXPECT_EQ(config.ring_capacity, 8u);
  EXPECT_EQ(world_config_of(config)->epoch_config.ring_capacity, 8u);
  config.ring_capacity = 5;
  EXPECT_EQ(world_config_of(config)->epoch_config.ring_capacity, 5u);
}

// proves: MURK-RING-1
TEST(CApi, BadArgumentsAreAnswersNotCrashes) {
  murk_config config = config_of(MURK_LOCKSTEP);
  config.ring_capacity = 1;
  murk_world world = 0;
  char error[32] = "";
  EXPECT_EQ(murk_create(&config, &world, error, sizeof(error)), MURK_ERROR_CONFIG);
  EXPECT_EQ(std::string(error), std::string("epoch_config.ring_capacity is 1: it must be").substr(0, 31));
  EXPECT_EQ(murk_create(nullptr, &world, error, sizeof(error)), MURK_ERROR_INVALID_ARGUMENT);
  world = create(config_of(MURK_LOCKSTEP));
  murk_plan plan = 0;
  murk_obs_entry entry{};
  entry.field = 9;
  EXPECT_EQ(murk_plan_compile(world, &entry, 1, &plan, nullptr), MURK_ERROR_INVALID_OBS_SPEC);
  entry.field = 1;
  ASSERT_EQ(murk_plan_compile(world, &entry, 1, &plan, nullptr), MURK_OK);
  std::vector<double> values(4);
  std::vector<uint8_t> mask(4);
  EXPECT_EQ(murk_observe(world, plan, values.data(), mask.data(), 4, nullptr), MURK_ERROR_EXECUTION_FAILED);
  murk_step(world, nullptr);
  EXPECT_EQ(murk_observe(world, plan, values.data(), mask.data(), 3, nullptr), MURK_ERROR_BUFFER_TOO_SMALL);
  EXPECT_EQ(murk_observe(world, plan, nullptr, mask.data(), 4, nullptr), MURK_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(murk_observe(world, plan, values.data(), mask.data(), 4, nullptr), MURK_OK);
  EXPECT_EQ(values[0], 4);
  EXPECT_EQ(murk_submit(world, nullptr, nullptr, nullptr), MURK_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(murk_status_name(MURK_ERROR_STALE)), "MURK_ERROR_STALE");
  EXPECT_EQ(murk_abi_version() >> 16, 1u);
  EXPECT_EQ(murk_step_tick(nullptr), 0u);
  EXPECT_EQ(murk_step_read(nullptr, 0, nullptr), nullptr);
  EXPECT_EQ(murk_step_read_previous(nullptr, 0, nullptr), nullptr);
  EXPECT_EQ(murk_step_write(nullptr, 0, nullptr), nullptr);
  murk_step_parameters_changed(nullptr);
  EXPECT_EQ(murk_plan_destroy(plan), MURK_OK);
  EXPECT_EQ(murk_destroy(world, nullptr), MURK_OK);
}

}  // namespace
}  // namespace hyperscale::realtime
