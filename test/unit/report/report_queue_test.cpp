#include "report/reporters/report_queue.h"

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <semaphore>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

using testing::ElementsAre;

// What a reporter was told; outlives the queue.
struct Told {
  std::vector<std::string> calls;
  std::promise<void> reached;  // its first moment
  std::shared_future<void> may_go_on;
  bool samples_fail = false;
};

class Recorder final : public Reporter {
 public:
  explicit Recorder(std::shared_ptr<Told> told, bool wants_samples = false)
      : told_(std::move(told)), wants_samples_(wants_samples) {}

  std::string name() const override { return "recorder"; }
  Status begin(const results::RunFacts& facts) override { return note("begin " + facts.run_id); }
  Status moment(const live::LiveLine& line) override {
    if (told_->may_go_on.valid() && !std::exchange(held_, true)) {
      told_->reached.set_value();
      told_->may_go_on.wait();
    }
    if (line.json == "bad") return fail(ErrorCode::kUnavailable, "the disk is full");
    return note("moment " + line.json);
  }
  Status window(const results::Window& window) override {
    return note("window " + std::to_string(window.durations.count()));
  }
  bool wants_samples() const override { return wants_samples_; }
  Status samples(const SampleSpan& span) override {
    if (told_->samples_fail) return fail(ErrorCode::kUnavailable, "the disk is full");
    return note(fmt::format("{} {}: {}", span.source->workflow, span.source->executor, span.samples.size()));
  }
  Status end(const results::RunResult& result) override { return note("end " + result.run_id); }

 private:
  Status note(std::string call) {
    told_->calls.push_back(std::move(call));
    return {};
  }

  const std::shared_ptr<Told> told_;
  const bool wants_samples_;
  bool held_ = false;
};

// Its time passes only where a test says so.
struct Clock {
  MonoTime now;
  ReportWaiting waiting() {
    return {.now = [this] { return now; }};
  }
};

results::RunResult result() {
  results::RunResult result;
  result.run_id = "17-ab";
  return result;
}

SampleSpan span_of(const std::string& workflow, std::uint32_t executor, std::span<const stream::Sample> samples) {
  return {.source = std::make_shared<const SampleSource>(SampleSource{.workflow = workflow, .executor = executor}),
          .samples = samples};
}

TEST(ReportQueue, TellsAllInTheirOrder) {
  const auto told = std::make_shared<Told>();
  Clock clock;
  ReportQueue queue(clock.waiting());
  EXPECT_TRUE(queue.empty());
  queue.add(std::make_unique<Recorder>(told));
  results::Window window;
  window.durations.record(1ms);
  queue.begin(result());
  queue.moment({.tick = 1, .json = "a"});
  queue.window(window);
  queue.samples(span_of("shop", 0, {}));
  queue.settle();
  EXPECT_EQ(queue.reports(), (std::vector<ReporterReport>{{.name = "recorder", .taken = 3}}));
  queue.finish(result());
  EXPECT_THAT(told->calls, ElementsAre("begin 17-ab", "moment a", "window 1", "end 17-ab"));
}

TEST(ReportQueue, SamplesGoToThoseWhoWantThem) {
  const auto plain = std::make_shared<Told>(), keen = std::make_shared<Told>();
  Clock clock;
  ReportQueue queue(clock.waiting());
  queue.add(std::make_unique<Recorder>(plain));
  EXPECT_FALSE(queue.wants_samples());
  queue.add(std::make_unique<Recorder>(keen, true));
  EXPECT_TRUE(queue.wants_samples());
  const std::vector<stream::Sample> samples(3);
  queue.samples(span_of("shop", 2, samples));
  queue.finish(result());
  EXPECT_THAT(plain->calls, ElementsAre("end 17-ab"));
  EXPECT_THAT(keen->calls, ElementsAre("shop 2: 3", "end 17-ab"));
}

