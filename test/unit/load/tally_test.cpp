#include "allocation_count.h"
#include "load/recording/tally_reader.h"
#include "load/recording/tally_recorder.h"
#include "stream/shared_region.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

stream::Sample sample(Outcome outcome, std::uint16_t status, Duration duration) {
  stream::Sample out;
  out.outcome = static_cast<std::uint8_t>(outcome);
  out.status = status;
  out.duration = duration;
  out.service = duration / 2;
  out.first_byte = duration / 4;
  out.bytes_sent = 10;
  out.bytes_received = 100;
  return out;
}

class TallyTest : public testing::Test {
 protected:
  stream::SharedRegion region = std::move(*stream::SharedRegion::create(tally_bytes(2)));
  TallyRecorder recorder{region.data(), 2};
  TallyReader reader{region.data(), 2};
  const std::vector<std::string> names{"first", "second"};
};

TEST_F(TallyTest, WhatIsRecordedIsRead) {
  recorder.record(sample(Outcome::kOk, 200, 10ms));
  recorder.record(sample(Outcome::kOk, 204, 20ms));
  auto other = sample(Outcome::kStatus, 503, 30ms);
  other.step = 1;
  other.connect = 1ms;
  recorder.record(other);
  recorder.iteration_done();
  recorder.dropped(3);
  recorder.lag(5us);
  recorder.users_busy(7);
  recorder.users_busy(2);
  recorder.span(MonoTime::from_ns(1'000), MonoTime::from_ns(5'000));
  const results::RunResult share = reader.share(names);
  ASSERT_EQ(share.steps.size(), 2U);
  EXPECT_EQ(share.steps[0].counts.requests(), 2U);
  EXPECT_EQ(share.steps[0].counts.statuses.at(204), 1U);
  EXPECT_EQ(share.steps[0].series.duration.max(), 20ms);
  EXPECT_EQ(share.steps[0].series.duration.mean(), 15ms);
  EXPECT_TRUE(share.steps[0].series.connect.empty());
  EXPECT_EQ(share.steps[1].counts.errors(), 1U);
  EXPECT_EQ(share.steps[1].series.connect.count(), 1U);
  EXPECT_EQ(share.iterations, 1U);
  EXPECT_EQ(share.dropped, 3U);
  EXPECT_EQ(share.vus_max, 7U);
  EXPECT_EQ(share.lag.max(), 5us);
  EXPECT_EQ(share.elapsed, 4us);
  const LiveReading live = reader.live();
  EXPECT_EQ(live.requests, 3U);
  EXPECT_EQ(live.errors, 1U);
  EXPECT_EQ(live.vus_busy, 2U);
  EXPECT_EQ(live.duration.count(), 3U);
}

TEST_F(TallyTest, EqualsAHistogramOfTheSameValues) {
  LatencyHistogram expected;
  for (std::int64_t ns = 1; ns < 7'200'000'000'000; ns = ns * 3 / 2 + 7) {
    recorder.record(sample(Outcome::kOk, 200, Duration(ns)));
    expected.record(Duration(ns));
  }
  EXPECT_EQ(reader.share(names).steps[0].series.duration, expected);
}

TEST_F(TallyTest, KeepsTheFirstDistinctFailuresAndCountsTheRest) {
  for (int i = 0; i < 5; ++i) recorder.failure(0, Outcome::kStatus, 500, "", "oops");
  recorder.failure(0, Outcome::kRefused, 0, "connect to x: refused", "");
  for (int i = 0; i < 100; ++i) recorder.failure(0, Outcome::kProtocol, 0, "kind " + std::to_string(i), "");
  const auto failures = reader.share(names).steps[0].failures;
  ASSERT_EQ(failures.size(), results::kFailuresMax);
  EXPECT_EQ(failures[0].count, 5U);
  EXPECT_EQ(failures[0].status, 500);
  EXPECT_EQ(failures[0].body_start, "oops");
  EXPECT_EQ(failures[1].message, "connect to x: refused");
}

TEST_F(TallyTest, SurvivesAProcessThatIsKilledWhileItRecords) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (int i = 0; i < 1000; ++i) recorder.record(sample(Outcome::kOk, 200, 1ms));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const auto share = reader.share(names);
  EXPECT_EQ(share.steps[0].counts.requests(), 1000U);
  EXPECT_EQ(share.steps[0].series.duration.count(), 1000U);
}

TEST_F(TallyTest, RecordingDoesNotAllocate) {
  recorder.record(sample(Outcome::kOk, 200, 1ms));
  const std::size_t before = test::allocation_count();
  for (int i = 0; i < 1000; ++i) {
    recorder.record(sample(Outcome::kStatus, 500, Duration(i * 1000)));
    recorder.failure(0, Outcome::kStatus, 500, "message", "body");
    recorder.lag(1us);
  }
  EXPECT_EQ(test::allocation_count(), before);
}

TEST_F(TallyTest, AStrangeNumberInTheMemoryIsBounded) {
  recorder.failure(0, Outcome::kOk, 0, "x", "y");
  auto* steps = reinterpret_cast<StepCells*>(static_cast<std::byte*>(region.data()) + sizeof(ExecutorCells));
  steps[0].failures[0].message_size = 60'000;
  steps[0].failures[0].outcome_and_status = UINT64_MAX;
  steps[0].duration.counts[17] = 5;
  steps[0].duration.max_ns = UINT64_MAX;
  steps[0].duration.min_ns_plus_1 = UINT64_MAX;
  const auto share = reader.share(names);
  EXPECT_LE(share.steps[0].failures[0].message.size(), results::kFailureMessageBytesMax);
  EXPECT_LE(share.steps[0].series.duration.min(), share.steps[0].series.duration.max());
  EXPECT_EQ(share.steps[0].series.duration.count(), 5U);
}

}  // namespace
}  // namespace hyperscale::load
