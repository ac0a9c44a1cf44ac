#include "allocation_count.h"
#include "load/recording/tally_reader.h"
#include "load/recording/tally_recorder.h"
#include "results/results_codec.h"
#include "stream/mapped_region.h"
#include "stream/sample_follower.h"

#include <algorithm>
#include <cmath>

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
  static constexpr TallyShape kShape{.steps = 2, .checks = 2, .metrics = 2, .named = 4};
  stream::MappedRegion region = std::move(*stream::MappedRegion::anonymous(tally_bytes(kShape)));
  TallyRecorder recorder{region.data(), kShape};
  TallyReader reader{region.data(), kShape};
  const TallyNames names{.steps = {"first", "second"},
                         .step_tags = {{}, {{.name = "team", .value = "shop"}}},
                         .checks = {"fast", "right"},
                         .metrics = {{.name = "orders", .kind = results::MetricKind::kCounter, .of_run = true},
                                     {.name = "size", .kind = results::MetricKind::kTrend}}};
};

TEST_F(TallyTest, RedirectsOfACallHaveNoSample) {
  recorder.record(sample(Outcome::kOk, 200, 10ms));
  recorder.redirected(0, 302, 3);
  EXPECT_EQ(reader.share(names).steps[0].counts.requests(), 4U);
  EXPECT_EQ(reader.samples(), 1U);
  EXPECT_EQ(reader.series_count(), reader.series_names(names).size());
}

