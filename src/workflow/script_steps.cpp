#include "workflow/script_steps.h"

#include "workflow/blob_sources.h"
#include "workflow/describe.h"
#include "workflow/script/runtime.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::workflow {
namespace {

using load::EventLoop;
using load::HookEnd;
using load::HookId;
using load::HookKind;

// Events reported at once before the loop runs again.
constexpr std::uint32_t kEventsPerTurn = 256;

tl::unexpected<Error> refused(const ScriptErrors& errors) {
  return fail(ErrorCode::kInvalidArgument, format_errors(errors));
}

tl::unexpected<Error> refused(const ScriptError& error) {
  return fail(ErrorCode::kInvalidArgument, format_error(error));
}

// In one line, for lists of failures.
std::string short_text(const ScriptError& error) {
  const std::string place = place_text(error.place);
  return place.empty() ? error.message : fmt::format("{}: {}", place, error.message);
}

class ScriptSteps final : public load::StepScript,
                          private ScriptClient,
                          private ScriptTimers,
                          private ScriptLog,
                          private ScriptMetrics,
                          private ScriptCookies {
 public:
  ScriptSteps(plan::Plan plan, EventLoop& loop, std::uint32_t generation)
      : plan_(std::move(plan)), loop_(loop), generation_(generation), go_on_(&ScriptSteps::on_turn, this) {}
  ~ScriptSteps() override {
    loop_.timers().cancel(go_on_);
    for (const auto& [id, timer] : timers_) loop_.timers().cancel(timer->timer);
  }

  Status prepare();

  void tell(load::StepScriptEvents& events) override { events_ = &events; }
  Status give(const std::vector<plan::SharedValue>& values) override;
  Status add_user(std::uint32_t user, std::uint32_t number, std::uint32_t total) override;
  void users_added() override { runtime_->engine().collect_garbage(); }
  load::IterationStart begin_iteration(std::uint32_t user, std::uint64_t round, std::uint64_t row) override;
  void end_iteration(std::uint32_t user) override;
  void begin(std::uint32_t user, HookId hook) override;
  void store(std::uint32_t user, std::uint32_t step, load::ScriptAnswer answer) override;
  void answer(load::CallNumber call, load::ScriptAnswer answer) override;
  std::uint32_t count(HookKind kind) const override { return static_cast<std::uint32_t>(hooks_of(kind).size()); }
  std::string name(HookId hook) const override { return workflow_->hooks[hooks_of(hook.kind)[hook.index]].name; }

 private:
  struct User {
    UserSlot slot = 0;
    std::uint32_t epoch = 0;  // counts iterations: events of an earlier one are dropped
  };
  struct Event {
    std::uint32_t user = 0;
    std::uint32_t epoch = 0;
    std::variant<load::ScriptCall, HookEnd> what;
  };
  struct Armed {
    Armed(ScriptSteps& steps, TimerId number) : timer(&ScriptSteps::on_timer, this), owner(steps), id(number) {}
    load::Timer timer;
    ScriptSteps& owner;
    TimerId id;
  };

  // Called by the runtime while the script runs.
  void start(CallId call, ScriptRequest request) override;
  void cancel(CallId call) override { let_go_.push_back(call); }
  void forget(UserSlot user, std::span<const CallId> calls) override {
    events_->script_forgets(user_of_slot_[user], calls);
  }
  void arm(TimerId timer, Duration after) override;
  void disarm(TimerId timer) override;
  // No listener exists yet while the file is described; each user runs it again.
  void write(LogLevel level, std::string_view text) override {
    if (events_ != nullptr) events_->script_logs(level, text);
  }
  void record(UserSlot user, MetricKind kind, std::string_view name, double value) override;

  Result<std::vector<load::ScriptCookie>> use_cookies(UserSlot user, const load::CookieRequest& request) override {
    return events_->script_uses_cookies(user_of_slot_[user], request);
  }

  Status find_hooks();
  Status add_data();
  std::vector<std::uint32_t>& hooks_of(HookKind kind) { return hooks_[static_cast<std::size_t>(kind)]; }
  const std::vector<std::uint32_t>& hooks_of(HookKind kind) const { return hooks_[static_cast<std::size_t>(kind)]; }
  template <typename Function>
  void enter(const Function& function);
  void note(std::vector<Outcome> outcomes);
  void note(Outcome outcome);
  void report_events();
  void report(Event event);
  static void on_turn(void* self) { static_cast<ScriptSteps*>(self)->report_events(); }
  static void on_timer(void* armed);

  plan::Plan plan_;
  EventLoop& loop_;
  const std::uint32_t generation_;
  load::StepScriptEvents* events_ = nullptr;
  std::unique_ptr<Runtime> runtime_;
  Description description_;
  const Workflow* workflow_ = nullptr;
  std::array<std::vector<std::uint32_t>, 6> hooks_;      // indexes into the description, by kind and index
  std::vector<std::pair<HookKind, std::uint32_t>> ids_;  // by index of the description
  std::vector<User> users_;
  std::vector<std::uint32_t> user_of_slot_;
  std::unordered_map<std::string, std::uint32_t> metrics_;  // declared in the file, by name
  std::set<std::string> metrics_unknown_;                   // created by functions
  std::unordered_map<TimerId, std::unique_ptr<Armed>> timers_;
  std::vector<Event> queue_;  // the first `reported_` of them have been passed on
  std::size_t reported_ = 0;
  std::vector<CallId> let_go_;
  load::Timer go_on_;
  bool reporting_ = false;
};

// --- preparing ---

Status ScriptSteps::prepare() {
  RuntimeOptions options;
  options.seed = plan_.seed;
  options.generation = generation_;
  for (const plan::Tag& variable : plan_.script.env) options.env[variable.name] = variable.value;
  for (const plan::Tag& variable : plan_.script.secrets) options.secrets[variable.name] = variable.value;
  auto runtime = Runtime::create(std::move(options),
                                 {.client = this, .timers = this, .log = this, .metrics = this, .cookies = this});
  if (!runtime) return fail(runtime.error());
  runtime_ = std::move(*runtime);
  BlobSources sources(plan_.script.files);
  if (const auto loaded = runtime_->load(sources, plan_.script.entry); !loaded) return refused(loaded.error());
  auto description = describe(*runtime_);
  if (!description) return refused(description.error());
  description_ = std::move(*description);
  const auto found = std::ranges::find(description_.workflows, plan_.script.workflow, &Workflow::name);
  if (found == description_.workflows.end())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} has no workflow called {}", plan_.script.entry, plan_.script.workflow));
  workflow_ = &*found;
  if (Status ready = find_hooks(); !ready) return ready;
  if (Status ready = add_data(); !ready) return ready;
  plan_.script.files.clear();  // the engine has them
  return {};
}

