#include "manager/layers.h"

#include "some_job.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

using testing::ElementsAre;

TEST(Stages, HaveOneCorePerSlot) {
  const auto stages = stages_of(some_job({{.name = "A", .vus = 2}, {.name = "B", .vus = 100}}), 8);
  ASSERT_TRUE(stages);
  ASSERT_EQ(stages->size(), 1U);
  EXPECT_THAT(stages->front().workflows[0].cores, ElementsAre(0, 1));  // four threads, two users
  EXPECT_THAT(stages->front().workflows[1].cores, ElementsAre(4, 5, 6, 7));
}

TEST(Stages, OneSlotWithoutUsers) {
  const auto stages = stages_of(some_job({{.name = "A", .vus = 0}}), 8);
  ASSERT_TRUE(stages);
  EXPECT_THAT(stages->front().workflows[0].cores, ElementsAre(0));
}

TEST(Stages, WorkflowsShareCoresWhereTheyDoNotFit) {
  const auto stages = stages_of(some_job({{.name = "A"}, {.name = "B"}, {.name = "C"}}), 2);
  ASSERT_TRUE(stages);
  ASSERT_EQ(stages->size(), 1U);
  EXPECT_EQ(cores_needed(stages->front().workflows), 2U);
}

// The order of stages is that of another pool: a job that waited meets the workers that there are now.
TEST(Stages, OrderDoesNotDependOnThePool) {
  const auto job = some_job({{.name = "A", .priority = plan::Priority::kExclusive},
                             {.name = "B"},
                             {.name = "C", .depends = {"A"}},
                             {.name = "D", .depends = {"B"}, .priority = plan::Priority::kExclusive},
                             {.name = "E", .is_test = false}});
  const auto shape = [&](std::uint32_t pool) {
    std::vector<std::pair<std::uint32_t, std::set<std::uint32_t>>> shape;
    const auto stages = stages_of(job, pool);
    for (const Stage& stage : *stages) {
      shape.emplace_back(stage.layer, std::set<std::uint32_t>());
      for (const SlotCores& each : stage.workflows) shape.back().second.insert(each.workflow);
    }
    return shape;
  };
  for (const std::uint32_t pool : {1U, 2U, 3U, 8U, 100U}) EXPECT_EQ(shape(pool), shape(24)) << pool;
}

TEST(Stages, RefuseACycle) {
  const auto stages = stages_of(some_job({{.name = "A", .depends = {"B"}}, {.name = "B", .depends = {"A"}}}), 8);
  ASSERT_FALSE(stages);
  EXPECT_THAT(stages.error().context, testing::HasSubstr("circle"));
}

TEST(Layers, NextLayerWaitsForTheContextOfTheLast) {
  Layers layers({{.layer = 0, .workflows = {}}, {.layer = 0, .workflows = {}}, {.layer = 1, .workflows = {}}});
  EXPECT_TRUE(layers.may_provision());
  EXPECT_FALSE(layers.end_stage());  // another stage of the same layer
  EXPECT_TRUE(layers.may_provision());
  EXPECT_TRUE(layers.end_stage());
  EXPECT_EQ(layers.layer(), 1U);
  EXPECT_FALSE(layers.may_provision());
  layers.sync(1);
  EXPECT_TRUE(layers.may_provision());
  EXPECT_FALSE(layers.end_stage());
  EXPECT_TRUE(layers.finished());
}

TEST(LayersDeathTest, SyncOutOfOrderIsABug) {
  Layers layers({{.layer = 0, .workflows = {}}, {.layer = 1, .workflows = {}}});
  EXPECT_DEATH(layers.sync(1), "layer sync 1 after 0");  // layer 0 has not ended
  layers.end_stage();
  EXPECT_DEATH(layers.end_stage(), "before it could begin");
  EXPECT_DEATH(layers.sync(2), "layer sync 2 after 0");
}

}  // namespace
}  // namespace hyperscale::manager
