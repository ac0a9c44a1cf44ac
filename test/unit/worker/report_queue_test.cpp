#include "worker/report_queue.h"

#include "leader_answers.h"
#include "sample_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const wire::AttemptId kAttempt = attempt_of(share_of("job"));

wire::ShareProgress progress_of(std::uint64_t count, const std::string& exact = {}) {
  wire::ShareProgress progress;
  progress.attempt = kAttempt;
  progress.figures.completed_count = count;
  progress.fast = SharedBytes::copy_of(std::string_view("fast"));
  if (!exact.empty()) progress.exact = SharedBytes::copy_of(std::string_view(exact));
  return progress;
}

wire::WorkflowEvent event_of(wire::AttemptEvent kind, const std::string& text = {}) {
  wire::WorkflowEvent event;
  event.attempt = kAttempt;
  event.event = kind;
  event.text = text;
  return event;
}

// An open attempt led by manager 1; answers come when the test gives them.
class Reports : public testing::Test {
 protected:
  Reports() {
    for (const std::uint8_t number : {1, 2, 3}) queue.manager_up(manager(number), now);
    wire::ShareProgress first;
    first.attempt = kAttempt;
    queue.open(first, manager(1), now);
  }

  std::vector<Send> pass(Duration time) {
    std::vector<Send> out;
    const MonoTime until = now + time;
    for (Send& send : queue.due(now)) out.push_back(std::move(send));
    while (queue.next_wake() <= until) {
      now = std::max(now, queue.next_wake());
      for (Send& send : queue.due(now)) out.push_back(std::move(send));
    }
    now = until;
    return out;
  }
  Send one() {
    const std::vector<Send> sends = pass(0ms);
    CHECK(sends.size() == 1, "{} were sent", sends.size());
    return sends[0];
  }
  std::optional<ReportQueue::Heard> accept(const Send& send) { return queue.acked(send.id, accepted(send), now); }
  wire::ProgressAck ack_with(wire::Pressure pressure, Duration delay) {
    wire::ProgressAck ack;
    ack.accepted = true;
    ack.epoch = 10;
    ack.leader = manager(1);
    ack.pressure = pressure;
    ack.delay = delay;
    return ack;
  }
  // How many progress messages go out in 10 s in which figures come every 10 ms and each is acknowledged so.
  std::vector<wire::ShareProgress> flow(const wire::ProgressAck& ack) {
    std::vector<wire::ShareProgress> out;
    for (int i = 0; i < 1000; ++i) {
      queue.progress(progress_of(static_cast<std::uint64_t>(i)));
      for (const Send& send : pass(10ms)) {
        if (const auto* progress = std::get_if<wire::ShareProgress>(&send.question)) {
          out.push_back(*progress);
          queue.acked(send.id, ack, now);
        } else {
          accept(send);
        }
      }
    }
    return out;
  }

  ReportQueue queue{1};
  MonoTime now = MonoTime() + 1000s;
};

TEST_F(Reports, EventsGoOneByOneInOrder) {
  queue.event(event_of(wire::AttemptEvent::kReady));
  queue.event(event_of(wire::AttemptEvent::kStarted));
  const Send first = one();
  EXPECT_EQ(std::get<wire::WorkflowEvent>(first.question).event, wire::AttemptEvent::kReady);
  EXPECT_THAT(pass(1s), IsEmpty()) << "the second waits for the first";
  EXPECT_TRUE(accept(first)->accepted);
  const Send second = one();
  EXPECT_EQ(std::get<wire::WorkflowEvent>(second.question).number, 2U);
  accept(second);
  EXPECT_THAT(pass(1s), IsEmpty());
}

