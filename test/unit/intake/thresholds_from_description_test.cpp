#include "intake/thresholds_from_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::intake {
namespace {

using testing::HasSubstr;

workflow::Workflow shop(std::vector<workflow::DeclaredThreshold> thresholds) {
  workflow::Workflow out;
  out.name = "Shop";
  workflow::Hook home;
  home.name = "home";
  home.scripted = false;
  home.request.emplace();
  home.request->request.url = "http://127.0.0.1/";
  out.hooks.push_back(home);
  out.thresholds = std::move(thresholds);
  return out;
}

workflow::DeclaredThreshold declared(const char* text, const char* step = "", const char* tag = "") {
  workflow::DeclaredThreshold out;
  out.text = text;
  out.step = step;
  out.tag = tag;
  return out;
}

using Thresholds = Result<std::vector<results::RunThreshold>>;

std::vector<std::string> texts_of(const Thresholds& thresholds) {
  if (!thresholds) return {thresholds.error().context};
  std::vector<std::string> out;
  for (const results::RunThreshold& each : *thresholds) out.push_back(each.threshold.text());
  return out;
}

Thresholds of(std::vector<workflow::Workflow> workflows) {
  workflow::Description description;
  description.workflows = std::move(workflows);
  return thresholds_of(description);
}

TEST(ThresholdsFromDescription, EachKeepsItsScope) {
  const auto thresholds = of({shop({declared("p95 < 1s"), declared("errors < 1%", "home"),
                                    declared("p99 < 1s", "", "team=web"), declared("metric:orders:sum > 5")})});
  EXPECT_THAT(texts_of(thresholds), testing::ElementsAre("p95 < 1s", "step:home:errors < 1%", "tag:team=web:p99 < 1s",
                                                         "metric:orders:sum > 5"));
}

TEST(ThresholdsFromDescription, StepNameIsPrefixedWithItsWorkflow) {
  auto other = shop({});
  other.name = "Other";
  const auto thresholds = of({shop({declared("errors < 1%", "home"), declared("p99 < 1s", "", "team=web")}), other});
  EXPECT_THAT(texts_of(thresholds), testing::ElementsAre("step:Shop.home:errors < 1%", "tag:team=web:p99 < 1s"));
}

TEST(ThresholdsFromDescription, AThresholdThatEndsTheRunSaysSo) {
  auto threshold = declared("p95 < 1s");
  threshold.abort_on_fail = true;
  threshold.delay = 5s;
  const auto thresholds = of({shop({threshold})});
  ASSERT_TRUE(thresholds);
  EXPECT_TRUE(thresholds->at(0).abort_on_fail);
  EXPECT_EQ(thresholds->at(0).delay, 5s);
}

TEST(ThresholdsFromDescription, AThresholdForAStepThatDoesNotExistIsAMistake) {
  EXPECT_THAT(
      texts_of(of({shop({declared("p95 < 1s", "hme")})})),
      testing::ElementsAre(HasSubstr("workflow Shop has no step \"hme\" for its threshold; did you mean \"home\"?")));
  auto check = declared("rate > 99%");
  check.check = "fast";
  EXPECT_THAT(texts_of(of({shop({check})})), testing::ElementsAre(HasSubstr("has no check \"fast\"")));
}

TEST(ThresholdsFromDescription, AStepIsFoundByItsFieldAndByItsNameInResults) {
  auto grouped = shop({declared("p95 < 1s", "home"), declared("p95 < 1s", "front/start")});
  grouped.hooks[0].group = "front";
  grouped.hooks[0].request->name = "start";
  EXPECT_THAT(texts_of(of({grouped})), testing::ElementsAre("step:front/start:p95 < 1s", "step:front/start:p95 < 1s"));
}

TEST(ThresholdsFromDescription, AFunctionMayNameWhatItSends) {
  auto scripted = shop({declared("p95 < 1s", "named later")});
  scripted.hooks[0].scripted = true;
  scripted.hooks[0].request.reset();
  EXPECT_THAT(texts_of(of({scripted})), testing::ElementsAre("step:named later:p95 < 1s"));
}

TEST(ThresholdsFromDescription, OneThingAtATime) {
  EXPECT_THAT(texts_of(of({shop({declared("p95 < 1s", "home", "team=web")})})),
              testing::ElementsAre(HasSubstr("not for several of them")));
}

}  // namespace
}  // namespace hyperscale::intake
