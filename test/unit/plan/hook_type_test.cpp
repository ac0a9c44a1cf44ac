#include "plan/hook_type.h"

#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::plan {
namespace {

// proves part: HOOK-2 (http, own classes, the other kinds; not: a built-in class such as Map, which is a test)
// proves part: HOOK-3 (a step that declares nothing; one that declares a built-in class such as Map is a test)
TEST(HookType, OnlyAStepWithADeclaredResultIsATest) {
  EXPECT_EQ(hook_type_of(HookKind::kStep, DeclaredResult::kProtocol), HookType::kTest);
  EXPECT_EQ(hook_type_of(HookKind::kStep, DeclaredResult::kCustom), HookType::kTest);
  EXPECT_EQ(hook_type_of(HookKind::kStep, DeclaredResult::kOther), HookType::kAction);
  for (const DeclaredResult result : {DeclaredResult::kOther, DeclaredResult::kProtocol, DeclaredResult::kCustom}) {
    EXPECT_EQ(hook_type_of(HookKind::kCheck, result), HookType::kCheck);
    EXPECT_EQ(hook_type_of(HookKind::kMetric, result), HookType::kMetric);
    EXPECT_EQ(hook_type_of(HookKind::kAction, result), HookType::kAction);
    EXPECT_EQ(hook_type_of(HookKind::kState, result), HookType::kAction);
  }
}

// proves: HOOK-4
TEST(HookType, OneTestMakesATestWorkflow) {
  EXPECT_TRUE(is_test_workflow(std::vector{HookType::kAction, HookType::kTest, HookType::kCheck}));
  EXPECT_FALSE(is_test_workflow(std::vector{HookType::kAction, HookType::kCheck, HookType::kMetric}));
  EXPECT_FALSE(is_test_workflow({}));
}

}  // namespace
}  // namespace hyperscale::plan
