#include "workflow/script/engine.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "base/size_text.h"
#include "workflow/script/embedded.h"
#include "workflow/script/jsc.h"
#include "workflow/script/jsc_library.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::workflow {
namespace {

// After each slice of processor time the machine asks whether to continue.
constexpr Duration kSlice = 10ms;
constexpr unsigned kBacktraceFrames = 12;
constexpr std::uint32_t kResumesPerHeapCheck = 1 << 16;
constexpr std::uint32_t kJobChecksPerHeapCheck = 64;

Engine* engine_of_process = nullptr;

// Made by start(), for the next create().
JSContextGroupRef started_group = nullptr;
JSGlobalContextRef started_context = nullptr;

Duration thread_cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// Converts "#0 loop() at shop.js:2" per line to the form of Error.stack. There is no column.
std::string stack_from_backtrace(std::string_view backtrace) {
  std::string stack;
  while (!backtrace.empty()) {
    const std::string_view line = backtrace.substr(0, backtrace.find('\n'));
    backtrace.remove_prefix(std::min(backtrace.size(), line.size() + 1));
    const std::size_t name = line.find(' ');
    const std::size_t at = line.rfind(" at ");
    if (name == std::string_view::npos || at == std::string_view::npos || at < name) continue;
    std::string_view called = line.substr(name + 1, at - name - 1);
    if (called.ends_with("()")) called.remove_suffix(2);
    stack += fmt::format("{}@{}:0\n", called, line.substr(at + 4));
  }
  return stack;
}

}  // namespace

struct Engine::Machine {
  JSContextGroupRef group = nullptr;
};

// The outermost Resume resets the accounts; nested calls are charged to it.
class Engine::Resume {
 public:
  Resume(Engine& engine, Budget budget) : engine_(engine) {
    if (engine_.depth_++ > 0) return;
    engine_.budget_ = budget == Budget::kLoad ? engine_.limits_.cpu_to_load : engine_.limits_.cpu_per_resume;
    engine_.used_ = {};
    engine_.next_heap_check_ = kSlice;
    engine_.jobs_ = 0;
    engine_.stop_ = Stop::kNone;
    if (budget == Budget::kLoad) engine_.watch();
    if (++engine_.resumes_ % kResumesPerHeapCheck == 0 && engine_.heap_bytes() > engine_.limits_.heap_bytes)
      engine_.stop(Stop::kHeap);
  }
  ~Resume() {
    if (--engine_.depth_ == 0) engine_.unwatch();
  }
  Resume(const Resume&) = delete;
  Resume& operator=(const Resume&) = delete;

 private:
  Engine& engine_;
};

Engine::Engine(const EngineLimits& limits) : limits_(limits), machine_(std::make_unique<Machine>()) {}

Status Engine::start() {
  if (started_group != nullptr || engine_of_process != nullptr) return {};
  if (Status loaded = load_jsc(); !loaded) return loaded;
  started_group = JSContextGroupCreate();
  started_context = JSGlobalContextCreateInGroup(started_group, nullptr);
  return {};
}

Result<std::unique_ptr<Engine>> Engine::create(const EngineLimits& limits) {
  CHECK(engine_of_process == nullptr, "a process has one script engine");
  if (Status started = start(); !started) return fail(started.error());
  std::unique_ptr<Engine> engine(new Engine(limits));
  engine->machine_->group = std::exchange(started_group, nullptr);
  engine->context_ = std::exchange(started_context, nullptr);
  const jsc::Text reason("text cannot be run as code here: import a module instead");
  JSGlobalContextSetEvalEnabled(engine->context_, false, reason.get());
  // The machine records entries only once it has a watch: a later watch could not begin in the middle of a resume.
  engine->watch();
  engine->unwatch();
  engine_of_process = engine.get();
  return engine;
}

Engine::~Engine() {
  if (context_ != nullptr) {
    JSGlobalContextRelease(context_);
    JSContextGroupRelease(machine_->group);
  }
  if (engine_of_process == this) engine_of_process = nullptr;
}

Engine& Engine::current() {
  CHECK(engine_of_process != nullptr, "no script engine in this process");
  return *engine_of_process;
}

void Engine::watch() {
  if (std::exchange(watched_, true)) return;
  JSContextGroupSetExecutionTimeLimit(machine_->group, seconds(kSlice), on_slice, this);
}

void Engine::unwatch() {
  if (std::exchange(watched_, false)) JSContextGroupClearExecutionTimeLimit(machine_->group);
}

ScriptResult<ValueRef> Engine::evaluate(const std::string& file, std::string_view code, Budget budget) {
  const Resume resume(*this, budget);
  watch();
  const jsc::Text text(code);
  const jsc::Text name(file);
  JSValueRef exception = nullptr;
  JSValueRef value = JSEvaluateScript(context_, text.get(), nullptr, name.get(), 1, &exception);
  return finish(value, exception);
}

ScriptResult<ValueRef> Engine::call(ObjectRef function, std::span<const ValueRef> arguments, Budget budget) {
  return call_in(context_, function, arguments, budget);
}

ScriptResult<ValueRef> Engine::call_in(OpaqueJSContext* world, ObjectRef function, std::span<const ValueRef> arguments,
                                       Budget budget) {
  const Resume resume(*this, budget);
  if (stopped()) return script_fail(stop_error());
  JSValueRef exception = nullptr;
  JSValueRef value = JSObjectCallAsFunction(world, function, nullptr, arguments.size(), arguments.data(), &exception);
  return finish(value, exception);
}

