#include "jobs/states/workflow_machine.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace hyperscale::jobs {

using enum WorkflowState;

bool WorkflowMachine::add(const Share& share, MonoTime now, WorkflowState state) {
  if (shares_.size() >= kSharesPerJobMax) return false;
  return shares_.emplace(share, Entry{.state = state, .entered_at = now, .progressed_at = now}).second;
}

void WorkflowMachine::on_progress(ProgressHook hook) {
  CHECK(progress_hooks_.size() < kWorkflowHooksMax, "{} hooks", progress_hooks_.size());
  progress_hooks_.push_back(std::move(hook));
}

void WorkflowMachine::on_record(RecordHook hook) {
  CHECK(record_hooks_.size() < kWorkflowHooksMax, "{} hooks", record_hooks_.size());
  record_hooks_.push_back(std::move(hook));
}

bool WorkflowMachine::move(const Share& share, WorkflowState to, std::string_view reason, MonoTime now) {
  Entry* const entry = find(share);
  if (entry == nullptr || !allowed(*entry, to)) return refuse(share, to, reason, now);
  enter(share, *entry, to, reason, now);
  return true;
}

bool WorkflowMachine::give_up(const Share& share) {
  Entry* const entry = find(share);
  if (entry == nullptr || entry->state != kFailed) return false;
  entry->given_up = true;
  return true;
}

bool WorkflowMachine::cancel_for_parent(const Share& share, MonoTime now) {
  if (!move(share, kCancelling, kParentFailed, now)) return false;
  find(share)->cancelled_for_parent = true;
  return true;
}

bool WorkflowMachine::reset(const Share& share, std::string_view reason, MonoTime now) {
  if (!may_reset(share)) return refuse(share, kPending, reason, now);
  Entry& entry = *find(share);
  entry.cancelled_for_parent = false;
  enter(share, entry, kPending, reason, now);
  return true;
}

bool WorkflowMachine::may_reset(const Share& share) const {
  const Entry* const entry = find(share);
  return entry != nullptr && entry->state == kCancelled && entry->cancelled_for_parent && !retries_ended_;
}

void WorkflowMachine::touch(const Share& share, MonoTime now) {
  if (Entry* const entry = find(share)) entry->progressed_at = now;
}

WorkflowState WorkflowMachine::state_of(const Share& share) const {
  const Entry* const entry = find(share);
  return entry == nullptr ? kPending : entry->state;
}

bool WorkflowMachine::is_in(const Share& share, std::initializer_list<WorkflowState> states) const {
  return std::ranges::find(states, state_of(share)) != states.end();
}

bool WorkflowMachine::is_over(const Share& share) const {
  const Entry* const entry = find(share);
  return entry != nullptr && over(*entry);
}

const WorkflowMachine::History* WorkflowMachine::history_of(const Share& share) const {
  const Entry* const entry = find(share);
  return entry == nullptr ? nullptr : &entry->history;
}

std::vector<WorkflowMachine::Share> WorkflowMachine::shares_of(std::uint32_t workflow) const {
  std::vector<Share> found;
  for (const auto& [share, entry] : shares_) {
    if (share.workflow == workflow) found.push_back(share);
  }
  return found;
}

std::vector<WorkflowMachine::Share> WorkflowMachine::shares() const {
  std::vector<Share> all;
  all.reserve(shares_.size());
  for (const auto& [share, entry] : shares_) all.push_back(share);
  return all;
}

Duration WorkflowMachine::since_progress(const Share& share, MonoTime now) const {
  const Entry* const entry = find(share);
  return entry == nullptr ? Duration::zero() : now - entry->progressed_at;
}

std::vector<WorkflowMachine::Share> WorkflowMachine::stuck(Duration threshold, MonoTime now) const {
  std::vector<Share> found;
  for (const auto& [share, entry] : shares_) {
    if (!over(entry) && now - entry.progressed_at > threshold) found.push_back(share);
  }
  return found;
}

std::size_t WorkflowMachine::count(WorkflowState state) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(shares_, [&](const auto& each) { return each.second.state == state; }));
}

std::uint64_t WorkflowMachine::transitions(WorkflowState from, WorkflowState to) const {
  return transitions_[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

WorkflowMachine::Entry* WorkflowMachine::find(const Share& share) {
  const auto found = shares_.find(share);
  return found == shares_.end() ? nullptr : &found->second;
}

const WorkflowMachine::Entry* WorkflowMachine::find(const Share& share) const {
  const auto found = shares_.find(share);
  return found == shares_.end() ? nullptr : &found->second;
}

bool WorkflowMachine::over(const Entry& entry) {
  return is_final(entry.state) || entry.given_up;
}

bool WorkflowMachine::allowed(const Entry& entry, WorkflowState to) const {
  if (entry.given_up || (to == kPending && retries_ended_)) return false;
  return may_become(entry.state, to);
}

bool WorkflowMachine::refuse(const Share& share, WorkflowState to, std::string_view reason, MonoTime now) {
  ++refused_;
  const Entry* const entry = find(share);
  const Duration in_from = entry == nullptr ? Duration::zero() : now - entry->entered_at;
  tell({share, state_of(share), to, reason, in_from, true});
  return false;
}

void WorkflowMachine::enter(const Share& share, Entry& entry, WorkflowState to, std::string_view reason, MonoTime now) {
  const Record record{share, entry.state, to, reason, now - entry.entered_at, false};
  ++transitions_[static_cast<std::size_t>(entry.state)][static_cast<std::size_t>(to)];
  entry.history.add(entry.state, to, reason, now);
  entry.state = to;
  entry.entered_at = now;
  entry.progressed_at = now;
  tell(record);
}

void WorkflowMachine::tell(const Record& record) {
  const auto call = [this](const auto& hook, const auto&... arguments) {
    try {
      hook(arguments...);
    } catch (...) {
      ++hook_failures_;
    }
  };
  for (const RecordHook& hook : record_hooks_) call(hook, record);
  if (record.refused) return;
  for (const ProgressHook& hook : progress_hooks_) call(hook, record.share, record.to);
}

}  // namespace hyperscale::jobs