TEST_F(Reports, ResultIsRepeatedUntilAccepted) {
  wire::WorkflowFinalResult result;
  result.attempt = kAttempt;
  queue.finish(result);
  std::size_t sent = 0;
  for (int i = 0; i < 60; ++i) {
    for (const Send& send : pass(1s)) {
      EXPECT_TRUE(std::holds_alternative<wire::WorkflowFinalResult>(send.question));
      queue.unanswered(send.id, now);
      ++sent;
    }
  }
  EXPECT_GT(sent, 20U) << "rounds over three managers, with pauses of at most 5 s";
  EXPECT_LT(sent, 130U);
  std::vector<Send> last;
  while (last.empty()) last = pass(1s);
  accept(last[0]);
  EXPECT_THAT(pass(kKeptPoll - 1s), IsEmpty());
}

// proves part: PROG-ROUTE-1 (the core; no worker runs with it yet)
// proves part: PROG-ROUTE-2 (the core; no worker runs with it yet)
TEST_F(Reports, OtherManagersAreTriedAndNameTheLeader) {
  queue.event(event_of(wire::AttemptEvent::kReady));
  const Send first = one();
  EXPECT_EQ(first.to.address, manager(1).address);
  queue.unanswered(first.id, now);
  const Send second = one();
  EXPECT_EQ(second.to.address, manager(2).address) << "at once";
  wire::ReportAck elsewhere;
  elsewhere.leader = manager(3);
  elsewhere.epoch = 11;
  EXPECT_FALSE(queue.acked(second.id, elsewhere, now)->accepted);
  const Send third = one();
  EXPECT_EQ(third.to.address, manager(3).address);
  queue.acked(third.id, accepted(third, 11), now);
  queue.progress(progress_of(1));
  EXPECT_EQ(one().to.address, manager(3).address);
}

// proves part: PROG-SCN-4 (the core; no worker runs with it yet)
TEST_F(Reports, ProgressFindsTheNextLeader) {
  queue.progress(progress_of(1));
  const Send lost = one();
  queue.manager_down(manager(1).address);
  queue.unanswered(lost.id, now);
  const Send again = one();
  EXPECT_EQ(again.to.address, manager(2).address);
  EXPECT_EQ(std::get<wire::ShareProgress>(again.question).figures.completed_count, 1U);
  queue.acked(again.id, accepted(again, 11), now);
  queue.progress(progress_of(2));
  const std::vector<Send> next = pass(kProgressInterval);
  ASSERT_THAT(next, SizeIs(1));
  EXPECT_EQ(next[0].to.address, manager(2).address);
}

TEST_F(Reports, FormerLeaderIsNotBelieved) {
  queue.event(event_of(wire::AttemptEvent::kReady));
  Send send = one();
  queue.acked(send.id, accepted(send, 12), now);
  queue.event(event_of(wire::AttemptEvent::kStarted));
  send = one();
  EXPECT_FALSE(queue.acked(send.id, accepted(send, 11), now)->accepted);
  EXPECT_EQ(std::get<wire::WorkflowEvent>(one().question).event, wire::AttemptEvent::kStarted);
}

TEST_F(Reports, WithoutManagersWaitsForOne) {
  for (const std::uint8_t number : {1, 2, 3}) queue.manager_down(manager(number).address);
  queue.event(event_of(wire::AttemptEvent::kReady));
  EXPECT_THAT(pass(1min), IsEmpty());
  queue.manager_up(manager(2), now);
  EXPECT_THAT(pass(0ms), testing::Contains(testing::Field(&Send::to, manager(2))));
}

TEST_F(Reports, NewLeaderIsTriedWithoutPause) {
  queue.event(event_of(wire::AttemptEvent::kReady));
  for (int i = 0; i < 30; ++i)
    for (const Send& send : pass(1s)) queue.unanswered(send.id, now);
  pass(0ms);
  queue.led_by("job", manager(3), 11, now);
  for (const Send& send : pass(0ms)) {
    EXPECT_EQ(send.to.address, manager(3).address);
    queue.unanswered(send.id, now);
  }
}

