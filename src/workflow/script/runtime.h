// Runtime: the engine with the built-in module, one program, and the virtual users of its workflows.
//
//   load() -> describe() (describe.h) -> add_user() ... begin(), settle(), fire()
//
// begin() starts a hook of a user. The hook ends at once, or in a later settle() or fire() that delivers what it waits
// for; each returns the outcomes of the hooks that ended in it. A resume that exceeds a limit ends all open hooks of
// that user, and a hook that waits while its user has no open call and no timer ends with kNeverReady. Other users are
// not affected.
//
// Thread rule: as Engine.
#pragma once

#include "base/prng.h"
#include "base/redactor.h"
#include "base/result.h"
#include "workflow/description.h"
#include "workflow/script/engine.h"
#include "workflow/script/host.h"
#include "workflow/script/module_linker.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hyperscale::workflow {

// Maximum of calls of all users together that are open or whose answers a script can still read, given by the bits of a
// call number. A further call throws.
inline constexpr std::uint32_t kOpenCallsMax = 1 << 20;
// After this many calls of one iteration, answers that its function has released are freed before its end.
inline constexpr std::size_t kCallsBeforeTracking = 4096;

struct RuntimeOptions {
  EngineLimits limits;
  std::uint64_t seed = 0;
  std::uint32_t generation = 0;  // executors that ran these users before and died: avoids repeated random values
  std::map<std::string, std::string> env;
  std::map<std::string, std::string> secrets;  // their values never appear in a log line or an error
  std::uint32_t open_calls_max = kOpenCallsMax;
};

using TurnId = std::uint64_t;

enum class OutcomeKind : std::uint8_t { kFailed, kResponse, kCustom, kPlain, kText, kFlag, kNumber };

struct Outcome {
  TurnId turn = 0;
  UserSlot user = 0;
  std::uint32_t hook = 0;
  OutcomeKind kind = OutcomeKind::kFailed;
  CallId call = 0;    // kResponse: the one call that is measured (HOOK-7)
  bool flag = false;  // kFlag: a check's verdict; kCustom: whether the result is good
  double number = 0;  // kNumber: a metric's value
  std::string text;   // kText: result of an action or a provider, as JSON; empty: none
  ScriptError error;  // kFailed
};

struct Turn {
  TurnId id = 0;
  std::optional<Outcome> outcome;  // nullopt: it waits
  std::vector<Outcome> others;     // of this user's other turns, if beginning this one ended them (a limit does)
};

class Runtime {
 public:
  static Result<std::unique_ptr<Runtime>> create(RuntimeOptions options, ScriptHost host);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  Engine& engine() { return *engine_; }
  std::vector<std::string> built_in_exports();

  // At most once per runtime.
  tl::expected<void, ScriptErrors> load(SourceProvider& sources, const std::string& entry);
  const LinkedProgram& program() const { return program_; }
  // Runs the program once and returns its declarations in the script's own form; describe.h reads them.
  ScriptResult<ValueRef> declared();

  // Adds the rows of a data file to a workflow. `text` is the content of the file.
  ScriptResult<std::uint32_t> add_data(const Workflow& workflow, const DataSource& source, std::string_view text);
  // A value for the context of all users of a workflow. `source` is the providing workflow, or empty for a setup.
  ScriptResult<void> provide(const Workflow& workflow, std::string_view source, std::string_view key,
                             std::string_view json);

  // Runs the program for one more virtual user. `vu` is its number in the whole run, `total` the number of users.
  // REQUIRES: the workflow outlives the user.
  ScriptResult<UserSlot> add_user(const Workflow& workflow, std::uint32_t vu, std::uint32_t total);
  void remove_user(UserSlot user);

