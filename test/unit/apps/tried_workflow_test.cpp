// One iteration of each workflow, shown whole. Workflows with functions are tried by test/e2e: the engine's threads
// would stay in this process, which other tests copy.
#include "apps/hyperscale/try/tried_workflow.h"

#include "target/target_server.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::app {
namespace {

using testing::HasSubstr;

class TriedWorkflowTest : public testing::Test {
 protected:
  TriedWorkflowTest() : server_(std::move(*target::TargetServer::start({}))) {}

  plan::Workflow& add(const std::string& name, const std::string& path, std::vector<std::string> depends = {}) {
    plan::Workflow workflow;
    workflow.plan.name = name;
    workflow.depends = std::move(depends);
    workflow.plan.steps.resize(1);
    workflow.plan.steps[0].name = "get";
    workflow.plan.steps[0].requests = {{.method = "GET", .url = url(path), .headers = {}, .body = {}}};
    workflow.plan.endpoints = {
        {.host = "127.0.0.1", .port = server_->port(), .addresses = {"127.0.0.1"}, .lookup_time = 3ms}};
    workflow.plan.load.vus = 50;
    workflow.plan.load.duration = 1h;
    workflow.plan.load.warmup = 1h;
    job_.workflows.push_back(std::move(workflow));
    return job_.workflows.back();
  }
  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(server_->port()) + path;
  }
  std::vector<TriedWorkflow> tried() {
    auto out = try_job(job_);
    EXPECT_TRUE(out) << (out ? "" : out.error().context);
    return out ? std::move(*out) : std::vector<TriedWorkflow>();
  }
  static const load::TriedExchange& exchange(const TriedWorkflow& workflow, std::size_t index) {
    return std::get<load::TriedExchange>(workflow.events.at(index));
  }

  std::unique_ptr<target::TargetServer> server_;
  plan::Job job_;
};

TEST_F(TriedWorkflowTest, EachRunsOnceForOneUserWhateverItsLoad) {
  add("Shop", "/headers");
  const auto out = tried();
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(server_->counters().requests, 1U);
  EXPECT_EQ(out[0].name, "Shop");
  EXPECT_TRUE(out[0].good());
  ASSERT_EQ(out[0].events.size(), 1U);
  EXPECT_EQ(exchange(out[0], 0).step, "get");
  EXPECT_EQ(exchange(out[0], 0).status, 200);
  EXPECT_EQ(exchange(out[0], 0).lookup, 3ms);
  EXPECT_THAT(exchange(out[0], 0).details.request_head, HasSubstr("GET /headers HTTP/1.1\r\n"));
  EXPECT_FALSE(exchange(out[0], 0).body.empty());
  EXPECT_FALSE(exchange(out[0], 0).headers.empty());
  EXPECT_EQ(out[0].result.iterations, 1U);
}

TEST_F(TriedWorkflowTest, WorkflowsFollowTheOnesThatTheyDependOn) {
  add("Report", "/", {"Load"});
  add("Load", "/");
  const auto out = tried();
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].name, "Load");
  EXPECT_EQ(out[1].name, "Report");
}

TEST_F(TriedWorkflowTest, EveryRedirectIsShownWithItsOwnHeaders) {
  add("Shop", "/redirect/2");
  const auto out = tried();
  ASSERT_EQ(out.at(0).events.size(), 3U);
  EXPECT_EQ(exchange(out[0], 0).url, url("/redirect/2"));
  EXPECT_EQ(exchange(out[0], 2).url, url("/redirect/0"));
  EXPECT_EQ(exchange(out[0], 2).status, 200);
  for (const auto& [name, value] : exchange(out[0], 2).headers) EXPECT_NE(name, "location");
}

TEST_F(TriedWorkflowTest, AFailureIsNotGood) {
  add("Shop", "/status/500");
  EXPECT_FALSE(tried().at(0).good());
  TriedWorkflow failed;
  EXPECT_TRUE(failed.good());
  failed.failure = "setup failed";
  EXPECT_FALSE(failed.good());
  TriedWorkflow checked;
  checked.result.checks = {{.name = "ok", .passed = 1, .failed = 1}};
  EXPECT_FALSE(checked.good());
}

TEST_F(TriedWorkflowTest, ACircleIsRefusedBeforeAnythingIsSent) {
  add("A", "/", {"B"});
  add("B", "/", {"A"});
  EXPECT_FALSE(try_job(job_));
  EXPECT_EQ(server_->counters().requests, 0U);
}

}  // namespace
}  // namespace hyperscale::app
