#include "report/reporters/report_queue.h"

#include <atomic>
#include <future>
#include <memory>
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
  ReportQueue queue;
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
  ReportQueue queue;
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
  ReportQueue queue;
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
  ReportQueue queue;
  queue.add(std::make_unique<Recorder>(told, true));
  queue.moment({.json = "held"});
  told->reached.get_future().wait();
  const std::vector<stream::Sample> samples(kReportSamplesMax / 2 + 1);
  for (int i = 0; i < 2; ++i) queue.samples(span_of("", 0, samples));
  for (std::size_t i = 0; i < kReportItemsMax; ++i) queue.moment({.json = "more"});
  queue.lost_samples(7);
  EXPECT_EQ(queue.reports()[0].dropped, 1U) << "spans do not take the places of moments";
  EXPECT_EQ(queue.reports()[0].samples_lost, samples.size() + 7);
  go.set_value();
  queue.finish(result());
}

TEST(ReportQueue, AFailureEndsTheReporterAndIsKept) {
  const auto told = std::make_shared<Told>(), other = std::make_shared<Told>();
  ReportQueue queue;
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
  ReportQueue queue;
  queue.add(std::make_unique<Recorder>(told, true));
  for (const std::size_t count : {3U, 4U}) queue.samples(span_of("", 0, std::vector<stream::Sample>(count)));
  queue.settle();
  EXPECT_EQ(queue.reports()[0].samples_lost, 7U);
  EXPECT_EQ(queue.reports()[0].error, "the disk is full");
  queue.finish(result());
}

TEST(ReportQueue, AReporterThatHangsIsLeftBehind) {
  const auto told = std::make_shared<Told>();
  auto go = std::make_shared<std::promise<void>>();
  told->may_go_on = go->get_future().share();
  {
    ReportQueue queue(10ms);
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
  go->set_value();
}

}  // namespace
}  // namespace hyperscale::report
