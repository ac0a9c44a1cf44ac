#include "workflow/script/runtime.h"

#include "base/check.h"
#include "plan/idna.h"
#include "workflow/script/embedded.h"
#include "workflow/script/jsc.h"
#include "workflow/script/natives.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::workflow {
namespace {

// A script sees the number of a call as a double, exact to 53 bits: 20 for the place, 32 for the count of its uses.
constexpr unsigned kCallPlaceBits = 20;
static_assert(kOpenCallsMax <= 1U << kCallPlaceBits);

std::vector<std::string> values_of(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> values;
  values.reserve(variables.size());
  for (const auto& [name, value] : variables) values.push_back(value);
  return values;
}

bool provides(const Workflow& workflow) {
  return std::ranges::any_of(workflow.hooks,
                             [](const Hook& hook) { return hook.direction == StateDirection::kProvide; });
}

}  // namespace

// Functions of js/run.js that the host calls. The object that holds them is protected from the collector.
struct Runtime::Entries {
  JSContextRef context = nullptr;
  JSObjectRef shared = nullptr;
  JSObjectRef add_module, create, remove, iterate, begin, settle, store, abandon, fire, provide, add_rows, describe;
};

Runtime::Runtime(RuntimeOptions options, ScriptHost host)
    : options_(std::move(options)),
      host_(host),
      redactor_(values_of(options_.secrets)),
      shared_random_(stream_of("shared")) {}

Runtime::~Runtime() {
  if (entries_ != nullptr && entries_->shared != nullptr) JSValueUnprotect(entries_->context, entries_->shared);
  forget_natives(*this);
}

Result<std::unique_ptr<Runtime>> Runtime::create(RuntimeOptions options, ScriptHost host) {
  std::unique_ptr<Runtime> runtime(new Runtime(std::move(options), host));
  Result<std::unique_ptr<Engine>> engine = Engine::create(runtime->options_.limits);
  if (!engine) return fail(engine.error());
  runtime->engine_ = std::move(*engine);
  if (const Status ready = runtime->set_up(); !ready) return fail(ready.error());
  return runtime;
}

Status Runtime::set_up() {
  // Loads the library now: an executor cannot open files once it runs. If that fails, such names fail when they are
  // used.
  (void)plan::domain_to_ascii("\u00e4.example");
  JSContextRef context = engine_->context();
  entries_ = std::make_unique<Entries>();
  entries_->context = context;
  entries_->shared = JSObjectMake(context, nullptr, nullptr);
  JSValueProtect(context, entries_->shared);
  const std::array<JSValueRef, 2> arguments{make_natives(*this), entries_->shared};
  const std::array<std::pair<const char*, std::string_view>, 7> parts{
      {{"hyperscale:encoding", embedded::encoding_js()},
       {"hyperscale:url_parser", embedded::url_parser_js()},
       {"hyperscale:url", embedded::url_js()},
       {"hyperscale:web", embedded::web_js()},
       {"hyperscale:declare", embedded::declare_js()},
       {"hyperscale:cookies", embedded::cookies_js()},
       {"hyperscale:run", embedded::run_js()}}};
  for (const auto& [name, code] : parts) {
    const ScriptResult<ValueRef> part = engine_->evaluate(name, code);
    const ScriptResult<ValueRef> done =
        part ? engine_->call(const_cast<JSObjectRef>(*part), arguments, Budget::kLoad) : script_fail(part.error());
    if (!done) return fail(ErrorCode::kInternal, fmt::format("{}: {}", name, format_error(done.error())));
  }
  JSValueRef functions = jsc::property(context, entries_->shared, "entries");
  const auto function = [&](const char* name) {
    return const_cast<JSObjectRef>(jsc::property(context, functions, name));
  };
  entries_->add_module = function("addModule");
  entries_->create = function("create");
  entries_->remove = function("remove");
  entries_->iterate = function("iterate");
  entries_->begin = function("begin");
  entries_->settle = function("settle");
  entries_->store = function("store");
  entries_->abandon = function("abandon");
  entries_->fire = function("fire");
  entries_->provide = function("provide");
  entries_->add_rows = function("addRows");
  entries_->describe = function("describe");
  return engine_->lock_down(jsc::property(context, entries_->shared, "roots"));
}

