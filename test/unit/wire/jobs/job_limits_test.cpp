// Every limit of the messages of jobs: the largest value is written and read, one more is refused by both sides with
// the same sentence.
#include "arbitrary_job_message.h"
#include "job_proto.h"

#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// `set` makes a value of the largest size (0) or one more (1).
template <typename Body>
void expect_limit(const std::string& sentence, std::function<void(Body&, std::size_t more)> set) {
  ArbitraryJobMessage arbitrary(23, true);
  Body body;
  for (std::size_t kind = 0; kind < std::variant_size_v<JobQuestion>; ++kind) {
    if constexpr (is_question<Body>) {
      if (JobQuestion one = arbitrary.question(kind); std::holds_alternative<Body>(one)) body = std::get<Body>(one);
    } else {
      if (JobAnswer one = arbitrary.answer(kind); std::holds_alternative<Body>(one)) body = std::get<Body>(one);
    }
  }
  set(body, 0);
  EXPECT_EQ(writer_says(body), "") << sentence;
  EXPECT_EQ(reader_says(body, unchecked(body)), "") << sentence;
  set(body, 1);
  EXPECT_THAT(writer_says(body), EndsWith(": " + sentence));
  EXPECT_THAT(reader_says(body, unchecked(body)), EndsWith(": " + sentence));
}

SharedBytes bytes_of(std::size_t size) {
  return SharedBytes::copy_of(std::string(size, 'b'));
}

std::vector<ContextValue> values_of(std::size_t count) {
  return std::vector<ContextValue>(count, {.source = "s", .key = "k", .json = "1"});
}

TEST(JobLimits, OfAnAttempt) {
  expect_limit<CancelQuery>("attempt.share.job has 97 bytes, at most 96", [](auto& v, std::size_t more) {
    v.attempt.share.job = std::string(kJobIdBytesMax + more, 'j');
  });
  const std::string sentence = "attempt.share.job has a character that is not visible ASCII, or a '/'";
  for (const char* const bad : {"a b", "a/b", "a\n", "a\x7f", "\xc3\xa9"}) {
    expect_limit<CancelQuery>(sentence,
                              [bad](auto& v, std::size_t more) { v.attempt.share.job = more == 0 ? "a-b" : bad; });
  }
}

TEST(JobLimits, OfADispatch) {
  using Body = WorkflowDispatch;
  expect_limit<Body>("content has 524289 bytes, at most 524288", [](auto& v, std::size_t more) {
    v.content = bytes_of(kContentInlineBytesMax + more);
    v.content_bytes = v.content.size();
  });
  expect_limit<Body>("content_bytes is 67108865, at most 67108864", [](auto& v, std::size_t more) {
    v.content = {};
    v.content_bytes = kContentBytesMax + more;
  });
  expect_limit<Body>("changes has 10001 entries, at most 10000", [](auto& v, std::size_t more) {
    v.changes.clear();
    for (std::uint32_t n = 1; n <= kChangesPerMessageMax + more; ++n)
      v.changes.push_back({.number = n, .elapsed = 1s, .command = "pause"});
  });
  expect_limit<Body>("changes.command has 65 bytes, at most 64", [](auto& v, std::size_t more) {
    v.changes.back().command = std::string(kLoadCommandBytesMax + more, 'c');
  });
  expect_limit<Body>("changes.command has a control character",
                     [](auto& v, std::size_t more) { v.changes.back().command = more == 0 ? "vus=200" : "vus=\x1b"; });
}

TEST(JobLimits, OfTimes) {
  const auto year = [](std::size_t more) { return kShareTimeMax + Duration(static_cast<std::int64_t>(more)); };
  expect_limit<WorkflowDispatch>("from_elapsed is more than a year",
                                 [&](auto& v, std::size_t more) { v.from_elapsed = year(more); });
  expect_limit<WorkflowDispatch>("changes.elapsed is more than a year",
                                 [&](auto& v, std::size_t more) { v.changes.back().elapsed = year(more); });
  expect_limit<WorkflowStart>("start_in is more than a year",
                              [&](auto& v, std::size_t more) { v.start_in = year(more); });
  expect_limit<WorkflowChange>("change.elapsed is more than a year",
                               [&](auto& v, std::size_t more) { v.change.elapsed = year(more); });
  expect_limit<OrderAck>("elapsed is more than a year", [&](auto& v, std::size_t more) { v.elapsed = year(more); });
  expect_limit<ShareProgress>("elapsed is more than a year",
                              [&](auto& v, std::size_t more) { v.elapsed = year(more); });
  expect_limit<ProgressAck>("delay is more than a year", [&](auto& v, std::size_t more) { v.delay = year(more); });
  expect_limit<WorkflowEvent>("elapsed is more than a year",
                              [&](auto& v, std::size_t more) { v.elapsed = year(more); });
  expect_limit<WorkflowEvent>("start_late_by is more than a year",
                              [&](auto& v, std::size_t more) { v.start_late_by = year(more); });
  expect_limit<WorkflowFinalResult>("elapsed is more than a year",
                                    [&](auto& v, std::size_t more) { v.elapsed = year(more); });
  expect_limit<WorkerAnswer>("attempts.elapsed is more than a year",
                             [&](auto& v, std::size_t more) { v.attempts[0].elapsed = year(more); });
}