// proves: DAG-STEP-4
TEST_F(TallyTest, WhatIsRecordedIsRead) {
  recorder.record(sample(Outcome::kOk, 200, 10ms));
  recorder.record(sample(Outcome::kOk, 204, 20ms));
  auto other = sample(Outcome::kStatus, 503, 30ms);
  other.step = 1;
  other.connect = 1ms;
  recorder.record(other);
  recorder.iteration_done(IterationEnd::kOk);
  recorder.dropped(3);
  recorder.lag(5us);
  recorder.users_busy(7);
  recorder.users_busy(2);
  recorder.span(MonoTime::from_ns(1'000), MonoTime::from_ns(5'000));
  const results::Recorded share = reader.share(names);
  ASSERT_EQ(share.steps.size(), 2U);
  EXPECT_EQ(share.steps[0].counts.requests(), 2U);
  EXPECT_EQ(share.steps[0].counts.statuses.at(204), 1U);
  EXPECT_EQ(share.steps[0].series.duration.max(), 20ms);
  EXPECT_EQ(share.steps[0].series.duration.mean(), 15ms);
  EXPECT_TRUE(share.steps[0].series.connect.empty());
  EXPECT_EQ(share.steps[1].counts.errors(), 1U);
  EXPECT_EQ(share.steps[1].series.connect.count(), 1U);
  EXPECT_FALSE(share.steps[0].counts.statuses.contains(503));
  EXPECT_EQ(share.steps[1].counts.requests(), 1U);
  EXPECT_EQ(share.steps[1].counts.statuses.at(503), 1U);
  EXPECT_EQ(share.steps[1].series.duration.mean(), 30ms);
  EXPECT_EQ(share.steps[0].series.service.mean(), 7'500us);
  EXPECT_EQ(share.steps[1].series.service.mean(), 15ms);
  EXPECT_EQ(share.steps[0].series.first_byte.count(), 2U);
  EXPECT_EQ(share.steps[1].series.first_byte.count(), 1U);
  EXPECT_EQ(share.iterations, 1U);
  EXPECT_EQ(share.dropped, 3U);
  EXPECT_EQ(share.vus_max, 7U);
  EXPECT_EQ(share.lag.max(), 5us);
  EXPECT_EQ(share.elapsed, 4us);
  const results::WindowTotals live = reader.live();
  EXPECT_EQ(live.requests, 3U);
  EXPECT_EQ(live.errors, 1U);
  EXPECT_EQ(live.users, 2U);
  EXPECT_EQ(live.durations.count(), 3U);
}

// proves: DAG-STEP-4
TEST_F(TallyTest, BytesAndFailuresBelongToTheirStep) {
  recorder.record(sample(Outcome::kOk, 200, 10ms));
  auto other = sample(Outcome::kStatus, 503, 30ms);
  other.step = 1;
  other.bytes_sent = 7;
  recorder.record(other);
  recorder.failure(1, Outcome::kStatus, 503, "m", "b");
  const results::Recorded share = reader.share(names);
  EXPECT_EQ(share.steps[0].counts.bytes_received, 100U);
  EXPECT_EQ(share.steps[1].counts.bytes_received, 100U);
  EXPECT_EQ(share.steps[1].counts.bytes_sent, 7U);
  EXPECT_EQ(share.steps[0].failures.size(), 0U);
  EXPECT_EQ(share.steps[1].failures.size(), 1U);
}

// proves: DAG-STEP-4
TEST_F(TallyTest, EveryFigureBelongsToItsStep) {
  for (const std::uint16_t step : {0, 1}) {
    auto one = sample(Outcome::kOk, static_cast<std::uint16_t>(200 + step), (step + 1) * 40ms);
    one.step = step;
    one.connect = (step + 1) * 3ms;
    one.tls = (step + 1) * 2ms;
    recorder.record(one);
    for (int times = 0; times <= step; ++times) recorder.redirect_followed(step);
    recorder.connections_opened(step, 10U + step);
    recorder.tls_resumed(step, 20U + step);
    recorder.resent(step, 30U + step);
    recorder.bytes(step, 1000U + step, 2000U + step);
    recorder.redirected(step, 302, 4U + step);
  }
  const auto steps = reader.share(names).steps;
  for (const std::uint16_t step : {0, 1}) {
    const results::Counts& counts = steps[step].counts;
    EXPECT_EQ(counts.connections_opened, 10U + step);
    EXPECT_EQ(counts.tls_resumed, 20U + step);
    EXPECT_EQ(counts.resent, 30U + step);
    EXPECT_EQ(counts.bytes_sent, 1010U + step);
    EXPECT_EQ(counts.bytes_received, 2100U + step);
    EXPECT_EQ(counts.redirects_followed, 5U + 2U * step);
    EXPECT_EQ(counts.statuses.at(302), 4U + step);
    EXPECT_EQ(counts.statuses.contains(201), step == 1);
    EXPECT_EQ(counts.outcomes[static_cast<std::size_t>(Outcome::kRedirected)], 4U + step);
    EXPECT_EQ(steps[step].series.duration.max(), (step + 1) * 40ms);
    EXPECT_EQ(steps[step].series.ok.max(), (step + 1) * 40ms);
    EXPECT_EQ(steps[step].series.first_byte.max(), (step + 1) * 10ms);
    EXPECT_EQ(steps[step].series.connect.max(), (step + 1) * 3ms);
    EXPECT_EQ(steps[step].series.tls.max(), (step + 1) * 2ms);
    const results::StepMoment now = reader.step_reading(step);
    EXPECT_EQ(now.bytes_received, 2100U + step);
    EXPECT_EQ(now.max(), (step + 1) * 40ms);
  }
}

TEST_F(TallyTest, EqualsAHistogramOfTheSameValues) {
  SparseHistogram expected;
  for (std::int64_t ns = 1; ns < 7'200'000'000'000; ns = ns * 3 / 2 + 7) {
    recorder.record(sample(Outcome::kOk, 200, Duration(ns)));
    expected.record(Duration(ns));
  }
  EXPECT_EQ(reader.share(names).steps[0].series.duration, expected);
}

TEST_F(TallyTest, GoodAnswersAreMeasuredApart) {
  SparseHistogram all, good;
  for (int i = 1; i <= 100; ++i) {
    const bool ok = i % 3 != 0;
    recorder.record(sample(ok ? Outcome::kOk : Outcome::kStatus, 200, i * 1ms));
    all.record(i * 1ms);
    if (ok) good.record(i * 1ms);
  }
  const auto share = reader.share(names);
  EXPECT_EQ(share.steps[0].series.duration, all);
  EXPECT_EQ(share.steps[0].series.ok, good);
  EXPECT_EQ(reader.live().durations, all);
  EXPECT_EQ(reader.step_reading(0).duration_sum_ns, static_cast<std::uint64_t>(all.sum_ns()));
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

TEST_F(TallyTest, ChecksAreCountedAndTheFirstReasonIsKept) {
  recorder.check(0, true);
  recorder.check(0, false);
  recorder.check(0, false, std::string(500, 'x'));
  recorder.check(0, false, "another");
  recorder.check(1, true);
  const auto checks = reader.share(names).checks;
  ASSERT_EQ(checks.size(), 2U);
  EXPECT_EQ(
      checks[0],
      (results::CheckResult{
          .name = "fast", .passed = 1, .failed = 3, .example = std::string(results::kCheckExampleBytesMax, 'x')}));
  EXPECT_EQ(checks[1], (results::CheckResult{.name = "right", .passed = 1, .failed = 0}));
}

TEST_F(TallyTest, AMetricKeepsItsSumExtremesAndLastValue) {
  for (const double value : {2.5, -1.0, 0.0, 10.25}) recorder.metric(0, value);
  const auto metric = reader.share(names).metrics[0];
  EXPECT_EQ(metric.name, "orders");
  EXPECT_TRUE(metric.of_run);
  EXPECT_EQ(metric.count, 4U);
  EXPECT_EQ(metric.nonzero, 3U);
  EXPECT_DOUBLE_EQ(metric.sum(), 11.75);
  EXPECT_EQ(metric.min, -1.0);
  EXPECT_EQ(metric.max, 10.25);
  EXPECT_EQ(metric.last, 10.25);
  EXPECT_GT(metric.last_at, 0ns);
  EXPECT_TRUE(metric.values.empty()) << "only a trend has them";
}

TEST_F(TallyTest, ATrendHasPercentilesInItsOwnNumbers) {
  for (int i = 1; i <= 1000; ++i) recorder.metric(1, i * 0.001);
  auto metric = reader.share(names).metrics[1];
  EXPECT_NEAR(metric.percentile(50), 0.5, 0.0011);
  EXPECT_NEAR(metric.percentile(99), 0.99, 0.0011);
  for (int i = 1; i <= 9000; ++i) recorder.metric(1, 1e6 + i);
  metric = reader.share(names).metrics[1];
  EXPECT_NEAR(metric.percentile(50), 1e6 + 4000, 2100);
  EXPECT_EQ(metric.percentile(100), 1e6 + 9000);
  EXPECT_EQ(metric.percentile(0), 0.001);
}

TEST_F(TallyTest, NanIsIgnoredAndHugeValuesAreClamped) {
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) recorder.metric(1, value);
  EXPECT_EQ(reader.share(names).metrics[1].count, 0U);
  recorder.metric(1, 1e300);
  const auto metric = reader.share(names).metrics[1];
  EXPECT_EQ(metric.max, results::kMetricValueMax);
  EXPECT_EQ(metric.values.count(), 1U);
}

TEST_F(TallyTest, StepsHaveTheirTags) {
  const auto steps = reader.share(names).steps;
  EXPECT_TRUE(steps[0].tags.empty());
  EXPECT_EQ(steps[1].tags, (std::map<std::string, std::string>{{"team", "shop"}}));
}

TEST_F(TallyTest, ASeriesIsFoundAgainByLabelAndTags) {
  const std::vector<plan::Tag> tags{{.name = "size", .value = "large"}, {.name = "empty", .value = ""}};
  const std::uint16_t plain = recorder.series("search", {});
  const std::uint16_t tagged = recorder.series("search", tags);
  EXPECT_EQ(plain, kShape.steps);
  EXPECT_NE(tagged, plain);
  EXPECT_EQ(recorder.series("search", {}), plain);
  EXPECT_EQ(recorder.series("search", tags), tagged);
  auto one = sample(Outcome::kOk, 200, 1ms);
  one.step = tagged;
  recorder.record(one);
  const auto steps = reader.share(names).steps;
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[3].name, "search");
  EXPECT_EQ(steps[3].tags, (std::map<std::string, std::string>{{"empty", ""}, {"size", "large"}}));
  EXPECT_TRUE(steps[3].named);
  EXPECT_EQ(steps[3].counts.requests(), 1U);
  EXPECT_EQ(steps[2].counts.requests(), 0U);
  EXPECT_EQ(reader.live().requests, 1U);
}

