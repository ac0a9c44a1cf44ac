// Commands to a world and the one receipt that each gets.
//
// The engine judges a command when it drains its queue at the start of a tick: first its expiry, then how far its basis
// tick lags. Commands of one tick are applied in the order of command_before(). The world's on_command handler defines
// what a command does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::realtime {

inline constexpr std::uint8_t kSystemPriority = 0;
inline constexpr std::uint8_t kUserPriority = 1;

struct CommandSource {
  std::uint64_t id = 0;
  std::uint64_t sequence = 0;
};

struct Command {
  std::string name = {};  // such as "vus", "rate", "pause"
  double value = 0;
  std::string text = {};
  std::uint8_t priority = kUserPriority;  // lower is applied first
  std::optional<CommandSource> source = std::nullopt;
  std::optional<std::uint64_t> basis_tick = std::nullopt;          // the tick that the sender had seen when it decided
  std::optional<std::uint64_t> expires_after_tick = std::nullopt;  // the last tick in which it may be applied
};

enum class CommandOutcome : std::uint8_t {
  kApplied,
  kStale,         // the basis tick lags by more than the allowed skew
  kExpired,       // its last tick has passed
  kUnsupported,   // the handler refused it
  kTickRollback,  // its tick failed; it is not queued again
  kQueueFull,
  kTickDisabled,
  kShuttingDown,
  kReset,  // the world was reset while it was queued
};

std::string_view name(CommandOutcome outcome);  // such as "TICK_ROLLBACK"

struct Receipt {
  CommandOutcome outcome = CommandOutcome::kApplied;
  std::uint64_t arrival_sequence = 0;  // 0: was never queued
  std::uint64_t tick = 0;              // in which it was applied, or the newest when it was refused
  std::optional<std::uint64_t> basis_tick = std::nullopt;
  std::uint64_t parameter_version = 0;
  std::string reason = {};  // from the handler

  bool accepted() const { return outcome == CommandOutcome::kApplied; }
};

// Called exactly once, on the engine thread or on the thread that submitted or shut down; must not block.
using ReceiptCallback = std::function<void(const Receipt&)>;

struct QueuedCommand {
  Command command;
  std::uint64_t arrival_sequence = 0;
  ReceiptCallback receipt;
};

// Order: priority, then commands with a source by (source, sequence) before those without, then order of arrival.
bool command_before(const QueuedCommand& a, const QueuedCommand& b);

// The outcome of a command for tick `newest + 1`; kApplied means: apply it.
CommandOutcome judge_command(const Command& command, std::uint64_t newest_tick, std::uint64_t max_skew);

}  // namespace hyperscale::realtime
