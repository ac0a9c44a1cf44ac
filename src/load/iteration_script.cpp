#include "load/iteration_script.h"

#include <algorithm>
#include <utility>

namespace hyperscale::load {
namespace {

using results::Outcome;

std::uint32_t index_of(const std::vector<plan::Step>& steps, const std::string& name) {
  return static_cast<std::uint32_t>(std::ranges::find(steps, name, &plan::Step::name) - steps.begin());
}

}  // namespace

IterationScript::IterationScript(const plan::Plan& plan, const StepGraph& graph, StepScript& script,
                                 TallyRecorder& recorder, IterationScriptOwner& owner, ScriptCalls calls)
    : plan_(plan),
      script_(script),
      recorder_(recorder),
      owner_(owner),
      calls_(std::move(calls)),
      readers_(graph.layers()) {
  script_.tell(*this);
  const auto add = [&](HookKind kind, std::size_t index, const std::vector<std::string>& reads) {
    if (reads.empty()) return;  // a metric that functions add to
    Reader reader{.hook = {kind, static_cast<std::uint32_t>(index)}, .reads = {}};
    for (const std::string& name : reads) reader.reads.push_back(index_of(plan.steps, name));
    std::uint32_t last = 0;
    for (std::uint32_t layer = 0; layer < graph.layers(); ++layer)
      for (const std::uint32_t step : graph.layer(layer))
        if (std::ranges::find(reader.reads, step) != reader.reads.end()) last = layer;
    readers_[last].push_back(std::move(reader));
  };
  for (std::size_t i = 0; i < plan.checks.size(); ++i) add(HookKind::kCheck, i, plan.checks[i].reads);
  for (std::size_t i = 0; i < plan.metrics.size(); ++i) add(HookKind::kMetric, i, plan.metrics[i].reads);
}

IterationScript::User& IterationScript::user_at(std::uint32_t user) {
  if (users_.size() <= user) users_.resize(user + 1);
  return users_[user];
}

IterationStart IterationScript::begin_iteration(std::uint32_t user, std::uint64_t round, std::uint64_t row,
                                                bool counted) {
  const IterationStart begun = script_.begin_iteration(user, round, row);
  user_at(user) = {.counted = counted, .active = begun == IterationStart::kBegun, .called = false};
  return begun;
}

void IterationScript::end_iteration(std::uint32_t user) {
  User& each = user_at(user);
  if (!std::exchange(each.active, false)) return;
  calls_.forget(user, [this](const CallRecord& call) { owner_.call_ended(call); });
  // Provisions read the state of the last iteration, so it stays open.
  if (plan_.script.provides.empty()) script_.end_iteration(user);
}

void IterationScript::begin_step(std::uint32_t user, std::uint32_t step) {
  script_.begin(user, {.kind = HookKind::kStep, .index = step});
}

std::vector<HookId> IterationScript::readers_after(std::uint32_t layer, std::uint32_t user,
                                                   const std::vector<bool>& unanswered) {
  std::vector<HookId> ready;
  for (const Reader& reader : readers_[layer]) {
    if (std::ranges::none_of(reader.reads, [&](std::uint32_t step) { return unanswered[step]; })) {
      ready.push_back(reader.hook);
    } else if (reader.hook.kind == HookKind::kCheck && user_at(user).counted) {
      recorder_.check(reader.hook.index, false, "a step that it looks at was not answered");
    }
  }
  return ready;
}

void IterationScript::begin(std::uint32_t user, const std::vector<HookId>& hooks) {
  for (const HookId& hook : hooks) script_.begin(user, hook);
}

std::vector<HookId> IterationScript::provisions() const {
  const std::uint32_t count = script_.count(HookKind::kProvide);
  std::vector<HookId> all;
  all.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) all.push_back({.kind = HookKind::kProvide, .index = i});
  return all;
}

void IterationScript::script_calls(ScriptCall call) {
  const CallNumber number = call.number;
  user_at(call.user).called = true;
  ClientSet& clients = owner_.clients_of(call.user);
  const bool counted = user_at(call.user).counted;
  if (const Status sent = calls_.start(clients, std::move(call), EventLoop::now(), counted); !sent) {
    ScriptAnswer answer;
    answer.error = sent.error().context;
    script_.answer(number, std::move(answer));
  }
}

void IterationScript::exchange_done(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report) {
  ScriptAnswer answer;
  if (!report.is_redirect) answer = calls_.answer_of(user, slot, report);
  const auto done = calls_.done(user, slot, report);
  if (!done) return;
  if (done->wanted) return script_.answer(done->number, std::move(answer));
  owner_.call_ended(done->record);
}

void IterationScript::store(std::uint32_t user, std::uint32_t slot, std::uint32_t step, const ExchangeReport& report) {
  script_.store(user, step, calls_.answer_of(user, slot, report));
}

void IterationScript::script_hook_ended(const HookEnd& end) {
  switch (end.hook.kind) {
    case HookKind::kStep:
      return step_ended(end);
    case HookKind::kCheck:
      return check_ended(end);
    case HookKind::kMetric:
      return metric_ended(end);
    case HookKind::kProvide:
      return provision_ended(end);
    case HookKind::kSetup:
    case HookKind::kTeardown:
      return;  // run by ActionExecutor
  }
}

void IterationScript::step_ended(const HookEnd& end) {
  ScriptedStepEnd told;
  told.called = user_at(end.user).called;
  switch (end.result) {
    case HookEnd::Result::kResponse:
      told.call = calls_.returned(end.user, end.call);
      if (told.call == nullptr) {
        told.outcome = Outcome::kScript;
        told.message = "it returned an answer that no function of this iteration has asked for";
        break;
      }
      told.answered = told.call->answered;
      told.outcome = told.call->outcome;
      told.message = told.call->message;
      break;
    case HookEnd::Result::kCustom:
      told.answered = true;
      if (!end.flag) told.outcome = Outcome::kScript;
      if (!end.flag) told.message = "the step's result says that it is not ok";
      break;
    case HookEnd::Result::kFailed:
      told.outcome = Outcome::kScript;
      told.message = end.text;
      break;
    default:
      told.answered = true;
      told.measured = false;
  }
  owner_.scripted_step_ended(end.user, end.hook.index, told);
}

void IterationScript::check_ended(const HookEnd& end) {
  if (user_at(end.user).counted) {
    const bool failed = end.result == HookEnd::Result::kFailed;
    recorder_.check(end.hook.index, !failed && end.flag, failed ? std::string_view(end.text) : std::string_view());
  }
  owner_.reader_ended(end.user, false);
}

void IterationScript::metric_ended(const HookEnd& end) {
  if (end.result == HookEnd::Result::kFailed) {
    owner_.script_logged(LogLevel::kError, end.text);
  } else if (user_at(end.user).counted) {
    recorder_.metric(end.hook.index, end.number);
  }
  owner_.reader_ended(end.user, end.result == HookEnd::Result::kFailed);
}

void IterationScript::provision_ended(const HookEnd& end) {
  const std::string& key = plan_.script.provides[end.hook.index].key;
  if (end.result == HookEnd::Result::kFailed) {
    owner_.script_logged(LogLevel::kError, end.text);
  } else if (const Status fits = plan::check_shared_value(key, end.text); !fits) {
    owner_.script_logged(LogLevel::kError, fits.error().context);
  } else if (!end.text.empty()) {
    provided_.push_back({.source = plan_.script.workflow, .key = key, .json = end.text});
  }
  owner_.provision_ended();
}

}  // namespace hyperscale::load
