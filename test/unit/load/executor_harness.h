// Runs a plan with real executors, each on a thread with its own loop, against a real target server.
#pragma once

#include "load/executor.h"
#include "load/recording/tally_reader.h"
#include "load/recording/tally_recorder.h"
#include "plan/plan.h"
#include "results/run_result.h"
#include "stream/mapped_region.h"
#include "target/target_server.h"

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::load {

inline std::unique_ptr<target::TargetServer> start_target(const target::TargetOptions& options = {}) {
  auto server = target::TargetServer::start(options);
  EXPECT_TRUE(server) << server.error().context;
  return std::move(*server);
}

inline plan::Plan plan_for(std::uint16_t port, const std::string& path, bool secure = false) {
  plan::Plan plan;
  plan::Step step;
  step.name = "step";
  step.requests = {{.method = "GET",
                    .url = std::string(secure ? "https" : "http") + "://127.0.0.1:" + std::to_string(port) + path,
                    .headers = {},
                    .body = ""}};
  plan.steps = {step};
  plan.endpoints = {{.host = "127.0.0.1", .port = port, .addresses = {"127.0.0.1"}, .lookup_time = {}}};
  plan.tls.insecure = true;
  return plan;
}

// One executor's part; `each_turn` is called after every turn of its loop.
inline results::Recorded run_segment(const plan::Plan& plan, const plan::Segment& segment, LoopBackend backend,
                                     const std::function<void(Executor&)>& each_turn = {},
                                     IterationNumberCells* numbers = nullptr) {
  auto loop = make_event_loop(backend);
  if (!loop) loop = make_event_loop(LoopBackend::kEpoll);
  const TallyShape shape{.steps = plan.steps.size()};
  auto region = stream::MappedRegion::anonymous(tally_bytes(shape));
  TallyRecorder recorder(region->data(), shape);
  auto executor = Executor::make(plan, segment, **loop, recorder);
  EXPECT_TRUE(executor) << executor.error().context;
  if (numbers != nullptr) (*executor)->number_by(IterationNumbers(*numbers));
  (*executor)->start(EventLoop::now(), 0);
  while (!(*executor)->done()) {
    (*loop)->run_once();
    (*executor)->between_turns();
    if (each_turn) each_turn(**executor);
  }
  TallyNames names;
  for (const plan::Step& step : plan.steps) names.steps.push_back(step.name);
  return TallyReader(region->data(), shape).share(names);
}

inline results::Recorded run_plan(const plan::Plan& plan, std::uint32_t executors = 1,
                                  LoopBackend backend = LoopBackend::kAuto) {
  const auto segments = plan::segments_of(plan.load.vus, executors);
  std::vector<results::Recorded> shares(executors);
  std::vector<std::thread> threads;
  IterationNumberCells numbers{};
  for (std::uint32_t i = 0; i < executors; ++i)
    threads.emplace_back([&, i] { shares[i] = run_segment(plan, segments[i], backend, {}, &numbers); });
  for (std::thread& thread : threads) thread.join();
  for (std::uint32_t i = 1; i < executors; ++i) EXPECT_TRUE(results::merge(shares[0], shares[i]));
  return shares[0];
}

}  // namespace hyperscale::load
