#include "realtime/command.h"

#include "realtime/ingress.h"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::realtime {
namespace {

QueuedCommand queued(std::string name, std::uint8_t priority, std::optional<CommandSource> source,
                     std::uint64_t arrival) {
  return {Command{.name = std::move(name), .priority = priority, .source = source}, arrival, nullptr};
}

TEST(CommandOrder, PriorityThenSourceThenArrival) {
  std::vector<QueuedCommand> commands;
  commands.push_back(queued("late", kUserPriority, std::nullopt, 9));
  commands.push_back(queued("second of 2", kUserPriority, CommandSource{2, 8}, 1));
  commands.push_back(queued("system", kSystemPriority, std::nullopt, 8));
  commands.push_back(queued("early", kUserPriority, std::nullopt, 2));
  commands.push_back(queued("first of 2", kUserPriority, CommandSource{2, 7}, 5));
  commands.push_back(queued("of 1", kUserPriority, CommandSource{1, 99}, 6));
  std::ranges::sort(commands, command_before);
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command.command.name);
  EXPECT_EQ(names, (std::vector<std::string>{"system", "of 1", "first of 2", "second of 2", "early", "late"}));
}

TEST(CommandJudgement, StaleMeansMoreThanTheSkewBehind) {
  const Command command{.name = "rate", .basis_tick = 10};
  EXPECT_EQ(judge_command(command, 12, 2), CommandOutcome::kApplied);
  EXPECT_EQ(judge_command(command, 13, 2), CommandOutcome::kStale);
  EXPECT_EQ(judge_command(command, 5, 0), CommandOutcome::kApplied) << "ahead of the engine is not behind";
  EXPECT_EQ(judge_command(Command{.name = "rate"}, 1000, 0), CommandOutcome::kApplied) << "without a basis";
}

TEST(CommandJudgement, TheLastTickOfACommandStillCounts) {
  const Command command{.name = "rate", .expires_after_tick = 8};
  EXPECT_EQ(judge_command(command, 7, 0), CommandOutcome::kApplied) << "tick 8 is being made";
  EXPECT_EQ(judge_command(command, 8, 0), CommandOutcome::kExpired);
}

TEST(Ingress, AFullQueueRefusesAtOnceWithTheReceipt) {
  Ingress ingress(2);
  std::vector<CommandOutcome> outcomes;
  const auto receipt = [&](const Receipt& got) { outcomes.push_back(got.outcome); };
  ingress.submit({.name = "a"}, receipt, {});
  ingress.submit({.name = "b"}, receipt, {});
  EXPECT_TRUE(outcomes.empty());
  EXPECT_EQ(ingress.submit({.name = "c"}, receipt, {}), CommandOutcome::kQueueFull);
  EXPECT_EQ(outcomes, (std::vector{CommandOutcome::kQueueFull}));
  EXPECT_EQ(ingress.depth(), 2u);
}

TEST(Ingress, ArrivalsAreNumberedInTheOrderOfTheQueue) {
  Ingress ingress(1000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) ingress.submit({.name = "a"}, nullptr, {});
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<QueuedCommand> batch;
  ingress.begin_batch(batch);
  ASSERT_EQ(batch.size(), 400u);
  for (std::size_t i = 0; i < batch.size(); ++i) EXPECT_EQ(batch[i].arrival_sequence, i + 1);
  EXPECT_EQ(ingress.end_batch().size(), 400u);
}

TEST(Ingress, AHangingTickIsAnsweredForByTheShutdown) {
  Ingress ingress(8);
  std::vector<CommandOutcome> outcomes;
  const auto receipt = [&](const Receipt& got) { outcomes.push_back(got.outcome); };
  ingress.submit({.name = "a"}, receipt, {});
  std::vector<QueuedCommand> batch;
  ingress.begin_batch(batch);
  ingress.submit({.name = "b"}, receipt, {});
  EXPECT_EQ(ingress.refuse(Ingress::Gate::kShuttingDown, {}), 1u) << "the batch is still with its tick";
  EXPECT_EQ(ingress.close(Ingress::Gate::kShuttingDown, {}), 1u);
  EXPECT_EQ(outcomes.size(), 2u);
  EXPECT_TRUE(ingress.end_batch().empty()) << "nobody is answered twice";
}

// A tick that fails while the world is drained must not change what a sender is told.
// proves: MURK-TEST-21
TEST(Ingress, AShutdownStaysTheReasonOfRefusals) {
  Ingress ingress(8);
  const auto submit = [&] { return ingress.submit({.name = "a"}, nullptr, {}); };
  ingress.refuse(Ingress::Gate::kTickDisabled, {});
  EXPECT_EQ(submit(), CommandOutcome::kTickDisabled);
  ingress.refuse(Ingress::Gate::kShuttingDown, {});
  EXPECT_EQ(submit(), CommandOutcome::kShuttingDown);
  ingress.refuse(Ingress::Gate::kTickDisabled, {});
  EXPECT_EQ(submit(), CommandOutcome::kShuttingDown);
  ingress.close(Ingress::Gate::kShuttingDown, {});
  EXPECT_EQ(submit(), CommandOutcome::kShuttingDown);
}

RC_GTEST_PROP(IngressProperty, EveryCommandGetsExactlyOneReceipt, ()) {
  Ingress ingress(*rc::gen::inRange<std::size_t>(1, 6));
  int submitted = 0, receipts = 0;
  const auto receipt = [&](const Receipt& /*got*/) { ++receipts; };
  std::vector<QueuedCommand> batch;
  for (const int step : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6))) {
    if (step < 4) {
      ingress.submit({.name = "a"}, receipt, {});
      ++submitted;
    } else {
      ingress.begin_batch(batch);
      for (const auto& answered : ingress.end_batch()) answer(answered, CommandOutcome::kApplied, {});
    }
  }
  ingress.close(Ingress::Gate::kShuttingDown, {});
  RC_ASSERT(receipts == submitted);
}

}  // namespace
}  // namespace hyperscale::realtime
