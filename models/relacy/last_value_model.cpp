// The stop signal as a LastValue: one setter, two watchers. However the three interleave, each watcher ends.
#include "concurrent/last_value.h"
#include "model_run.h"
#include "model_waiter.h"

namespace hyperscale::models {
namespace {

enum class Watcher { kCompares, kComparesTooLate };

constexpr int kGo = 0;
constexpr int kDrain = 1;
constexpr int kStop = 2;

template <typename Sync, Watcher kWatcher>
struct StopSignal : rl::test_suite<StopSignal<Sync, kWatcher>, 3> {
  concurrent::LastValue<int, Sync> level{kGo};
  ModelWaiter waiters[2];

  void thread(unsigned index) {
    if (index == 0) {
      level.set(kDrain);
      level.set(kStop);
    } else if (index == 1) {
      watch(waiters[0]);
    } else {
      glance(waiters[1]);
    }
  }

  void watch(ModelWaiter& waiter) {
    int previous = kGo;
    for (;;) {
      const auto seen = level.get();
      RL_ASSERT(seen.value >= previous);
      previous = seen.value;
      if (seen.value == kStop) return;
      // Asking for the version only now overlooks a set() since the value was read.
      const std::uint64_t version = kWatcher == Watcher::kComparesTooLate ? level.get().version : seen.version;
      if (!level.wait_changed(version, waiter)) waiter.wait();
    }
  }

  // Registers, then loses interest.
  void glance(ModelWaiter& waiter) {
    if (level.wait_changed(0, waiter)) return;
    if (!level.cancel_wait(waiter)) waiter.wait();
  }

  void after() {
    RL_ASSERT(level.get().value == kStop);
    RL_ASSERT(level.get().version == 2);
  }
};

}  // namespace
}  // namespace hyperscale::models

// proves: NODE-SAFE-2, NODE-SAFE-7
int main() {
  using namespace hyperscale::models;
  bool ok = every_schedule_holds<StopSignal<RelacySync, Watcher::kCompares>>("stop signal");
  ok &= planted_bug_is_found<StopSignal<RelacySync, Watcher::kComparesTooLate>>("version read too late",
                                                                                rl::test_result_deadlock);
  ok &= planted_bug_is_found<StopSignal<WithoutLock, Watcher::kCompares>>("no lock", rl::test_result_data_race);
  return ok ? 0 : 1;
}
