#include "tui/live_screen.h"

#include "sample_views.h"
#include "terminal_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::tui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr MonoTime kStart = MonoTime::from_ns(5'000'000'000);
constexpr Size kSize{80, 24};

class Live : public testing::Test {
 protected:
  std::string shown_at(Duration time) {
    terminal_.apply(screen_.frame(view_, kSize, kStart + time));
    EXPECT_EQ(terminal_.fault(), "");
    return terminal_.text();
  }
  live::LiveView view_ = running_view();
  LiveScreen screen_{{}};
  TerminalModel terminal_{kSize};
};

// proves part: UI-5 (the default, and an option of the screen; nothing that a user can set)
TEST_F(Live, AboutThirtyFramesASecondUnlessSetOtherwise) {
  EXPECT_TRUE(screen_.is_due(kStart));
  shown_at(0s);
  EXPECT_FALSE(screen_.is_due(kStart + 32ms));
  EXPECT_TRUE(screen_.is_due(kStart + 34ms));
  LiveScreen slow({.refresh_interval = 500ms});
  slow.frame(view_, kSize, kStart);
  EXPECT_FALSE(slow.is_due(kStart + 499ms));
  EXPECT_TRUE(slow.is_due(kStart + 500ms));
}

// proves part: UI-6 (turns of three seconds; also for workflows that wait or have ended, not the active ones alone)
TEST_F(Live, TheNextWorkflowIsDrawnWhenItIsItsTurn) {
  EXPECT_THAT(shown_at(0s), HasSubstr("search"));
  const std::string later = shown_at(3s);
  EXPECT_THAT(later, HasSubstr("receipt"));
  EXPECT_THAT(later, Not(HasSubstr("search")));
  EXPECT_THAT(shown_at(6s), HasSubstr("lookup"));
}

// proves part: UI-4 (terminal, layout, sections, cycling, sums; not a queue of updates: the newest moment is read)
TEST_F(Live, AnotherSizeIsLaidOutAnew) {
  shown_at(0s);
  constexpr Size kLarge{120, 40};
  TerminalModel resized(kLarge), fresh(kLarge);
  resized.apply(screen_.frame(view_, kLarge, kStart));
  LiveScreen other{{}};
  fresh.apply(other.frame(view_, kLarge, kStart));
  EXPECT_EQ(resized.fault(), "");
  EXPECT_EQ(resized.text(), fresh.text());
}

// proves part: UI-1 (progress, rates, latencies and outcomes; not the values of metric hooks)
TEST_F(Live, FiguresChangeInPlace) {
  shown_at(0s);
  const std::size_t before = terminal_.glyphs_written();
  view_.requests += 411;
  EXPECT_THAT(shown_at(33ms), HasSubstr("1,500,063"));
  EXPECT_LT(terminal_.glyphs_written() - before, 40u);
}

TEST_F(Live, KeysBecomeActions) {
  shown_at(0s);
  EXPECT_THAT(screen_.input("p+\x1b[", kStart), ElementsAre(Action::kPauseOrResume, Action::kMoreUsers));
  EXPECT_THAT(screen_.input("Cq", kStart), ElementsAre(Action::kStop));
  EXPECT_THAT(shown_at(33ms), HasSubstr("receipt"));
  EXPECT_THAT(shown_at(60s), HasSubstr("receipt"));
}

TEST_F(Live, EscapeClosesHelpWhenNothingFollowsIt) {
  shown_at(0s);
  EXPECT_THAT(screen_.input("?", kStart), IsEmpty());
  EXPECT_THAT(shown_at(33ms), HasSubstr("Keys"));
  EXPECT_THAT(screen_.input("\x1b", kStart + 40ms), IsEmpty());
  EXPECT_THAT(shown_at(66ms), HasSubstr("Keys"));
  EXPECT_THAT(shown_at(100ms), Not(HasSubstr("Keys")));
}

TEST_F(Live, AfterRedrawEverythingIsWrittenAgain) {
  const std::string text = shown_at(0s);
  terminal_ = TerminalModel(kSize);
  EXPECT_NE(shown_at(0s), text);
  screen_.redraw();
  EXPECT_EQ(shown_at(0s), text);
}

}  // namespace
}  // namespace hyperscale::tui
