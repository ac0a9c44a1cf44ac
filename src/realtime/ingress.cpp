#include "realtime/ingress.h"

#include "base/check.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hyperscale::realtime {

void answer(const QueuedCommand& queued, CommandOutcome outcome, Ingress::Place place, std::string reason) {
  if (!queued.receipt) return;
  queued.receipt(Receipt{.outcome = outcome,
                         .arrival_sequence = queued.arrival_sequence,
                         .tick = place.tick,
                         .basis_tick = queued.command.basis_tick,
                         .parameter_version = place.parameter_version,
                         .reason = std::move(reason)});
}

CommandOutcome Ingress::refusal(Gate gate) {
  switch (gate) {
    case Gate::kOpen:
      return CommandOutcome::kQueueFull;
    case Gate::kTickDisabled:
      return CommandOutcome::kTickDisabled;
    case Gate::kShuttingDown:
      return CommandOutcome::kShuttingDown;
    case Gate::kReset:
      break;
  }
  return CommandOutcome::kReset;
}

CommandOutcome Ingress::submit(Command command, ReceiptCallback receipt, Place place) {
  QueuedCommand queued{std::move(command), 0, std::move(receipt)};
  CommandOutcome outcome;
  {
    const std::lock_guard lock(mutex_);
    if (gate_ == Gate::kOpen && queued_.size() < capacity_) {
      queued.arrival_sequence = ++arrivals_;
      queued_.push_back(std::move(queued));
      return CommandOutcome::kApplied;
    }
    outcome = refusal(gate_);
  }
  answer(queued, outcome, place);
  return outcome;
}

void Ingress::begin_batch(std::vector<QueuedCommand>& sorted) {
  sorted.clear();
  const std::lock_guard lock(mutex_);
  CHECK(batch_.empty(), "the last batch was not ended");
  batch_.swap(queued_);
  std::sort(batch_.begin(), batch_.end(), command_before);
  for (const QueuedCommand& queued : batch_) {
    sorted.push_back(QueuedCommand{queued.command, queued.arrival_sequence, nullptr});
  }
}

std::vector<QueuedCommand> Ingress::end_batch() {
  const std::lock_guard lock(mutex_);
  return std::exchange(batch_, {});
}

std::size_t Ingress::refuse(Gate gate, Place place) {
  return shut(gate, place, false);
}

std::size_t Ingress::close(Gate gate, Place place) {
  return shut(gate, place, true);
}

std::size_t Ingress::shut(Gate gate, Place place, bool with_batch) {
  std::vector<QueuedCommand> dropped;
  {
    const std::lock_guard lock(mutex_);
    if (gate > gate_) gate_ = gate;
    dropped = std::exchange(queued_, {});
    if (with_batch) {
      std::move(batch_.begin(), batch_.end(), std::back_inserter(dropped));
      batch_.clear();
    }
  }
  for (const QueuedCommand& queued : dropped) answer(queued, refusal(gate), place);
  return dropped.size();
}

std::size_t Ingress::depth() const {
  const std::lock_guard lock(mutex_);
  return queued_.size();
}

}  // namespace hyperscale::realtime
