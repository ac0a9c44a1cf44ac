#include "frame_client.h"
#include "node/process/limits_from_config.h"
#include "running_node.h"
#include "runtime/clock/clock.h"

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <boost/asio/post.hpp>
#include <dirent.h>
#include <gmock/gmock.h>

namespace hyperscale::node {
namespace {

using runtime::Answer;
using runtime::Counter;
using runtime::FrameClient;
using ::testing::HasSubstr;
using ::testing::Not;

class NodeTest : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Flavour, NodeTest, ::testing::Values(1u, 3u),
                         [](const auto& info) { return std::string(info.param == 1 ? "single_thread" : "threads"); });

int threads_named(const std::string& prefix) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(entry.path() / "comm"), name);
    if (name.starts_with(prefix)) ++count;
  }
  return count;
}

// proves: NODE-TOP-1
TEST(NodeThreadsTest, ByDefaultThereIsOneEventLoopThreadPerCpu) {
  runtime::NodeConfig config = test_config(2);
  config.node.threads = runtime::NodeConfig().node.threads;
  RunningNode node(config);
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  // A thread takes its name a moment after it was made.
  const int cpus = static_cast<int>(std::thread::hardware_concurrency());
  EXPECT_TRUE(eventually([&] { return threads_named("loop-") == cpus; })) << threads_named("loop-");
}

// proves part: NODE-TOP-2 (one event-loop thread; not under the name single_thread_rt)
TEST(NodeThreadsTest, SingleThreadFlavourHasOneEventLoopThread) {
  RunningNode node(test_config(1));
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  EXPECT_EQ(threads_named("loop-"), 1);
  EXPECT_EQ(node.post("/api/v1/compute", R"({"job":"echo","data":"x"})").status, 200);
}

// proves part: NODE-TOP-4 (five services and one queue; not the config watcher, nor results in the metrics)
TEST_P(NodeTest, ServesApiTransportAndMetricsFromOneQueue) {
  RunningNode node(test_config(GetParam()));
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  const Answer api = node.post("/api/v1/compute", R"({"job":"echo","data":"over http"})");
  EXPECT_EQ(api.status, 200);
  EXPECT_EQ(api.body, "over http");
  FrameClient peer(node.transport());
  peer.request(1, "compute", R"({"job":"echo","data":"over frames"})");
  EXPECT_EQ(peer.receive()->payload.text(), "over frames");
  EXPECT_EQ(node.compute->parts().work.counts().popped, 2u) << "both came through the work queue";
  const std::string status = node.get(node.api(), "/api/v1/status").body;
  for (const char* service : {"worker_pool", "overlay_http", "transport_ingress", "health_reporter", "bus_listener"}) {
    EXPECT_THAT(status, HasSubstr(std::string("\"") + service + "\""));
  }
  EXPECT_THAT(status, HasSubstr("\"running\":4"));
  EXPECT_THAT(node.metrics_text(), HasSubstr("tasks_spawned_total{kind=\"worker_pool\"} 4"));
}

// proves part: NODE-CH-3 (depth and drops of the queues of a node; not the depth of the log's queue)
TEST_P(NodeTest, ExportsDepthAndDropsOfEveryQueue) {
  RunningNode node(test_config(GetParam()));
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  const std::string text = node.metrics_text();
  for (const char* queue : {"work", "telemetry", "cfg_updates", "index_updates", "blocking"}) {
    EXPECT_THAT(text, HasSubstr(std::string("queue_depth{queue=\"") + queue + "\"} "));
    EXPECT_THAT(text, HasSubstr(std::string("queue_dropped_total{queue=\"") + queue + "\"} 0"));
  }
}