  // Discards the last iteration with its responses; if the workflow provides values, the one before it. `iteration`
  // counts those of the user; `row` is the number of the iteration in the whole run, which selects the rows of data.
  // False: the data is used up, and this user is done.
  ScriptResult<bool> begin_iteration(UserSlot user, std::uint64_t iteration, std::uint64_t row);
  void end_iteration(UserSlot user);
  // REQUIRES: the hook is scripted, and an iteration has begun.
  Turn begin(UserSlot user, std::uint32_t hook);
  // Stores the result of a declarative step, for hooks that read it.
  void store(UserSlot user, std::uint32_t hook, ScriptResponse response);
  // A script sees a failed call as a response with status 0 and `error`. Calls that have ended are ignored.
  std::vector<Outcome> settle(CallId call, ScriptResponse response);
  std::vector<Outcome> settle_error(CallId call, const std::string& error);
  std::vector<Outcome> fire(TimerId timer);
  std::size_t open_calls() const { return calls_.size() - free_calls_.size(); }

 private:
  friend struct RuntimeNatives;

  // State of a user in the host: the script has the rest.
  struct Seat {
    const Workflow* workflow = nullptr;
    std::uint32_t vu = 0;
    std::uint32_t total = 1;
    bool provides = false;  // values to other workflows
    Prng random{0};
    std::vector<std::pair<TurnId, std::uint32_t>> open;  // turn and hook
    std::vector<CallId> calls;                           // of this iteration
    std::vector<CallId> earlier_calls;                   // of the last one, if a provider may still read them
    std::vector<TimerId> timers;
    std::uint32_t waiting_calls = 0;
    // An iteration not yet announced to the script: sent with the first hook, in one entry.
    bool fresh = false;
    std::uint64_t iteration = 0;
    std::uint64_t row = 0;
  };
  // Calls are in a list whose places are reused; the number of a call contains the place and its use count.
  struct Call {
    std::uint32_t uses = 0;
    UserSlot user = 0;
    bool open = false;
    bool settled = false;
    TurnId direct_turn = 0;  // the turn that its answer ends without the script; zero: none
    ScriptResponse response;
  };
  struct Entries;

  Runtime(RuntimeOptions options, ScriptHost host);
  Status set_up();
  Prng stream_of(const std::string& name) const;
  ScriptResult<ValueRef> enter(ObjectRef function, std::span<const ValueRef> arguments,
                               Budget budget = Budget::kResume);
  std::vector<Outcome> resume(UserSlot user, ObjectRef function, std::span<const ValueRef> arguments);
  std::vector<Outcome> settle_directly(CallId number, Call& call);
  std::vector<Outcome> settle_with(CallId call, ScriptResponse response, const std::string* error);
  void fail_open_turns(UserSlot user, const ScriptError& error);
  void finish_turn(Outcome outcome);
  void abandon(UserSlot user);
  CallId open_call(UserSlot user);  // REQUIRES: fewer than open_calls_max
  void forget_calls(UserSlot user, std::span<const CallId> numbers);
  Call* find_call(CallId number);  // nullptr: it has ended
  void close_call(CallId number);
  void drop_calls(Seat& seat);
  void drop_all_calls(Seat& seat);
  std::string redacted(std::string text) const;
  ScriptError redacted(ScriptError error) const;

  RuntimeOptions options_;
  ScriptHost host_;
  const Redactor redactor_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Entries> entries_;
  LinkedProgram program_;
  Prng shared_random_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::vector<UserSlot> free_slots_;
  std::vector<Call> calls_;
  std::vector<std::uint32_t> free_calls_;
  std::vector<std::shared_ptr<const load::ScriptedRequest>> known_requests_;  // that calls repeat
  std::unordered_map<TimerId, UserSlot> timers_;
  std::vector<Outcome> outcomes_;  // of the current resume
  double returned_ = 0;            // by the last resume; NaN: not a number
  std::string last_good_url_;      // most calls repeat a URL: it is not checked again
  Seat* current_ = nullptr;
  UserSlot current_slot_ = 0;
  TurnId last_turn_ = 0;
  TimerId last_timer_ = 0;
};

}  // namespace hyperscale::workflow
