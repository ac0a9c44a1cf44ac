#include "load/action_executor.h"

#include "base/duration_text.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::load {

ActionExecutor::ActionExecutor(plan::Plan plan, const plan::Segment& segment, EventLoop& loop,
                               std::unique_ptr<StepScript> script, ExchangeWatch* watch)
    : plan_(std::move(plan)),
      segment_(segment),
      loop_(loop),
      script_(std::move(script)),
      environment_(loop),
      watch_(watch),
      start_timer_(&ActionExecutor::on_start, this),
      patience_(&ActionExecutor::on_patience, this) {}

ActionExecutor::~ActionExecutor() = default;

Status ActionExecutor::prepare() {
  environment_.memory = &memory_;
  if (auto ready = prepare_environment(plan_, {}, environment_); !ready) return ready;
  auto shape = shape_of(plan_);
  if (!shape) return fail(shape.error());
  calls_.emplace(0, std::move(*shape), environment_.bodies);
  ExchangeListener& listener = *this;
  clients_.emplace(environment_, listener,
                   ClientSetup{.user = 0, .number = 0, .slots = 0, .per_connection = 1, .streams = kCallsAtOnceMax},
                   ProtocolMask());
  StepScriptEvents& events = *this;
  script_->tell(events);
  return script_->add_user(0, plan::user_number(0, segment_), segment_.vu_total);
}

void ActionExecutor::start(MonoTime start, std::uint64_t) {
  loop_.timers().set(start_timer_, start);
}

void ActionExecutor::stop() {
  if (!done_) end("stopped before it had ended");
}

void ActionExecutor::begin() {
  loop_.timers().set(patience_, EventLoop::now() + kActionPatience);
  if (script_->begin_iteration(0, 0, 0) != IterationStart::kBegun) return end("there is no data to begin with");
  begin_next();
}

void ActionExecutor::begin_next() {
  if (next_ == script_->count(kind())) return end({});
  script_->begin(0, {.kind = kind(), .index = next_++});
}

void ActionExecutor::end(std::string failure) {
  loop_.timers().cancel(start_timer_);
  loop_.timers().cancel(patience_);
  failure_ = std::move(failure);
  done_ = true;
}

void ActionExecutor::on_patience(void* self) {
  auto& actions = *static_cast<ActionExecutor*>(self);
  actions.script_->end_iteration(0);
  actions.end(fmt::format("it had not ended after {}", format_duration(kActionPatience)));
}

void ActionExecutor::script_calls(ScriptCall call) {
  const CallNumber number = call.number;
  if (const Status sent = calls_->start(*clients_, std::move(call), EventLoop::now(), false); !sent) {
    ScriptAnswer answer;
    answer.error = sent.error().context;
    script_->answer(number, std::move(answer));
  }
}

void ActionExecutor::exchange_done(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report) {
  if (watch_ != nullptr) watch_->watched_exchange(slot, {}, calls_->expectation(user, slot), report);
  ScriptAnswer answer;
  if (!report.is_redirect) answer = calls_->answer_of(user, slot, report);
  const auto done = calls_->done(user, slot, report);
  if (done && done->wanted && !done_) script_->answer(done->number, std::move(answer));
}

void ActionExecutor::script_hook_ended(const HookEnd& end_of_hook) {
  if (done_) return;
  if (end_of_hook.result == HookEnd::Result::kFailed) return end(end_of_hook.text);
  const std::string name = script_->name({kind(), end_of_hook.hook.index});
  if (const Status fits = plan::check_shared_value(name, end_of_hook.text); !fits) return end(fits.error().context);
  if (!end_of_hook.text.empty()) values_.push_back({.source = {}, .key = name, .json = end_of_hook.text});
  begin_next();
}

}  // namespace hyperscale::load
