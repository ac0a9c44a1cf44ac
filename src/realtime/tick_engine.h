// TickEngine: makes one tick at a time: judges and applies commands, runs the propagators, publishes or rolls back.
//
// A failed propagator drops the tick: nothing is published, the epoch does not move, the tick's commands are answered
// TICK_ROLLBACK and not queued again. After three failures in a row the engine is disabled: it publishes nothing more,
// refuses commands and keeps the last good snapshot. Tick numbers are epochs: the n-th published tick is tick n. Thread
// rule: the engine thread (in lockstep: the caller's).
#pragma once

#include "realtime/adaptive_backoff.h"
#include "realtime/ingress.h"
#include "realtime/publish_gate.h"
#include "realtime/snapshot/field_generation.h"
#include "realtime/snapshot/staged_fields.h"
#include "realtime/world_config.h"
#include "realtime/world_metrics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::realtime {

struct TickOutcome {
  enum class Kind : std::uint8_t { kPublished, kRolledBack, kDisabled };
  Kind kind = Kind::kPublished;
  std::uint64_t tick = 0;   // the newest published one
  std::string reason = {};  // of a rollback
};

class TickEngine {
 public:
  TickEngine(const WorldConfig& config, std::uint64_t world_generation, FieldStore& store, Ingress& ingress,
             PublishGate& gate, WorldMetrics& metrics);

  TickOutcome tick();
  // Frees generations that readers have unpinned; called at every tick and while idle.
  void reclaim();

  bool disabled() const { return disabled_; }
  std::uint64_t max_skew() const;

 private:
  class Context;
  struct Judged {
    CommandOutcome outcome = CommandOutcome::kApplied;
    std::string reason = {};
  };

  void apply_commands(Context& context);
  Status run_propagators(Context& context);
  bool publish(bool parameters_changed);
  TickOutcome roll_back(std::string reason);
  void answer_batch(bool published);
  void update_gauges();
  const std::vector<Epoch>& live_epochs();

  const WorldConfig& config_;
  const std::uint64_t world_generation_;
  FieldStore& store_;
  Ingress& ingress_;
  PublishGate& gate_;
  WorldMetrics& metrics_;
  StagedFields staged_;
  AdaptiveBackoff backoff_;
  std::vector<QueuedCommand> batch_;
  std::vector<Judged> judged_;
  std::vector<Epoch> live_;
  std::uint64_t parameter_version_ = 0;
  std::uint32_t rollbacks_ = 0;
  bool disabled_ = false;
};

}  // namespace hyperscale::realtime
