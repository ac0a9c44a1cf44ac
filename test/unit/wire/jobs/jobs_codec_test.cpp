#include "wire/jobs/jobs_codec.h"

#include "arbitrary_job_message.h"
#include "job_message_properties.h"
#include "job_proto.h"
#include "wire/limits.h"

#include <array>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kQuestions = std::variant_size_v<JobQuestion>;
constexpr std::size_t kAnswers = std::variant_size_v<JobAnswer>;

// Calls visit(body) for one of each message, full: with every field set.
void each_message(std::uint64_t seed, bool full, auto visit) {
  for (std::size_t kind = 0; kind < kQuestions; ++kind)
    std::visit(visit, ArbitraryJobMessage(seed, full).question(kind));
  for (std::size_t kind = 0; kind < kAnswers; ++kind) std::visit(visit, ArbitraryJobMessage(seed, full).answer(kind));
}

template <typename Body>
Result<Body> decoded(const Body& like, ByteView bytes) {
  if constexpr (is_question<Body>) {
    auto question = decode_job_question(action_for(like), bytes);
    if (!question) return fail(question.error());
    return std::get<Body>(std::move(*question));
  } else {
    auto answer = decode_job_answer(action_for(like), bytes);
    if (!answer) return fail(answer.error());
    return std::get<Body>(std::move(*answer));
  }
}

// proves part: MSG-TCP-3 (job, reason and fence, from a manager to a worker; not from a client)
// proves part: MSG-TCP-4 (job, success, count and error, from a worker to a manager; not to a client)
// proves part: MSG-TCP-5 (every field, in dispatch and content; their limits are above what the catalogue needs)
// proves part: MSG-TCP-6 (every field)
// proves part: MSG-TCP-8 (every field, in the progress of a share)
// proves part: SCALE-1 (registration and its answer as messages)
// proves part: SCALE-2 (the notice that a worker has finished, as a message)
TEST(JobsCodec, EveryMessageReadsAsWritten) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    each_message(seed, seed % 2 == 0, [&](const auto& body) {
      const auto bytes = encoded(body);
      ASSERT_TRUE(bytes) << action_for(body) << ": " << bytes.error().context;
      const auto again = decoded(body, bytes->view());
      ASSERT_TRUE(again) << again.error().context;
      EXPECT_EQ(*again, body) << action_for(body) << " of seed " << seed;
    });
  }
}

TEST(JobsCodec, EqualValuesHaveEqualBytes) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    each_message(seed, false, [&](const auto& body) {
      const auto bytes = encoded(body);
      ASSERT_TRUE(bytes);
      EXPECT_EQ(encoded(*decoded(body, bytes->view()))->text(), bytes->text());
    });
  }
}

// The example of docs/formats/wire.md.
TEST(JobsCodec, AQuestionHasTheDocumentedBytes) {
  const ShareId share{.job = "eu-1-a-1", .workflow = 0, .part = SharePart::kSteps, .share = 3};
  std::string text;
  const auto bytes = encoded(CancelQuery{.attempt = {.share = share, .fence = {.epoch = 8589934593, .attempt = 2}}});
  for (const std::uint8_t byte : bytes->view()) text += fmt::format("{:02x}", byte);
  EXPECT_EQ(text, "621c0a1a0a0e0a0865752d312d612d311801200312080881808080201002");
}

// Numbers of the fields of a message, without what is inside them.
std::vector<int> fields_in(std::string_view bytes) {
  using google::protobuf::internal::WireFormatLite;
  std::vector<int> numbers;
  google::protobuf::io::CodedInputStream input(as_bytes(bytes).data(), static_cast<int>(bytes.size()));
  while (const std::uint32_t tag = input.ReadTag()) {
    const int number = WireFormatLite::GetTagFieldNumber(tag);
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
    if (!WireFormatLite::SkipField(&input, tag)) return {};
  }
  return numbers;
}

