#include "plan/arguments/step_arguments.h"

#include <gtest/gtest.h>

namespace hyperscale::plan {
namespace {

// proves: HOOK-ARG-8
TEST(StepArguments, AnArgumentOfTheStepBeatsAContextValueOfTheSameName) {
  StepArguments arguments;
  ASSERT_TRUE(arguments.add("query", Params({{"page", "1"}})));
  ASSERT_TRUE(arguments.optimise());
  const ContextValues context = {{"query", JsonValue{std::string("from the context")}},
                                 {"token", JsonValue{std::string("abc")}}};
  const BoundArgument query = arguments.bind("query", context);
  ASSERT_TRUE(std::holds_alternative<const AnyArgument*>(query));
  EXPECT_EQ(std::get<Params>(*std::get<const AnyArgument*>(query)).prepared(), "?page=1");
  EXPECT_TRUE(std::holds_alternative<const JsonValue*>(arguments.bind("token", context)));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(arguments.bind("nobody", context)));
}

TEST(StepArguments, AllArePreparedBeforeTheFirstUseAndABadOneIsNamed) {
  StepArguments arguments;
  ASSERT_TRUE(arguments.add("fine", Cookies({{"a", "1"}})));
  ASSERT_TRUE(arguments.add("broken", Headers({{.name = "bad name", .value = "x"}})));
  const Status done = arguments.optimise();
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().context.starts_with("argument broken: ")) << done.error().context;
}

TEST(StepArguments, ANameIsUsedOnce) {
  StepArguments arguments;
  ASSERT_TRUE(arguments.add("x", Params({})));
  EXPECT_FALSE(arguments.add("x", Params({})));
}

TEST(StepArguments, BindingWithoutPreparationIsABug) {
  StepArguments arguments;
  ASSERT_TRUE(arguments.add("x", Params({{"a", "1"}})));
  EXPECT_DEATH(arguments.bind("x", {}), "not optimised");
}

}  // namespace
}  // namespace hyperscale::plan
