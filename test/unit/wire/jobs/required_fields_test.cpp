// Each required field that is missing is named, each number of a choice is checked, and the required fields are enough.
#include "arbitrary_job_message.h"
#include "job_proto.h"

#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

using ::testing::HasSubstr;

template <typename Body>
Body full_job_message() {
  ArbitraryJobMessage arbitrary(17, true);
  if constexpr (is_question<Body>) {
    for (std::size_t kind = 0;; ++kind) {
      if (JobQuestion question = arbitrary.question(kind); std::holds_alternative<Body>(question))
        return std::get<Body>(question);
    }
  } else {
    for (std::size_t kind = 0;; ++kind) {
      if (JobAnswer answer = arbitrary.answer(kind); std::holds_alternative<Body>(answer))
        return std::get<Body>(answer);
    }
  }
}

// The reader's sentence about a full message with one change of its protobuf form.
template <typename Body>
void expect_refusal(const std::string& sentence, auto change) {
  const Body body = full_job_message<Body>();
  EXPECT_EQ(reader_says(body, unchecked(body)), "");
  EXPECT_EQ(reader_says(body, unchecked(body, change)), "Protocol: " + action_for(body) + ": " + sentence);
}

template <typename Body>
void expect_attempt_is_required() {
  expect_refusal<Body>("attempt is missing", [](auto& m) { m.clear_attempt(); });
  expect_refusal<Body>("attempt.share is missing", [](auto& m) { m.mutable_attempt()->clear_share(); });
  expect_refusal<Body>("attempt.share.job is missing",
                       [](auto& m) { m.mutable_attempt()->mutable_share()->clear_job(); });
  expect_refusal<Body>("attempt.share.part is missing",
                       [](auto& m) { m.mutable_attempt()->mutable_share()->clear_part(); });
  expect_refusal<Body>("attempt.share.part has no meaning as 4",
                       [](auto& m) { m.mutable_attempt()->mutable_share()->set_part(4); });
  expect_refusal<Body>("attempt.share.share is not 0 in a setup or teardown",
                       [](auto& m) { m.mutable_attempt()->mutable_share()->set_part(2); });
  expect_refusal<Body>("attempt.fence is missing", [](auto& m) { m.mutable_attempt()->clear_fence(); });
  expect_refusal<Body>("attempt.fence is missing",
                       [](auto& m) { m.mutable_attempt()->mutable_fence()->clear_epoch(); });
}

// proves part: AD25-5 (messages of jobs)
TEST(RequiredFields, EveryMessageOfAnAttemptNamesIt) {
  expect_attempt_is_required<WorkflowDispatch>();
  expect_attempt_is_required<WorkflowDispatchAck>();
  expect_attempt_is_required<WorkflowStart>();
  expect_attempt_is_required<WorkflowChange>();
  expect_attempt_is_required<OrderAck>();
  expect_attempt_is_required<ShareProgress>();
  expect_attempt_is_required<WorkflowEvent>();
  expect_attempt_is_required<WorkflowFinalResult>();
  expect_attempt_is_required<CancelQuery>();
  expect_attempt_is_required<ResultFetch>();
  expect_attempt_is_required<ResultRelease>();
}

template <typename Body>
void expect_order_fields() {
  expect_refusal<Body>("boot is missing", [](auto& m) { m.clear_boot(); });
  expect_refusal<Body>("term is missing", [](auto& m) { m.clear_term(); });
}

// proves part: AD25-5 (messages of jobs)
TEST(RequiredFields, OfOrders) {
  expect_order_fields<WorkflowDispatch>();
  expect_order_fields<WorkflowStart>();
  expect_order_fields<WorkflowChange>();
  expect_refusal<WorkflowDispatch>("digest is missing", [](auto& m) { m.clear_digest(); });
  expect_refusal<WorkflowDispatch>("digest has 31 bytes, not 32", [](auto& m) { m.mutable_digest()->pop_back(); });
  expect_refusal<WorkflowDispatch>("digest has 33 bytes, not 32", [](auto& m) { m.mutable_digest()->push_back('x'); });
  expect_refusal<WorkflowDispatch>("content_bytes is missing", [](auto& m) { m.clear_content_bytes(); });
  expect_refusal<WorkflowDispatch>("content_bytes is not the size of the content",
                                   [](auto& m) { m.mutable_content()->push_back('x'); });
  expect_refusal<WorkflowDispatch>("changes.number is missing", [](auto& m) { m.mutable_changes(0)->clear_number(); });
  expect_refusal<WorkflowDispatch>("changes.command is missing",
                                   [](auto& m) { m.mutable_changes(0)->clear_command(); });
  expect_refusal<WorkflowDispatch>("changes are not in the order of their numbers",
                                   [](auto& m) { *m.add_changes() = m.changes(0); });
  expect_refusal<WorkflowChange>("change is missing", [](auto& m) { m.clear_change(); });
  expect_refusal<WorkflowChange>("change.number is missing", [](auto& m) { m.mutable_change()->clear_number(); });
  expect_refusal<WorkflowCancelRequest>("job is missing", [](auto& m) { m.clear_job(); });
  expect_refusal<WorkflowCancelRequest>("mode is missing", [](auto& m) { m.clear_mode(); });
  expect_refusal<WorkflowCancelRequest>("mode has no meaning as 4", [](auto& m) { m.set_mode(4); });
  expect_refusal<WorkflowCancelRequest>("shares.job is missing", [](auto& m) { m.mutable_shares(0)->clear_job(); });
  expect_refusal<WorkflowCancelRequest>("shares.job is another job",
                                        [](auto& m) { m.mutable_shares(0)->set_job("other"); });
}