// proves: NODE-SHUT-3, NODE-GATE-4
// proves part: NODE-INV-6 (a node outside of a cluster; not its config watcher)
TEST_P(NodeTest, ShutdownAnswers512JobsAndStaysScrapeable) {
  constexpr std::uint64_t kPeers = 4;
  constexpr std::uint64_t kJobsPerPeer = 128;
  runtime::NodeConfig config = test_config(GetParam());
  config.queues.work = 600;
  RunningNode node(config);
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  std::vector<std::unique_ptr<FrameClient>> peers;
  for (std::uint64_t p = 0; p < kPeers; ++p) {
    peers.push_back(std::make_unique<FrameClient>(node.transport()));
    for (std::uint64_t i = 0; i < kJobsPerPeer; ++i) peers.back()->request(i, "compute", R"({"job":"delay","ms":10})");
  }
  ASSERT_TRUE(eventually([&] { return node.compute->parts().work.counts().pushed == kPeers * kJobsPerPeer; }));
  const MonoTime begin = runtime::mono_now();
  node.shut_down();
  ASSERT_TRUE(eventually([&] { return node.process->parts().metrics.value(runtime::Gauge::kDrainState, "") == 2; }));
  int scrapes = 0;
  bool dropped = false;
  while (!node.compute->parts().work.drained() && !node.ended()) {
    const std::string text = node.metrics_text();
    if (text.find("drain_state 2") == std::string::npos) break;
    ++scrapes;
    dropped |= text.find("queue_dropped_total{queue=\"work\"} 0") == std::string::npos;
  }
  EXPECT_GT(scrapes, 3);
  EXPECT_FALSE(dropped);
  std::uint64_t answered = 0;
  for (auto& peer : peers) {
    while (const auto frame = peer->receive()) answered += frame->type == wire::FrameType::kResponse ? 1 : 0;
    peer->close();
  }
  EXPECT_EQ(answered, kPeers * kJobsPerPeer);
  EXPECT_EQ(node.wait(), ExitCode::kOk);
  EXPECT_LT(runtime::mono_now() - begin, 3s);
}

// proves part: NODE-SHUT-2 (the tasks of one node end together; not each by itself, nor config watcher and cluster)
// proves: NODE-SHUT-3
// proves part: NODE-SHUT-1 (bus event, signals and API; the watch follows the drain and cannot begin it)
// proves part: NODE-INV-6 (a node outside of a cluster; not its config watcher)
TEST_P(NodeTest, DrainFinishesOldWorkAndStopsMetricsLast) {
  RunningNode node(test_config(GetParam()));
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  runtime::H1Client busy(node.api());
  busy.send(runtime::post("/api/v1/compute", R"({"job":"delay","ms":700})", kTestBearer));
  ASSERT_TRUE(eventually([&] { return node.compute->parts().work.counts().popped == 1; }));
  node.shut_down();
  ASSERT_TRUE(eventually([&] { return node.get(node.metrics(), "/readyz").status == 503; }));
  EXPECT_TRUE(eventually([&] { return !FrameClient(node.transport()).connected(); })) << "ingress still accepts";
  const Answer refused = node.post("/api/v1/compute", R"({"job":"echo","data":"late"})");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.headers.count("retry-after"), 1u);
  EXPECT_FALSE(node.ended());
  const Answer finished = busy.receive();
  EXPECT_EQ(finished.status, 200) << "work in flight was not flushed";
  EXPECT_EQ(node.wait(), ExitCode::kOk);
  EXPECT_EQ(node.get(node.metrics(), "/metrics").status, 0);
  EXPECT_TRUE(node.log->contains("drained cleanly"));
}

// proves part: NODE-SHUT-1 (bus event, signals and API; the watch follows the drain and cannot begin it)
// proves part: NODE-INV-6 (a node outside of a cluster; not its config watcher)
TEST_P(NodeTest, AShutdownEventOnTheBusStopsTheNode) {
  RunningNode node(test_config(GetParam()));
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  node.process->parts().bus.publish(runtime::ShutdownEvent{"kernel"});
  EXPECT_EQ(node.wait(), ExitCode::kOk);
  EXPECT_TRUE(node.log->contains("kernel: draining"));
  EXPECT_TRUE(node.process->parts().stop.token().requested()) << "the watch was not set";
}

asio::awaitable<void> wait_for(std::shared_ptr<runtime::OneShot<bool>> shot, std::shared_ptr<std::atomic<int>> runs) {
  ++*runs;
  co_await shot->wait_until(MonoTime::max());
}

struct HookState {
  std::shared_ptr<runtime::OneShot<bool>> released = std::make_shared<runtime::OneShot<bool>>();
  std::shared_ptr<std::atomic<int>> runs = std::make_shared<std::atomic<int>>(0);
  PreDrainHook hook(Duration deadline) {
    return {"hand over", deadline, [released = released, runs = runs] { return wait_for(released, runs); }};
  }
};

