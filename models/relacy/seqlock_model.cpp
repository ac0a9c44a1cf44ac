// Seqlock: a writer stores pairs, a reader must never see halves of two of them, nor go back.
#include "concurrent/seqlock.h"
#include "model_run.h"

#include <cstdint>
#include <memory>

namespace hyperscale::models {
namespace {

struct Pair {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

template <typename Sync>
struct Readers : rl::test_suite<Readers<Sync>, 2> {
  std::unique_ptr<concurrent::Seqlock<Pair, Sync>> cell = std::make_unique<concurrent::Seqlock<Pair, Sync>>();

  void thread(unsigned index) {
    if (index == 0) {
      cell->store(Pair{1, 1});
      cell->store(Pair{2, 2});
      return;
    }
    std::uint64_t previous = 0;
    for (int i = 0; i < 2; ++i) {
      Pair pair;
      if (!cell->try_load(pair)) continue;
      RL_ASSERT(pair.first == pair.second);
      RL_ASSERT(pair.first >= previous);
      previous = pair.first;
    }
  }

  void after() {
    const Pair last = cell->load();
    RL_ASSERT(last.first == 2 && last.second == 2);
  }
};

}  // namespace
}  // namespace hyperscale::models

// proves: NODE-SAFE-7
int main() {
  using namespace hyperscale::models;
  bool ok = every_schedule_holds<Readers<RelacySync>>("seqlock");
  ok &= planted_bug_is_found<Readers<WithoutRelease>>("words stored relaxed", rl::test_result_user_assert_failed);
  ok &= planted_bug_is_found<Readers<WithoutAcquire>>("words loaded relaxed", rl::test_result_user_assert_failed);
  return ok ? 0 : 1;
}