// proves part: PROG-BUF-1 (the core; no worker runs with it yet)
// proves part: PROG-SCN-1 (the core; no worker runs with it yet)
TEST_F(Reports, NewestProgressReplaces) {
  queue.progress(progress_of(0));
  const Send first = one();
  accept(first);
  for (std::uint64_t i = 1; i <= 10; ++i) queue.progress(progress_of(i));
  const std::vector<Send> sends = pass(kProgressInterval);
  ASSERT_THAT(sends, SizeIs(1));
  const auto& newest = std::get<wire::ShareProgress>(sends[0].question);
  EXPECT_EQ(newest.figures.completed_count, 10U);
  EXPECT_GT(newest.sequence, std::get<wire::ShareProgress>(first.question).sequence);
}

TEST_F(Reports, ExactPartIsNotLostToANewerReading) {
  queue.progress(progress_of(0));
  accept(one());
  queue.progress(progress_of(1, "exact"));
  queue.progress(progress_of(2));
  const std::vector<Send> sends = pass(kProgressInterval);
  ASSERT_THAT(sends, SizeIs(1));
  EXPECT_EQ(std::get<wire::ShareProgress>(sends[0].question).exact.text(), "exact");
}

TEST_F(Reports, TooLargePartsAreLeftOut) {
  wire::ShareProgress large = progress_of(1);
  large.fast = SharedBytes::adopt(std::string(wire::kFastMomentBytesMax + 1, 'x'));
  large.exact = SharedBytes::adopt(std::string(wire::kExactDeltaBytesMax + 1, 'x'));
  queue.progress(large);
  const auto sent = std::get<wire::ShareProgress>(one().question);
  EXPECT_TRUE(sent.fast.empty() && sent.exact.empty());
  EXPECT_EQ(sent.figures.completed_count, 1U);
}

// proves part: PROG-FLUSH-1 (the delay is added to 50 ms; at most one message per 100 ms)
// proves part: PROG-FLUSH-4 (the core; no worker runs with it yet)
TEST_F(Reports, DelayOfAnAckIsAdded) {
  EXPECT_THAT(flow(ack_with(wire::Pressure::kNone, 0ms)), SizeIs(101)) << "both ends of ten seconds";
  EXPECT_THAT(flow(ack_with(wire::Pressure::kThrottle, 200ms)),
              SizeIs(testing::AllOf(testing::Ge(40U), testing::Le(41U))));
  EXPECT_THAT(flow(ack_with(wire::Pressure::kNone, 0ms)), SizeIs(testing::AllOf(testing::Ge(98U), testing::Le(101U))));
  EXPECT_THAT(flow(ack_with(wire::Pressure::kBatch, 0ms)), SizeIs(testing::AllOf(testing::Ge(10U), testing::Le(11U))));
  EXPECT_THAT(flow(ack_with(wire::Pressure::kThrottle, 24h)), SizeIs(testing::Le(2U)));
}

// proves part: PROG-SCN-3 (figures of progress are discarded; a bare one asks every 5 s)
TEST_F(Reports, RejectDiscardsFiguresNotEvents) {
  flow(ack_with(wire::Pressure::kReject, 0ms));
  const auto bare = flow(ack_with(wire::Pressure::kReject, 0ms));
  EXPECT_THAT(bare, SizeIs(2)) << "to learn when it is over";
  for (const wire::ShareProgress& each : bare) EXPECT_TRUE(each.fast.empty());
  queue.event(event_of(wire::AttemptEvent::kStarted));
  EXPECT_TRUE(std::holds_alternative<wire::WorkflowEvent>(one().question));
  EXPECT_GT(flow(ack_with(wire::Pressure::kNone, 0ms)).size(), 40U);
}

TEST_F(Reports, KeepsTheLeaderInTouchWithoutFigures) {
  queue.progress(progress_of(7, "exact"));
  accept(one());
  std::vector<wire::ShareProgress> kept;
  for (int i = 0; i < 20; ++i) {
    for (const Send& send : pass(1s)) {
      if (const auto* progress = std::get_if<wire::ShareProgress>(&send.question)) kept.push_back(*progress);
      accept(send);
    }
  }
  EXPECT_THAT(kept, SizeIs(4));
  EXPECT_TRUE(kept.at(0).fast.empty() && kept.at(0).exact.empty());
  EXPECT_EQ(kept.at(0).figures.completed_count, 7U);
}

