#include "intake/job_from_options.h"

#include "child_works.h"
#include "temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>

namespace hyperscale::intake {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

constexpr Machine kMachine{.descriptors_max = 20'000, .cores = 4};

class JobFromOptions : public testing::Test {
 protected:
  JobFromOptions() {
    options_.request.url = write("shop.js",
                                 "import { Workflow, step, http } from 'hyperscale';\n"
                                 "export class Shop extends Workflow {\n"
                                 "  static vus = 3; static iterations = 9; static thresholds = ['errors < 1%'];\n"
                                 "  home = step(http.get('http://127.0.0.1/'));\n"
                                 "}\n");
  }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() + "/" + name) << text;
    return folder_.path() + "/" + name;
  }
  plan::Load load() {
    const auto job = job_of(options_, kMachine);
    EXPECT_TRUE(job) << job.error().context;
    return job->job.workflows.at(0).plan.load;
  }
  std::string refusal() {
    const auto job = job_of(options_, kMachine);
    return job ? "accepted" : job.error().context;
  }

  test::TemporaryFolder folder_;
  RunOptions options_;
};

// proves part: LOCAL-6 (name, mode, timeout, tags of one workflow; not: tags of several kept apart in results)
TEST_F(JobFromOptions, AFileIsAJob) {
  NEEDS_ENGINE_IN_CHILD();
  options_.cores = "2";
  options_.time_limit = "1m";
  options_.tags = {"branch=main"};
  const auto job = job_of(options_, kMachine);
  ASSERT_TRUE(job) << job.error().context;
  EXPECT_EQ(job->job.name, options_.request.url);
  EXPECT_EQ(job->executors, 2U);
  EXPECT_EQ(job->time_limit, 1min);
  ASSERT_EQ(job->thresholds.size(), 1U);
  EXPECT_EQ(job->thresholds[0].threshold.text(), "errors < 1%");
  const plan::Plan& plan = job->job.workflows.at(0).plan;
  EXPECT_EQ(plan.name, "Shop");
  EXPECT_THAT(plan.tags, testing::ElementsAre(plan::Tag{.name = "branch", .value = "main"}));
  EXPECT_EQ(plan.load.vus, 3U);
  EXPECT_EQ(plan.load.iterations, 9U);
}

TEST_F(JobFromOptions, OptionsAboutTheLoadOverruleTheFile) {
  NEEDS_ENGINE_IN_CHILD();
  options_.load.vus = "5";
  EXPECT_EQ(load().vus, 5U);
  EXPECT_EQ(load().iterations, 9U);
  options_.load.iterations = "20";
  EXPECT_EQ(load().iterations, 20U);
  EXPECT_EQ(load().duration, Duration::zero());
  options_.load = {};
  options_.load.rate = "50/s";
  EXPECT_EQ(load().pacing, plan::Pacing::kOpen);
  EXPECT_EQ(load().rate_per_s, 50);
  options_.load = {};
  options_.load.vus = "many";
  EXPECT_THAT(refusal(), HasSubstr("--vus"));
}

TEST_F(JobFromOptions, AFileSaysWhatIsSent) {
  options_.request.headers = {"a: b"};
  EXPECT_THAT(refusal(), HasSubstr("options that describe a request are for a URL"));
}

TEST_F(JobFromOptions, UsersHaveToFitTheMachine) {
  NEEDS_ENGINE_IN_CHILD();
  options_.load.vus = "100000";
  EXPECT_THAT(refusal(), HasSubstr("open files per process"));
}

TEST_F(JobFromOptions, AUrlIsAJobOfOneWorkflow) {
  options_.request.url = "http://127.0.0.1/a";
  const auto job = job_of(options_, kMachine);
  ASSERT_TRUE(job) << job.error().context;
  EXPECT_EQ(job->job.workflows.at(0).plan.steps.at(0).requests.at(0).url, "http://127.0.0.1/a");
}

TEST_F(JobFromOptions, AnotherFileIsNoWorkflow) {
  options_.request.url = write("shop.ts", "export class Shop {}");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("shop.ts"), HasSubstr("only .js and .mjs files are workflows")));
  options_.request.url = "shop.ts";
  EXPECT_EQ(refusal(), "accepted") << "a host, for all that is known here";
}

}  // namespace
}  // namespace hyperscale::intake
