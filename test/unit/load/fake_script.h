// FakeScript: a StepScript whose functions are written in the test. It writes down what the executor asks of it, keeps
// the port's promise that events are never nested, and tells nothing of an iteration that is over.
//
// Single-threaded, the thread of the loop.
#pragma once

#include "load/loop/event_loop.h"
#include "load/step_script.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hyperscale::load {

class FakeScript final : public StepScript {
 public:
  using Begin = std::function<void(std::uint32_t user)>;
  using Answered = std::function<void(const ScriptAnswer& answer)>;

  explicit FakeScript(EventLoop& event_loop) : loop(event_loop) {}

  // --- what the test writes ---

  void on_step(std::uint32_t step, Begin begin) { hooks_[{HookKind::kStep, step}] = std::move(begin); }
  void on(HookKind kind, std::uint32_t index, Begin begin) { hooks_[{kind, index}] = std::move(begin); }

  // What functions do; `then` runs when the answer comes, unless the iteration is over.
  CallNumber send(std::uint32_t user, std::shared_ptr<const ScriptedRequest> what, Answered then = {}) {
    const CallNumber number = ++last_call_;
    calls_[number] = {.user = user, .epoch = epochs_[user], .then = std::move(then)};
    later(user, [this, number, user, what = std::move(what)] {
      events_->script_calls({.number = number, .user = user, .what = what});
    });
    return number;
  }
  void end(HookEnd end) {
    const std::uint32_t user = end.user;
    later(user, [this, end = std::move(end)] { events_->script_hook_ended(end); });
  }
  void end_with_call(std::uint32_t user, std::uint32_t step, CallNumber call) {
    HookEnd told;
    told.user = user;
    told.hook = {.kind = HookKind::kStep, .index = step};
    told.result = HookEnd::Result::kResponse;
    told.call = call;
    end(std::move(told));
  }
  void end_plain(std::uint32_t user, std::uint32_t step) {
    HookEnd told;
    told.user = user;
    told.hook = {.kind = HookKind::kStep, .index = step};
    told.result = HookEnd::Result::kPlain;
    end(std::move(told));
  }
  void end_failed(std::uint32_t user, HookId hook, const std::string& text) {
    HookEnd told;
    told.user = user;
    told.hook = hook;
    told.text = text;
    end(std::move(told));
  }
  void end_flag(std::uint32_t user, std::uint32_t check, bool flag) {
    HookEnd told;
    told.user = user;
    told.hook = {.kind = HookKind::kCheck, .index = check};
    told.result = HookEnd::Result::kFlag;
    told.flag = flag;
    end(std::move(told));
  }
  void end_number(std::uint32_t user, std::uint32_t metric, double number) {
    HookEnd told;
    told.user = user;
    told.hook = {.kind = HookKind::kMetric, .index = metric};
    told.result = HookEnd::Result::kNumber;
    told.number = number;
    end(std::move(told));
  }
  void end_value(std::uint32_t user, HookId hook, const std::string& json) {
    HookEnd told;
    told.user = user;
    told.hook = hook;
    told.result = HookEnd::Result::kValue;
    told.text = json;
    end(std::move(told));
  }
  // A step that sends one request and is measured by it.
  void step_sends(std::uint32_t step, std::shared_ptr<const ScriptedRequest> what) {
    on_step(step, [this, step, what](std::uint32_t user) {
      const auto number = std::make_shared<CallNumber>(0);
      *number =
          send(user, what, [this, user, step, number](const ScriptAnswer&) { end_with_call(user, step, *number); });
    });
  }
  // Runs `what` after a while, unless the user's iteration is over by then.
  void after(std::uint32_t user, Duration time, std::function<void()> what) {
    const std::uint64_t epoch = epochs_[user];
    timers_.push_back(std::make_unique<Delayed>(*this, [this, user, epoch, what = std::move(what)] {
      if (epochs_[user] == epoch) what();
    }));
    loop.timers().set(timers_.back()->timer, EventLoop::now() + time);
  }
  StepScriptEvents& events() { return *events_; }

  // --- what the test reads ---

  EventLoop& loop;
  std::vector<std::string> log;  // "iterate 0", "begin step 0", "answer 1 200", "store 0 200"
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;  // round and row of each begin_iteration()
  std::vector<CallNumber> let_go;
  std::vector<std::pair<std::uint32_t, ScriptAnswer>> stored;  // by step
  std::vector<plan::SharedValue> values;
  std::uint64_t rows_max = UINT64_MAX;  // kNoRows from that row on
  std::map<HookKind, std::uint32_t> counts;
  std::uint32_t users = 0;
  std::map<std::uint32_t, std::uint32_t> numbers;  // in the whole plan, by user

