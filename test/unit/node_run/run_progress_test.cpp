#include "node/run/run_progress.h"

#include "node/run/live_display.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

load::LiveReading reading(std::uint64_t requests, Duration latency) {
  load::LiveReading out;
  out.requests = requests;
  out.iterations = requests;
  out.vus_busy = 4;
  out.duration.record_many(latency, requests);
  return out;
}

TEST(RunProgress, RateAndLatencyAreThoseOfTheLastSecond) {
  RunProgress progress(30s, 0);
  load::LiveReading now = reading(1000, 50ms);
  progress.take(now, 1s);
  progress.take(now, 5s);
  now.requests += 200;
  now.duration.record_many(2ms, 200);
  progress.take(now, 6s);
  const report::ProgressView view = progress.view(false);
  EXPECT_EQ(view.elapsed, 6s);
  EXPECT_EQ(view.planned, 30s);
  EXPECT_EQ(view.requests, 1200U);
  EXPECT_NEAR(view.rate_per_s, 200, 1);
  EXPECT_NEAR(static_cast<double>(view.p99.count()), 2e6, 2e3) << "the slow ones are long ago";
}

TEST(RunProgress, StatusIsOneJsonObject) {
  RunProgress progress(0s, 0);
  EXPECT_THAT(progress.status_json("1-00000000", 17, "running"), testing::HasSubstr(R"("state":"running")"));
  progress.take(reading(10, 1ms), 500ms);
  const std::string json = progress.status_json("1-00000000", 17, "stopping");
  EXPECT_THAT(json, testing::StartsWith(R"({"run_id":"1-00000000","state":"stopping","elapsed_s":0.500)"));
  EXPECT_THAT(json, testing::HasSubstr(R"("requests":10,"errors":0,"rate_per_s":20.000)"));
}

TEST(RunProgress, AskingOftenDoesNotFillTheMemory) {
  RunProgress progress(0s, 0);
  for (int i = 0; i < 2000; ++i) progress.take(reading(1, 1ms), i * 1ms);
  EXPECT_EQ(progress.windows().size(), 1U);
}

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
  int ends_[2]{};
};

TEST_F(LiveDisplayTest, InCiOneLineNowAndThen) {
  {
    LiveDisplay display(UiMode::kCi, ends_[1], Glyphs::kUnicode);
    for (int i = 0; i < 25; ++i) display.show({.elapsed = i * 1s, .planned = 30s});
    display.say("something happened");
  }
  const std::string text = written();
  EXPECT_EQ(std::ranges::count(text, '\n'), 3) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST_F(LiveDisplayTest, OnATerminalOneLineThatIsWipedAtTheEnd) {
  {
    LiveDisplay display(UiMode::kFull, ends_[1], Glyphs::kUnicode);
    display.show({.elapsed = 1s, .planned = 30s});
    display.show({.elapsed = 2s, .planned = 30s});
  }
  const std::string text = written();
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\x1b[2K"));
}

TEST_F(LiveDisplayTest, NoneIsSilent) {
  {
    LiveDisplay display(UiMode::kNone, ends_[1], Glyphs::kUnicode);
    display.show({.elapsed = 20s, .planned = 30s});
    display.say("something happened");
  }
  EXPECT_EQ(written(), "");
}

TEST(UiMode, FullNeedsATerminal) {
  EXPECT_EQ(usable_mode(UiMode::kFull, false), UiMode::kCi);
  EXPECT_EQ(usable_mode(UiMode::kFull, true), UiMode::kFull);
  EXPECT_EQ(usable_mode(UiMode::kNone, true), UiMode::kNone);
  EXPECT_EQ(ui_mode_from("ci"), UiMode::kCi);
  EXPECT_FALSE(ui_mode_from("fancy"));
}

}  // namespace
}  // namespace hyperscale::node
