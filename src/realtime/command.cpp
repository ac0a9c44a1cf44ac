#include "realtime/command.h"

#include <tuple>

namespace hyperscale::realtime {

std::string_view name(CommandOutcome outcome) {
  switch (outcome) {
    case CommandOutcome::kApplied:
      return "APPLIED";
    case CommandOutcome::kStale:
      return "STALE";
    case CommandOutcome::kExpired:
      return "EXPIRED";
    case CommandOutcome::kUnsupported:
      return "UNSUPPORTED_COMMAND";
    case CommandOutcome::kTickRollback:
      return "TICK_ROLLBACK";
    case CommandOutcome::kQueueFull:
      return "QUEUE_FULL";
    case CommandOutcome::kTickDisabled:
      return "TICK_DISABLED";
    case CommandOutcome::kShuttingDown:
      return "SHUTTING_DOWN";
    case CommandOutcome::kReset:
      break;
  }
  return "NOT_APPLIED";
}

bool command_before(const QueuedCommand& a, const QueuedCommand& b) {
  const auto key = [](const QueuedCommand& queued) {
    const CommandSource source = queued.command.source.value_or(CommandSource{});
    return std::tuple(queued.command.priority, !queued.command.source.has_value(), source.id, source.sequence,
                      queued.arrival_sequence);
  };
  return key(a) < key(b);
}

CommandOutcome judge_command(const Command& command, std::uint64_t newest_tick, std::uint64_t max_skew) {
  if (command.expires_after_tick && *command.expires_after_tick < newest_tick + 1) return CommandOutcome::kExpired;
  if (command.basis_tick && newest_tick > *command.basis_tick && newest_tick - *command.basis_tick > max_skew) {
    return CommandOutcome::kStale;
  }
  return CommandOutcome::kApplied;
}

}  // namespace hyperscale::realtime