TEST_P(NodeTest, ReadyzTurns503WhilePreDrainHooksRun) {
  RunningNode node(test_config(GetParam()));
  HookState state;
  node.process->add_pre_drain(state.hook(kTestBound));
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  node.shut_down();
  ASSERT_TRUE(eventually([&] { return *state.runs == 1; }));
  const Answer ready = node.get(node.metrics(), "/readyz");
  EXPECT_EQ(ready.status, 503);
  EXPECT_THAT(ready.body, HasSubstr("draining"));
  EXPECT_EQ(node.post("/api/v1/compute", R"({"job":"echo","data":"x"})").status, 200) << "still serving";
  EXPECT_TRUE(FrameClient(node.transport()).connected());
  state.released->set(true);
  EXPECT_EQ(node.wait(), ExitCode::kOk);
  EXPECT_TRUE(node.log->contains("hand over done"));
}

TEST_P(NodeTest, AHookThatNeverEndsIsGivenUpAtItsDeadline) {
  RunningNode node(test_config(GetParam()));
  HookState state;
  node.process->add_pre_drain(state.hook(30ms));
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  node.shut_down();
  EXPECT_EQ(node.wait(), ExitCode::kOk);
  EXPECT_EQ(*state.runs, 1);
  EXPECT_FALSE(node.log->contains("hand over done"));
}

// proves: NODE-SAFE-1, NODE-SHUT-3
// proves part: NODE-SHUT-4 (a hung worker is aborted, counted, logged; not: how soon after the deadline)
// proves part: NODE-INV-6 (a node outside of a cluster; not its config watcher)
// proves part: NODE-SAFE-3 (abort, count, log and leaving behind; not the ban of pthread_cancel)
TEST_P(NodeTest, HungJobIsAbortedAtDrainDeadlineAndNamed) {
  runtime::NodeConfig config = test_config(GetParam());
  config.admin.fault_injection = true;
  config.drain.deadline = 200ms;
  RunningNode node(config);
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  runtime::H1Client victim(node.api());
  victim.send(runtime::post("/api/v1/compute", R"({"job":"hang"})", kTestBearer));
  ASSERT_TRUE(eventually([&] { return node.compute->parts().work.counts().popped == 1; }));
  node.shut_down();
  EXPECT_EQ(node.wait(), ExitCode::kForced);
  EXPECT_EQ(node.process->parts().metrics.value(Counter::kTasksAborted, "worker_pool"), 1);
  EXPECT_TRUE(node.log->contains("of worker_pool did not stop in time: aborted"));
  EXPECT_TRUE(node.log->contains("job 'hang' never came back"));
  EXPECT_TRUE(node.process->left_behind());
  node.leak();
}

// proves part: NODE-SHUT-4 (any task of a node is aborted after the deadline, counted, logged; not: how soon after it)
TEST_P(NodeTest, ATaskThatIgnoresStopIsAbortedAtTheDeadline) {
  constexpr Duration kDeadline = 200ms;
  runtime::NodeConfig config = test_config(GetParam());
  config.drain.deadline = kDeadline;
  RunningNode node(config);
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  const auto never = std::make_shared<runtime::OneShot<bool>>();
  const auto runs = std::make_shared<std::atomic<int>>(0);
  node.process->parts().supervisor->start({"stuck-1", "stuck", [never, runs] { return wait_for(never, runs); }});
  ASSERT_TRUE(eventually([&] { return *runs == 1; }));
  const MonoTime begin = runtime::mono_now();
  node.shut_down();
  EXPECT_EQ(node.wait(), ExitCode::kForced);
  const Duration took = runtime::mono_now() - begin;
  EXPECT_GE(took, kDeadline);
  EXPECT_EQ(node.process->parts().metrics.value(Counter::kTasksAborted, "stuck"), 1);
  EXPECT_TRUE(node.log->contains("stuck-1 of stuck did not stop in time: aborted"));
}

