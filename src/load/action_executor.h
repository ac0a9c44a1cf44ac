// ActionExecutor: the Executor of a plan's setup or teardown. Runs its actions in order, once, for the first user of
// its segment: the datacenters of a fleet draw different random values. Their return values go to the users of the
// workflow; nothing is measured.
//
// An action that fails, or has not ended after kActionPatience, fails the setup or teardown: later actions do not run.
#pragma once

#include "load/executor.h"
#include "load/prepared_plan.h"
#include "load/protocols/http2/free_list_memory.h"
#include "load/script_calls.h"
#include "load/tried_exchange.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::load {

inline constexpr Duration kActionPatience = 60s;

class ActionExecutor final : public Executor, private ExchangeListener, private StepScriptEvents {
 public:
  // REQUIRES: plan.script.part is a setup or a teardown.
  ActionExecutor(plan::Plan plan, const plan::Segment& segment, EventLoop& loop, std::unique_ptr<StepScript> script,
                 ExchangeWatch* watch);
  ~ActionExecutor() override;

  Status prepare();
  void start(MonoTime start, std::uint64_t first_arrival) override;
  void stop() override;
  bool done() const override { return done_; }
  void between_turns() override { environment_.bury(); }
  void log_to(const ScriptLogSink& sink) override { log_ = sink; }
  Status give(const std::vector<plan::SharedValue>& values) override { return script_->give(values); }
  std::vector<plan::SharedValue> given() const override { return values_; }
  std::string failure() const override { return failure_; }

 private:
  HookKind kind() const {
    return plan_.script.part == plan::ScriptPart::kSetup ? HookKind::kSetup : HookKind::kTeardown;
  }
  void begin();
  void begin_next();
  void end(std::string failure);
  static void on_start(void* self) { static_cast<ActionExecutor*>(self)->begin(); }
  static void on_patience(void* self);

  void exchange_done(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report) override;
  void connection_opened(std::uint32_t, Protocol, std::uint8_t) override {}
  void connection_bytes(std::uint32_t, const ByteCounts&) override {}
  void exchange_header(std::uint32_t user, std::uint32_t slot, std::string_view name, std::string_view value) override {
    calls_->header(user, slot, name, value);
    if (watch_ != nullptr) watch_->watched_header(slot, name, value);
  }

  void script_calls(ScriptCall call) override;
  void script_lets_go(CallNumber call) override { calls_->let_go(call); }
  void script_forgets(std::uint32_t user, std::span<const CallNumber> calls) override {
    calls_->forget(user, calls, [](const CallRecord&) {});
  }
  void script_hook_ended(const HookEnd& end) override;
  void script_adds(std::uint32_t, std::uint32_t, double) override {}
  Result<std::vector<ScriptCookie>> script_uses_cookies(std::uint32_t, const CookieRequest& request) override {
    return use_cookies(clients_->http(), request);
  }
  void script_logs(LogLevel level, std::string_view text) override {
    if (log_) log_(level, text);
  }
  void script_held_up(MonoTime, MonoTime) override {}

  plan::Plan plan_;
  plan::Segment segment_;
  EventLoop& loop_;
  std::unique_ptr<StepScript> script_;
  FreeListMemory memory_;
  HttpEnvironment environment_;
  std::optional<ScriptCalls> calls_;
  std::optional<ClientSet> clients_;
  ScriptLogSink log_;
  ExchangeWatch* const watch_;
  Timer start_timer_;
  Timer patience_;
  std::uint32_t next_ = 0;
  bool done_ = false;
  std::vector<plan::SharedValue> values_;
  std::string failure_;
};

}  // namespace hyperscale::load
