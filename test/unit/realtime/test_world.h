// Small worlds for tests, a clock that tests move, a log to look into, and a way to hold readers at a given moment.
#pragma once

#include "realtime/world.h"

#include <atomic>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <source_location>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::realtime {

inline constexpr Duration kPatience = 30s;       // for what may take long on a busy machine
inline constexpr Duration kPatienceFailed = 1s;  // of a test that has failed already
inline constexpr Duration kAnswerTime = 10s;

// Gives the processor away until the condition holds. One that never does fails the test at the place that waited; the
// test goes on, so that it can let go of what it holds.
template <typename Condition>
void wait_until(Condition condition, std::source_location place = std::source_location::current()) {
  const MonoTime end = monotonic_now() + (testing::Test::HasFailure() ? kPatienceFailed : kPatience);
  while (!condition()) {
    if (monotonic_now() >= end) {
      ADD_FAILURE_AT(place.file_name(), static_cast<int>(place.line())) << "waited for this in vain";
      return;
    }
    std::this_thread::yield();
  }
}

// For an answer that must come while something else is still held.
template <typename T>
bool is_answered(const std::future<T>& future) {
  return future.wait_for(testing::Test::HasFailure() ? kPatienceFailed : kAnswerTime) == std::future_status::ready;
}

class FakeClock {
 public:
  MonoTime now() const { return MonoTime::from_ns(ns_.load()); }
  void advance(Duration by) { ns_ += by.count(); }
  static ClockFunction function(const std::shared_ptr<FakeClock>& clock) {
    return [clock] { return clock->now(); };
  }

 private:
  std::atomic<std::int64_t> ns_{1'000'000'000};
};

class LogLines {
 public:
  static LogSink sink(const std::shared_ptr<LogLines>& lines) {
    return [lines](LogLevel level, std::string_view text) {
      const std::lock_guard lock(lines->mutex_);
      lines->lines_.emplace_back(level, text);
    };
  }
  int count(LogLevel level, std::string_view part) const {
    const std::lock_guard lock(mutex_);
    int found = 0;
    for (const auto& [line_level, text] : lines_) found += line_level == level && text.find(part) != std::string::npos;
    return found;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<LogLevel, std::string>> lines_;
};

// Holds every reader that comes to the moment while armed.
class Blocker {
 public:
  static MomentHook hook(const std::shared_ptr<Blocker>& blocker, Moment at) {
    return [blocker, at](Moment moment) {
      if (moment == at) blocker->pass();
    };
  }
  void arm(int readers) {
    const std::lock_guard lock(mutex_);
    to_hold_ = readers;
  }
  void wait_until_held(int readers, std::source_location place = std::source_location::current()) {
    wait_until(
        [&] {
          const std::lock_guard lock(mutex_);
          return held_ >= readers;
        },
        place);
  }
  void release() {
    const std::lock_guard lock(mutex_);
    to_hold_ = 0;
    ++released_;
    changed_.notify_all();
  }

 private:
  void pass() {
    std::unique_lock lock(mutex_);
    if (to_hold_ == 0) return;
    --to_hold_;
    ++held_;
    changed_.notify_all();
    const int seen = released_;
    changed_.wait(lock, [&] { return released_ != seen; });
    --held_;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int to_hold_ = 0;
  int held_ = 0;
  int released_ = 0;
};

// One per-tick field "count" over 4 x 4 cells; every tick fills it with its number.
inline WorldConfig counting_world() {
  WorldConfig config;
  config.grid = {4, 4};
  config.fields = {{.name = "count"}};
  config.propagators = {
      {.name = "counting", .writes = {{0, WriteMode::kFull}}, .step = [](StepContext& context) -> Status {
         for (double& value : context.write(0)) value = static_cast<double>(context.tick());
         return {};
       }}};
  config.on_command = [](const Command& /*command*/, StepContext& /*context*/) { return Status{}; };
  config.epoch_config.worker_count = 2;
  return config;
}

// The same with time in the test's hands and holds so long that nothing but the test ends them.
inline WorldConfig counting_world(const std::shared_ptr<FakeClock>& clock) {
  WorldConfig config = counting_world();
  config.clock = FakeClock::function(clock);
  config.epoch_config.max_epoch_hold = 60s;
  config.epoch_config.cancel_grace = 6s;
  return config;
}

inline std::unique_ptr<World> make_world(WorldConfig config) {
  auto world = World::make(std::move(config));
  CHECK(world, "{}", world.error().to_string());
  return std::move(*world);
}

struct Observed {
  ObsResult result;
  std::vector<double> values;
  std::vector<std::uint8_t> mask;
};

inline Observed observe(World& world, const ObsPlan& plan) {
  Observed observed;
  observed.values.resize(plan.size());
  observed.mask.resize(plan.size());
  observed.result = world.observe(plan, observed.values, observed.mask);
  return observed;
}

inline Observed observe_tick(World& world, std::uint64_t tick, Duration timeout, const ObsPlan& plan) {
  Observed observed;
  observed.values.resize(plan.size());
  observed.mask.resize(plan.size());
  observed.result = world.observe_tick(tick, timeout, plan, observed.values, observed.mask);
  return observed;
}

// Nothing if it succeeded.
inline std::optional<ObsErrorKind> kind_of(const Observed& observed) {
  return observed.result ? std::nullopt : std::optional(observed.result.error().kind);
}

inline void wait_for_tick(const World& world, std::uint64_t tick,
                          std::source_location place = std::source_location::current()) {
  wait_until([&] { return world.health().latest_tick >= tick; }, place);
}

// Ends a world without letting time pass. One that waits for time has failed; it is then given what it wants.
inline ShutdownResult end_at_once(World& world, FakeClock& clock) {
  auto down = std::async(std::launch::async, [&world] { return world.shutdown(); });
  EXPECT_TRUE(is_answered(down)) << "the end waits for time to pass";
  while (down.wait_for(1ms) != std::future_status::ready) clock.advance(1s);
  return down.get();
}

}  // namespace hyperscale::realtime
