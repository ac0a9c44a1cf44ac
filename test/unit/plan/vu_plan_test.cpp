#include "plan/vu_plan.h"

#include <gmock/gmock.h>

namespace hyperscale::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(VuPlan, EachWorkflowHasTheUsersOfEachThread) {
  const std::vector<WorkflowVus> workflows{{.workflow = "LoadTest", .vus = 2'000, .threads = 6},
                                           {.workflow = "Metrics", .vus = 333, .threads = 2}};
  const auto plan = plan_vus(workflows);
  ASSERT_TRUE(plan);
  EXPECT_THAT(*plan, ElementsAre(Pair("LoadTest", ElementsAre(333, 333, 333, 333, 333, 335)),
                                 Pair("Metrics", ElementsAre(166, 167))));
}

TEST(VuPlan, NothingOfNothing) {
  EXPECT_TRUE(plan_vus({})->empty());
}

TEST(VuPlan, RefusesWhatCannotRun) {
  const auto error_of = [](std::vector<WorkflowVus> workflows) {
    const auto plan = plan_vus(workflows);
    return plan ? std::string() : plan.error().context;
  };
  EXPECT_THAT(error_of({{.workflow = "A", .vus = 1, .threads = 1}, {.workflow = "A", .vus = 2, .threads = 1}}),
              HasSubstr("\"A\" appears twice"));
  EXPECT_THAT(error_of({{.workflow = "B", .vus = 1, .threads = 0}}), HasSubstr("\"B\" has no thread"));
  EXPECT_THAT(error_of({{.workflow = "", .vus = 1, .threads = 1}}), HasSubstr("no name"));
}

}  // namespace
}  // namespace hyperscale::plan
