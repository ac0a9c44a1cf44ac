#include "reliability/call_retries.h"

#include "base/check.h"
#include "reliability/retry_delay.h"

#include <array>

#include <fmt/format.h>

namespace hyperscale::reliability {
namespace {

constexpr std::array<CallPlan, kCallKinds> kCallPlans{{
    {CallKind::kRegisterWorker, "registration", 3, 500ms, "managers"},
    {CallKind::kProgress, "progress", 2, 200ms, "managers"},
    {CallKind::kDispatch, "dispatch", 2, 300ms, {}},
    {CallKind::kRegisterManager, "registration", 3, 500ms, "gates"},
    {CallKind::kJobProgress, "job progress", 2, 200ms, "gates"},
    {CallKind::kSubmit, "submission", 2, 300ms, {}},
    {CallKind::kCancel, "cancel", kTriesMax - 1, kRetryBase, {}, false},
    {CallKind::kOther, "call", kTriesMax - 1, kRetryBase, {}},
}};

std::string_view circuit_of(const CallPlan& plan, std::string_view peer) {
  return plan.circuit.empty() ? peer : plan.circuit;
}

}  // namespace

const CallPlan& plan_of(CallKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  CHECK(index < kCallPlans.size() && kCallPlans[index].kind == kind, "kind of call {}", index);
  return kCallPlans[index];
}

CallRetries::CallRetries(PeerCircuits& circuits, Prng prng)
    : circuits_(circuits),
      prng_(prng),
      budgets_(kCallKinds, runtime::TokenBucket(kRetriesPerSecond, kRetryBurst)),
      retries_(kCallKinds),
      out_of_budget_(kCallKinds) {}

Result<Call> CallRetries::begin(CallKind kind, std::string_view peer, MonoTime deadline, MonoTime now) {
  const CallPlan& plan = plan_of(kind);
  if (!circuits_.allow(circuit_of(plan, peer), now)) {
    return fail(ErrorCode::kOpenCircuit,
                fmt::format("{} to {} was not tried: its circuit is open", plan.operation, peer));
  }
  return Call{.kind = kind, .peer = std::string(peer), .deadline = deadline};
}

void CallRetries::answered(const Call& call, MonoTime now) {
  circuits_.succeeded(circuit_of(plan_of(call.kind), call.peer), now);
}

std::optional<Duration> CallRetries::failed(Call& call, const Error& error, MonoTime now) {
  const CallPlan& plan = plan_of(call.kind);
  call.last_error = error;
  if (error.context.empty()) call.last_error.context = fmt::format("{} failed", plan.operation);
  const std::optional<Duration> delay = next_delay(call, now);
  if (delay) {
    ++call.tries;
    ++retries_[index(call.kind)];
  } else {
    circuits_.failed(circuit_of(plan, call.peer), now);
  }
  return delay;
}

std::optional<Duration> CallRetries::next_delay(const Call& call, MonoTime now) {
  const CallPlan& plan = plan_of(call.kind);
  if (call.tries > plan.retries || traits(call.last_error.code).retry == RetryAdvice::kNo) return std::nullopt;
  const RetryDelays delays{.base = plan.base, .jitter = Jitter::kEqual};
  const Duration delay = retry_delay(delays, call.tries - 1, {}, prng_);
  // Written without now + delay, which a deadline of "never" would let overflow.
  if (delay >= call.deadline - now) return std::nullopt;
  if (plan.has_budget && !budgets_[index(call.kind)].try_take(now)) {
    ++out_of_budget_[index(call.kind)];
    return std::nullopt;
  }
  return delay;
}

}  // namespace hyperscale::reliability
