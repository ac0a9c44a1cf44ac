#include "tui/screen_control.h"

#include <gtest/gtest.h>

namespace hyperscale::tui {
namespace {

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000'000);

class Control : public testing::Test {
 protected:
  std::size_t at(Duration time, std::size_t workflows = 3) {
    control_.tick(workflows, kStart + time);
    return control_.workflow();
  }
  std::optional<Action> press(Key key, Duration time = 0s) { return control_.press(key, kStart + time); }
  std::optional<Action> press(char key, Duration time = 0s) { return press(Key::of(static_cast<char32_t>(key)), time); }
  ScreenControl control_;
};

// proves part: UI-6 (turns of three seconds; also for workflows that wait or have ended, not the active ones alone)
// proves part: UI-4 (terminal, layout, sections, cycling, sums; not a queue of updates: the newest moment is read)
TEST_F(Control, ShowsEachWorkflowForThreeSeconds) {
  EXPECT_EQ(kUpdateInterval, 3s);
  EXPECT_EQ(at(0s), 0u);
  EXPECT_EQ(at(2'999ms), 0u);
  EXPECT_EQ(at(3s), 1u);
  EXPECT_EQ(at(5'999ms), 1u);
  EXPECT_EQ(at(6s), 2u);
  EXPECT_EQ(at(9s), 0u);
}

// proves part: UI-6 (turns of three seconds; also for workflows that wait or have ended, not the active ones alone)
TEST_F(Control, TheIntervalCanBeSet) {
  control_ = ScreenControl(500ms);
  EXPECT_EQ(at(0s), 0u);
  EXPECT_EQ(at(500ms), 1u);
}

// proves part: UI-6 (turns of three seconds; also for workflows that wait or have ended, not the active ones alone)
TEST_F(Control, OneWorkflowStays) {
  EXPECT_EQ(at(0s, 1), 0u);
  EXPECT_EQ(at(30s, 1), 0u);
  EXPECT_EQ(at(31s, 0), 0u);
}

TEST_F(Control, HoldingStopsAndGoesOn) {
  at(0s);
  press(' ', 1s);
  EXPECT_TRUE(control_.is_held());
  EXPECT_EQ(at(60s), 0u);
  press('h', 61s);
  EXPECT_FALSE(control_.is_held());
  EXPECT_EQ(at(63'999ms), 0u);
  EXPECT_EQ(at(64s), 1u);
}

TEST_F(Control, ChoosingHolds) {
  at(0s);
  press('n');
  EXPECT_EQ(control_.workflow(), 1u);
  EXPECT_TRUE(control_.is_held());
  EXPECT_EQ(at(60s), 1u);
  press({KeyKind::kRight});
  press({KeyKind::kTab});
  EXPECT_EQ(control_.workflow(), 0u);
  press('b');
  EXPECT_EQ(control_.workflow(), 2u);
  press({KeyKind::kLeft});
  press({KeyKind::kBackTab});
  EXPECT_EQ(control_.workflow(), 0u);
  press('3');
  EXPECT_EQ(control_.workflow(), 2u);
  press('4');
  EXPECT_EQ(control_.workflow(), 2u);
}

// proves part: UI-6 (turns of three seconds; also for workflows that wait or have ended, not the active ones alone)
TEST_F(Control, AWorkflowThatIsGoneIsNotShown) {
  at(0s);
  press('3');
  EXPECT_EQ(at(1s, 2), 0u);
}

TEST_F(Control, KeysThatAskSomethingOfTheRun) {
  at(0s);
  EXPECT_EQ(press('p'), Action::kPauseOrResume);
  EXPECT_EQ(press('+'), Action::kMoreUsers);
  EXPECT_EQ(press('-'), Action::kFewerUsers);
  EXPECT_EQ(press(']'), Action::kHigherRate);
  EXPECT_EQ(press('['), Action::kLowerRate);
  EXPECT_EQ(press('q'), Action::kStop);
  EXPECT_EQ(press({KeyKind::kInterrupt}), Action::kStop);
  EXPECT_EQ(press('x'), std::nullopt);
  EXPECT_EQ(press({KeyKind::kEscape}), std::nullopt);
}

TEST_F(Control, WhileHelpIsShownKeysOnlyCloseIt) {
  press('?');
  EXPECT_TRUE(control_.shows_help());
  EXPECT_EQ(press('q'), std::nullopt);
  EXPECT_FALSE(control_.shows_help());
  press('?');
  EXPECT_EQ(press({KeyKind::kInterrupt}), Action::kStop);
}

TEST_F(Control, TheTableMovesAndStartsAnewForAnotherWorkflow) {
  at(0s);
  press({KeyKind::kDown});
  press({KeyKind::kDown});
  EXPECT_EQ(control_.first_step(), 2u);
  control_.limit_first_step(1);
  press({KeyKind::kUp});
  EXPECT_EQ(control_.first_step(), 0u);
  press({KeyKind::kUp});
  EXPECT_EQ(control_.first_step(), 0u);
  press({KeyKind::kDown});
  press('n');
  EXPECT_EQ(control_.first_step(), 0u);
}

}  // namespace
}  // namespace hyperscale::tui
