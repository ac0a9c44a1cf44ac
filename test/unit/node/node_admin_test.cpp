#include "running_node.h"
#include "runtime/config/config_loader.h"

#include <atomic>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

namespace hyperscale::node {
namespace {

using runtime::Answer;
using ::testing::HasSubstr;
using ::testing::Not;

class NodeAdminTest : public ::testing::TestWithParam<unsigned> {
 protected:
  NodeAdminTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "node-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~NodeAdminTest() override { std::filesystem::remove_all(folder); }

  void write_config(const std::string& text) { std::ofstream(folder / "node.toml") << text; }
  // A node that was started from the file, so that it can be reloaded.
  std::unique_ptr<RunningNode> node_from_file(const std::string& text) {
    write_config(text);
    runtime::ConfigInputs inputs;
    inputs.file_path = (folder / "node.toml").string();
    inputs.file_text = text;
    inputs.flags = {{"api.listen", "127.0.0.1:0"},
                    {"metrics.listen", "127.0.0.1:0"},
                    {"transport.listen", "127.0.0.1:0"},
                    {"config_watch.enabled", "false"},
                    {"node.single_thread", GetParam() == 1 ? "true" : "false"}};
    const auto load = runtime::load_config(inputs);
    EXPECT_TRUE(load.ok()) << runtime::render_errors(load.errors);
    return std::make_unique<RunningNode>(load.config, nullptr, inputs);
  }

