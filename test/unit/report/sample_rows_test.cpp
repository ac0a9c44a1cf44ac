#include "report/reporters/sample_rows.h"

#include "temporary_folder.h"

#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace hyperscale::report {
namespace {

constexpr std::string_view kHeader =
    "time,workflow,executor,step,outcome,status,duration_ms,service_ms,first_byte_ms,connect_ms,tls_ms,bytes_sent,"
    "bytes_received\n";

constexpr MonoTime kStarted = MonoTime::from_ns(5'000'000'000);

std::string content_of(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

stream::Sample sample() {
  return {.step = 0,
          .outcome = static_cast<std::uint8_t>(results::Outcome::kOk),
          .status = 200,
          .bytes_sent = 70,
          .bytes_received = 120,
          .ended = kStarted + 250'125us,
          .duration = 2ms,
          .service = 1'500us,
          .first_byte = 1ms};
}

SampleSpan span_of(const std::vector<stream::Sample>& samples) {
  static const auto source = std::make_shared<const SampleSource>(SampleSource{
      .workflow = "shop", .executor = 1, .steps = {"GET /a,b", "say \"hi\"", "caf\xc3"}, .started = kStarted});
  return {.source = source, .samples = samples};
}

// What a reporter writes to a file of that name.
std::string written(const std::string& file, const std::vector<stream::Sample>& samples) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/" + file;
  const auto rows = SampleRows::open(path);
  EXPECT_TRUE(rows);
  EXPECT_TRUE((*rows)->wants_samples());
  results::RunFacts facts;
  facts.started = WallTime::from_ns(1'763'257'390'000'000'000);
  EXPECT_TRUE((*rows)->begin(facts));
  EXPECT_TRUE((*rows)->samples(span_of(samples)));
  return content_of(path);
}

TEST(SampleRows, CsvHasNamesAndWallClock) {
  EXPECT_EQ(written("rows.csv", {sample()}),
            std::string(kHeader) +
                "2025-11-16T01:43:10.250125Z,shop,1,\"GET /a,b\",ok,200,2.000000,1.500000,1.000000,,,70,120\n");
}

TEST(SampleRows, JsonLeavesOutMissingPhases) {
  EXPECT_EQ(written("rows.jsonl", {sample()}),
            R"({"time":"2025-11-16T01:43:10.250125Z","workflow":"shop","executor":1,"step":"GET /a,b","outcome":"ok",)"
            R"("status":200,"duration_ms":2,"service_ms":1.5,"first_byte_ms":1,"bytes_sent":70,"bytes_received":120})"
            "\n");
}

TEST(SampleRows, ThePageShowsWhatIsWritten) {
  const std::string page = content_of(SAMPLES_FORMAT_PAGE);
  EXPECT_THAT(page, testing::HasSubstr("```\n" + written("rows.csv", {sample()}) + "```\n"));
  EXPECT_THAT(page, testing::HasSubstr("```\n" + written("rows.jsonl", {sample()}) + "```\n"));
}

TEST(SampleRows, QuotesAreDoubledAndUnknownStepsNumbered) {
  stream::Sample second = sample(), cut = sample(), unknown = sample();
  second.step = 1;
  cut.step = 2;
  unknown.step = 9;
  const std::string rows = written("rows", {second, cut, unknown});
  EXPECT_THAT(rows, testing::HasSubstr(",caf\xef\xbf\xbd,ok,")) << "UTF-8, also of a name that was cut";
  EXPECT_THAT(rows, testing::HasSubstr(",\"say \"\"hi\"\"\",ok,"));
  EXPECT_THAT(rows, testing::HasSubstr(",step 9,ok,"));
}

// The memory of an executor may hold anything.
TEST(SampleRows, AbsurdNumbersAreBounded) {
  stream::Sample absurd = sample();
  absurd.outcome = 255;
  absurd.ended = MonoTime::max();
  absurd.duration = Duration::max();
  absurd.service = Duration(-5);
  absurd.tls = Duration::min();
  EXPECT_EQ(written("rows", {absurd}),
            std::string(kHeader) +
                "2026-11-17T01:43:10.000000Z,shop,1,\"GET /a,b\",body_limit,200,31622400000.000000,"
                "0.000000,1.000000,,0.000000,70,120\n");
  absurd.ended = MonoTime::from_ns(std::numeric_limits<std::int64_t>::min());
  EXPECT_THAT(written("rows", {absurd}), testing::HasSubstr("\n2025-11-16T01:43:10.000000Z,"));
}

TEST(SampleRows, OldFileStaysUntilTheRunBegins) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/rows.csv";
  std::ofstream(path) << "of yesterday";
  const auto rows = SampleRows::open(path);
  ASSERT_TRUE(rows);
  EXPECT_EQ(content_of(path), "of yesterday");
  EXPECT_TRUE((*rows)->begin({}));
  EXPECT_EQ(content_of(path), kHeader);
}

TEST(SampleRows, PipeWithoutReaderIsRefused) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const auto rows = SampleRows::open(path);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().context, "cannot write " + path + ": no program reads this pipe");
  EXPECT_EQ(rows.error().code, ErrorCode::kInvalidArgument) << "a mistake in the options";
}

TEST(SampleRows, FileThatCannotBeOpenedIsNamed) {
  const auto rows = SampleRows::open("/nowhere/at/all.csv");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().context, "cannot write /nowhere/at/all.csv: No such file or directory");
  EXPECT_EQ(rows.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace hyperscale::report