TEST_P(NodeTest, ASecondRequestAbortsTheDrain) {
  RunningNode node(test_config(GetParam()));
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  FrameClient peer(node.transport());
  peer.request(1, "compute", R"({"job":"delay","ms":5000})");
  ASSERT_TRUE(eventually([&] { return node.compute->parts().work.counts().popped == 1; }));
  const MonoTime begin = runtime::mono_now();
  node.shut_down();
  node.shut_down();
  EXPECT_EQ(node.wait(), ExitCode::kAborted);
  EXPECT_LT(runtime::mono_now() - begin, 3s);
  node.leak();
}

// proves: NODE-CH-1
TEST_P(NodeTest, ConfigBurstAppliesOnlyTheLastChange) {
  RunningNode node(test_config(GetParam()));
  for (int i = 1; i <= 100; ++i) node.process->parts().settings.updates.try_push({"change " + std::to_string(i)});
  node.start();
  ASSERT_TRUE(eventually([&] { return node.process->parts().settings.last_reload.load()->reason == "change 100"; }));
  EXPECT_FALSE(node.log->contains("change 99"));
  ASSERT_TRUE(node.wait_until_ready());
  EXPECT_THAT(node.metrics_text(), HasSubstr("config_coalesced_total 99\n"));
}

// The one event loop is busy publishing, so that the listener of the node cannot keep up.
// proves: NODE-CH-1
// proves part: NODE-CH-4 (the loop, counts and warnings; not: what the node's own listener pulls)
TEST(NodeBusTest, TheListenerOfANodeCountsAndTellsItsLag) {
  constexpr std::size_t kTooMany = 7;
  RunningNode node(test_config(1));
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  runtime::Bus& bus = node.process->parts().bus;
  asio::post(node.process->parts().loops.executor(), [&bus] {
    for (std::size_t i = 0; i < bus.capacity() + kTooMany; ++i) bus.publish(runtime::ConfigUpdatedEvent{i});
  });
  EXPECT_TRUE(node.log->wait_for("bus_listener lagged and missed", kTestBound));
  EXPECT_GE(node.process->parts().metrics.value(Counter::kBusLagged, "bus_listener"), kTooMany);
}

// proves: NODE-TOP-6
TEST_P(NodeTest, ServiceRestartingTooOftenDegradesReadyz) {
  runtime::NodeConfig config = test_config(GetParam());
  config.admin.fault_injection = true;
  config.restart.first_delay_min = config.restart.first_delay_max = 2ms;
  config.restart.delay_cap = 4ms;
  config.restart.window = 1s;
  config.restart.recovery_hysteresis = 50ms;
  RunningNode node(config);
  node.start();
  ASSERT_TRUE(node.wait_until_ready());
  Answer ready;
  ASSERT_TRUE(eventually([&] {
    EXPECT_EQ(node.post("/api/v1/debug/crash?service=worker_pool&count=4", "").status, 202);
    ready = node.get(node.metrics(), "/readyz");
    return ready.body.find("\"state\":\"degraded\"") != std::string::npos;
  }));
  EXPECT_GE(node.process->parts().metrics.value(Counter::kServiceRestarts, "worker_pool"), 6);
  EXPECT_EQ(ready.status, 200) << "a degraded node still serves";
  EXPECT_THAT(ready.body, HasSubstr("\"worker_pool\":\"degraded\""));
  EXPECT_THAT(ready.body, HasSubstr("\"overlay_http\":\"ready\"")) << "others are untouched";
  EXPECT_EQ(node.post("/api/v1/compute", R"({"job":"echo","data":"x"})").status, 200);
  EXPECT_TRUE(eventually(
      [&] { return node.get(node.metrics(), "/readyz").body.find("\"state\":\"ready\"") != std::string::npos; }));
}

