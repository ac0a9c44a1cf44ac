#include "jobs/dispatch/pending_cancels.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::jobs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr MonoTime kT = MonoTime::from_ns(1'000'000'000);

wire::ShareId cancelled(std::uint32_t number) {
  return {.job = "job", .share = number};
}

std::vector<std::string> texts(const Actions<PendingCancels::Action>& actions) {
  std::vector<std::string> lines;
  for (const auto& action : actions) {
    if (const auto* a = std::get_if<PendingCancels::Send>(&action))
      lines.push_back(fmt::format("send {}", a->share.share));
    if (const auto* a = std::get_if<PendingCancels::Failed>(&action)) {
      lines.push_back(fmt::format("failed {}: {}", a->share.share, a->error));
    }
    if (const auto* a = std::get_if<PendingCancels::Ended>(&action)) {
      lines.push_back(fmt::format("{} {}", a->confirmed ? "confirmed" : "unconfirmed", a->share.share));
    }
  }
  return lines;
}

class PendingCancelsTest : public testing::Test {
 protected:
  std::vector<std::string> step(const PendingCancels::Event& event, MonoTime now) {
    return texts(cancels.step(event, now));
  }
  std::vector<std::string> begin(std::uint32_t number, MonoTime now = kT) {
    return step(PendingCancels::Begin{cancelled(number)}, now);
  }
  std::vector<std::string> answer(std::uint32_t number, std::string error, MonoTime now) {
    return step(PendingCancels::Answered{cancelled(number), error.empty(), error}, now);
  }

  PendingCancels cancels{Prng(3)};
};

TEST_F(PendingCancelsTest, AnAnswerConfirms) {
  EXPECT_THAT(begin(1), ElementsAre("send 1"));
  EXPECT_THAT(begin(1), IsEmpty()) << "it is under way";
  EXPECT_EQ(cancels.wake_at(), kT + 5s);
  EXPECT_THAT(answer(1, "", kT + 1s), ElementsAre("confirmed 1"));
  EXPECT_THAT(answer(1, "", kT + 2s), IsEmpty());
  EXPECT_EQ(cancels.wake_at(), std::nullopt);
}

// proves part: AD20-3 (sent again, then reported as unconfirmed; no manager runs with it yet)
TEST_F(PendingCancelsTest, ASilentWorkerIsAskedThreeTimes) {
  begin(1);
  EXPECT_THAT(step(PendingCancels::Tick{}, kT + 5s - 1ns), IsEmpty());
  EXPECT_THAT(step(PendingCancels::Tick{}, kT + 5s), ElementsAre("failed 1: the worker did not answer", "send 1"));
  EXPECT_THAT(step(PendingCancels::Tick{}, kT + 10s), ElementsAre("failed 1: the worker did not answer", "send 1"));
  EXPECT_THAT(step(PendingCancels::Tick{}, kT + 15s),
              ElementsAre("failed 1: the worker did not answer", "unconfirmed 1"));
  EXPECT_EQ(cancels.size(), 0U);
}

TEST_F(PendingCancelsTest, AFailureIsTriedAgainWithJitter) {
  begin(1);
  EXPECT_THAT(answer(1, "connection refused", kT), ElementsAre("failed 1: connection refused"));
  const MonoTime second = *cancels.wake_at();
  EXPECT_LE(second, kT + 500ms);
  EXPECT_THAT(answer(1, "connection refused", kT), IsEmpty()) << "of an older try";
  EXPECT_THAT(step(PendingCancels::Tick{}, second), ElementsAre("send 1"));
  EXPECT_THAT(answer(1, "connection refused", second), ElementsAre("failed 1: connection refused"));
  const MonoTime third = *cancels.wake_at();
  EXPECT_LE(third, second + 1s);
  step(PendingCancels::Tick{}, third);
  EXPECT_THAT(answer(1, "connection refused", third), ElementsAre("failed 1: connection refused", "unconfirmed 1"));
}

TEST_F(PendingCancelsTest, OneDoesNotHoldUpTheOthers) {
  begin(1);
  begin(2, kT + 1s);
  EXPECT_THAT(answer(2, "", kT + 2s), ElementsAre("confirmed 2"));
  EXPECT_THAT(step(PendingCancels::Tick{}, kT + 5s), ElementsAre("failed 1: the worker did not answer", "send 1"));
}

TEST_F(PendingCancelsTest, ADeadWorkerConfirms) {
  begin(1);
  EXPECT_THAT(step(PendingCancels::WorkerDead{cancelled(1)}, kT), ElementsAre("confirmed 1"));
  EXPECT_THAT(step(PendingCancels::WorkerDead{cancelled(1)}, kT), IsEmpty());
}

}  // namespace
}  // namespace hyperscale::jobs
