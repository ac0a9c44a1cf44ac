#include "jobs/dispatch/ack_window.h"

#include "base/check.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {

std::string_view name(AckState state) {
  switch (state) {
    case AckState::kAwaiting:
      return "AWAITING_ACK";
    case AckState::kExpired:
      return "WINDOW_EXPIRED";
    case AckState::kExtended:
      return "EXTEND_WINDOW";
    case AckState::kConfirmed:
      return "CONFIRMED";
    case AckState::kReschedule:
      return "RESCHEDULE";
  }
  UNREACHABLE("ack state {}", static_cast<int>(state));
}

AckWindows::AckWindows(AckLimits limits) : limits_(limits) {
  CHECK(limits.window > 0ns && limits.extension > 0ns && limits.health_answer > 0ns && limits.extensions_max >= 0,
        "window {} ns, {} extensions of {} ns", limits.window.count(), limits.extensions_max, limits.extension.count());
}

Actions<AckWindows::Action> AckWindows::step(const Event& event, MonoTime now) {
  Actions<Action> out;
  std::visit([&](const auto& kind) { handle(kind, now, out); }, event);
  return out;
}

std::optional<MonoTime> AckWindows::wake_at() const {
  std::optional<MonoTime> first;
  for (const auto& [attempt, window] : windows_) {
    if (window.state != AckState::kReschedule && (!first || window.due < *first)) first = window.due;
  }
  return first;
}

AckState AckWindows::state_of(const Attempt& attempt) const {
  const auto found = windows_.find(attempt);
  return found == windows_.end() ? AckState::kConfirmed : found->second.state;
}

std::vector<wire::AttemptId> AckWindows::to_reschedule() const {
  std::vector<Attempt> attempts;
  for (const auto& [attempt, window] : windows_) {
    if (window.state == AckState::kReschedule) attempts.push_back(attempt);
  }
  return attempts;
}

void AckWindows::handle(const Dispatched& dispatched, MonoTime now, Actions<Action>&) {
  CHECK(!is_full(), "{} windows", windows_.size());
  windows_.emplace(dispatched.attempt, Window{.worker = dispatched.worker, .due = now + limits_.window});
}

void AckWindows::handle(const Heard& heard, MonoTime, Actions<Action>& out) {
  const auto found = windows_.find(heard.attempt);
  if (found == windows_.end() || found->second.state == AckState::kReschedule) return;
  windows_.erase(found);
  out.emplace_back(Confirmed{heard.attempt, heard.sign});
}

void AckWindows::handle(const Health& health, MonoTime now, Actions<Action>& out) {
  const auto found = windows_.find(health.attempt);
  // Confirmed meanwhile, or the answer is late.
  if (found == windows_.end() || found->second.state != AckState::kExpired) return;
  Window& window = found->second;
  if (!health.healthy) return reschedule(health.attempt, window, "the worker is unhealthy", out);
  ++window.extensions;
  window.state = AckState::kExtended;
  window.due = now + limits_.extension;
}

void AckWindows::handle(const Tick&, MonoTime now, Actions<Action>& out) {
  for (auto& [attempt, window] : windows_) {
    if (window.state == AckState::kReschedule || now < window.due) continue;
    if (window.state == AckState::kExpired) {
      reschedule(attempt, window, "its health was not answered", out);
    } else {
      expire(attempt, window, now, out);
    }
  }
}

void AckWindows::expire(const Attempt& attempt, Window& window, MonoTime now, Actions<Action>& out) {
  if (!limits_.health_check) return reschedule(attempt, window, "no acknowledgement", out);
  if (window.extensions == limits_.extensions_max) {
    return reschedule(attempt, window, fmt::format("no acknowledgement after {} extensions", window.extensions), out);
  }
  window.state = AckState::kExpired;
  window.due = now + limits_.health_answer;
  out.emplace_back(CheckHealth{attempt, window.worker});
}

void AckWindows::reschedule(const Attempt& attempt, Window& window, std::string why, Actions<Action>& out) {
  window.state = AckState::kReschedule;
  out.emplace_back(Reschedule{attempt, window.worker, std::move(why)});
}

}  // namespace hyperscale::jobs