TEST_F(TallyTest, SeriesBeyondTheirNumberShareTheLastOne) {
  const std::uint16_t first = recorder.series("a", {});
  recorder.series("b", {});
  recorder.series("c", {});
  const std::uint16_t others = recorder.series("d", {});
  EXPECT_EQ(recorder.series("e", {}), others);
  EXPECT_EQ(recorder.series("d", {}), others);
  EXPECT_EQ(recorder.series("a", {}), first);
  const auto steps = reader.share(names).steps;
  ASSERT_EQ(steps.size(), kShape.steps + kShape.named);
  EXPECT_EQ(steps.back().name, results::kOtherSeries);
}

TEST_F(TallyTest, LabelsAndTagsAreCutToTheirLimits) {
  const std::string endless(1000, 'x');
  const std::vector<plan::Tag> tags{{.name = "long", .value = endless}, {.name = "short", .value = "kept"}};
  const std::uint16_t index = recorder.series(endless, tags);
  EXPECT_EQ(recorder.series(endless, tags), index);
  const auto steps = reader.share(names).steps;
  EXPECT_EQ(steps.back().name, endless.substr(0, kSeriesLabelBytesMax));
  EXPECT_EQ(steps.back().tags, (std::map<std::string, std::string>{{"short", "kept"}}));
}

