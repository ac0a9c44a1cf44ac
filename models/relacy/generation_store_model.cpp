// GenerationStore: a reader selects and pins while the engine publishes, evicts and reuses. What the reader holds must
// be whole, and the engine must never write what is being read.
//
// The ring has one slot, so that each publication evicts, and the newest freed record is taken first, so that each
// eviction leads to a reuse at once.
#include "model_run.h"
#include "realtime/snapshot/generation_store.h"
#include "realtime/snapshot/pinned_generation.h"

#include <memory>
#include <optional>

namespace hyperscale::models {
namespace {

using realtime::Epoch;

constexpr unsigned kSwitches = 3;  // forced ones; the scenario is too large for all schedules

struct Value {
  Epoch epoch = 0;
  void reset() { epoch = 0; }
};

struct NoClock {
  std::int64_t now_ns() const { return 0; }
};

template <typename Sync>
using Store = realtime::GenerationStore<Value, Sync>;

template <typename Sync>
void publish(Store<Sync>& store) {
  store.stage().epoch = store.next_epoch();
  store.publish();
}

// As production reads: select, pin, look again.
struct WholeProtocol {
  template <typename Sync>
  static void read(Store<Sync>& store) {
    const NoClock clock;
    const auto pinned = realtime::PinnedGeneration<Value, Sync, NoClock>::latest(store, store.workers()[0], clock);
    RL_ASSERT(pinned.has_value());
    RL_ASSERT(pinned->payload().epoch == pinned->epoch());
  }
};

struct NoSecondLook {
  template <typename Sync>
  static void read(Store<Sync>& store) {
    const auto entry = store.ring().in_slot_of(store.current());
    store.workers()[0].pin(entry->epoch, 0);
    RL_ASSERT(store.payload(*entry).epoch == entry->epoch);
    store.workers()[0].unpin(0);
  }
};

template <typename Sync, typename Reader>
struct PublishAndRead : rl::test_suite<PublishAndRead<Sync, Reader>, 2> {
  std::unique_ptr<Store<Sync>> store = std::make_unique<Store<Sync>>(1, 1);

  void before() { publish(*store); }
  void thread(unsigned index) {
    if (index == 0) {
      publish(*store);
      publish(*store);
    } else {
      Reader::read(*store);
    }
  }
  void after() {
    store->reclaim();
    RL_ASSERT(store->live() == 1);
  }
};

}  // namespace
}  // namespace hyperscale::models

// proves: MURK-SAFE-2, MURK-SAFE-4
// proves part: MURK-SAFE-3 (a slot is one word, a record has its tag; not for a worker that replaces another)
// proves part: MURK-SAFE-1 (the second look is needed and enough)
int main() {
  using namespace hyperscale::models;
  bool ok = every_schedule_holds<PublishAndRead<RelacySync, WholeProtocol>>("pin, publish, reclaim", kSwitches);
  ok &= planted_bug_is_found<PublishAndRead<WithoutSequence, WholeProtocol>>("loads overtake the pin and the eviction",
                                                                             rl::test_result_data_race, kSwitches);
  ok &= planted_bug_is_found<PublishAndRead<RelacySync, NoSecondLook>>("no second look", rl::test_result_data_race,
                                                                       kSwitches);
  ok &= planted_bug_is_found<PublishAndRead<WithoutRelease, WholeProtocol>>("relaxed unpin", rl::test_result_data_race,
                                                                            kSwitches);
  return ok ? 0 : 1;
}