TEST(JobLimits, ATimeBelowZeroIsNotWritten) {
  const AttemptId attempt{.share = {.job = "j"}, .fence = {.epoch = 1}};
  EXPECT_THAT(writer_says(WorkflowStart{.attempt = attempt, .start_in = -1ns}), HasSubstr("start_in is below zero"));
  EXPECT_THAT(writer_says(OrderAck{.attempt = attempt, .accepted = true, .elapsed = -1ns}),
              HasSubstr("elapsed is below zero"));
  // Read by a peer without limits, it would be 584 years.
  const WorkflowStart start{.attempt = attempt, .start_in = 1ns};
  EXPECT_THAT(reader_says(start, unchecked(start, [](auto& m) { m.set_start_in_ns(UINT64_MAX); })),
              HasSubstr("start_in is more than a year"));
}

TEST(JobLimits, OfSharedValues) {
  expect_limit<WorkflowStart>("values has 201 entries, at most 200", [](auto& v, std::size_t more) {
    v.values = values_of(kSharedValuesPerMessageMax + more);
  });
  expect_limit<WorkflowFinalResult>("context_updates has 201 entries, at most 200", [](auto& v, std::size_t more) {
    v.context_updates = values_of(kSharedValuesPerMessageMax + more);
  });
  expect_limit<WorkflowStart>("values.json has 65537 bytes, at most 65536", [](auto& v, std::size_t more) {
    v.values.front().json = std::string(kSharedValueTextBytesMax + more, 'v');
  });
  expect_limit<WorkflowStart>("values.key has 257 bytes, at most 256", [](auto& v, std::size_t more) {
    v.values.front().key = std::string(kProgressNameBytesMax + more, 'k');
  });
  expect_limit<WorkflowStart>("values.source has 257 bytes, at most 256", [](auto& v, std::size_t more) {
    v.values.front().source = std::string(kProgressNameBytesMax + more, 's');
  });
  expect_limit<WorkflowStart>("values.source has a control character", [](auto& v, std::size_t more) {
    v.values.front().source = more == 0 ? "Log in" : "Log\nin";
  });
  // Twelve values of 64 KiB are 768 KiB.
  const auto most = [](std::size_t more) {
    std::vector<ContextValue> values(12, {.source = "", .key = "", .json = std::string(kSharedValueTextBytesMax, 'v')});
    values.push_back({.source = std::string(more, 's'), .key = "", .json = ""});
    return values;
  };
  expect_limit<WorkflowStart>("values has 786433 bytes, at most 786432",
                              [&](auto& v, std::size_t more) { v.values = most(more); });
  expect_limit<WorkflowFinalResult>("context_updates has 786433 bytes, at most 786432",
                                    [&](auto& v, std::size_t more) { v.context_updates = most(more); });
}

TEST(JobLimits, OfACancel) {
  using Body = WorkflowCancelRequest;
  expect_limit<Body>("shares has 4097 entries, at most 4096", [](auto& v, std::size_t more) {
    v.shares = std::vector<ShareId>(kSharesPerCancelMax + more, v.shares.front());
  });
  expect_limit<Body>("requester_id has 129 bytes, at most 128",
                     [](auto& v, std::size_t more) { v.requester_id = std::string(kRequesterIdBytesMax + more, 'r'); });
  expect_limit<Body>("mode has no meaning as 4",
                     [](auto& v, std::size_t more) { v.mode = static_cast<CancelMode>(3 + more); });
}

TEST(JobLimits, OfReports) {
  expect_limit<ShareProgress>("fast has 262145 bytes, at most 262144",
                              [](auto& v, std::size_t more) { v.fast = bytes_of(kFastMomentBytesMax + more); });
  expect_limit<ShareProgress>("exact has 262145 bytes, at most 262144",
                              [](auto& v, std::size_t more) { v.exact = bytes_of(kExactDeltaBytesMax + more); });
  expect_limit<ShareProgress>("figures.step_stats has 1025 entries, at most 1024", [](auto& v, std::size_t more) {
    v.figures.step_stats = std::vector<StepStats>(kStepsPerWorkflowMax + more, v.figures.step_stats.front());
  });
  expect_limit<WorkflowFinalResult>("body_bytes is 268435457, at most 268435456",
                                    [](auto& v, std::size_t more) { v.bytes = kResultBytesMax + more; });
}