TEST_F(TallyTest, CallsWithoutANameHaveARowByPath) {
  const std::uint16_t cart = recorder.series_by_path("GET", "/cart", {});
  EXPECT_EQ(recorder.series_by_path("GET", "/cart", {}), cart);
  EXPECT_NE(recorder.series("GET /cart", {}), cart) << "a name that looks like a path is another row";
  const auto steps = reader.share(names).steps;
  ASSERT_EQ(steps.size(), kShape.steps + 2);
  EXPECT_FALSE(steps[kShape.steps].by_path) << "those with a name come first";
  EXPECT_EQ(steps.back().name, "GET /cart");
  EXPECT_TRUE(steps.back().named && steps.back().by_path);
}

TEST_F(TallyTest, PathsLeaveRoomForNames) {
  const std::uint16_t first = recorder.series_by_path("GET", "/items/1", {});
  recorder.series_by_path("GET", "/items/2", {});
  const std::uint16_t others = recorder.series_by_path("GET", "/items/3", {});
  EXPECT_EQ(recorder.series_by_path("GET", "/items/4", {}), others);
  EXPECT_EQ(recorder.series_by_path("GET", "/items/1", {}), first);
  const std::uint16_t named = recorder.series("search", {});
  EXPECT_NE(named, others);
  EXPECT_EQ(recorder.series("one too many", {}), others);
  const auto steps = reader.share(names).steps;
  ASSERT_EQ(steps.size(), kShape.steps + kShape.named);
  EXPECT_EQ(steps.back().name, results::kOtherSeries);
  const std::string endless(1000, 'x');
  EXPECT_EQ(recorder.series_by_path("GET", endless, {}), others);
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
  const std::vector<plan::Tag> tags{{.name = "name", .value = "value"}};
  const std::size_t before = test::allocation_count();
  for (int i = 0; i < 1000; ++i) {
    recorder.record(sample(Outcome::kStatus, 500, Duration(i * 1000)));
    recorder.failure(0, Outcome::kStatus, 500, "message", "body");
    recorder.lag(1us);
    recorder.check(0, false, "message");
    recorder.metric(1, i);
    recorder.series("label", tags);
  }
  EXPECT_EQ(test::allocation_count(), before);
}

TEST_F(TallyTest, DisplayBucketsCoverWholeExactBuckets) {
  for (std::int64_t ns = 1; ns < 7'200'000'000'000; ns = ns * 3 / 2 + 7)
    recorder.record(sample(Outcome::kOk, 200, Duration(ns)));
  const DisplayCounts display = reader.step_reading(0).durations;
  const SparseHistogram exact = reader.share(names).steps[0].series.duration;
  DisplayCounts expected{};
  exact.for_each_bucket([&](const SparseHistogram::Bucket& bucket) {
    expected[display_bucket(histogram_buckets::index_of(bucket.range.low))] += bucket.count;
  });
  EXPECT_EQ(display, expected);
}

