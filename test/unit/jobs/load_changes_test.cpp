#include "jobs/load_changes.h"

#include "jobs/job_machine.h"

#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::jobs {
namespace {

constexpr MonoTime kNow = MonoTime::from_ns(1'000'000'000'000);

// A run of one workflow on one executor.
class ChangedRun : public testing::Test {
 protected:
  ChangedRun() {
    job_.workflows.resize(1);
    plan::Plan& plan = job_.workflows[0].plan;
    plan.name = "Shop";
    plan.steps.push_back({.name = "step", .requests = {}, .expect = {}});
    plan.load.vus = 10;
    plan.load.duration = 1h;
    machine_ = std::make_unique<JobMachine>(*setup_of(job_, 1), kNow);
    step(LaunchJob{});
    successor();
  }

  // Counts the changes that the executor gets.
  void step(const JobMachine::Event& event) {
    for (const JobMachine::Action& action : machine_->step(event, kNow)) {
      if (const auto* to = std::get_if<ToExecutor>(&action))
        sent_ += std::holds_alternative<ChangeExecutor>(to->command) ? 1 : 0;
      if (const auto* answer = std::get_if<Answer>(&action)) answer_ = answer->result;
    }
  }
  void successor() {
    step(ShareEvent{{}, Launched{0}});
    step(ShareEvent{{}, ExecutorReady{0}});
  }
  Result<Changed> ask(std::string_view change) {
    step(ChangeAsked{{*plan::read_load_command(change), "", std::nullopt}});
    return answer_;
  }

  plan::Job job_{.name = "run", .workflows = {}};
  std::unique_ptr<JobMachine> machine_;
  Result<Changed> answer_ = fail(ErrorCode::kNotFound, "no answer");
  std::size_t sent_ = 0;
};

TEST_F(ChangedRun, TakesABoundedNumberOfChanges) {
  for (std::size_t i = 0; i + 1 < results::kChangesMax; ++i) ASSERT_TRUE(ask("vus=20"));
  ASSERT_TRUE(ask("pause"));
  const auto refused = ask("vus=30");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.error().context, "a run takes at most 10,000 changes; it can still be resumed and stopped");
  EXPECT_EQ(sent_, results::kChangesMax) << "the executor does not hear of it";
  EXPECT_EQ(machine_->workflow(0).set_target(), 20);
}

TEST_F(ChangedRun, WhatIsPausedCanAlwaysGoOn) {
  for (std::size_t i = 0; i + 1 < results::kChangesMax; ++i) ASSERT_TRUE(ask("vus=20"));
  ASSERT_TRUE(ask("pause"));
  EXPECT_TRUE(ask("resume"));
  EXPECT_FALSE(machine_->paused());
  EXPECT_FALSE(ask("pause")) << "once only";
  EXPECT_EQ(machine_->changes().size(), results::kChangesMax);
  sent_ = 0;
  step(ShareEvent{{}, ExecutorGone{.executor = 0, .how = "killed by signal 9"}});
  successor();
  EXPECT_EQ(sent_, results::kChangesMax + 1) << "a successor gets what its predecessor got";
}

}  // namespace
}  // namespace hyperscale::jobs
