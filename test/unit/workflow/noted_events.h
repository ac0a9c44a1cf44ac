// What a StepScript tells its executor, written down; and a plan with one file, to make one of.
//
// Single-threaded, the thread of the loop.
#pragma once

#include "load/loop/event_loop.h"
#include "load/step_script.h"
#include "plan/plan.h"
#include "workflow/script_steps.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hyperscale::workflow {

class NotedEvents final : public load::StepScriptEvents {
 public:
  void script_calls(load::ScriptCall call) override {
    const Nesting nesting(*this);
    log.push_back(fmt::format("call {} {}", call.user, call.what->request.url));
    calls.push_back(std::move(call));
    if (on_call) on_call(calls.back());
  }
  void script_lets_go(load::CallNumber call) override { let_go.push_back(call); }
  void script_forgets(std::uint32_t, std::span<const load::CallNumber> gone) override { forgotten += gone.size(); }
  void script_hook_ended(const load::HookEnd& end) override {
    const Nesting nesting(*this);
    static constexpr const char* kResults[] = {"failed", "response", "custom", "plain", "flag", "number", "value"};
    static constexpr const char* kKinds[] = {"step", "check", "metric", "setup", "teardown", "provide"};
    log.push_back(fmt::format("{} {} of {} {}", kKinds[static_cast<std::size_t>(end.hook.kind)], end.hook.index,
                              end.user, kResults[static_cast<std::size_t>(end.result)]));
    ends.push_back(end);
    if (on_end) on_end(end);
  }
  void script_adds(std::uint32_t user, std::uint32_t metric, double value) override {
    log.push_back(fmt::format("add {} {} {}", user, metric, value));
  }
  void script_logs(load::LogLevel, std::string_view text) override { lines.emplace_back(text); }
  Result<std::vector<load::ScriptCookie>> script_uses_cookies(std::uint32_t user,
                                                              const load::CookieRequest& request) override {
    static constexpr const char* kWhat[] = {"read", "set", "clear"};
    log.push_back(fmt::format("cookies {} {} {} {}", user, kWhat[static_cast<std::size_t>(request.what)], request.url,
                              request.field));
    return cookies;
  }
  void script_held_up(MonoTime since, MonoTime until) override {
    EXPECT_LE(since, until);
    ++entries;
  }

  std::vector<std::string> log, lines;
  std::vector<load::ScriptCall> calls;
  Result<std::vector<load::ScriptCookie>> cookies;  // what a script is given
  std::vector<load::HookEnd> ends;
  std::vector<load::CallNumber> let_go;
  std::size_t forgotten = 0;
  std::function<void(const load::ScriptCall&)> on_call;
  std::function<void(const load::HookEnd&)> on_end;
  std::uint64_t entries = 0;

 private:
  struct Nesting {
    explicit Nesting(NotedEvents& events) : depth(events.depth_) {
      EXPECT_EQ(++depth, 1) << "events are told one after the other";
    }
    ~Nesting() { --depth; }
    int& depth;
  };
  int depth_ = 0;
};

// A plan whose steps are all functions and are named by `steps`.
inline plan::Plan script_plan(const std::string& body, const std::vector<std::string>& steps) {
  plan::Plan plan;
  plan.script.entry = "shop.js";
  plan.script.workflow = "Shop";
  plan.script.files = {plan::make_blob(
      "shop.js",
      "import { Workflow, step, action, check, metric, state, http, csv, jsonl, env, counter, gauge, sleep, group } "
      "from 'hyperscale';\nexport class Shop extends Workflow {\n" +
          body + "\n}\n")};
  for (const std::string& name : steps) {
    plan::Step step;
    step.name = name;
    step.scripted = true;
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

class ScriptStepsWorld : public testing::Test {
 protected:
  ScriptStepsWorld() : loop_(std::move(*load::make_event_loop(load::LoopBackend::kEpoll))) {}

  // The sentence why not, or nothing.
  std::string open(const plan::Plan& plan, std::uint32_t users = 1) {
    script_.reset();  // a process has one engine
    auto made = make_script_steps(plan, *loop_);
    if (!made) return made.error().context;
    script_ = std::move(*made);
    script_->tell(events_);
    for (std::uint32_t user = 0; user < users; ++user)
      if (const Status added = script_->add_user(user, user, users); !added) return added.error().context;
    return "";
  }
  void begin_step(std::uint32_t step, std::uint32_t user = 0) {
    script_->begin(user, {.kind = load::HookKind::kStep, .index = step});
  }
  load::IterationStart iterate(std::uint64_t round = 0, std::uint32_t user = 0) {
    return script_->begin_iteration(user, round, round);
  }
  void answer(load::CallNumber call, std::uint16_t status, std::string body = {}) {
    load::ScriptAnswer answer;
    answer.status = status;
    answer.body = std::move(body);
    script_->answer(call, std::move(answer));
  }
  // Until the script has told so many ends.
  void run_until_ends(std::size_t count) {
    const MonoTime give_up = load::EventLoop::now() + 10s;
    load::Timer guard([](void*) {}, nullptr);
    loop_->timers().set(guard, give_up);
    while (events_.ends.size() < count && load::EventLoop::now() < give_up) loop_->run_once();
    EXPECT_GE(events_.ends.size(), count);
  }

  std::unique_ptr<load::EventLoop> loop_;
  NotedEvents events_;
  std::unique_ptr<load::StepScript> script_;
};

}  // namespace hyperscale::workflow
