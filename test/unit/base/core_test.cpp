#include "base/core.h"

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

struct Echo {
  using Event = int;
  using Action = int;
  Actions<int> step(const int& event, MonoTime) { return {event}; }
};
struct ReadsItsOwnClock {
  using Event = int;
  using Action = int;
  Actions<int> step(const int& event) { return {event}; }
};
struct ReturnsNothing {
  using Event = int;
  using Action = int;
  void step(const int&, MonoTime) {}
};
struct NamesNoAction {
  using Event = int;
  Actions<int> step(const int& event, MonoTime) { return {event}; }
};

static_assert(Core<Echo>);
static_assert(!Core<ReadsItsOwnClock>);
static_assert(!Core<ReturnsNothing>);
static_assert(!Core<NamesNoAction>);

TEST(Core, StepAnswersAnEventWithActions) {
  Echo echo;
  EXPECT_EQ(echo.step(4, MonoTime()), Actions<int>{4});
}

}  // namespace
}  // namespace hyperscale