// The last number of each message of the schema. A full value has them all, or the tests above prove less than they
// say.
TEST(JobsCodec, AFullMessageHasEveryFieldOfTheSchema) {
  constexpr std::array kQuestionFields{8, 5, 4, 6, 2, 2, 1, 3, 7, 7, 9, 1, 5};
  constexpr std::array kAnswerFields{7, 6, 5, 8, 5, 1, 7, 4, 3, 4};
  each_message(2, true, [&]<typename Body>(const Body& body) {
    decltype(proto_of(body)) message;
    job_fields::write(body, message);
    std::size_t expected = 0;
    if constexpr (is_question<Body>) {
      expected = kQuestionFields.at(JobQuestion(body).index());
    } else {
      expected = kAnswerFields.at(JobAnswer(body).index());
    }
    EXPECT_EQ(fields_in(message.SerializeAsString()).size(), expected) << action_for(body);
  });
}

TEST(JobsCodec, TheOneofHasTheOrderOfTheVariant) {
  each_message(2, true, [&]<typename Body>(const Body& body) {
    decltype(proto_of(body)) message;
    job_fields::write(body, message);
    EXPECT_EQ(encoded(body)->text(), wrapped(body, message.SerializeAsString()));
  });
}

TEST(JobsCodec, NoTruncatedMessageIsAccepted) {
  each_message(7, true, [&](const auto& body) {
    const auto bytes = encoded(body);
    for (std::size_t kept = 0; kept < bytes->size(); ++kept) {
      const auto read = decoded(body, bytes->view().first(kept));
      ASSERT_FALSE(read) << action_for(body) << " of " << kept << " bytes";
      ASSERT_EQ(read.error().code, ErrorCode::kProtocol);
    }
  });
}

