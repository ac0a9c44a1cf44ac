#include "jobs/journal/held_actions.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::jobs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto kAll = [](const std::string&) { return true; };

TEST(HeldActions, ReleasesInTheOrderHeld) {
  HeldActions<std::string> held;
  held.hold(Ticket(1), "dispatch a");
  held.hold(Ticket(2), "other");
  held.hold(Ticket(1), "dispatch b");
  EXPECT_THAT(held.release(Ticket(1), kAll), ElementsAre("dispatch a", "dispatch b"));
  EXPECT_TRUE(held.holds(Ticket(2)));
}

// The answer to a repeated Append finds nothing: the first answer released it.
TEST(HeldActions, ReleasesOnce) {
  HeldActions<std::string> held;
  held.hold(Ticket(1), "dispatch");
  EXPECT_THAT(held.release(Ticket(1), kAll), ElementsAre("dispatch"));
  EXPECT_THAT(held.release(Ticket(1), kAll), IsEmpty());
}

TEST(HeldActions, AsksTheGuardAtRelease) {
  HeldActions<std::string> held;
  held.hold(Ticket(1), "to a");
  held.hold(Ticket(1), "to b");
  std::string down;
  const auto is_up = [&](const std::string& action) { return action != down; };
  down = "to a";  // after the decision, before its record
  EXPECT_THAT(held.release(Ticket(1), is_up), ElementsAre("to b"));
  EXPECT_THAT(held.release(Ticket(1), kAll), IsEmpty());
}

TEST(HeldActions, DropsWhatWasRefused) {
  HeldActions<std::string> held;
  held.hold(Ticket(1), "a");
  held.hold(Ticket(1), "b");
  held.hold(Ticket(2), "c");
  EXPECT_THAT(held.drop(Ticket(1)), ElementsAre("a", "b"));
  EXPECT_THAT(held.release(Ticket(1), kAll), IsEmpty());
  EXPECT_EQ(held.tickets(), 1U);
}

}  // namespace
}  // namespace hyperscale::jobs