  // --- StepScript ---

  void tell(StepScriptEvents& events) override { events_ = &events; }
  Status give(const std::vector<plan::SharedValue>& given) override {
    values = given;
    return {};
  }
  void users_added() override {}
  Status add_user(std::uint32_t user, std::uint32_t number, std::uint32_t) override {
    users = std::max(users, user + 1);
    numbers[user] = number;
    return {};
  }
  IterationStart begin_iteration(std::uint32_t user, std::uint64_t round, std::uint64_t row) override {
    EXPECT_LT(user, users) << "add_user() comes first";
    leave(user);
    rows.emplace_back(round, row);
    if (row >= rows_max) return IterationStart::kNoRows;
    log.push_back(fmt::format("iterate {}", user));
    return IterationStart::kBegun;
  }
  void end_iteration(std::uint32_t user) override { leave(user); }
  void begin(std::uint32_t user, HookId hook) override {
    EXPECT_LT(user, users) << "add_user() comes first";
    log.push_back(fmt::format("begin {} {}", name_of(hook.kind), hook.index));
    const auto found = hooks_.find({hook.kind, hook.index});
    if (found != hooks_.end()) found->second(user);
    report_all();
  }
  void store(std::uint32_t, std::uint32_t step, ScriptAnswer answer) override {
    log.push_back(fmt::format("store {} {}", step, answer.status));
    stored.emplace_back(step, std::move(answer));
  }
  void answer(CallNumber call, ScriptAnswer answer) override {
    const auto found = calls_.find(call);
    if (found == calls_.end()) {
      ADD_FAILURE() << "call " << call << " was answered twice, or nobody waits for it";
      return;
    }
    const Call made = std::move(found->second);
    calls_.erase(found);
    log.push_back(fmt::format("answer {}", answer.status));
    if (made.then && made.epoch == epochs_[made.user]) made.then(answer);
    report_all();
  }
  std::uint32_t count(HookKind kind) const override {
    const auto found = counts.find(kind);
    return found == counts.end() ? 0 : found->second;
  }
  std::string name(HookId hook) const override { return fmt::format("{}{}", name_of(hook.kind), hook.index); }

 private:
  struct Call {
    std::uint32_t user = 0;
    std::uint64_t epoch = 0;
    Answered then;
  };
  struct Event {
    std::uint32_t user = 0;
    std::uint64_t epoch = 0;
    std::function<void()> tell;
  };
  struct Delayed {
    Delayed(FakeScript& script, std::function<void()> function)
        : timer(&Delayed::fire, this), owner(script), what(std::move(function)) {}
    static void fire(void* self) {
      auto& delayed = *static_cast<Delayed*>(self);
      delayed.what();
      delayed.owner.report_all();
    }
    Timer timer;
    FakeScript& owner;
    std::function<void()> what;
  };

  static const char* name_of(HookKind kind) {
    constexpr const char* kNames[] = {"step", "check", "metric", "setup", "teardown", "provide"};
    return kNames[static_cast<std::size_t>(kind)];
  }
  void later(std::uint32_t user, std::function<void()> what) {
    queue_.push_back({.user = user, .epoch = epochs_[user], .tell = std::move(what)});
  }
  void leave(std::uint32_t user) {
    ++epochs_[user];
    std::vector<CallNumber> open;
    for (const auto& [number, call] : calls_)
      if (call.user == user) open.push_back(number);
    for (const CallNumber number : open) {
      calls_.erase(number);
      let_go.push_back(number);
      events_->script_lets_go(number);
    }
  }
  void report_all() {
    if (std::exchange(reporting_, true)) return;
    while (!queue_.empty()) {
      const Event event = std::move(queue_.front());
      queue_.pop_front();
      if (event.epoch == epochs_[event.user]) event.tell();
    }
    reporting_ = false;
  }

  StepScriptEvents* events_ = nullptr;
  std::map<std::pair<HookKind, std::uint32_t>, Begin> hooks_;
  std::map<CallNumber, Call> calls_;
  std::map<std::uint32_t, std::uint64_t> epochs_;
  std::deque<Event> queue_;
  std::vector<std::unique_ptr<Delayed>> timers_;
  CallNumber last_call_ = 0;
  bool reporting_ = false;
};

}  // namespace hyperscale::load
