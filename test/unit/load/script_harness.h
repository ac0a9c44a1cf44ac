// Runs a plan with functions (fake_script.h) on a real executor against a real target server.
#pragma once

#include "executor_harness.h"
#include "fake_script.h"
#include "load/recording/plan_tallies.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::load {

// A plan whose steps are functions, one after the other.
inline plan::Plan function_plan(std::uint16_t port, std::vector<std::string> steps) {
  plan::Plan plan;
  for (std::string& name : steps) {
    plan::Step step;
    step.scripted = true;
    if (!plan.steps.empty()) step.depends = {plan.steps.back().name};
    step.name = std::move(name);
    plan.steps.push_back(std::move(step));
  }
  plan.script.entry = "shop.js";
  plan.script.workflow = "Shop";
  plan.endpoints = {{.host = "127.0.0.1", .port = port, .addresses = {"127.0.0.1"}, .lookup_time = {}}};
  plan.load.graceful_stop = 5s;
  return plan;
}

inline std::shared_ptr<ScriptedRequest> get_of(std::uint16_t port, const std::string& path) {
  auto request = std::make_shared<ScriptedRequest>();
  request->request = {
      .method = "GET", .url = "http://127.0.0.1:" + std::to_string(port) + path, .headers = {}, .body = {}};
  return request;
}

struct ScriptedRun {
  results::Recorded result;
  std::vector<std::string> script_log;  // of the fake
  std::vector<std::string> lines;       // that the executor was told to log
  std::vector<plan::SharedValue> given;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;
  std::vector<std::pair<std::uint32_t, ScriptAnswer>> stored;
  std::vector<CallNumber> let_go;
  std::string failure;
  Duration took{};
  std::uint64_t rounds = 0;  // that the executor has said
  bool ended = false;
};

struct RunOptions {
  plan::Segment segment = {.first_vu = 0, .vu_count = 1, .vu_total = 1, .index = 0, .count = 1};
  std::function<void(Executor&, FakeScript&)> each_turn = {};
  LoopBackend backend = LoopBackend::kEpoll;
  IterationNumberCells* numbers = nullptr;  // null: its own
  std::uint64_t first_round = 0;
};

// A run that has not ended by then hangs.
inline constexpr Duration kRunPatience = 15s;

inline ScriptedRun run_script(const plan::Plan& plan, const std::function<void(FakeScript&)>& write,
                              RunOptions options = {}) {
  ScriptedRun run;
  if (options.segment.vu_total == 1 && plan.load.vus != 1)
    options.segment = plan::segments_of(plan.load.vus, 1).front();
  auto loop = make_event_loop(options.backend);
  if (!loop) loop = make_event_loop(LoopBackend::kEpoll);
  const TallyShape shape = tally_shape(plan);
  std::vector<std::uint64_t> memory(tally_bytes(shape) / sizeof(std::uint64_t) + 1);
  TallyRecorder recorder(memory.data(), shape);
  auto made = std::make_unique<FakeScript>(**loop);
  FakeScript& script = *made;
  script.counts[HookKind::kProvide] = static_cast<std::uint32_t>(plan.script.provides.size());
  write(script);
  auto executor = Executor::make(plan, options.segment, **loop, recorder, std::move(made));
  if (!executor) {
    ADD_FAILURE() << executor.error().context;
    return run;
  }
  (*executor)->log_to([&](LogLevel, std::string_view text) { run.lines.emplace_back(text); });
  if (options.numbers != nullptr) (*executor)->number_by(IterationNumbers(*options.numbers));
  (*executor)->go_on_after(options.first_round);
  const MonoTime start = EventLoop::now();
  Timer guard([](void*) {}, nullptr);  // wakes the loop
  (*loop)->timers().set(guard, start + kRunPatience);
  (*executor)->start(start, 0);
  while (!(*executor)->done() && EventLoop::now() - start < kRunPatience) {
    (*loop)->run_once();
    (*executor)->between_turns();
    if (options.each_turn) options.each_turn(**executor, script);
  }
  run.ended = (*executor)->done();
  EXPECT_TRUE(run.ended) << "the run hangs";
  run.took = EventLoop::now() - start;
  run.result = TallyReader(memory.data(), shape).share(tally_names(plan));
  run.rounds = TallyReader(memory.data(), shape).rounds();
  run.script_log = script.log;
  run.given = (*executor)->given();
  run.rows = script.rows;
  run.stored = script.stored;
  run.let_go = script.let_go;
  run.failure = (*executor)->failure();
  return run;
}

inline std::uint64_t count_of(const results::StepResult& step, results::Outcome outcome) {
  return step.counts.outcomes[static_cast<std::size_t>(outcome)];
}

}  // namespace hyperscale::load