// The plan identifies hooks by their names in the file.
Status ScriptSteps::find_hooks() {
  ids_.resize(workflow_->hooks.size(), {HookKind::kStep, 0});
  std::string missing;
  const auto add = [&](HookKind kind, std::uint32_t hook) {
    ids_[hook] = {kind, count(kind)};
    hooks_of(kind).push_back(hook);
  };
  const auto add_named = [&](HookKind kind, plan::HookKind wanted, const std::string& name) {
    const auto found = std::ranges::find_if(workflow_->hooks,
                                            [&](const Hook& hook) { return hook.name == name && hook.kind == wanted; });
    if (found == workflow_->hooks.end())
      missing = name;
    else
      add(kind, static_cast<std::uint32_t>(found - workflow_->hooks.begin()));
  };
  for (const plan::Step& step : plan_.steps) add_named(HookKind::kStep, plan::HookKind::kStep, step.name);
  for (const plan::Check& check : plan_.checks) add_named(HookKind::kCheck, plan::HookKind::kCheck, check.name);
  for (std::uint32_t i = 0; i < plan_.metrics.size(); ++i) {
    const plan::Metric& metric = plan_.metrics[i];
    if (!metric.reads.empty()) {
      add_named(HookKind::kMetric, plan::HookKind::kMetric, metric.name);
    } else {
      metrics_[metric.name] = i;
      hooks_of(HookKind::kMetric).push_back(0);  // keeps the plan's numbers
    }
  }
  for (const plan::ProvidedKey& provision : plan_.script.provides)
    add_named(HookKind::kProvide, plan::HookKind::kState, provision.key);
  for (std::uint32_t i = 0; i < workflow_->hooks.size(); ++i) {
    const Hook& hook = workflow_->hooks[i];
    if (hook.kind == plan::HookKind::kAction)
      add(hook.when == ActionTime::kSetup ? HookKind::kSetup : HookKind::kTeardown, i);
  }
  if (missing.empty()) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("workflow {} of {} has no \"{}\"", workflow_->name, plan_.script.entry, missing));
}

