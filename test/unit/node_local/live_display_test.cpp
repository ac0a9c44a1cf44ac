#include "node/local/live_display.h"

#include <algorithm>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class LiveDisplayTest : public testing::Test {
 protected:
  LiveDisplayTest() { EXPECT_EQ(::pipe(ends_), 0); }
  ~LiveDisplayTest() override {
    ::close(ends_[0]);
    if (ends_[1] >= 0) ::close(ends_[1]);
  }
  std::string written() {
    ::close(std::exchange(ends_[1], -1));
    std::string text(4096, '\0');
    const ssize_t got = ::read(ends_[0], text.data(), text.size());
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return text;
  }
  // Shows 25 seconds, and says something.
  void show(UiMode mode) {
    LiveDisplay display(
        mode, ends_[1], Glyphs::kUnicode,
        {.view = [this]() -> const live::LiveView& { return view_; }, .act = [](tui::Action, std::size_t) {}});
    asio::io_context io;
    display.open(io);
    for (int i = 0; i < 25; ++i) display.pass(i * 1s);
    display.say("something happened");
  }

  static live::LiveView some_view() {
    live::LiveView view;
    view.elapsed = 10s;
    view.planned = 30s;
    view.requests = 1234;
    return view;
  }

  live::LiveView view_ = some_view();
  int ends_[2]{};
};

// proves: UI-2
// proves part: LOCAL-6 (name, mode, timeout, tags of one workflow; not: tags of several kept apart in results)
TEST_F(LiveDisplayTest, InCiOneLineNowAndThen) {
  show(UiMode::kCi);
  const std::string text = written();
  EXPECT_EQ(std::ranges::count(text, '\n'), 3) << text;
  EXPECT_THAT(text, HasSubstr("requests=1,234"));
  EXPECT_THAT(text, HasSubstr("something happened\n"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST_F(LiveDisplayTest, WhereNoScreenCanBeShownThereAreLines) {
  show(UiMode::kFull);
  const std::string text = written();
  EXPECT_THAT(text, StartsWith("no screen: "));
  EXPECT_EQ(std::ranges::count(text, '\n'), 4) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

// proves: UI-2
TEST_F(LiveDisplayTest, NoneIsSilent) {
  show(UiMode::kNone);
  EXPECT_EQ(written(), "");
}

// proves: UI-2
// proves part: LOCAL-6 (name, mode, timeout, tags of one workflow; not: tags of several kept apart in results)
TEST(UiMode, FullNeedsATerminal) {
  EXPECT_EQ(usable_mode(UiMode::kFull, false), UiMode::kCi);
  EXPECT_EQ(usable_mode(UiMode::kFull, true), UiMode::kFull);
  EXPECT_EQ(usable_mode(UiMode::kNone, true), UiMode::kNone);
  EXPECT_EQ(usable_mode(UiMode::kCi, true), UiMode::kCi);
  EXPECT_EQ(ui_mode_from("full"), UiMode::kFull);
  EXPECT_EQ(ui_mode_from("ci"), UiMode::kCi);
  EXPECT_EQ(ui_mode_from("none"), UiMode::kNone);
  EXPECT_FALSE(ui_mode_from("fancy"));
}

}  // namespace
}  // namespace hyperscale::node
