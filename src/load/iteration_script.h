// IterationScript: the scripted part of iterations: functions of steps, their calls, and the checks and metrics that
// read answers. LoadExecutor decides when; this class runs the script, sends its calls, and records the results of
// checks and metrics.
//
// Single-threaded, the executor's loop. Each function that was begun ends in one event of the owner, unless
// end_iteration() came first.
#pragma once

#include "load/recording/tally_recorder.h"
#include "load/script_calls.h"
#include "load/step_graph.h"
#include "load/step_script.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hyperscale::load {

// How the function of a step ended.
struct ScriptedStepEnd {
  bool answered = false;  // steps that depend on it may run
  bool measured = true;   // false: a plain step that succeeded
  bool called = true;     // false: the function did not send anything
  results::Outcome outcome = results::Outcome::kOk;
  std::string_view message;          // of a failure
  const CallRecord* call = nullptr;  // the step is measured by it; null: by the time that its function ran
};

class IterationScriptOwner {
 public:
  virtual ClientSet& clients_of(std::uint32_t user) = 0;
  virtual void scripted_step_ended(std::uint32_t user, std::uint32_t step, const ScriptedStepEnd& end) = 0;
  // A call that no step returned. Comes when its iteration is over, or when the call ends after that.
  virtual void call_ended(const CallRecord& call) = 0;
  virtual void reader_ended(std::uint32_t user, bool threw) = 0;  // false for a check that throws: it only fails
  virtual void provision_ended() = 0;
  virtual void script_logged(LogLevel level, std::string_view text) = 0;
  // The script blocked the loop: bytes that arrived meanwhile are older than their callback.
  virtual void loop_held_up(MonoTime since, MonoTime until) = 0;

 protected:
  ~IterationScriptOwner() = default;
};

class IterationScript final : private StepScriptEvents {
 public:
  // All references outlive it.
  IterationScript(const plan::Plan& plan, const StepGraph& graph, StepScript& script, TallyRecorder& recorder,
                  IterationScriptOwner& owner, ScriptCalls calls);

  Status add_user(std::uint32_t user, std::uint32_t number, std::uint32_t total) {
    return script_.add_user(user, number, total);
  }
  // With `counted` false nothing of the iteration is recorded.
  IterationStart begin_iteration(std::uint32_t user, std::uint64_t round, std::uint64_t row, bool counted);
  void end_iteration(std::uint32_t user);
  void begin_step(std::uint32_t user, std::uint32_t step);
  // Checks and metrics that waited for this layer and can run; a check whose step was not answered is recorded as
  // failed. Each one passed to begin() ends in reader_ended(), possibly before begin() returns.
  std::vector<HookId> readers_after(std::uint32_t layer, std::uint32_t user, const std::vector<bool>& unanswered);
  void begin(std::uint32_t user, const std::vector<HookId>& hooks);
  // The functions that provide values for other workflows; each ends in provision_ended().
  std::vector<HookId> provisions() const;
  const std::vector<plan::SharedValue>& provided() const { return provided_; }

  // Exchanges whose slot belongs to a call of a function.
  bool owns(std::uint32_t slot) const { return calls_.owns(slot); }
  std::uint32_t calls_in_flight() const { return calls_.in_flight(); }
  void exchange_done(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report);
  const plan::Expectation& expectation(std::uint32_t user, std::uint32_t slot) {
    return calls_.expectation(user, slot);
  }
  // Answers to steps that are plain requests.
  void header(std::uint32_t user, std::uint32_t slot, std::string_view name, std::string_view value) {
    calls_.header(user, slot, name, value);
  }
  void forget_headers(std::uint32_t user, std::uint32_t slot) { calls_.forget_headers(user, slot); }
  void store(std::uint32_t user, std::uint32_t slot, std::uint32_t step, const ExchangeReport& report);

 private:
  struct Reader {
    HookId hook;
    std::vector<std::uint32_t> reads;  // steps
  };
  struct User {
    bool counted = false;
    bool active = false;  // inside an iteration
    bool called = false;  // a function has sent something in this iteration
  };

  void script_calls(ScriptCall call) override;
  void script_lets_go(CallNumber call) override { calls_.let_go(call); }
  void script_forgets(std::uint32_t user, std::span<const CallNumber> calls) override {
    calls_.forget(user, calls, [this](const CallRecord& call) { owner_.call_ended(call); });
  }
  void script_hook_ended(const HookEnd& end) override;
  void script_adds(std::uint32_t user, std::uint32_t metric, double value) override {
    if (user_at(user).counted) recorder_.metric(metric, value);
  }
  Result<std::vector<ScriptCookie>> script_uses_cookies(std::uint32_t user, const CookieRequest& request) override {
    return use_cookies(owner_.clients_of(user).http(), request);
  }
  void script_logs(LogLevel level, std::string_view text) override { owner_.script_logged(level, text); }
  void script_held_up(MonoTime since, MonoTime until) override { owner_.loop_held_up(since, until); }

  void step_ended(const HookEnd& end);
  void check_ended(const HookEnd& end);
  void metric_ended(const HookEnd& end);
  void provision_ended(const HookEnd& end);
  User& user_at(std::uint32_t user);

  const plan::Plan& plan_;
  StepScript& script_;
  TallyRecorder& recorder_;
  IterationScriptOwner& owner_;
  ScriptCalls calls_;
  std::vector<std::vector<Reader>> readers_;  // by the layer that they wait for
  std::vector<User> users_;
  std::vector<plan::SharedValue> provided_;
};

}  // namespace hyperscale::load