std::vector<std::string> Runtime::built_in_exports() {
  std::vector<std::string> names;
  JSContextRef context = engine_->context();
  JSValueRef api = jsc::property(context, entries_->shared, "api");
  JSPropertyNameArrayRef list = JSObjectCopyPropertyNames(context, const_cast<JSObjectRef>(api));
  names.reserve(JSPropertyNameArrayGetCount(list));
  for (std::size_t i = 0; i < JSPropertyNameArrayGetCount(list); ++i)
    names.push_back(jsc::Text(JSStringRetain(JSPropertyNameArrayGetNameAtIndex(list, i))).utf8());
  JSPropertyNameArrayRelease(list);
  return names;
}

tl::expected<void, ScriptErrors> Runtime::load(SourceProvider& sources, const std::string& entry) {
  CHECK(program_.modules.empty(), "a runtime has one program");
  auto program = link_modules(*engine_, sources, entry, built_in_exports());
  if (!program) return tl::unexpected(std::move(program.error()));
  program_ = std::move(*program);
  JSContextRef context = engine_->context();
  const auto list = [&](const std::vector<std::int32_t>& numbers) {
    std::vector<JSValueRef> values;
    values.reserve(numbers.size());
    for (const std::int32_t number : numbers) values.push_back(JSValueMakeNumber(context, number));
    return JSObjectMakeArray(context, values.size(), values.data(), nullptr);
  };
  for (LinkedModule& module : program_.modules) {
    JSValueRef run = JSValueMakeNull(context);
    if (!module.json) {
      const ScriptResult<ValueRef> function = engine_->evaluate(module.file, module.code);
      if (!function) return tl::unexpected(ScriptErrors{function.error()});
      run = *function;
    }
    const std::array<JSValueRef, 5> arguments{
        run, module.json ? jsc::make_text(context, module.code) : JSValueMakeNull(context), list(module.uses),
        list(module.stars), jsc::make_text(context, module.file)};
    const ScriptResult<ValueRef> added = engine_->call(entries_->add_module, arguments, Budget::kLoad);
    if (!added) return tl::unexpected(ScriptErrors{added.error()});
    module.code.clear();
    module.code.shrink_to_fit();
  }
  return {};
}

ScriptResult<ValueRef> Runtime::declared() {
  return enter(entries_->describe, {}, Budget::kLoad);
}

ScriptResult<ValueRef> Runtime::enter(ObjectRef function, std::span<const ValueRef> arguments, Budget budget) {
  ScriptResult<ValueRef> value = engine_->call(function, arguments, budget);
  if (!value) return script_fail(redacted(std::move(value.error())));
  return value;
}

ScriptResult<std::uint32_t> Runtime::add_data(const Workflow& workflow, const DataSource& source,
                                              std::string_view text) {
  JSContextRef context = engine_->context();
  const char* deal = source.deal == Deal::kOnce ? "once" : source.deal == Deal::kRandom ? "random" : "round-robin";
  const std::array<JSValueRef, 6> arguments{
      jsc::make_text(context, workflow.name),    jsc::make_text(context, source.name),
      jsc::make_text(context, source.format),    jsc::make_text(context, deal),
      jsc::make_text(context, source.delimiter), jsc::make_text(context, text)};
  const ScriptResult<ValueRef> rows = enter(entries_->add_rows, arguments, Budget::kLoad);
  if (rows) return static_cast<std::uint32_t>(jsc::number_of(context, *rows));
  ScriptError error = rows.error();
  error.message = fmt::format("{}: {}", source.file, error.message);
  return script_fail(std::move(error));
}

ScriptResult<void> Runtime::provide(const Workflow& workflow, std::string_view source, std::string_view key,
                                    std::string_view json) {
  JSContextRef context = engine_->context();
  const std::array<JSValueRef, 4> arguments{jsc::make_text(context, workflow.name), jsc::make_text(context, source),
                                            jsc::make_text(context, key), jsc::make_text(context, json)};
  const ScriptResult<ValueRef> done = enter(entries_->provide, arguments, Budget::kLoad);
  if (!done) return script_fail(done.error());
  return {};
}

Prng Runtime::stream_of(const std::string& name) const {
  const std::uint32_t generation = options_.generation;
  return Prng(options_.seed).stream(generation == 0 ? name : fmt::format("{} successor {}", name, generation));
}