Status ScriptSteps::add_data() {
  BlobSources sources(plan_.script.files);
  for (const DataSource& source : workflow_->data) {
    const auto text = sources.read(data_path(plan_.script.entry, source.file));
    if (!text) return fail(ErrorCode::kInvalidArgument, fmt::format("the plan does not have {}", source.file));
    if (const auto rows = runtime_->add_data(*workflow_, source, *text); !rows) return refused(rows.error());
  }
  return {};
}

Status ScriptSteps::give(const std::vector<plan::SharedValue>& values) {
  for (const plan::SharedValue& value : values)
    if (const auto given = runtime_->provide(*workflow_, value.source, value.key, value.json); !given)
      return refused(given.error());
  return {};
}

Status ScriptSteps::add_user(std::uint32_t user, std::uint32_t number, std::uint32_t total) {
  const auto slot = runtime_->add_user(*workflow_, number, total);
  if (!slot) return refused(slot.error());
  if (users_.size() <= user) users_.resize(user + 1);
  users_[user].slot = *slot;
  if (user_of_slot_.size() <= *slot) user_of_slot_.resize(*slot + 1);
  user_of_slot_[*slot] = user;
  return {};
}

// --- running ---

// One entry into the script, followed by its effects.
template <typename Function>
void ScriptSteps::enter(const Function& function) {
  const MonoTime since = EventLoop::now();
  function();
  const MonoTime until = EventLoop::now();
  events_->script_held_up(since, until);
  if (!let_go_.empty())
    for (const CallId call : std::exchange(let_go_, {})) events_->script_lets_go(call);
  if (!reporting_) report_events();
}

load::IterationStart ScriptSteps::begin_iteration(std::uint32_t user, std::uint64_t round, std::uint64_t row) {
  ++users_[user].epoch;
  load::IterationStart start = load::IterationStart::kFailed;
  enter([&] {
    const ScriptResult<bool> begun = runtime_->begin_iteration(users_[user].slot, round, row);
    if (begun) start = *begun ? load::IterationStart::kBegun : load::IterationStart::kNoRows;
    if (!begun) events_->script_logs(load::LogLevel::kError, format_error(begun.error()));
  });
  return start;
}

void ScriptSteps::end_iteration(std::uint32_t user) {
  ++users_[user].epoch;
  enter([&] { runtime_->end_iteration(users_[user].slot); });
}

void ScriptSteps::begin(std::uint32_t user, HookId hook) {
  enter([&] {
    Turn turn = runtime_->begin(users_[user].slot, hooks_of(hook.kind)[hook.index]);
    note(std::move(turn.others));
    if (turn.outcome) note(std::move(*turn.outcome));
  });
}

void ScriptSteps::store(std::uint32_t user, std::uint32_t step, load::ScriptAnswer answer) {
  runtime_->store(users_[user].slot, hooks_of(HookKind::kStep)[step], std::move(answer));
}

void ScriptSteps::answer(load::CallNumber call, load::ScriptAnswer answer) {
  enter([&] {
    note(answer.error.empty() ? runtime_->settle(call, std::move(answer)) : runtime_->settle_error(call, answer.error));
  });
}

