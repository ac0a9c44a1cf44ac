// StepScript: the functions of a plan's script, as an executor sees them. The executor begins them and answers their
// calls; calls and ends of functions come back through StepScriptEvents. src/workflow implements it.
//
// Single-threaded, the thread of the event loop. Events come from inside begin(), answer() and the loop's timers, one
// after the other and never nested: an event handler may call anything here; resulting events follow after it has
// returned. A user is identified by its index within the executor and has one iteration at a time.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "load/script_cookies.h"
#include "plan/plan.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::load {

using CallNumber = std::uint64_t;

// A request that a function sends.
struct ScriptedRequest {
  plan::Request request;
  plan::Expectation expect = {};
  Duration timeout{};                // zero: the plan's
  std::string label = {};            // in results, if its step returns it; empty: the step's
  std::vector<plan::Tag> tags = {};  // beside those of the step
  bool repeats = false;              // the same object will be sent again: worth preparing once
};

struct ScriptCall {
  CallNumber number = 0;
  std::uint32_t user = 0;
  std::shared_ptr<const ScriptedRequest> what;
};

struct ScriptAnswer {
  std::uint16_t status = 0;                      // zero: see `error`, unless the protocol has no status
  bool body_cut = false;                         // the body was longer than a function may read
  std::string head;                              // fields in order, "name\nvalue\n" each
  std::string body;                              // after content decoding
  std::shared_ptr<const void> kept;              // its share of the executor's bound on kept bodies
  std::shared_ptr<const plan::Request> request;  // the answered one, after redirects
  Duration duration{};
  std::string error;
};

enum class HookKind : std::uint8_t { kStep, kCheck, kMetric, kSetup, kTeardown, kProvide };

// A function: the index is that of the plan's step, check, metric or provision; of actions, in the order of the file.
struct HookId {
  HookKind kind = HookKind::kStep;
  std::uint32_t index = 0;
};

struct HookEnd {
  enum class Result : std::uint8_t {
    kFailed,    // it threw, was stopped by a limit or can never end: `text` is the error with its place
    kResponse,  // a step that is measured by one of its calls
    kCustom,    // a step with a result of the script's own: `flag` is whether it is ok
    kPlain,     // a step that is not measured
    kFlag,      // a check's verdict
    kNumber,    // a metric's value
    kValue,     // JSON of an action or a provision in `text`; empty for nothing
  };
  std::uint32_t user = 0;
  HookId hook;
  Result result = Result::kFailed;
  CallNumber call = 0;
  bool flag = false;
  double number = 0;
  std::string text;
};

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError };

class StepScriptEvents {
 public:
  virtual void script_calls(ScriptCall call) = 0;    // to be sent, and answered by answer()
  virtual void script_lets_go(CallNumber call) = 0;  // no function waits for it any more
  // Answered calls of an iteration that no step can return any more, in any order. Comes from inside an entry into the
  // script: the handler must not call back.
  virtual void script_forgets(std::uint32_t user, std::span<const CallNumber> calls) = 0;
  virtual void script_hook_ended(const HookEnd& end) = 0;  // once per begin(), unless the iteration was ended before
  virtual void script_adds(std::uint32_t user, std::uint32_t metric, double value) = 0;
  virtual void script_logs(LogLevel level, std::string_view text) = 0;
  // At once, while the function runs.
  virtual Result<std::vector<ScriptCookie>> script_uses_cookies(std::uint32_t user, const CookieRequest& request) = 0;
  virtual void script_held_up(MonoTime since, MonoTime until) = 0;  // one entry into the script blocked the loop

 protected:
  ~StepScriptEvents() = default;
};

enum class IterationStart : std::uint8_t { kBegun, kNoRows, kFailed };

class StepScript {
 public:
  virtual ~StepScript() = default;
  // Sets the receiver of events; called first.
  virtual void tell(StepScriptEvents& events) = 0;
  // Sets values in the context of all users.
  virtual Status give(const std::vector<plan::SharedValue>& values) = 0;
  virtual Status add_user(std::uint32_t user, std::uint32_t number, std::uint32_t total) = 0;
  // The users that exist before the run have been added: collects garbage before anything is measured.
  virtual void users_added() = 0;
  // `round` counts the iterations of the user, `row` those of the whole plan, which selects rows of data. Ends
  // functions that the user's last iteration left open.
  virtual IterationStart begin_iteration(std::uint32_t user, std::uint64_t round, std::uint64_t row) = 0;
  virtual void end_iteration(std::uint32_t user) = 0;
  virtual void begin(std::uint32_t user, HookId hook) = 0;
  // Stores the answer to a step that is not scripted, for functions that read it.
  virtual void store(std::uint32_t user, std::uint32_t step, ScriptAnswer answer) = 0;
  virtual void answer(CallNumber call, ScriptAnswer answer) = 0;
  virtual std::uint32_t count(HookKind kind) const = 0;
  virtual std::string name(HookId hook) const = 0;
};

}  // namespace hyperscale::load