// The owner never waits: what does not fit is dropped and counted.
TEST(ReportQueue, AFullQueueDropsAndCounts) {
  const auto told = std::make_shared<Told>();
  std::promise<void> go;
  told->may_go_on = go.get_future().share();
  Clock clock;
  ReportQueue queue(clock.waiting());
  queue.add(std::make_unique<Recorder>(told));
  queue.moment({.json = "held"});
  told->reached.get_future().wait();
  for (std::size_t i = 0; i < kReportItemsMax + 5; ++i) queue.moment({.json = "more"});
  EXPECT_EQ(queue.reports()[0].dropped, 5U);
  go.set_value();
  queue.settle();
  EXPECT_EQ(queue.reports()[0].taken, kReportItemsMax + 1);
  queue.finish(result());
  EXPECT_EQ(told->calls.size(), kReportItemsMax + 2);
}

TEST(ReportQueue, SamplesAreBoundedTogether) {
  const auto told = std::make_shared<Told>();
  std::promise<void> go;
  told->may_go_on = go.get_future().share();
  Clock clock;
  ReportQueue queue(clock.waiting());
  queue.add(std::make_unique<Recorder>(told, true));
  queue.moment({.json = "held"});
  told->reached.get_future().wait();
  const std::vector<stream::Sample> samples(kReportSamplesMax / 2 + 1);
  for (int i = 0; i < 2; ++i) queue.samples(span_of("", 0, samples));
  for (std::size_t i = 0; i < kReportItemsMax; ++i) queue.moment({.json = "more"});
  queue.lost_samples(7);
  EXPECT_EQ(queue.reports()[0].dropped, 1U) << "spans do not take the places of moments";
  EXPECT_EQ(queue.reports()[0].samples_lost, samples.size() % kReportPieceSamplesMax + 7)
      << "the piece that does not fit";
  go.set_value();
  queue.finish(result());
}

TEST(ReportQueue, AFailureEndsTheReporterAndIsKept) {
  const auto told = std::make_shared<Told>(), other = std::make_shared<Told>();
  Clock clock;
  ReportQueue queue(clock.waiting());
  queue.add(std::make_unique<Recorder>(told));
  queue.add(std::make_unique<Recorder>(other));
  for (const char* line : {"a", "bad", "b"}) queue.moment({.json = line});
  queue.settle();
  const ReporterReport report = queue.reports()[0];
  EXPECT_EQ(report.error, "the disk is full");
  EXPECT_EQ(report.taken, 1U);
  EXPECT_EQ(report.dropped, 2U);
  queue.finish(result());
  EXPECT_THAT(told->calls, ElementsAre("moment a", "end 17-ab"));
  EXPECT_EQ(queue.reports()[1].dropped, 2U) << "the same for each";
}

TEST(ReportQueue, SamplesOfAFailedWriteAreLost) {
  const auto told = std::make_shared<Told>();
  told->samples_fail = true;
  Clock clock;
  ReportQueue queue(clock.waiting());
  queue.add(std::make_unique<Recorder>(told, true));
  for (const std::size_t count : {3U, 4U}) queue.samples(span_of("", 0, std::vector<stream::Sample>(count)));
  queue.settle();
  EXPECT_EQ(queue.reports()[0].samples_lost, 7U);
  EXPECT_EQ(queue.reports()[0].error, "the disk is full");
  queue.finish(result());
}

TEST(ReportQueue, SpansComeInPieces) {
  const auto told = std::make_shared<Told>();
  Clock clock;
  ReportQueue queue(clock.waiting());
  queue.add(std::make_unique<Recorder>(told, true));
  queue.samples(span_of("shop", 2, std::vector<stream::Sample>(2 * kReportPieceSamplesMax + 1)));
  queue.finish(result());
  EXPECT_THAT(told->calls, ElementsAre("shop 2: 128", "shop 2: 128", "shop 2: 1", "end 17-ab"));
}

