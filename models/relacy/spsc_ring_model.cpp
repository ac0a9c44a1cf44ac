// SpscRing: one producer, one consumer, a ring of two that wraps.
#include "concurrent/spsc_ring.h"
#include "model_run.h"

#include <memory>

namespace hyperscale::models {
namespace {

constexpr int kPushes = 4;
constexpr int kPops = 3;

template <typename Sync>
struct Handover : rl::test_suite<Handover<Sync>, 2> {
  std::unique_ptr<concurrent::SpscRing<int, Sync>> ring = std::make_unique<concurrent::SpscRing<int, Sync>>(2);
  int accepted = 0;
  int received = 0;

  void thread(unsigned index) {
    if (index == 0) {
      for (int i = 0; i < kPushes; ++i) {
        if (ring->try_push(int{accepted})) ++accepted;
      }
    } else {
      for (int i = 0; i < kPops; ++i) receive();
    }
  }

  bool receive() {
    const std::optional<int> item = ring->try_pop();
    if (!item) return false;
    RL_ASSERT(*item == received);
    ++received;
    return true;
  }

  void after() {
    RL_ASSERT(accepted >= 2);
    while (receive()) {
    }
    RL_ASSERT(received == accepted);
  }
};

}  // namespace
}  // namespace hyperscale::models

// proves: NODE-SAFE-7
int main() {
  using namespace hyperscale::models;
  bool ok = every_schedule_holds<Handover<RelacySync>>("spsc hand-over");
  ok &= planted_bug_is_found<Handover<WithoutRelease>>("index stored relaxed", rl::test_result_data_race);
  ok &= planted_bug_is_found<Handover<WithoutAcquire>>("index loaded relaxed", rl::test_result_data_race);
  return ok ? 0 : 1;
}
