// Commands into a world and the one receipt that each gets.
//
// A command is judged when the engine drains its queue at the start of a tick: first its expiry, then how far its basis
// tick lies behind. Commands of one tick are applied in the order of command_before(). What a command means is the
// business of the world's on_command handler.
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
  std::optional<std::uint64_t> basis_tick = std::nullopt;          // what the sender had seen when it decided
  std::optional<std::uint64_t> expires_after_tick = std::nullopt;  // the last tick it may be applied in
};

enum class CommandOutcome : std::uint8_t {
  kApplied,
  kStale,         // the basis tick lies more than the allowed skew behind
  kExpired,       // its last tick is over
  kUnsupported,   // the handler refused it
  kTickRollback,  // the tick it was applied in failed; it is not queued again
  kQueueFull,
  kTickDisabled,
  kShuttingDown,
  kReset,  // the world was reset while it was queued
};

std::string_view name(CommandOutcome outcome);  // such as "TICK_ROLLBACK"

struct Receipt {
  CommandOutcome outcome = CommandOutcome::kApplied;
  std::uint64_t arrival_sequence = 0;  // 0: it never got into the queue
  std::uint64_t tick = 0;              // applied in, or the newest when it was refused
  std::optional<std::uint64_t> basis_tick = std::nullopt;
  std::uint64_t parameter_version = 0;
  std::string reason = {};  // of the handler

  bool accepted() const { return outcome == CommandOutcome::kApplied; }
};

// Called exactly once, on the engine thread or on the thread that submitted or shut down; must not block.
using ReceiptCallback = std::function<void(const Receipt&)>;

struct QueuedCommand {
  Command command;
  std::uint64_t arrival_sequence = 0;
  ReceiptCallback receipt;
};

// Priority class; in it, commands with a source by (source, sequence) before those without; then order of arrival.
bool command_before(const QueuedCommand& a, const QueuedCommand& b);

// What becomes of a command when tick `newest + 1` is about to be made; kApplied means: apply it.
CommandOutcome judge_command(const Command& command, std::uint64_t newest_tick, std::uint64_t max_skew);

}  // namespace hyperscale::realtime