// What an empty configuration makes the parts of a node go by.
// proves: NODE-SHUT-3, NODE-TOP-5, NODE-TOP-6, SEC-6
// proves part: NODE-TIME-6 (the defaults; not that of the link between nodes)
// proves part: NODE-IO-1 (what a node accepts; not: what it reads as the client of another)
// proves part: NODE-TIME-4 (the schedule, tries and deadline; not: that the dispatcher waits between tries)
// proves part: NODE-TIME-5 (breaker and dispatcher; not: in a node, with what is configured)
// proves part: NODE-TIME-1 (listeners of a node; the link between nodes has fixed times)
TEST(NodeLimitsTest, DefaultsOfThePartsAreTheRequiredOnes) {
  const runtime::NodeConfig config{};
  EXPECT_EQ(framed_limits(config).max_frame_bytes, 1u << 20);
  EXPECT_EQ(framed_limits(config).read_timeout, 5s);
  EXPECT_EQ(framed_limits(config).write_timeout, 5s);
  EXPECT_EQ(framed_limits(config).idle_timeout, 60s);
  EXPECT_EQ(api_limits(config).read_timeout, 5s);
  EXPECT_EQ(api_limits(config).write_timeout, 5s);
  EXPECT_EQ(api_limits(config).idle_timeout, 60s);
  EXPECT_EQ(api_limits(config).handshake_timeout, 2s);
  EXPECT_EQ(framed_limits(config).handshake_timeout, 2s);
  EXPECT_EQ(drain_limits(config).drain_deadline, 3s);
  EXPECT_EQ(retry_limits(config).initial_min, 50ms);
  EXPECT_EQ(retry_limits(config).initial_max, 100ms);
  EXPECT_EQ(retry_limits(config).cap, 2s);
  EXPECT_EQ(retry_limits(config).tries_max, 3);
  EXPECT_EQ(breaker_limits(config).error_rate, 0.5);
  EXPECT_EQ(breaker_limits(config).window, 10s);
  EXPECT_EQ(breaker_limits(config).min_samples, 20);
  EXPECT_EQ(breaker_limits(config).cool_down, 5s);
  EXPECT_EQ(restart_limits(config).first_delay_min, 100ms);
  EXPECT_EQ(restart_limits(config).first_delay_max, 500ms);
  EXPECT_EQ(restart_limits(config).delay_cap, 5s);
  EXPECT_EQ(restart_limits(config).restarts_max, 5);
  EXPECT_EQ(restart_limits(config).window, 60s);
}

// proves part: NODE-IO-1 (what a node accepts; not: what it reads as the client of another)
// proves part: NODE-TIME-1 (listeners of a node; the link between nodes has fixed times)
TEST(NodeLimitsTest, ConfiguredLimitsReachTheParts) {
  runtime::NodeConfig config;
  config.transport.max_frame_bytes = 2000;
  config.transport.read_timeout = 1s;
  config.transport.write_timeout = 2s;
  config.transport.idle_timeout = 3s;
  EXPECT_EQ(framed_limits(config).max_frame_bytes, 2000u);
  EXPECT_EQ(framed_limits(config).read_timeout, 1s);
  EXPECT_EQ(framed_limits(config).write_timeout, 2s);
  EXPECT_EQ(framed_limits(config).idle_timeout, 3s);
  EXPECT_EQ(api_limits(config).read_timeout, 1s);
  EXPECT_EQ(api_limits(config).write_timeout, 2s);
  EXPECT_EQ(api_limits(config).idle_timeout, 3s);
}

// proves: NODE-SHUT-3, NODE-TOP-5, NODE-TOP-6
TEST(NodeLimitsTest, ConfiguredDrainAndRestartsReachTheParts) {
  runtime::NodeConfig config;
  config.drain.deadline = 4s;
  config.restart.first_delay_min = 1ms;
  config.restart.first_delay_max = 2ms;
  config.restart.delay_cap = 3ms;
  config.restart.restarts_max = 6;
  config.restart.window = 7s;
  EXPECT_EQ(drain_limits(config).drain_deadline, 4s);
  EXPECT_EQ(restart_limits(config).first_delay_min, 1ms);
  EXPECT_EQ(restart_limits(config).first_delay_max, 2ms);
  EXPECT_EQ(restart_limits(config).delay_cap, 3ms);
  EXPECT_EQ(restart_limits(config).restarts_max, 6);
  EXPECT_EQ(restart_limits(config).window, 7s);
}

TEST(NodeCreateTest, APortThatIsTakenIsOneReadableError) {
  RunningNode first(test_config(1));
  runtime::NodeConfig config = test_config(1);
  config.transport.listen = "127.0.0.1:" + std::to_string(first.transport());
  NodeSetup setup;
  setup.config = config;
  setup.log.capture = std::make_shared<runtime::LogCapture>();
  const auto second = NodeProcess::create(std::move(setup));
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().context, HasSubstr("cannot listen on " + config.transport.listen));
}

}  // namespace
}  // namespace hyperscale::node