// Each look of the owner takes a second.
TEST(ReportQueue, AReporterThatHangsIsLeftBehind) {
  const auto told = std::make_shared<Told>();
  std::promise<void> go;
  told->may_go_on = go.get_future().share();
  Clock clock;
  {
    ReportQueue queue({.now = [&] { return clock.now += 1s; }});
    queue.add(std::make_unique<Recorder>(told, true));
    for (int i = 0; i < 3; ++i) queue.moment({.json = "held"});
    queue.samples(span_of("", 0, std::vector<stream::Sample>(5)));
    told->reached.get_future().wait();
    queue.settle();
    EXPECT_EQ(queue.reports()[0].error, "recorder did not end in time");
    EXPECT_EQ(queue.reports()[0].dropped, 4U);
    EXPECT_EQ(queue.reports()[0].samples_lost, 5U) << "those in the queue";
    queue.finish(result());
  }
  go.set_value();
}

// Takes some seconds of the clock for each piece, and waits until the owner has looked at it.
struct SlowWriter final : Reporter {
  SlowWriter(Duration each, std::size_t hangs_after) : each_(each), hangs_after_(hangs_after) {}
  std::string name() const override { return "slow"; }
  bool wants_samples() const override { return true; }
  Status samples(const SampleSpan&) override {
    if (pieces_++ == hangs_after_) {
      hangs = true;
      go_on.wait();
    }
    now += each_.count();
    looks.acquire();
    return {};
  }
  // A second passes with each, while it hangs.
  MonoTime look() {
    if (hangs) now += Duration(1s).count();
    looks.release();
    return MonoTime::from_ns(now);
  }

  std::atomic<std::int64_t> now = 0;
  std::atomic<bool> hangs = false;
  std::counting_semaphore<> looks{0};
  std::shared_future<void> go_on;

 private:
  const Duration each_;
  const std::size_t hangs_after_;
  std::size_t pieces_ = 0;
};

TEST(ReportQueue, ASlowReporterThatGetsOnIsAwaited) {
  auto owned = std::make_unique<SlowWriter>(kReportPatience - 1s, SIZE_MAX);
  SlowWriter& writer = *owned;
  std::vector<std::string> said;
  ReportQueue queue({.now = [&] { return writer.look(); }, .slow = [&](const auto& text) { said.push_back(text); }});
  queue.add(std::move(owned));
  queue.samples(span_of("", 0, std::vector<stream::Sample>(20 * kReportPieceSamplesMax)));
  queue.settle();
  EXPECT_EQ(queue.reports()[0], (ReporterReport{.name = "slow", .taken = 20}));
  EXPECT_THAT(said, ElementsAre("slow is still being written; Ctrl-C ends it"));
  queue.finish(result());
}

TEST(ReportQueue, WrittenSamplesAreNotMissing) {
  auto owned = std::make_unique<SlowWriter>(1s, 3);
  SlowWriter& writer = *owned;
  std::promise<void> go;
  writer.go_on = go.get_future().share();
  ReportQueue queue({.now = [&] { return writer.look(); }});
  queue.add(std::move(owned));
  queue.samples(span_of("", 0, std::vector<stream::Sample>(20 * kReportPieceSamplesMax)));
  queue.settle();
  EXPECT_EQ(queue.reports()[0].taken, 3U);
  EXPECT_EQ(queue.reports()[0].samples_lost, 17 * kReportPieceSamplesMax);
  go.set_value();
  queue.finish(result());
}

TEST(ReportQueue, AnInterruptionEndsTheWaiting) {
  const auto told = std::make_shared<Told>();
  std::promise<void> go;
  told->may_go_on = go.get_future().share();
  Clock clock;
  {
    ReportQueue queue({.now = [&] { return clock.now; }, .interrupted = [] { return true; }});
    queue.add(std::make_unique<Recorder>(told));
    queue.moment({.json = "held"});
    told->reached.get_future().wait();
    queue.finish(result());
    EXPECT_EQ(queue.reports()[0],
              (ReporterReport{.name = "recorder", .dropped = 1, .error = "recorder was cut off by a signal"}));
  }
  go.set_value();
}

}  // namespace
}  // namespace hyperscale::report
