#include "manager/job_context.h"

#include "some_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using wire::ContextValue;

plan::Job providing_job() {
  plan::Job job = some_job({{.name = "Login"}, {.name = "Shop", .depends = {"Login"}}, {.name = "Other"}});
  job.workflows[0].plan.script.provides = {{"token", {"Shop", "Other"}}, {"secret", {}}};
  return job;
}

TEST(JobContext, ReachesWorkflowsThatBothSidesName) {
  JobContext context;
  context.set("Login", {{{"Login", "token", "\"t\"", 7}, {"Login", "secret", "\"s\"", 8}}});
  EXPECT_THAT(context.for_workflow(providing_job(), 1), ElementsAre(ContextValue{"Login", "token", "\"t\"", 7}));
  EXPECT_THAT(context.for_workflow(providing_job(), 2), IsEmpty());  // does not depend on it
  EXPECT_EQ(context.all().size(), 2U);
}

TEST(JobContext, LowestShareProvidesTheValue) {
  JobContext context;
  context.set("Login", {{}, {{"Login", "token", "1", 3}}, {{"Login", "token", "2", 9}, {"Login", "more", "3", 9}}});
  EXPECT_THAT(context.all(),
              ElementsAre(ContextValue{"Login", "more", "3", 9}, ContextValue{"Login", "token", "1", 3}));
}

// proves part: CTX-SYNC-5 (the leader's clock where a value has no time; the clock exceeds all it has seen)
TEST(JobContext, ClockFillsMissingTimes) {
  JobContext context;
  context.set("Login", {{{"Login", "a", "1", 40}, {"Login", "b", "2", 0}}});
  context.set("Shop", {{{"Shop", "c", "3", 0}}});
  const auto all = context.all();
  EXPECT_EQ(all[0].timestamp, 40U);
  EXPECT_GT(all[1].timestamp, all[0].timestamp);
  EXPECT_GT(all[2].timestamp, all[1].timestamp);
}

}  // namespace
}  // namespace hyperscale::manager