  std::filesystem::path folder;
};
INSTANTIATE_TEST_SUITE_P(Flavour, NodeAdminTest, ::testing::Values(1u, 3u),
                         [](const auto& info) { return std::string(info.param == 1 ? "single_thread" : "threads"); });

constexpr const char* kReload = "/api/v1/reload";

TEST_P(NodeAdminTest, ReloadAppliesLiveFieldsAndRefusesOthers) {
  const auto node = node_from_file("[api]\ndeadline = \"2s\"\n[queues]\nwork = 512\n");
  node->start();
  ASSERT_TRUE(node->wait_until_ready());
  write_config("[api]\ndeadline = \"3s\"\n[queues]\nwork = 100\n");
  EXPECT_EQ(node->post(kReload, "").status, 202);
  ASSERT_TRUE(eventually([&] { return node->process->parts().settings.version == 2; }));
  EXPECT_EQ(node->process->parts().current()->api.deadline, 3s);
  EXPECT_EQ(node->process->parts().current()->queues.work, 512u);
  const std::string status = node->get(node->api(), "/api/v1/status").body;
  EXPECT_THAT(status, HasSubstr(R"("applied":["api.deadline 2s -> 3s"])"));
  EXPECT_THAT(status, HasSubstr(R"("refused":["queues.work 512 -> 100"])"));
  EXPECT_TRUE(node->log->wait_for("refused queues.work 512 -> 100, needs a restart", kTestBound));
}

TEST_P(NodeAdminTest, AFileWithErrorsChangesNothing) {
  const auto node = node_from_file("[api]\ndeadline = \"2s\"\n");
  node->start();
  ASSERT_TRUE(node->wait_until_ready());
  write_config("[api]\ndeadline = \"3s\"\nbody_bytes_max = \"lots\"\n");
  EXPECT_EQ(node->post(kReload, "").status, 202);
  ASSERT_TRUE(eventually([&] { return !node->process->parts().settings.last_reload.load()->errors.empty(); }));
  EXPECT_EQ(node->process->parts().current()->api.deadline, 2s);
  std::filesystem::remove(folder / "node.toml");
  EXPECT_EQ(node->post(kReload, "").status, 202);
  EXPECT_TRUE(node->log->wait_for("node.toml", kTestBound));
  EXPECT_EQ(node->get(node->metrics(), "/readyz").status, 200) << "the node goes on with what it has";
}

asio::awaitable<void> note_run(std::shared_ptr<std::atomic<int>> runs) {
  ++*runs;
  co_return;
}

TEST_P(NodeAdminTest, PreDrainHooksStillRunAfterAReload) {
  const auto node = node_from_file("[api]\ndeadline = \"2s\"\n");
  const auto runs = std::make_shared<std::atomic<int>>(0);
  node->process->add_pre_drain({"hand over", kTestBound, [runs] { return note_run(runs); }});
  node->start();
  ASSERT_TRUE(node->wait_until_ready());
  write_config("[api]\ndeadline = \"3s\"\n");
  EXPECT_EQ(node->post(kReload, "").status, 202);
  ASSERT_TRUE(eventually([&] { return node->process->parts().settings.version == 2; }));
  node->shut_down();
  EXPECT_EQ(node->wait(), ExitCode::kOk);
  EXPECT_EQ(*runs, 1);
}

TEST_P(NodeAdminTest, WithATokenOnlyItsBearerMayUseAdminRoutes) {
  std::string token = "a token of fair length";
  const std::string bearer = "authorization: Bearer " + token + "\r\n";
  RunningNode node(test_config(GetParam()), runtime::Secret::take(token.data(), token.size()));
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  EXPECT_EQ(node.post("/api/v1/shutdown", "", "authorization: \r\n").status, 401) << "loopback alone is not enough";
  EXPECT_EQ(node.post("/api/v1/shutdown", "", "authorization: Bearer a token of fair lengtH\r\n").status, 401);
  EXPECT_EQ(node.post("/api/v1/shutdown", "", "authorization: Basic a token of fair length\r\n").status, 401);
  EXPECT_FALSE(node.ended());
  EXPECT_EQ(node.post(kReload, "", bearer).status, 202);
  EXPECT_EQ(node.post("/api/v1/debug/crash", "", bearer).status, 404) << "fault injection is off";
  EXPECT_EQ(node.post("/api/v1/shutdown", "", bearer).status, 202);
  EXPECT_EQ(node.wait(), ExitCode::kOk);
  EXPECT_TRUE(node.log->contains("API: draining"));
}

// proves part: NODE-TIME-3 (over HTTP; not: a framed request past its deadline)
TEST_P(NodeAdminTest, AcceptedJobAnswers202AndResultCanBeFetched) {
  runtime::NodeConfig config = test_config(GetParam());
  config.facets.compute = 1;
  RunningNode node(config);
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  const Answer accepted = node.post("/api/v1/compute?mode=async", R"({"job":"delay","ms":50})");
  ASSERT_EQ(accepted.status, 202);
  const std::string location = accepted.headers.at("location");
  Answer result = node.get(node.api(), location);
  EXPECT_EQ(result.status, 202) << result.body;
  ASSERT_TRUE(eventually([&] { return (result = node.get(node.api(), location)).status != 202; }));
  EXPECT_EQ(result.status, 200);
  EXPECT_EQ(result.body, R"({"job":"delay"})");
  EXPECT_EQ(node.get(node.api(), "/api/v1/jobs/12345").status, 404);
  EXPECT_EQ(node.get(node.api(), "/api/v1/jobs/x").status, 404);
  // The other endings of a request: a result, Busy, a typed timeout.
  EXPECT_EQ(node.post("/api/v1/compute", R"({"job":"echo","data":"x"})").status, 200);
  runtime::H1Client busy(node.api());
  busy.send(runtime::post("/api/v1/compute", R"({"job":"delay","ms":1000})", kTestBearer));
  ASSERT_TRUE(eventually([&] { return node.compute->parts().work.counts().popped == 3; }));
  EXPECT_EQ(node.post("/api/v1/compute", R"({"job":"echo","data":"x"})").status, 429);
  EXPECT_EQ(busy.receive().status, 200);
}

// proves part: NODE-TIME-3 (over HTTP; not: a framed request past its deadline)
TEST_P(NodeAdminTest, AJobPastTheDeadlineIsATypedTimeout) {
  runtime::NodeConfig config = test_config(GetParam());
  config.api.deadline = 200ms;
  RunningNode node(config);
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  const Answer late = node.post("/api/v1/compute", R"({"job":"delay","ms":5000})");
  EXPECT_EQ(late.status, 504);
  EXPECT_THAT(late.body, HasSubstr("\"Timeout\""));
}

// proves part: NODE-INV-11 (bounds and shutdown, not expiry)
TEST_P(NodeAdminTest, AnAcceptedJobIsFinishedByADrain) {
  RunningNode node(test_config(GetParam()));
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  ASSERT_EQ(node.post("/api/v1/compute?mode=async", R"({"job":"delay","ms":200})").status, 202);
  ASSERT_TRUE(eventually([&] { return node.compute->parts().work.counts().popped == 1; }));
  node.shut_down();
  EXPECT_EQ(node.wait(), ExitCode::kOk);
  EXPECT_EQ(node.compute->parts().accepted_jobs.count(), 0u);
  EXPECT_EQ(node.compute->parts().results.stats().entries, 0u) << "the cache outlived the node";
}

}  // namespace
}  // namespace hyperscale::node