ScriptResult<ValueRef> Engine::finish(ValueRef value, ValueRef exception) {
  ScriptError error;
  // Reading the exception runs the user's getters, which may not terminate either.
  if (!stopped() && exception != nullptr) error = error_from(exception);
  if (stopped()) {
    settle_termination();
    return script_fail(stop_error());
  }
  if (exception == nullptr) return value;
  return script_fail(std::move(error));
}

// If a resume was terminated in a promise job, the next entry still reports the termination.
void Engine::settle_termination() {
  const jsc::Text nothing("0");
  for (int attempt = 0; attempt < 3; ++attempt) {
    JSValueRef exception = nullptr;
    JSEvaluateScript(context_, nothing.get(), nullptr, nullptr, 1, &exception);
    if (exception == nullptr) return;
  }
}

bool Engine::on_slice(const OpaqueJSContext*, void* self) {
  return static_cast<Engine*>(self)->slice_passed();
}

bool Engine::slice_passed() {
  used_ += kSlice;
  if (stopped()) return true;
  if (used_ >= budget_) {
    stop(Stop::kCpu);
    return true;
  }
  if (used_ >= next_heap_check_) {
    next_heap_check_ = 2 * used_;
    if (heap_bytes() > limits_.heap_bytes) {
      stop(Stop::kHeap);
      return true;
    }
  }
  // This call has used up the time limit: without a new one the machine would not ask again.
  JSContextGroupSetExecutionTimeLimit(machine_->group, seconds(kSlice), on_slice, this);
  return false;
}

bool Engine::over_limit() {
  if (stopped()) return true;
  const Duration now = thread_cpu_time();
  if (jobs_++ == 0) cpu_at_first_job_ = now;
  if (now - cpu_at_first_job_ >= budget_) stop(Stop::kCpu);
  if (!stopped() && jobs_ % kJobChecksPerHeapCheck == 0 && heap_bytes() > limits_.heap_bytes) stop(Stop::kHeap);
  return stopped();
}

void Engine::stop(Stop reason) {
  stop_ = reason;
  stop_stack_ = stack_from_backtrace(jsc::Text(JSContextCreateBacktrace(context_, kBacktraceFrames)).utf8());
}

ScriptError Engine::stop_error() const {
  ScriptError error;
  if (stop_ == Stop::kHeap) {
    error.fault = ScriptFault::kHeapLimit;
    error.message = fmt::format("the script uses more memory than it may ({})", format_size(limits_.heap_bytes));
  } else {
    error.fault = ScriptFault::kCpuLimit;
    error.message =
        fmt::format("the script ran for more than {} without waiting for anything; is there an endless loop?",
                    format_duration(budget_));
  }
  SourceBook::Stack stack = sources_.read_stack(stop_stack_);
  error.stack = std::move(stack.text);
  if (stack.top) error.place = *stack.top;
  error.source_line = sources_.line_at(error.place);
  return error;
}

ScriptError Engine::error_from(ValueRef exception) {
  ScriptError error;
  if (!JSValueIsObject(context_, exception)) {
    error.message = "threw " + jsc::text_of(context_, exception);
    return error;
  }
  const std::string name = jsc::text_property(context_, exception, "name");
  error.message = jsc::text_property(context_, exception, "message");
  if (error.message.empty()) error.message = name.empty() ? "threw an object without a message" : name;
  if (!name.empty() && name != "Error" && name != error.message) error.message = name + ": " + error.message;

  SourceBook::Stack stack = sources_.read_stack(jsc::text_property(context_, exception, "stack"));
  error.stack = std::move(stack.text);
  const std::string file = jsc::text_property(context_, exception, "sourceURL");
  if (stack.top) {
    error.place = *stack.top;
  } else if (sources_.has(file)) {
    const auto line = static_cast<std::uint32_t>(jsc::number_of(context_, jsc::property(context_, exception, "line")));
    error.place = {.file = file, .line = line, .column = 0};
  }
  error.source_line = sources_.line_at(error.place);
  return error;
}

Status Engine::lock_down(ValueRef roots) {
  const ScriptResult<ValueRef> freeze = evaluate("hyperscale:lock_down", embedded::lock_down_js());
  if (!freeze) return fail(ErrorCode::kInternal, "freezing the script realm: " + format_error(freeze.error()));
  const ScriptResult<ValueRef> done =
      call(const_cast<JSObjectRef>(*freeze), roots == nullptr ? std::span<const ValueRef>() : std::span(&roots, 1),
           Budget::kLoad);
  if (!done) return fail(ErrorCode::kInternal, "freezing the script realm: " + format_error(done.error()));
  return {};
}

std::uint64_t Engine::heap_bytes() {
  JSObjectRef statistics = JSGetMemoryUsageStatistics(context_);
  const double heap = jsc::number_of(context_, jsc::property(context_, statistics, "heapSize"));
  const double extra = jsc::number_of(context_, jsc::property(context_, statistics, "extraMemorySize"));
  return static_cast<std::uint64_t>(std::max(heap, 0.0) + std::max(extra, 0.0));
}

void Engine::collect_garbage() {
  JSSynchronousGarbageCollectForDebugging(context_);
}

}  // namespace hyperscale::workflow
