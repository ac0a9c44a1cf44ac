#include "wire/jobs/job_message.h"

#include "arbitrary_job_message.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

struct Expected {
  JobQuestion question;
  std::string_view action;
  JobPriority priority;
  JobAnswer answer;
};

std::vector<Expected> expected_actions() {
  return {
      {WorkflowDispatch{}, "workflow_dispatch", JobPriority::kHigh, WorkflowDispatchAck{}},
      {WorkflowStart{}, "workflow_start", JobPriority::kHigh, OrderAck{}},
      {WorkflowChange{}, "workflow_change", JobPriority::kHigh, OrderAck{}},
      {WorkflowCancelRequest{}, "cancel_workflow", JobPriority::kCritical, WorkflowCancelResponse{}},
      {WorkerQuery{}, "worker_query", JobPriority::kHigh, WorkerAnswer{}},
      {ResultFetch{}, "result_fetch", JobPriority::kNormal, BytesPart{}},
      {ResultRelease{}, "result_release", JobPriority::kHigh, Released{}},
      {BlobWant{}, "blob_want", JobPriority::kNormal, BytesPart{}},
      {ShareProgress{}, "workflow_progress", JobPriority::kLow, ProgressAck{}},
      {WorkflowEvent{}, "workflow_event", JobPriority::kHigh, ReportAck{}},
      {WorkflowFinalResult{}, "workflow_final_result", JobPriority::kCritical, ReportAck{}},
      {CancelQuery{}, "workflow_cancellation_query", JobPriority::kCritical, CancelQueryAnswer{}},
      {WorkerRegistration{}, "worker_registration", JobPriority::kNormal, RegistrationAck{}},
  };
}

// proves part: AD22-3 (the messages between managers and workers)
// proves part: AD37-1 (the messages between managers and workers have a class)
TEST(JobMessage, EachQuestionHasActionAndPriority) {
  const std::vector<Expected> all = expected_actions();
  ASSERT_EQ(all.size(), std::variant_size_v<JobQuestion>);
  std::set<std::string_view> actions;
  for (const Expected& each : all) {
    EXPECT_EQ(action_of(each.question), each.action);
    EXPECT_EQ(priority_of(each.question), each.priority) << each.action;
    EXPECT_EQ(priority_of_action(each.action), each.priority) << "before it is decoded: " << each.action;
    actions.insert(action_of(each.question));
  }
  EXPECT_EQ(actions.size(), all.size());
}

// proves part: AD22-3 (an unknown question between managers and workers is LOW)
TEST(JobMessage, AnUnknownActionIsRefusedFirst) {
  EXPECT_EQ(priority_of_action("telepathy"), JobPriority::kLow);
  EXPECT_EQ(priority_of_action(""), JobPriority::kLow);
}

TEST(JobMessage, EachQuestionHasOneKindOfAnswer) {
  for (const Expected& each : expected_actions()) {
    for (std::size_t kind = 0; kind < std::variant_size_v<JobAnswer>; ++kind) {
      const JobAnswer answer = ArbitraryJobMessage(1, true).answer(kind);
      EXPECT_EQ(answers(answer, each.action), answer.index() == each.answer.index()) << each.action << ' ' << kind;
    }
  }
  EXPECT_FALSE(answers(OrderAck{}, "telepathy"));
}

TEST(JobMessage, EnumsHaveNames) {
  EXPECT_EQ(name(SharePart::kSetup), "setup");
  EXPECT_EQ(name(AttemptEnd::kCompleted), "completed");
  EXPECT_EQ(name(AttemptEvent::kExecutorLost), "executor_lost");
  EXPECT_EQ(name(AttemptPhase::kFinished), "finished");
  std::set<std::string_view> refusals;
  for (int value = 0; value <= static_cast<int>(Refusal::kResources); ++value)
    refusals.insert(name(static_cast<Refusal>(value)));
  EXPECT_EQ(refusals.size(), 12U);
  EXPECT_THAT(refusals, testing::Contains("old_fence"));
}

// Each change makes another value.
template <typename Value>
void expect_differences(const Value& value, const std::vector<void (*)(Value&)>& changes) {
  EXPECT_EQ(value, Value(value));
  for (std::size_t at = 0; at < changes.size(); ++at) {
    Value changed = value;
    changes[at](changed);
    EXPECT_NE(changed, value) << "change " << at;
  }
}