void ScriptSteps::start(CallId call, ScriptRequest request) {
  const std::uint32_t user = user_of_slot_[request.user];
  queue_.push_back({.user = user,
                    .epoch = users_[user].epoch,
                    .what = load::ScriptCall{.number = call, .user = user, .what = std::move(request.what)}});
}

void ScriptSteps::arm(TimerId timer, Duration after) {
  auto armed = std::make_unique<Armed>(*this, timer);
  loop_.timers().set(armed->timer, EventLoop::now() + after);
  timers_[timer] = std::move(armed);
}

void ScriptSteps::disarm(TimerId timer) {
  const auto found = timers_.find(timer);
  if (found == timers_.end()) return;
  loop_.timers().cancel(found->second->timer);
  timers_.erase(found);
}

void ScriptSteps::on_timer(void* armed) {
  auto& steps = static_cast<Armed*>(armed)->owner;
  const TimerId id = static_cast<Armed*>(armed)->id;
  steps.timers_.erase(id);
  steps.enter([&] { steps.note(steps.runtime_->fire(id)); });
}

void ScriptSteps::record(UserSlot user, MetricKind, std::string_view name, double value) {
  const auto found = metrics_.find(std::string(name));
  if (found != metrics_.end()) return events_->script_adds(user_of_slot_[user], found->second, value);
  if (!metrics_unknown_.insert(std::string(name)).second) return;
  events_->script_logs(
      LogLevel::kWarning,
      fmt::format("metric \"{}\" was made while a function ran and is not counted; make it at the top of the file",
                  name));
}

// --- reporting ---

void ScriptSteps::note(std::vector<Outcome> outcomes) {
  for (Outcome& outcome : outcomes) note(std::move(outcome));
}

void ScriptSteps::note(Outcome outcome) {
  HookEnd end;
  end.user = user_of_slot_[outcome.user];
  const auto [kind, index] = ids_[outcome.hook];
  end.hook = {.kind = kind, .index = index};
  end.call = outcome.call;
  end.flag = outcome.flag;
  end.number = outcome.number;
  switch (outcome.kind) {
    case OutcomeKind::kFailed: {
      const bool listed = kind == HookKind::kStep || kind == HookKind::kCheck;
      end.text = listed ? short_text(outcome.error) : format_error(outcome.error);
      break;
    }
    case OutcomeKind::kResponse:
      end.result = HookEnd::Result::kResponse;
      break;
    case OutcomeKind::kCustom:
      end.result = HookEnd::Result::kCustom;
      break;
    case OutcomeKind::kPlain:
      end.result = HookEnd::Result::kPlain;
      break;
    case OutcomeKind::kFlag:
      end.result = HookEnd::Result::kFlag;
      break;
    case OutcomeKind::kNumber:
      end.result = HookEnd::Result::kNumber;
      break;
    case OutcomeKind::kText:
      end.result = HookEnd::Result::kValue;
      end.text = std::move(outcome.text);
      break;
  }
  queue_.push_back({.user = end.user, .epoch = users_[end.user].epoch, .what = std::move(end)});
}

void ScriptSteps::report_events() {
  reporting_ = true;
  for (std::uint32_t passed = 0; reported_ < queue_.size() && passed < kEventsPerTurn; ++passed) {
    Event event = std::move(queue_[reported_++]);
    if (event.epoch == users_[event.user].epoch) report(std::move(event));
  }
  reporting_ = false;
  if (reported_ < queue_.size()) return loop_.timers().set(go_on_, EventLoop::now());
  queue_.clear();
  reported_ = 0;
}

void ScriptSteps::report(Event event) {
  if (auto* call = std::get_if<load::ScriptCall>(&event.what)) return events_->script_calls(std::move(*call));
  events_->script_hook_ended(std::get<HookEnd>(event.what));
}

}  // namespace

Result<std::unique_ptr<load::StepScript>> make_script_steps(plan::Plan plan, EventLoop& loop,
                                                            std::uint32_t generation) {
  auto steps = std::make_unique<ScriptSteps>(std::move(plan), loop, generation);
  if (auto ready = steps->prepare(); !ready) return fail(ready.error());
  return steps;
}

}  // namespace hyperscale::workflow
