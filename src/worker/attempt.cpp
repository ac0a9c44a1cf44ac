#include "worker/attempt.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "plan/load_command.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::worker {
namespace {

using wire::Refusal;

bool kills_at_once(EndCause cause) {
  return cause >= EndCause::kKill;
}

}  // namespace

Attempt::Attempt(const wire::WorkflowDispatch& dispatch, const wire::NodeIdentity& from, MonoTime now)
    : id_(dispatch.attempt),
      from_(from),
      digest_(dispatch.digest),
      from_elapsed_(std::clamp(dispatch.from_elapsed, Duration::zero(), kElapsedMax)),
      dispatched_at_(now),
      changes_(dispatch.changes) {}

Duration Attempt::elapsed(MonoTime now) const {
  if (!started()) return Duration::zero();
  return from_elapsed_ + active_.active_within(started_at_, std::max(now, started_at_));
}

wire::AttemptState Attempt::state(MonoTime now) const {
  wire::AttemptState state;
  state.attempt = id_;
  state.phase = stage_ < Stage::kReady ? wire::AttemptPhase::kPreparing : wire::AttemptPhase::kReady;
  if (started()) state.phase = wire::AttemptPhase::kStarted;
  if (ending()) state.phase = wire::AttemptPhase::kEnding;
  state.digest = digest_;
  state.elapsed = elapsed(now);
  state.cores = static_cast<std::uint32_t>(cores_.size());
  state.last_change = last_change();
  return state;
}

void Attempt::accept(Content content, std::vector<CoreIndex> cores) {
  CHECK(content != nullptr && !cores.empty());
  advance(Stage::kFetching);
  content_ = std::move(content);
  cores_ = std::move(cores);
}

void Attempt::advance(Stage stage) {
  CHECK(static_cast<int>(stage) == static_cast<int>(stage_) + 1, "{}: stage {} after {}", to_string(id_),
        static_cast<int>(stage), static_cast<int>(stage_));
  CHECK(!ending(), "{} is ending", to_string(id_));
  stage_ = stage;
}

void Attempt::start(MonoTime at) {
  advance(Stage::kStarted);
  started_at_ = at;
  for (const wire::NumberedChange& change : changes_) follow(change, at);
}

void Attempt::follow(const wire::NumberedChange& change, MonoTime at) {
  const auto command = plan::read_load_command(change.command);
  if (!command) return;
  if (command->kind == plan::LoadChangeKind::kPause) active_.follow(true, at);
  if (command->kind == plan::LoadChangeKind::kResume) active_.follow(false, at);
}

Attempt::ChangeVerdict Attempt::change(const wire::NumberedChange& change, MonoTime now) {
  if (change.number <= last_change()) return {};
  if (ending()) return {Refusal::kUnknown, "it is ending", false};
  if (change.number != last_change() + 1)
    return {Refusal::kNotReady, fmt::format("change {} is missing", last_change() + 1), false};
  if (const auto command = plan::read_load_command(change.command); !command)
    return {Refusal::kBadPlan, command.error().context, false};
  if (changes_.size() >= wire::kChangesPerMessageMax)
    return {Refusal::kResources, fmt::format("it has had {} changes", changes_.size()), false};
  changes_.push_back(change);
  if (started()) follow(change, std::max(now, started_at_));
  return {Refusal::kNone, {}, true};
}

// A setup or teardown has no deadline of its own; steps have one after a graceful stop (ShareTimes).
Duration Attempt::patience_of(EndCause cause) const {
  if (cause >= EndCause::kTimeout) return kCancelPatience;
  return id_.share.part == wire::SharePart::kSteps ? Duration::max() : kActionPatience;
}

Attempt::Order Attempt::end(EndCause cause, MonoTime now) {
  CHECK(cause != EndCause::kNone);
  cause_ = std::max(cause_, cause);
  if (!started() || kills_at_once(cause)) return kill();
  if (const Duration patience = patience_of(cause); patience != Duration::max())
    kill_at_ = std::min(kill_at_, now + patience);
  if (kill_ordered_ || std::exchange(stop_ordered_, true)) return Order::kNone;
  return Order::kStop;
}

void Attempt::end_by_itself(EndCause cause, Duration patience, MonoTime now) {
  cause_ = std::max(cause_, cause);
  kill_at_ = std::min(kill_at_, now + patience);
}

Attempt::Order Attempt::order_due(MonoTime now) {
  return now >= kill_at_ ? kill() : Order::kNone;
}

Attempt::Order Attempt::kill() {
  kill_at_ = MonoTime::max();
  return std::exchange(kill_ordered_, true) ? Order::kNone : Order::kKill;
}

wire::AttemptEnd Attempt::end_as(std::string& error) const {
  const bool by_itself = !stop_ordered_ && !kill_ordered_;
  if (!by_itself && cause_ >= EndCause::kCancel) {
    error.clear();
    return wire::AttemptEnd::kCancelled;
  }
  if (!by_itself && cause_ == EndCause::kTimeout) error = timeout_text();
  if (!error.empty()) return wire::AttemptEnd::kFailed;
  return by_itself ? wire::AttemptEnd::kCompleted : wire::AttemptEnd::kStopped;
}

std::string Attempt::timeout_text() const {
  return fmt::format("it ran longer than its limit of {}", format_duration(content_->timeout));
}

MonoTime Attempt::ready_until() const {
  return stage_ < Stage::kReady && !ending() ? dispatched_at_ + kPrepareMax : MonoTime::max();
}

MonoTime Attempt::times_out_at(MonoTime now) const {
  if (!started() || ending() || active_.paused()) return MonoTime::max();
  if (content_->timeout <= Duration::zero() || content_->timeout > kElapsedMax) return MonoTime::max();
  const MonoTime from = std::max(now, started_at_);
  return from + (content_->timeout - active_.active_within(started_at_, from));
}

}  // namespace hyperscale::worker