TEST(JobMessage, ADispatchIsComparedByEveryField) {
  using V = WorkflowDispatch;
  V value = std::get<V>(ArbitraryJobMessage(3, true).question(0));
  V same = value;
  same.content = SharedBytes::copy_of(value.content.view());
  EXPECT_EQ(same, value) << "bytes are compared, not their owners";
  expect_differences<V>(value, {[](V& v) { ++v.attempt.fence.attempt; }, [](V& v) { v.boot = BootId(); },
                                [](V& v) { v.term = Term(); }, [](V& v) { ++v.digest[31]; },
                                [](V& v) { ++v.content_bytes; }, [](V& v) { v.content = SharedBytes::copy_of("x"); },
                                [](V& v) { v.from_elapsed += 1ns; }, [](V& v) { v.changes.pop_back(); }});
}

TEST(JobMessage, AContentIsComparedByEveryField) {
  using V = DispatchContent;
  const V value = ArbitraryJobMessage(3, true).content();
  V same = value;
  same.workflow = SharedBytes::copy_of(value.workflow.view());
  EXPECT_EQ(same, value);
  expect_differences<V>(
      value, {[](V& v) { ++v.share.share; }, [](V& v) { v.workflow_name += 'x'; },
              [](V& v) { v.workflow = SharedBytes::copy_of("x"); }, [](V& v) { v.blobs.pop_back(); },
              [](V& v) { ++v.vus; }, [](V& v) { ++v.cores; }, [](V& v) { ++v.first_slot; }, [](V& v) { ++v.slots; },
              [](V& v) { ++v.slot_total; }, [](V& v) { ++v.datacenter_index; }, [](V& v) { ++v.datacenter_count; },
              [](V& v) { v.split = !v.split; }, [](V& v) { ++v.context_version; }, [](V& v) { v.context.pop_back(); },
              [](V& v) { v.timeout += 1ns; }, [](V& v) { v.stop_without_manager_after += 1ns; }});
}

TEST(JobMessage, ProgressIsComparedByEveryField) {
  using V = ShareProgress;
  const V value = std::get<V>(ArbitraryJobMessage(3, true).question(8));
  expect_differences<V>(value,
                        {[](V& v) { ++v.attempt.share.share; }, [](V& v) { ++v.figures.completed_count; },
                         [](V& v) { ++v.sequence; }, [](V& v) { v.elapsed += 1ns; }, [](V& v) { ++v.last_change; },
                         [](V& v) { v.fast = SharedBytes(); }, [](V& v) { v.exact = SharedBytes(); }});
}

TEST(JobMessage, APartIsComparedByEveryField) {
  using V = BytesPart;
  const V value = std::get<V>(ArbitraryJobMessage(3, true).answer(4));
  expect_differences<V>(value, {[](V& v) { v.known = !v.known; }, [](V& v) { ++v.offset; }, [](V& v) { ++v.total; },
                                [](V& v) { v.bytes = SharedBytes(); }, [](V& v) { v.error += 'x'; }});
}

TEST(JobMessage, ASentenceIsFittedNotRefused) {
  EXPECT_EQ(fitted_sentence("no room: 12 \xe2\x82\xac"), "no room: 12 \xe2\x82\xac");
  EXPECT_EQ(fitted_sentence("TypeError: x\n  at f\x1b[2J"), "TypeError: x   at f [2J");
  EXPECT_EQ(fitted_sentence(std::string(kSentenceBytesMax, 'x')).size(), kSentenceBytesMax);
  EXPECT_EQ(fitted_sentence(std::string(kSentenceBytesMax + 1, 'x')).size(), kSentenceBytesMax);
  // The euro sign has three bytes, and 1 + 3 * 341 is 1024: one more byte before it and the last one is cut away.
  std::string euros;
  for (int i = 0; i < 400; ++i) euros += "\xe2\x82\xac";
  EXPECT_EQ(fitted_sentence("x" + euros).size(), 1 + 3 * 341U);
  EXPECT_EQ(fitted_sentence("xx" + euros).size(), 2 + 3 * 340U);
  EXPECT_EQ(fitted_sentence("xxx" + euros).size(), 3 + 3 * 340U);
  // Not text at all: still bounded.
  EXPECT_LE(fitted_sentence(std::string(5000, '\x80')).size(), kSentenceBytesMax);
}

}  // namespace
}  // namespace hyperscale::wire
