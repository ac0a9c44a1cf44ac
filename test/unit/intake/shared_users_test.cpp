#include "intake/shared_users.h"

#include <vector>

#include <gmock/gmock.h>

namespace hyperscale::intake {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

plan::Workflow closed(const std::string& name, std::uint32_t vus, std::vector<std::string> depends = {}) {
  plan::Workflow workflow;
  workflow.plan.name = name;
  workflow.plan.load.vus = vus;
  workflow.depends = std::move(depends);
  return workflow;
}

plan::Workflow open(const std::string& name, double rate, std::uint32_t vus) {
  plan::Workflow workflow = closed(name, vus);
  workflow.plan.load.pacing = plan::Pacing::kOpen;
  workflow.plan.load.rate_per_s = rate;
  return workflow;
}

std::vector<std::uint32_t> shared(std::vector<plan::Workflow> workflows, std::uint32_t users) {
  const plan::Job declared{.name = "job", .workflows = std::move(workflows)};
  plan::Job job = declared;
  const auto said = share_users(declared, users, job);
  EXPECT_TRUE(said) << said.error().context;
  std::vector<std::uint32_t> out;
  for (const plan::Workflow& each : job.workflows) out.push_back(each.plan.load.vus);
  return out;
}

TEST(SharedUsers, AMixKeepsItsProportion) {
  EXPECT_THAT(shared({closed("Browse", 9), closed("Pay", 1)}, 40), ElementsAre(36, 4));
  EXPECT_THAT(shared({closed("A", 1), closed("B", 1), closed("C", 1)}, 10), ElementsAre(4, 3, 3));
  EXPECT_THAT(shared({closed("A", 30), closed("B", 10)}, 4), ElementsAre(3, 1));
}

TEST(SharedUsers, EachWorkflowHasAtLeastOneUser) {
  EXPECT_THAT(shared({closed("Browse", 99), closed("Pay", 1)}, 10), ElementsAre(9, 1));
  EXPECT_THAT(shared({closed("A", 1000), closed("B", 1), closed("C", 1)}, 3), ElementsAre(1, 1, 1));
}

TEST(SharedUsers, FewerUsersThanWorkflowsAreRefused) {
  plan::Job job{.name = "job", .workflows = {closed("A", 5), closed("B", 5), closed("C", 5)}};
  const auto said = share_users(plan::Job(job), 2, job);
  ASSERT_FALSE(said);
  EXPECT_THAT(said.error().context, HasSubstr("2 users are too few for 3 workflows"));
}

TEST(SharedUsers, OneAfterTheOtherChangesByTheSameFactor) {
  EXPECT_THAT(shared({closed("Login", 1), closed("Shop", 10, {"Login"})}, 40), ElementsAre(4, 40));
}

TEST(SharedUsers, APoolOfARateIsNotPartOfTheMix) {
  EXPECT_THAT(shared({closed("Browse", 4), open("Pay", 100, 10'000)}, 8), ElementsAre(8, 10'000));
  EXPECT_THAT(shared({open("Browse", 300, 30), open("Pay", 100, 10)}, 8), ElementsAre(6, 2));
}

TEST(SharedUsers, StagesChangeByTheSameFactor) {
  plan::Job declared{.name = "job", .workflows = {closed("A", 10), closed("B", 10)}};
  declared.workflows[0].plan.load.stages = {{5s, 10}, {5s, 4}};
  plan::Job job = declared;
  ASSERT_TRUE(share_users(declared, 40, job));
  EXPECT_EQ(job.workflows[0].plan.load.stages[0].target, 20);
  EXPECT_EQ(job.workflows[0].plan.load.stages[1].target, 8);
}

TEST(SharedUsers, ItIsSaidWhoGotHowMany) {
  const plan::Job declared{.name = "job", .workflows = {closed("Browse", 3), closed("Pay", 1)}};
  plan::Job job = declared;
  EXPECT_EQ(share_users(declared, 4000, job).value(),
            "4,000 users are shared by the workflows as the file has them: Browse 3,000, Pay 1,000");
}

TEST(SharedRate, AMixKeepsItsProportion) {
  const plan::Job declared{.name = "job", .workflows = {open("Browse", 90, 10), open("Pay", 10, 5)}};
  plan::Job job = declared;
  const auto said = share_rate(declared, 1000, job);
  ASSERT_TRUE(said) << said.error().context;
  EXPECT_EQ(job.workflows[0].plan.load.rate_per_s, 900);
  EXPECT_EQ(job.workflows[1].plan.load.rate_per_s, 100);
  EXPECT_EQ(job.workflows[1].plan.load.vus, 5U);
}

TEST(SharedRate, AWorkflowWithoutARateIsRefused) {
  plan::Job job{.name = "job", .workflows = {open("Browse", 90, 10), closed("Pay", 5)}};
  const auto said = share_rate(plan::Job(job), 1000, job);
  ASSERT_FALSE(said);
  EXPECT_THAT(said.error().context, HasSubstr("workflow Pay has no constant rate"));
}

}  // namespace
}  // namespace hyperscale::intake
