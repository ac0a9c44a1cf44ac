#include "worker/core_map.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// proves part: OV-7 (the map of cores; no worker runs with it yet)
TEST(CoreMap, EachCoreRunsAWorkflowOrIsAvailable) {
  CoreMap cores(8);
  EXPECT_EQ(cores.available(), 8U);
  EXPECT_THAT(cores.assign("login", 3).value(), ElementsAre(0, 1, 2));
  EXPECT_THAT(cores.assign("browse", 1).value(), ElementsAre(3));
  EXPECT_EQ(cores.available(), 4U);
  for (const CoreIndex core : {0U, 1U, 2U}) EXPECT_EQ(cores.workflow_on(core), "login");
  EXPECT_EQ(cores.workflow_on(3), "browse");
  for (const CoreIndex core : {4U, 5U, 6U, 7U}) EXPECT_EQ(cores.workflow_on(core), "");
  EXPECT_THAT(cores.release("login"), ElementsAre(0, 1, 2));
  EXPECT_EQ(cores.available(), 7U);
  EXPECT_EQ(cores.workflow_on(1), "");
  EXPECT_THAT(cores.cores_of("login"), IsEmpty());
}

TEST(CoreMap, GivesTheFirstFreeOnesWhereverTheyAre) {
  CoreMap cores(8);
  cores.assign("a", 1);
  cores.assign("b", 2);
  cores.assign("c", 2);
  cores.release("b");
  EXPECT_THAT(cores.assign("d", 4).value(), ElementsAre(1, 2, 5, 6));
}

TEST(CoreMap, TooManyNoneOrASecondTimeChangesNothing) {
  CoreMap cores(4);
  cores.assign("a", 2);
  EXPECT_EQ(cores.assign("b", 3), std::nullopt);
  EXPECT_EQ(cores.assign("b", 0), std::nullopt);
  EXPECT_EQ(cores.assign("a", 1), std::nullopt);
  EXPECT_EQ(cores.available(), 2U);
  EXPECT_THAT(cores.release("unknown"), IsEmpty());
}

TEST(CoreMap, OneCoreMayBeFreeBeforeTheOthers) {
  CoreMap cores(4);
  cores.assign("a", 2);
  EXPECT_FALSE(cores.release_core("a", 3));
  EXPECT_FALSE(cores.release_core("b", 0));
  EXPECT_TRUE(cores.release_core("a", 0));
  EXPECT_THAT(cores.cores_of("a"), ElementsAre(1));
  EXPECT_TRUE(cores.release_core("a", 1));
  EXPECT_EQ(cores.available(), 4U);
  EXPECT_THAT(cores.assign("a", 4).value(), ElementsAre(0, 1, 2, 3)) << "it may come again";
}

RC_GTEST_PROP(CoreMap, BothDirectionsAgreeWhateverHappens, ()) {
  CoreMap cores(*rc::gen::inRange(1U, 20U));
  for (int i = 0; i < 60; ++i) {
    const std::string workflow(1, *rc::gen::inRange('a', 'f'));
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        cores.assign(workflow, *rc::gen::inRange(0U, 8U));
        break;
      case 1:
        cores.release(workflow);
        break;
      default:
        cores.release_core(workflow, *rc::gen::inRange(0U, 20U));
    }
    std::uint32_t busy = 0;
    for (char name = 'a'; name < 'f'; ++name) {
      for (const CoreIndex core : cores.cores_of(std::string(1, name))) {
        RC_ASSERT(cores.workflow_on(core) == std::string(1, name));
        ++busy;
      }
    }
    RC_ASSERT(busy + cores.available() == cores.total());
  }
}

}  // namespace
}  // namespace hyperscale::worker
