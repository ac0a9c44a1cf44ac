// MpscRing: two producers race for the slots of a ring of two that is already half full, one consumer.
#include "concurrent/mpsc_ring.h"
#include "model_run.h"

#include <memory>

namespace hyperscale::models {
namespace {

constexpr int kProducers = 2;
constexpr int kPushes[kProducers] = {1, 1};
constexpr int kPops = 2;

struct Item {
  int producer;
  int number;
};

template <typename Sync>
struct Gather : rl::test_suite<Gather<Sync>, kProducers + 1> {
  std::unique_ptr<concurrent::MpscRing<Item, Sync>> ring = std::make_unique<concurrent::MpscRing<Item, Sync>>(2);
  int accepted[kProducers] = {};
  int received[kProducers] = {};

  void before() { push(0); }

  void thread(unsigned index) {
    if (index < kProducers) {
      for (int i = 0; i < kPushes[index]; ++i) push(index);
    } else {
      for (int i = 0; i < kPops; ++i) receive();
    }
  }

  void push(unsigned producer) {
    if (ring->try_push(Item{static_cast<int>(producer), accepted[producer]})) ++accepted[producer];
  }

  bool receive() {
    const std::optional<Item> item = ring->try_pop();
    if (!item) return false;
    RL_ASSERT(item->number == received[item->producer]);
    ++received[item->producer];
    return true;
  }

  void after() {
    RL_ASSERT(accepted[0] + accepted[1] >= 2);
    while (receive()) {
    }
    for (int p = 0; p < kProducers; ++p) RL_ASSERT(received[p] == accepted[p]);
  }
};

}  // namespace
}  // namespace hyperscale::models

// proves: NODE-SAFE-7
int main() {
  using namespace hyperscale::models;
  bool ok = every_schedule_holds<Gather<RelacySync>>("mpsc gather");
  ok &= planted_bug_is_found<Gather<WithoutRelease>>("turn stored relaxed", rl::test_result_data_race);
  ok &= planted_bug_is_found<Gather<WithoutAcquire>>("turn loaded relaxed", rl::test_result_data_race);
  return ok ? 0 : 1;
}
