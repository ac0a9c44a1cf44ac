// Ingress: the bounded queue of commands between any thread and the engine.
//
// submit() never waits: a full, disabled or closed queue refuses at once, and the refusal is the command's one receipt.
// The engine takes a batch per tick; the batch stays here until its tick ends, so that a shutdown can answer for a tick
// that never returns. The thread that removes a command answers it, so each is answered exactly once. Thread rule:
// submit(), refuse(), close() and depth() from any thread, the rest from the engine; receipts are called without the
// lock.
#pragma once

#include "realtime/command.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace hyperscale::realtime {

class Ingress {
 public:
  enum class Gate : std::uint8_t { kOpen, kTickDisabled, kShuttingDown, kReset };

  explicit Ingress(std::size_t capacity) : capacity_(capacity) {}

  // State of the world reported in a refusal; both values may be slightly old.
  struct Place {
    std::uint64_t tick = 0;
    std::uint64_t parameter_version = 0;
  };

  CommandOutcome submit(Command command, ReceiptCallback receipt, Place place);

  // Moves queued commands into the batch and returns a copy of them, in the order to apply.
  void begin_batch(std::vector<QueuedCommand>& sorted);
  // The receipts of the batch; empty if a shutdown has answered them already.
  std::vector<QueuedCommand> end_batch();

  // Refuses from now on and answers all queued commands, but not the batch of the tick in progress. The gate only gets
  // stricter. Returns the number of dropped commands.
  std::size_t refuse(Gate gate, Place place);
  // As refuse(), but answers the batch too: its tick will not be published.
  std::size_t close(Gate gate, Place place);

  std::size_t depth() const;
  std::size_t capacity() const { return capacity_; }

 private:
  static CommandOutcome refusal(Gate gate);
  std::size_t shut(Gate gate, Place place, bool with_batch);

  const std::size_t capacity_;
  mutable std::mutex mutex_;
  Gate gate_ = Gate::kOpen;
  std::uint64_t arrivals_ = 0;
  std::vector<QueuedCommand> queued_;
  std::vector<QueuedCommand> batch_;
};

void answer(const QueuedCommand& queued, CommandOutcome outcome, Ingress::Place place, std::string reason = {});

}  // namespace hyperscale::realtime
