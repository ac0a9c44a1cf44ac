// Faults as data: their kinds, targets, times and durations. One table has the arguments of each kind; the file reader,
// the swarm and the player all use it.
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
  kCrash,          // kill -9; restarted at the end
  kStart,          // starts processes that do not run
  kPause,          // SIGSTOP, and SIGCONT at the end
  kSlow,           // every call costs up to `by`
  kLeave,          // graceful; restarted at the end
  kUpgrade,        // killed and started a second later with minor version `amount`
  kPartition,      // targets and `against` do not reach each other
  kOneWay,         // packets from targets to `against` are lost
  kLoss,           // share `amount` of packets from targets to `against`
  kDuplicate,      //
  kReorder,        //
  kCorrupt,        //
  kDelay,          // adds `by` to the latency
  kBandwidth,      // `amount` bytes a second leave each target
  kClockJump,      // wall clock, by `by`
  kClockRate,      // monotonic clock, `amount` parts per million
  kDiskFull,       //
  kSyncError,      // share `amount` of syncs fail
  kCrashAtSync,    // share `amount` of syncs kill the process
  kSlowDisk,       // a sync lasts `by`
  kBitRot,         // one bit of one durable record
  kRotateKeys,     // to phase `amount` of a rotation: 1 accept the new key, 2 use it, 3 drop the old one
  kReplay,         // `amount` earlier packets a second, to any machine
  kFlood,          // `amount` packets a second of noise from strangers
  kForgeRefusals,  // `amount` forged port-unreachable answers a second to recent packets
  kForgeSenders,   // `amount` packets a second of noise to targets, in the names of `against`
  kHeal,           // ends all faults, starts and resumes all processes
};

enum class FaultNeeds : std::uint8_t { kNothing, kShare, kNumber, kDuration };

struct FaultTraits {
  FaultKind kind;
  std::string_view name;  // as in scenario files
  FaultNeeds needs;       // kShare and kNumber: `amount`; kDuration: `by`
  bool takes_targets;     // must name targets
  bool takes_against;
  bool can_end;  // `lasts` is allowed
};

std::span<const FaultTraits> fault_kinds();
const FaultTraits& traits(FaultKind kind);

struct Fault {
  Duration at{0};
  FaultKind kind = FaultKind::kHeal;
  Targets targets = {};
  Targets against = {};  // empty: all others
  double amount = 0;
  Duration by{0};
  Duration lasts{0};  // zero: until healed
};

std::string to_string(const Fault& fault);

}  // namespace hyperscale::sim