TEST(JobLimits, OfWhatALeaderAsksFor) {
  expect_limit<WorkerAnswer>("attempts has 4097 entries, at most 4096", [](auto& v, std::size_t more) {
    const AttemptId attempt{.share = {.job = "j"}, .fence = {.epoch = 1}};
    v.attempts = std::vector<AttemptState>(kAttemptsPerWorkerMax + more, {.attempt = attempt});
    v.tombstones.clear();
  });
  expect_limit<WorkerAnswer>("tombstones has 4097 entries, at most 4096", [](auto& v, std::size_t more) {
    const AttemptId attempt{.share = {.job = "j"}, .fence = {.epoch = 1}};
    v.tombstones = std::vector<Tombstone>(kTombstonesPerAnswerMax + more, {.attempt = attempt});
  });
  expect_limit<WorkerAnswer>("attempts.cores is 4097, at most 4096", [](auto& v, std::size_t more) {
    v.attempts[0].cores = static_cast<std::uint32_t>(kCoresPerWorkerMax + more);
  });
  expect_limit<WorkflowDispatchAck>("cores_assigned is 4097, at most 4096", [](auto& v, std::size_t more) {
    v.cores_assigned = static_cast<std::uint32_t>(kCoresPerWorkerMax + more);
  });
  expect_limit<WorkerRegistration>("total_cores is 4097, at most 4096", [](auto& v, std::size_t more) {
    v.total_cores = static_cast<std::uint32_t>(kCoresPerWorkerMax + more);
  });
  expect_limit<WorkerRegistration>("available_cores is 65, at most 64", [](auto& v, std::size_t more) {
    v.available_cores = static_cast<std::uint32_t>(64 + more);
  });
  expect_limit<WorkerRegistration>("node.name has 65 bytes, at most 64", [](auto& v, std::size_t more) {
    v.node.name = std::string(kNodeNameBytesMax + more, 'n');
  });
  expect_limit<WorkerQuery>("job has 97 bytes, at most 96",
                            [](auto& v, std::size_t more) { v.job = std::string(kJobIdBytesMax + more, 'j'); });
}

TEST(JobLimits, OfPartsOfBytes) {
  expect_limit<BytesPart>("bytes has 524289 bytes, at most 524288", [](auto& v, std::size_t more) {
    v.bytes = bytes_of(kBlobPartBytes + more);
    v.total = v.offset + v.bytes.size();
  });
  expect_limit<BytesPart>("total is 268435457, at most 268435456",
                          [](auto& v, std::size_t more) { v.total = kResultBytesMax + more; });
  expect_limit<BytesPart>("offset is 10, at most 9", [](auto& v, std::size_t more) {
    v.bytes = {};
    v.total = 9;
    v.offset = 9 + more;
  });
  expect_limit<BytesPart>("bytes go beyond the total", [](auto& v, std::size_t more) {
    v.offset = 3;
    v.total = 10;
    v.bytes = bytes_of(7 + more);
  });
  expect_limit<ResultFetch>("offset is 268435457, at most 268435456",
                            [](auto& v, std::size_t more) { v.offset = kResultBytesMax + more; });
  expect_limit<BlobWant>("offset is 67108865, at most 67108864", [](auto& v, std::size_t more) {
    v.is_content = false;
    v.offset = kBlobBytesMax + more;
  });
}

// A sentence is fitted by the writer, so that only a peer without limits sends a longer one.
TEST(JobLimits, OfSentences) {
  const auto limit = [](const auto& body, const std::string& field, auto set) {
    EXPECT_EQ(reader_says(body, unchecked(body, [&](auto& m) { set(m, std::string(kSentenceBytesMax, 'e')); })), "");
    EXPECT_THAT(reader_says(body, unchecked(body, [&](auto& m) { set(m, std::string(kSentenceBytesMax + 1, 'e')); })),
                EndsWith(": " + field + " has 1025 bytes, at most 1024"));
    EXPECT_THAT(reader_says(body, unchecked(body, [&](auto& m) { set(m, "a\x1b[2J"); })),
                EndsWith(": " + field + " has a control character"));
  };
  const AttemptId attempt{.share = {.job = "j"}, .fence = {.epoch = 1}};
  const auto error = [](auto& m, const std::string& text) { m.set_error(text); };
  limit(WorkflowDispatchAck{.attempt = attempt, .refusal = Refusal::kBadPlan}, "error", error);
  limit(OrderAck{.attempt = attempt, .refusal = Refusal::kUnknown}, "error", error);
  limit(WorkflowCancelRequest{.job = "j"}, "reason", [](auto& m, const std::string& text) { m.set_reason(text); });
  limit(WorkflowCancelResponse{.job = "j"}, "error", error);
  limit(WorkflowEvent{.attempt = attempt, .number = 1}, "text",
        [](auto& m, const std::string& text) { m.set_text(text); });
  limit(WorkflowFinalResult{.attempt = attempt, .end = AttemptEnd::kFailed, .error = "e"}, "error", error);
  limit(BytesPart{}, "error", error);
  limit(RegistrationAck{}, "error", error);
}

}  // namespace
}  // namespace hyperscale::wire