// proves part: AD25-5 (messages of jobs)
TEST(RequiredFields, OfAnswersToOrders) {
  expect_refusal<WorkflowDispatchAck>("accepted is missing", [](auto& m) { m.clear_accepted(); });
  expect_refusal<WorkflowDispatchAck>("refusal is missing", [](auto& m) { m.clear_refusal(); });
  expect_refusal<WorkflowDispatchAck>("refusal has no meaning as 12", [](auto& m) { m.set_refusal(12); });
  expect_refusal<WorkflowDispatchAck>("refusal is given for an order that was accepted",
                                      [](auto& m) { m.set_accepted(true); });
  expect_refusal<OrderAck>("accepted is missing", [](auto& m) { m.clear_accepted(); });
  expect_refusal<OrderAck>("refusal is missing", [](auto& m) { m.clear_refusal(); });
  expect_refusal<OrderAck>("refusal has no meaning as 300", [](auto& m) { m.set_refusal(300); });
  expect_refusal<WorkflowCancelResponse>("success is missing", [](auto& m) { m.clear_success(); });
  expect_refusal<WorkflowCancelResponse>("job is missing", [](auto& m) { m.clear_job(); });
}

// proves part: AD25-5 (messages of jobs)
TEST(RequiredFields, OfReports) {
  expect_refusal<ShareProgress>("figures is missing", [](auto& m) { m.clear_figures(); });
  expect_refusal<ShareProgress>("figures.job_id is missing", [](auto& m) { m.mutable_figures()->clear_job_id(); });
  expect_refusal<ShareProgress>("figures.status is missing", [](auto& m) { m.mutable_figures()->clear_status(); });
  expect_refusal<WorkflowEvent>("number is missing", [](auto& m) { m.clear_number(); });
  expect_refusal<WorkflowEvent>("event is missing", [](auto& m) { m.clear_event(); });
  expect_refusal<WorkflowEvent>("event has no meaning as 6", [](auto& m) { m.set_event(6); });
  expect_refusal<WorkflowEvent>("refusal is missing", [](auto& m) { m.clear_refusal(); });
  expect_refusal<ProgressAck>("accepted is missing", [](auto& m) { m.clear_accepted(); });
  expect_refusal<ProgressAck>("pressure has no meaning as 4", [](auto& m) { m.set_pressure(4); });
  expect_refusal<ProgressAck>("leader.address is missing", [](auto& m) { m.mutable_leader()->clear_address(); });
  expect_refusal<ProgressAck>("leader.name has a character that is not visible ASCII",
                              [](auto& m) { m.mutable_leader()->set_name("a b"); });
  expect_refusal<ReportAck>("accepted is missing", [](auto& m) { m.clear_accepted(); });
  expect_refusal<ReportAck>("leader.role has no meaning as 4", [](auto& m) { m.mutable_leader()->set_role(4); });
  expect_refusal<CancelQueryAnswer>("known is missing", [](auto& m) { m.clear_known(); });
}

// proves part: RES-1 (failed exactly if there is an error, in the message of the final result)
TEST(RequiredFields, AFinalResultFailedIfItHasAnError) {
  using Body = WorkflowFinalResult;
  expect_refusal<Body>("end is missing", [](auto& m) { m.clear_end(); });
  expect_refusal<Body>("end has no meaning as 5", [](auto& m) { m.set_end(5); });
  expect_refusal<Body>("digest is missing", [](auto& m) { m.clear_digest(); });
  expect_refusal<Body>("error is missing", [](auto& m) { m.clear_error(); });
  for (const std::uint32_t end : {1U, 3U, 4U})
    expect_refusal<Body>("error is given for an end without failure", [end](auto& m) { m.set_end(end); });
}

