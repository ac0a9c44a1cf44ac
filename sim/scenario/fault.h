// Faults as data: what is done to which machines, when and for how long. One table says what each kind takes; the file
// reader, the swarm and the player all use it.
//
// Plain values.
#pragma once

#include "base/time.h"
#include "sim/scenario/target.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

enum class FaultKind : std::uint8_t {
  kCrash,          // kill -9; started again when it is over
  kStart,          // what does not run
  kPause,          // SIGSTOP, and SIGCONT when it is over
  kSlow,           // every call takes up to `by`
  kLeave,          // graceful; started again when it is over
  kUpgrade,        // killed and started a second later with minor version `amount`
  kPartition,      // targets and `against` do not reach each other
  kOneWay,         // packets from targets to `against` are lost
  kLoss,           // share `amount` of packets from targets to `against`
  kDuplicate,      //
  kReorder,        //
  kCorrupt,        //
  kDelay,          // `by` longer
  kBandwidth,      // `amount` bytes a second leave each target
  kClockJump,      // wall clock, by `by`
  kClockRate,      // monotonic clock, `amount` parts per million
  kDiskFull,       //
  kSyncError,      // share `amount` of syncs fail
  kCrashAtSync,    // share `amount` of syncs kill the process
  kSlowDisk,       // a sync takes `by`
  kBitRot,         // one bit of one durable record
  kRotateKeys,     // to phase `amount` of a rotation: 1 accept the new key, 2 use it, 3 forget the old one
  kReplay,         // `amount` packets a second that were sent before, to anybody
  kFlood,          // `amount` packets a second of noise from strangers
  kForgeRefusals,  // `amount` a second that say "nobody listens there", as answers to packets that were just sent
  kForgeSenders,   // `amount` packets a second of noise to targets, in the names of `against`
  kHeal,           // ends all faults, starts and wakes everybody
};

enum class FaultNeeds : std::uint8_t { kNothing, kShare, kNumber, kDuration };

struct FaultTraits {
  FaultKind kind;
  std::string_view name;  // as a scenario file has it
  FaultNeeds needs;       // kShare and kNumber: `amount`; kDuration: `by`
  bool takes_targets;     // must name targets
  bool takes_against;
  bool can_end;  // `lasts` makes sense
};

std::span<const FaultTraits> fault_kinds();
const FaultTraits& traits(FaultKind kind);

struct Fault {
  Duration at{0};
  FaultKind kind = FaultKind::kHeal;
  Targets targets = {};
  Targets against = {};  // everybody else when none are named
  double amount = 0;
  Duration by{0};
  Duration lasts{0};  // zero: until healed
};

std::string to_string(const Fault& fault);

}  // namespace hyperscale::sim