TEST(JobsCodec, AFlippedBitIsRefusedOrReadsConsistently) {
  each_message(11, true, [&](const auto& body) {
    const auto bytes = encoded(body);
    std::vector<std::uint8_t> flipped(bytes->view().begin(), bytes->view().end());
    for (std::size_t bit = 0; bit < 8 * flipped.size(); ++bit) {
      flipped[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
      fuzz::check_job_message(action_for(body), flipped);
      flipped[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    }
  });
}

// proves part: AD25-5 (unknown fields in messages of jobs)
TEST(JobsCodec, FieldsOfNewerPeersAreIgnored) {
  const std::string later = "\xf8\x06\x2a";  // field 111, a number
  each_message(13, true, [&](const auto& body) {
    decltype(proto_of(body)) message;
    job_fields::write(body, message);
    const std::string inside = wrapped(body, message.SerializeAsString() + later) + later;
    const auto read = decoded(body, as_bytes(inside));
    ASSERT_TRUE(read) << action_for(body) << ": " << read.error().context;
    EXPECT_EQ(*read, body);
  });
}

// proves part: SEC-7 (messages of jobs)
TEST(JobsCodec, AnUnknownKindIsRefused) {
  const std::string later = "\x72\x02\x08\x01";  // body 14
  for (const std::string& bytes : {later, std::string()}) {
    const auto question = decode_job_question("workflow_start", as_bytes(bytes));
    ASSERT_FALSE(question);
    EXPECT_EQ(question.error().context,
              "workflow_start: body is missing, or of a kind that this version does not know");
    const auto answer = decode_job_answer("workflow_start", as_bytes(bytes));
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().context, HasSubstr("does not know"));
  }
  EXPECT_FALSE(decode_job_question("workflow_start", as_bytes("\xff\xff")));
}

TEST(JobsCodec, TheActionOfTheFrameIsThatOfTheMessage) {
  const auto progress = encode_job_question(ArbitraryJobMessage(1, true).question(8));
  const auto disguised = decode_job_question("cancel_workflow", progress->view());
  ASSERT_FALSE(disguised) << "progress must not gain the priority of a cancel";
  EXPECT_EQ(disguised.error().to_string(), "Protocol: cancel_workflow: the frame has a workflow_progress");
  const auto ack = encode_job_answer(ReportAck{.accepted = true});
  EXPECT_TRUE(decode_job_answer("workflow_event", ack->view()));
  EXPECT_EQ(decode_job_answer("workflow_start", ack->view()).error().to_string(),
            "Protocol: workflow_start: answered with another kind of message");
}

TEST(JobsCodec, SentencesAreFittedWhenWritten) {
  const std::string trace = "Error: " + std::string(5000, 'x') + "\n at f";
  const auto bytes = encoded(
      OrderAck{.attempt = ArbitraryJobMessage(1, true).attempt(), .refusal = Refusal::kResources, .error = trace});
  ASSERT_TRUE(bytes) << "a long error must not hold up the message";
  EXPECT_EQ(std::get<OrderAck>(*decode_job_answer("workflow_start", bytes->view())).error, fitted_sentence(trace));
}

// --- what is within the limits of its fields and too large for a frame

std::vector<NumberedChange> most_changes() {
  std::vector<NumberedChange> changes;
  for (std::uint32_t n = 1; n <= kChangesPerMessageMax; ++n)
    changes.push_back({.number = n, .elapsed = kShareTimeMax, .command = std::string(kLoadCommandBytesMax, '9')});
  return changes;
}

TEST(JobsCodec, ALargeDispatchGoesWithoutItsContent) {
  WorkflowDispatch dispatch{.attempt = ArbitraryJobMessage(1, true).attempt(),
                            .content_bytes = kContentInlineBytesMax,
                            .content = SharedBytes::copy_of(std::string(kContentInlineBytesMax, 'c'))};
  EXPECT_TRUE(encoded(dispatch)) << "the largest content alone";
  dispatch.changes = most_changes();
  const auto whole = encoded(dispatch);
  ASSERT_FALSE(whole);
  EXPECT_EQ(whole.error().code, ErrorCode::kTooLarge);
  EXPECT_THAT(whole.error().context, HasSubstr("workflow_dispatch: "));
  EXPECT_THAT(whole.error().context, HasSubstr(" bytes, at most 1000000"));
  dispatch.content = {};
  EXPECT_TRUE(encoded(dispatch));
}

TEST(JobsCodec, AnAnswerFitsByLeavingResultsOut) {
  ArbitraryJobMessage arbitrary(5, true);
  WorkerAnswer answer;
  for (int n = 0; n < 40; ++n) {
    AttemptState state{.attempt = arbitrary.attempt(), .phase = AttemptPhase::kFinished};
    state.result = arbitrary.final_result(state.attempt);
    state.result->context_updates = {{.source = "", .key = "k", .json = std::string(kSharedValueTextBytesMax, 'v')}};
    answer.attempts.push_back(state);
  }
  ASSERT_FALSE(encoded(answer));
  const std::size_t left_out = fit_answer(answer);
  EXPECT_EQ(left_out, 40U - 15U) << "fifteen values of 64 KiB are a megabyte";
  EXPECT_TRUE(answer.attempts[14].result.has_value()) << "the last ones go first";
  EXPECT_FALSE(answer.attempts[15].result.has_value());
  const auto bytes = encoded(answer);
  ASSERT_TRUE(bytes);
  EXPECT_GT(bytes->size(), kJobMessageBytesMax - 2 * kSharedValueTextBytesMax);
  EXPECT_EQ(*decoded(answer, bytes->view()), answer);
  EXPECT_EQ(fit_answer(answer), 0U);
}

TEST(JobsCodec, AFullTableOfAttemptsFits) {
  ShareId share{.job = "eu-west-1-1763535600000-k3v9x2ma-12345", .workflow = 9, .part = SharePart::kSteps, .share = 0};
  WorkerAnswer answer;
  for (std::uint32_t n = 0; n < kAttemptsPerWorkerMax; ++n) {
    share.share = n;
    const AttemptId attempt{.share = share, .fence = {.epoch = std::uint64_t{7} << 32, .attempt = n}};
    answer.attempts.push_back({.attempt = attempt,
                               .phase = AttemptPhase::kStarted,
                               .elapsed = 24h,
                               .cores = 1,
                               .last_change = 1,
                               .result = std::nullopt});
    answer.tombstones.push_back({.attempt = attempt, .cancelled_by_request = true});
  }
  EXPECT_TRUE(encoded(answer)) << "with ids of the usual length";
}

TEST(JobsCodec, NothingLongerThanAMessageIsRead) {
  const std::vector<std::uint8_t> large(kJobMessageBytesMax + 1);
  EXPECT_EQ(decode_job_question("blob_want", large).error().to_string(),
            "TooLarge: blob_want: 1000001 bytes, at most 1000000");
  EXPECT_EQ(decode_job_answer("blob_want", large).error().code, ErrorCode::kTooLarge);
  EXPECT_LT(kJobMessageBytesMax, kCompressedBytesMax) << "fits a sealed frame as it is";
}

}  // namespace
}  // namespace hyperscale::wire