// proves part: AD25-5 (messages of jobs)
TEST(RequiredFields, OfWhatALeaderAsksFor) {
  expect_refusal<WorkerQuery>("term is missing", [](auto& m) { m.clear_term(); });
  using Body = WorkerAnswer;
  expect_refusal<Body>("boot is missing", [](auto& m) { m.clear_boot(); });
  expect_refusal<Body>("term is missing", [](auto& m) { m.clear_term(); });
  expect_refusal<Body>("version is missing", [](auto& m) { m.clear_version(); });
  expect_refusal<Body>("attempts.attempt is missing", [](auto& m) { m.mutable_attempts(0)->clear_attempt(); });
  expect_refusal<Body>("attempts.phase is missing", [](auto& m) { m.mutable_attempts(0)->clear_phase(); });
  expect_refusal<Body>("attempts.phase has no meaning as 6", [](auto& m) { m.mutable_attempts(0)->set_phase(6); });
  expect_refusal<Body>("attempts.digest is missing", [](auto& m) { m.mutable_attempts(0)->clear_digest(); });
  expect_refusal<Body>("attempts.result is given before the end", [](auto& m) { m.mutable_attempts(0)->set_phase(4); });
  expect_refusal<Body>("attempts.result.end is missing",
                       [](auto& m) { m.mutable_attempts(0)->mutable_result()->clear_end(); });
  expect_refusal<Body>("tombstones.attempt is missing", [](auto& m) { m.mutable_tombstones(0)->clear_attempt(); });
  expect_refusal<BlobWant>("sha256 is missing", [](auto& m) { m.clear_sha256(); });
  expect_refusal<BlobWant>("sha256 has 5 bytes, not 32", [](auto& m) { m.set_sha256("short"); });
  expect_refusal<BytesPart>("known is missing", [](auto& m) { m.clear_known(); });
  expect_refusal<Released>("was_here is missing", [](auto& m) { m.clear_was_here(); });
  expect_refusal<WorkerRegistration>("node is missing", [](auto& m) { m.clear_node(); });
  expect_refusal<WorkerRegistration>("node.name is missing", [](auto& m) { m.mutable_node()->clear_name(); });
  expect_refusal<WorkerRegistration>("boot is missing", [](auto& m) { m.clear_boot(); });
  expect_refusal<RegistrationAck>("accepted is missing", [](auto& m) { m.clear_accepted(); });
}

TEST(RequiredFields, AResultIsThatOfItsState) {
  WorkerAnswer answer = full_job_message<WorkerAnswer>();
  ++answer.attempts[0].result->attempt.fence.attempt;
  EXPECT_EQ(writer_says(answer), "Protocol: job answer: attempts.result.attempt is another attempt");
}

// proves part: AD25-5 (messages of jobs)
TEST(RequiredFields, AreEnough) {
  const AttemptId attempt{.share = {.job = "j"}, .fence = {.epoch = 1}};
  const auto expect_same = [](const auto& body, auto fill) {
    decltype(proto_of(body)) message;
    fill(message);
    const std::string bytes = wrapped(body, message.SerializeAsString());
    EXPECT_EQ(reader_says(body, bytes), "");
    EXPECT_EQ(encoded(body)->text(), bytes) << "nothing else is written for a default: " << action_for(body);
  };
  const auto name_attempt = [](proto::Attempt& to) {
    to.mutable_share()->set_job("j");
    to.mutable_share()->set_part(1);
    to.mutable_fence()->set_epoch(1);
  };
  expect_same(WorkflowStart{.attempt = attempt}, [&](auto& m) {
    name_attempt(*m.mutable_attempt());
    m.set_boot(0);
    m.set_term(0);
  });
  expect_same(OrderAck{.attempt = attempt, .accepted = true}, [&](auto& m) {
    name_attempt(*m.mutable_attempt());
    m.set_accepted(true);
  });
  expect_same(WorkflowFinalResult{.attempt = attempt}, [&](auto& m) {
    name_attempt(*m.mutable_attempt());
    m.set_end(1);
    m.set_digest(std::string(32, '\0'));
  });
  expect_same(ProgressAck{}, [](auto& m) { m.set_accepted(false); });
  expect_same(WorkerAnswer{}, [](auto& m) {
    m.set_boot(0);
    m.set_term(0);
    m.set_version(0);
  });
  expect_same(RegistrationAck{}, [](auto& m) { m.set_accepted(false); });
}

}  // namespace
}  // namespace hyperscale::wire