ScriptResult<UserSlot> Runtime::add_user(const Workflow& workflow, std::uint32_t vu, std::uint32_t total) {
  JSContextRef context = engine_->context();
  UserSlot slot = static_cast<UserSlot>(seats_.size());
  if (free_slots_.empty()) {
    seats_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  seats_[slot] = std::make_unique<Seat>();
  seats_[slot]->workflow = &workflow;
  seats_[slot]->vu = vu;
  seats_[slot]->total = total;
  seats_[slot]->provides = provides(workflow);
  seats_[slot]->random = stream_of(fmt::format("vu {}", vu));
  current_ = seats_[slot].get();
  current_slot_ = slot;
  const std::array<JSValueRef, 3> arguments{JSValueMakeNumber(context, slot), jsc::make_text(context, workflow.name),
                                            JSValueMakeNumber(context, vu)};
  const ScriptResult<ValueRef> created = enter(entries_->create, arguments, Budget::kLoad);
  current_ = nullptr;
  if (created) return slot;
  seats_[slot].reset();
  free_slots_.push_back(slot);
  return script_fail(created.error());
}

void Runtime::remove_user(UserSlot user) {
  abandon(user);
  drop_all_calls(*seats_[user]);
  JSValueRef argument = JSValueMakeNumber(engine_->context(), user);
  (void)engine_->call(entries_->remove, {&argument, 1});
  seats_[user].reset();
  free_slots_.push_back(user);
}

ScriptResult<bool> Runtime::begin_iteration(UserSlot user, std::uint64_t iteration, std::uint64_t row) {
  Seat& seat = *seats_[user];
  if (!seat.open.empty() || seat.waiting_calls > 0 || !seat.timers.empty()) abandon(user);
  if (seat.provides) std::swap(seat.calls, seat.earlier_calls);
  drop_calls(seat);
  seat.fresh = true;
  seat.iteration = iteration;
  seat.row = row;
  // Only data can run out of rows.
  if (seat.workflow->data.empty()) return true;
  seat.fresh = false;
  JSContextRef context = engine_->context();
  const std::array<JSValueRef, 3> arguments{JSValueMakeNumber(context, user),
                                            JSValueMakeNumber(context, static_cast<double>(iteration)),
                                            JSValueMakeNumber(context, static_cast<double>(row))};
  current_ = &seat;
  current_slot_ = user;
  const ScriptResult<ValueRef> more = enter(entries_->iterate, arguments);
  current_ = nullptr;
  if (!more) return script_fail(more.error());
  return JSValueToBoolean(context, *more);
}

// Keeps the context until the next iteration begins: entering the engine costs more than the context holds. Also keeps
// the answers of a user that provides values: its providers may read them.
void Runtime::end_iteration(UserSlot user) {
  abandon(user);
  if (!seats_[user]->provides) drop_all_calls(*seats_[user]);
}

Turn Runtime::begin(UserSlot user, std::uint32_t hook) {
  Seat& seat = *seats_[user];
  CHECK(hook < seat.workflow->hooks.size() && seat.workflow->hooks[hook].scripted, "hook {} is not scripted", hook);
  const TurnId turn = ++last_turn_;
  seat.open.emplace_back(turn, hook);
  JSContextRef context = engine_->context();
  const bool fresh = std::exchange(seat.fresh, false);
  const std::array<JSValueRef, 5> arguments{
      JSValueMakeNumber(context, user), JSValueMakeNumber(context, static_cast<double>(turn)),
      JSValueMakeNumber(context, hook), JSValueMakeNumber(context, fresh ? static_cast<double>(seat.iteration) : -1),
      JSValueMakeNumber(context, static_cast<double>(seat.row))};
  std::vector<Outcome> outcomes = resume(user, entries_->begin, arguments);
  if (returned_ > 0)
    if (Call* const call = find_call(static_cast<CallId>(returned_)); call != nullptr && !call->settled)
      call->direct_turn = turn;
  Turn begun{.id = turn, .outcome = std::nullopt, .others = {}};
  for (Outcome& outcome : outcomes) {
    if (outcome.turn == turn)
      begun.outcome = std::move(outcome);
    else
      begun.others.push_back(std::move(outcome));
  }
  return begun;
}

void Runtime::store(UserSlot user, std::uint32_t hook, ScriptResponse response) {
  Seat& seat = *seats_[user];
  JSContextRef context = engine_->context();
  const bool fresh = std::exchange(seat.fresh, false);
  const CallId call = open_call(user);
  const std::array<JSValueRef, 7> arguments{
      JSValueMakeNumber(context, user),
      JSValueMakeNumber(context, hook),
      JSValueMakeNumber(context, static_cast<double>(call)),
      JSValueMakeNumber(context, response.status),
      JSValueMakeNumber(context, static_cast<double>(response.duration.count()) / 1e6),
      JSValueMakeNumber(context, fresh ? static_cast<double>(seat.iteration) : -1),
      JSValueMakeNumber(context, static_cast<double>(seat.row))};
  Call& made = *find_call(call);
  made.settled = true;
  made.response = std::move(response);
  seat.calls.push_back(call);
  current_ = &seat;
  current_slot_ = user;
  (void)engine_->call(entries_->store, arguments);
  current_ = nullptr;
}

std::vector<Outcome> Runtime::settle(CallId call, ScriptResponse response) {
  return settle_with(call, std::move(response), nullptr);
}

std::vector<Outcome> Runtime::settle_error(CallId call, const std::string& error) {
  return settle_with(call, {}, &error);
}

std::vector<Outcome> Runtime::settle_with(CallId call, ScriptResponse response, const std::string* error) {
  Call* const found = find_call(call);
  if (found == nullptr || found->settled) return {};
  const UserSlot user = found->user;
  if (found->direct_turn != 0) return settle_directly(call, *found);
  JSContextRef context = engine_->context();
  const std::array<JSValueRef, 5> arguments{
      JSValueMakeNumber(context, static_cast<double>(call)), JSValueMakeNumber(context, response.status),
      JSValueMakeNumber(context, static_cast<double>(response.duration.count()) / 1e6),
      error == nullptr ? JSValueMakeNull(context) : jsc::make_text(context, *error),
      JSValueMakeBoolean(context, seats_[user]->calls.size() > kCallsBeforeTracking)};
  found->settled = true;
  found->response = std::move(response);
  --seats_[user]->waiting_calls;
  return resume(user, entries_->settle, arguments);
}

// The step has returned the call itself and its answer is not read: no entry into the script is needed.
std::vector<Outcome> Runtime::settle_directly(CallId number, Call& call) {
  call.settled = true;
  current_ = seats_[call.user].get();
  current_slot_ = call.user;
  --current_->waiting_calls;
  outcomes_.clear();
  Outcome outcome;
  outcome.turn = call.direct_turn;
  outcome.kind = OutcomeKind::kResponse;
  outcome.call = number;
  finish_turn(std::move(outcome));
  current_ = nullptr;
  return std::exchange(outcomes_, {});
}

std::vector<Outcome> Runtime::fire(TimerId timer) {
  const auto found = timers_.find(timer);
  if (found == timers_.end()) return {};
  const UserSlot user = found->second;
  timers_.erase(found);
  std::erase(seats_[user]->timers, timer);
  JSValueRef argument = JSValueMakeNumber(engine_->context(), static_cast<double>(timer));
  return resume(user, entries_->fire, {&argument, 1});
}

std::vector<Outcome> Runtime::resume(UserSlot user, ObjectRef function, std::span<const ValueRef> arguments) {
  Seat& seat = *seats_[user];
  current_ = &seat;
  current_slot_ = user;
  outcomes_.clear();
  const ScriptResult<ValueRef> done = engine_->call(function, arguments);
  current_ = nullptr;
  returned_ = done ? jsc::number_of(engine_->context(), *done) : -1;
  if (!done && done.error().fault != ScriptFault::kThrown) {
    fail_open_turns(user, done.error());
    abandon(user);
  } else if (!done && host_.log != nullptr) {
    // Thrown by a timer's function: no hook waits for it.
    host_.log->write(LogLevel::kError, redacted(format_error(done.error())));
  }
  if (!seat.open.empty() && seat.waiting_calls == 0 && seat.timers.empty()) {
    ScriptError error;
    error.fault = ScriptFault::kNeverReady;
    error.message = "waits for a promise that nothing is going to settle: no request and no timer is under way";
    fail_open_turns(user, error);
  }
  return std::exchange(outcomes_, {});
}

void Runtime::fail_open_turns(UserSlot user, const ScriptError& error) {
  for (const auto& [turn, hook] : std::vector(seats_[user]->open)) {
    Outcome outcome;
    outcome.turn = turn;
    outcome.error = error;
    if (error.place.line == 0) outcome.error.place = seats_[user]->workflow->hooks[hook].place;
    outcome.error.source_line = engine_->sources().line_at(outcome.error.place);
    current_ = seats_[user].get();
    current_slot_ = user;
    finish_turn(std::move(outcome));
    current_ = nullptr;
  }
}

void Runtime::finish_turn(Outcome outcome) {
  if (current_ == nullptr) return;
  const auto open = std::ranges::find(current_->open, outcome.turn, &std::pair<TurnId, std::uint32_t>::first);
  if (open == current_->open.end()) return;
  outcome.user = current_slot_;
  outcome.hook = open->second;
  current_->open.erase(open);
  if (outcome.kind == OutcomeKind::kFailed) {
    const Hook& hook = current_->workflow->hooks[outcome.hook];
    outcome.error.message = fmt::format("{} \"{}\": {}", plan::name(hook.kind), hook.name, outcome.error.message);
    if (outcome.error.place.line == 0) {
      outcome.error.place = hook.place;
      outcome.error.source_line = engine_->sources().line_at(hook.place);
    }
    outcome.error = redacted(std::move(outcome.error));
  }
  outcomes_.push_back(std::move(outcome));
}

// Discards everything that a user waits for: open turns, calls and timers.
void Runtime::abandon(UserSlot user) {
  Seat& seat = *seats_[user];
  const bool anything = seat.waiting_calls > 0 || !seat.timers.empty();
  for (const CallId call : seat.calls) {
    const Call* const found = find_call(call);
    if (found == nullptr || found->settled) continue;
    close_call(call);
    if (host_.client != nullptr) host_.client->cancel(call);
  }
  for (const TimerId timer : seat.timers) {
    timers_.erase(timer);
    host_.timers->disarm(timer);
  }
  seat.timers.clear();
  seat.waiting_calls = 0;
  seat.open.clear();
  if (!anything) return;
  JSValueRef argument = JSValueMakeNumber(engine_->context(), user);
  (void)engine_->call(entries_->abandon, {&argument, 1});
}

CallId Runtime::open_call(UserSlot user) {
  if (free_calls_.empty()) {
    free_calls_.push_back(static_cast<std::uint32_t>(calls_.size()));
    calls_.emplace_back();
  }
  const std::uint32_t place = free_calls_.back();
  free_calls_.pop_back();
  Call& call = calls_[place];
  if (++call.uses == 0) call.uses = 1;  // 0 is not a valid call number
  call.user = user;
  call.open = true;
  call.settled = false;
  call.direct_turn = 0;
  return (CallId{call.uses} << kCallPlaceBits) | place;
}

Runtime::Call* Runtime::find_call(CallId number) {
  const std::uint64_t place = number & ((CallId{1} << kCallPlaceBits) - 1);
  if (place >= calls_.size()) return nullptr;
  Call& call = calls_[place];
  return call.open && call.uses == number >> kCallPlaceBits ? &call : nullptr;
}

void Runtime::close_call(CallId number) {
  Call* const call = find_call(number);
  if (call == nullptr) return;
  call->open = false;
  call->response = {};
  free_calls_.push_back(static_cast<std::uint32_t>(call - calls_.data()));
}

void Runtime::forget_calls(UserSlot user, std::span<const CallId> numbers) {
  std::vector<CallId> gone;
  for (const CallId number : numbers) {
    const Call* const call = find_call(number);
    if (call == nullptr || call->user != user || !call->settled) continue;
    close_call(number);
    gone.push_back(number);
  }
  std::erase_if(seats_[user]->calls, [&](CallId number) { return find_call(number) == nullptr; });
  if (host_.client != nullptr) host_.client->forget(user, gone);
}

void Runtime::drop_calls(Seat& seat) {
  for (const CallId call : seat.calls) close_call(call);
  seat.calls.clear();
}

void Runtime::drop_all_calls(Seat& seat) {
  drop_calls(seat);
  std::swap(seat.calls, seat.earlier_calls);
  drop_calls(seat);
}

std::string Runtime::redacted(std::string text) const {
  return redactor_(std::move(text));
}

ScriptError Runtime::redacted(ScriptError error) const {
  error.message = redacted(std::move(error.message));
  error.stack = redacted(std::move(error.stack));
  return error;
}

}  // namespace hyperscale::workflow