TEST_F(TallyTest, HistogramMemoryIsReservedOnFirstValue) {
  std::vector<std::size_t> asked;
  stream::MappedRegion fresh = std::move(*stream::MappedRegion::anonymous(tally_bytes(kShape)));
  TallyRecorder careful(fresh.data(), kShape, [&](std::size_t offset, std::size_t bytes) {
    EXPECT_EQ(offset % kPageBytes, 0U);
    EXPECT_EQ(bytes, kCountsBytes);
    asked.push_back(offset);
    return true;
  });
  EXPECT_TRUE(asked.empty());
  for (int i = 0; i < 3; ++i) careful.record(sample(Outcome::kOk, 200, 1ms));
  EXPECT_EQ(asked.size(), 3U) << "duration, service, first byte";
  careful.lag(1us);
  EXPECT_EQ(asked.size(), 4U);
  EXPECT_EQ(asked.back(), tally_offsets(kShape).counts);
}

TEST_F(TallyTest, ValuesWithoutMemoryAreCountedAndWarnedOf) {
  // Only what is reserved from the start is there: a value that went elsewhere would be a crash.
  stream::MappedRegion fresh = std::move(*stream::MappedRegion::anonymous(tally_reserved_bytes(kShape)));
  TallyRecorder poor(fresh.data(), kShape, [](std::size_t, std::size_t) { return false; });
  for (int i = 0; i < 100; ++i) {
    poor.record(sample(Outcome::kOk, 200, 10ms));
    poor.lag(4ms);
  }
  const TallyReader poor_reader(fresh.data(), kShape);
  EXPECT_EQ(poor_reader.overflowed(), 400U);
  const auto share = poor_reader.share(names);
  EXPECT_EQ(share.steps[0].counts.requests(), 100U);
  EXPECT_EQ(share.steps[0].series.duration.count(), 100U);
  EXPECT_GE(share.steps[0].series.duration.value_at_percentile(50), 10ms);
  EXPECT_LE(share.steps[0].series.duration.value_at_percentile(50), 11'250us);
  EXPECT_TRUE(share.steps[0].series.service.empty());
  EXPECT_EQ(share.lag.count(), 100U) << "a starved machine lags: that must be seen";
  EXPECT_GE(share.lag.value_at_percentile(50), 4ms);
  EXPECT_LE(share.lag.value_at_percentile(50), 4'500us);
  ASSERT_EQ(share.warnings.size(), 1U);
  EXPECT_NE(share.warnings[0].find("shared memory was full: 400 values"), std::string::npos) << share.warnings[0];
}

TEST_F(TallyTest, EverySampleIsHandedOnToThoseWhoFollow) {
  stream::RegionLayout layout{.nslots = 4, .stride_bytes = 256};
  const auto header = stream::MappedRegion::anonymous(layout.header_file_bytes());
  const auto pool = stream::MappedRegion::anonymous(layout.pool_file_bytes());
  const auto memory = stream::ring_memory(*header, *pool, layout.nslots, layout.stride_bytes);
  stream::SamplePublisher publisher(memory);
  stream::MappedRegion fresh = std::move(*stream::MappedRegion::anonymous(tally_bytes(kShape)));
  TallyRecorder publishing(fresh.data(), kShape, {}, &publisher);
  std::vector<stream::Sample> sent;
  for (int i = 0; i < 6; ++i) sent.push_back(sample(Outcome::kOk, 200, i * 1ms));
  for (const auto& one : sent) publishing.record(one);
  publisher.flush();
  stream::SampleFollower follower(memory, stream::SampleFollower::From::kOldest);
  std::vector<stream::Sample> got;
  while (follower.poll([&](const stream::Sample& one) { got.push_back(one); })) continue;
  EXPECT_EQ(got, sent);
}

TEST_F(TallyTest, AStrangeNumberInTheMemoryIsBounded) {
  recorder.record(sample(Outcome::kOk, 200, 1ms));
  recorder.failure(0, Outcome::kOk, 0, "x", "y");
  auto* steps = reinterpret_cast<StepCells*>(static_cast<std::byte*>(region.data()) + sizeof(ExecutorCells));
  steps[0].failures[0].message_size = 60'000;
  steps[0].failures[0].outcome_and_status = UINT64_MAX;
  auto* counts = static_cast<std::byte*>(region.data()) + tally_offsets(kShape).counts;
  const auto counts_of = [&](std::size_t number) {
    return reinterpret_cast<HistogramCounts*>(counts + number * kCountsBytes)->counts;
  };
  counts_of(step_histogram(0, Phase::kOk))[17] = 5;
  steps[0].service.place = UINT64_MAX;
  steps[0].ok.max_ns = UINT64_MAX;
  steps[0].ok.min_ns_plus_1 = UINT64_MAX;
  auto* bytes = static_cast<std::byte*>(region.data());
  static_cast<ExecutorCells*>(region.data())->named_used = UINT64_MAX;
  auto* labels = reinterpret_cast<SeriesLabel*>(bytes + tally_offsets(kShape).labels);
  labels[0].label_size = labels[0].tags_size = UINT16_MAX;
  std::ranges::fill(labels[0].tags, 'x');
  auto* checks = reinterpret_cast<CheckCells*>(bytes + tally_offsets(kShape).checks);
  checks[0].example_size = UINT64_MAX;
  auto* metrics = reinterpret_cast<MetricCells*>(bytes + tally_offsets(kShape).metrics);
  metrics[1].count = metrics[1].nonzero = UINT64_MAX;
  metrics[1].sum = metrics[1].min = metrics[1].max = UINT64_MAX;
  metrics[1].values.place = static_cast<std::uint64_t>(Place::kOwn);
  counts_of(metric_histogram(kShape, 1))[17] = 5;
  const auto share = reader.share(names);
  EXPECT_LE(share.steps[0].failures[0].message.size(), results::kFailureMessageBytesMax);
  EXPECT_LE(share.steps[0].series.duration.min(), share.steps[0].series.duration.max());
  EXPECT_EQ(share.steps[0].series.duration.count(), 6U);
  EXPECT_EQ(share.steps.size(), kShape.steps + kShape.named);
  EXPECT_EQ(share.checks[0].example.size(), results::kCheckExampleBytesMax);
  EXPECT_EQ(share.metrics[1].sum(), 0);
  EXPECT_TRUE(std::isfinite(share.metrics[1].percentile(50)));
  EXPECT_TRUE(results::encode(results::RunResult({}, share))) << "what was read can be sent on";
}

TEST_F(TallyTest, AbsurdCellsOfOneExecutorAreBounded) {
  recorder.record(sample(Outcome::kOk, 200, 1ms));
  auto* bytes = static_cast<std::byte*>(region.data());
  auto& executor = *static_cast<ExecutorCells*>(region.data());
  auto* steps = reinterpret_cast<StepCells*>(bytes + sizeof(ExecutorCells));
  std::ranges::fill(steps[0].outcomes, UINT64_MAX);
  const auto at = tally_offsets(kShape).counts + step_histogram(0, Phase::kOk) * kCountsBytes;
  std::ranges::fill(reinterpret_cast<HistogramCounts*>(bytes + at)->counts, UINT64_MAX / 3);
  executor.first_start_ns = std::uint64_t{1} << 63;
  executor.last_end_ns = INT64_MAX;
  auto sum = reader.share(names);
  EXPECT_EQ(sum.elapsed, Duration::max());
  for (int i = 0; i < 9; ++i) ASSERT_TRUE(results::merge(sum, reader.share(names)));
  EXPECT_GT(sum.steps[0].counts.requests(), 0U);
  executor.first_start_ns = INT64_MAX;
  executor.last_end_ns = 1;
  EXPECT_EQ(reader.share(names).elapsed, Duration::zero());
}

}  // namespace
}  // namespace hyperscale::load