TEST_F(Reports, LinesAreBoundedAndCounted) {
  for (std::size_t i = 0; i < kLinesWaitingMax + 5; ++i)
    queue.event(event_of(wire::AttemptEvent::kNote, "line " + std::to_string(i)));
  queue.event(event_of(wire::AttemptEvent::kExecutorLost, "not a line"));
  accept(one());
  queue.event(event_of(wire::AttemptEvent::kNote, "after"));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kLinesWaitingMax + 1; ++i) {
    const Send send = one();
    texts.push_back(std::get<wire::WorkflowEvent>(send.question).text);
    accept(send);
  }
  EXPECT_EQ(texts.at(kLinesWaitingMax - 1), "not a line");
  EXPECT_EQ(texts.back(), "(5 lines were dropped) after");
  EXPECT_THAT(pass(1s), IsEmpty());
}

TEST_F(Reports, DroppedLinesAreToldAtTheEnd) {
  for (std::size_t i = 0; i < kLinesWaitingMax + 3; ++i) queue.event(event_of(wire::AttemptEvent::kNote, "line"));
  wire::WorkflowFinalResult result;
  result.attempt = kAttempt;
  queue.finish(result);
  std::string last;
  for (Send send = one(); std::holds_alternative<wire::WorkflowEvent>(send.question); send = one()) {
    last = std::get<wire::WorkflowEvent>(send.question).text;
    accept(send);
  }
  EXPECT_EQ(last, "3 lines were dropped");
}

TEST_F(Reports, LongLinesAreCutAtACharacter) {
  std::string line(wire::kSentenceBytesMax - 1, 'x');
  queue.event(event_of(wire::AttemptEvent::kNote, line + "äöü"));
  EXPECT_EQ(std::get<wire::WorkflowEvent>(one().question).text, line);
}

TEST_F(Reports, RefusedAttemptClosesWhenAllIsAccepted) {
  queue.event(event_of(wire::AttemptEvent::kRefused, "no"));
  queue.refuse(kAttempt);
  EXPECT_EQ(queue.refused(), 1U);
  const Send send = one();
  EXPECT_TRUE(accept(send)->closed);
  queue.close(kAttempt);
  EXPECT_EQ(queue.refused(), 0U);
  EXPECT_FALSE(queue.has_job("job"));
  EXPECT_EQ(queue.acked(send.id, accepted(send), now), std::nullopt);
}

TEST_F(Reports, HigherFenceEndsTheRepeating) {
  queue.event(event_of(wire::AttemptEvent::kReady));
  queue.event(event_of(wire::AttemptEvent::kStarted));
  wire::ReportAck ack;
  ack.known = {10, 2};
  const auto heard = queue.acked(one().id, ack, now);
  EXPECT_EQ(heard->superseded_by, (wire::Fence{10, 2}));
  EXPECT_THAT(pass(4s), IsEmpty());
}

TEST_F(Reports, PollGoesRoundTheManagersThenPauses) {
  std::vector<wire::NodeAddress> asked;
  for (int i = 0; i < 9; ++i) {
    for (const Send& send : pass(1s)) {
      if (!std::holds_alternative<wire::CancelQuery>(send.question)) continue;
      asked.push_back(send.to.address);
      queue.acked(send.id, wire::CancelQueryAnswer{}, now);
      for (const Send& next : pass(0ms)) {
        asked.push_back(next.to.address);
        queue.acked(next.id, wire::CancelQueryAnswer{}, now);
        for (const Send& third : pass(0ms)) {
          asked.push_back(third.to.address);
          queue.acked(third.id, wire::CancelQueryAnswer{}, now);
        }
      }
    }
  }
  EXPECT_THAT(asked, ElementsAre(manager(1).address, manager(2).address, manager(3).address));
}

}  // namespace
}  // namespace hyperscale::worker
