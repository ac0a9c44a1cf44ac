#include "sim/scenario/fault.h"

#include "base/append_format.h"
#include "base/check.h"
#include "base/duration_text.h"

#include <array>

namespace hyperscale::sim {
namespace {

using enum FaultKind;
using enum FaultNeeds;

constexpr std::array kKinds{
    //          kind          name              needs      targets against can_end
    FaultTraits{kCrash, "crash", kNothing, true, false, true},
    FaultTraits{kStart, "start", kNothing, true, false, false},
    FaultTraits{kPause, "pause", kNothing, true, false, true},
    FaultTraits{kSlow, "slow", kDuration, true, false, true},
    FaultTraits{kLeave, "leave", kNothing, true, false, true},
    FaultTraits{kUpgrade, "upgrade", kNumber, true, false, false},
    FaultTraits{kPartition, "partition", kNothing, true, true, true},
    FaultTraits{kOneWay, "one_way", kNothing, true, true, true},
    FaultTraits{kLoss, "loss", kShare, true, true, true},
    FaultTraits{kDuplicate, "duplicate", kShare, true, true, true},
    FaultTraits{kReorder, "reorder", kShare, true, true, true},
    FaultTraits{kCorrupt, "corrupt", kShare, true, true, true},
    FaultTraits{kDelay, "delay", kDuration, true, true, true},
    FaultTraits{kBandwidth, "bandwidth", kNumber, true, false, true},
    FaultTraits{kClockJump, "clock_jump", kDuration, true, false, true},
    FaultTraits{kClockRate, "clock_rate", kNumber, true, false, true},
    FaultTraits{kDiskFull, "disk_full", kNothing, true, false, true},
    FaultTraits{kSyncError, "sync_error", kShare, true, false, true},
    FaultTraits{kCrashAtSync, "crash_at_sync", kShare, true, false, true},
    FaultTraits{kSlowDisk, "slow_disk", kDuration, true, false, true},
    FaultTraits{kBitRot, "bit_rot", kNothing, true, false, false},
    FaultTraits{kRotateKeys, "rotate_keys", kNumber, true, false, false},
    FaultTraits{kReplay, "replay", kNumber, false, false, true},
    FaultTraits{kFlood, "flood", kNumber, false, false, true},
    FaultTraits{kForgeRefusals, "forge_refusals", kNumber, false, false, true},
    FaultTraits{kForgeSenders, "forge_senders", kNumber, true, true, true},
    FaultTraits{kHeal, "heal", kNothing, false, false, false},
};

}  // namespace

std::span<const FaultTraits> fault_kinds() {
  return kKinds;
}

const FaultTraits& traits(FaultKind kind) {
  const auto& found = kKinds.at(static_cast<std::size_t>(kind));
  CHECK(found.kind == kind, "the table of faults is not in the order of its kinds at {}", found.name);
  return found;
}

std::string to_string(const Fault& fault) {
  const FaultTraits& kind = traits(fault.kind);
  std::string text(kind.name);
  if (kind.takes_targets) append_format(text, " {}", to_string(fault.targets));
  if (!fault.against.empty()) append_format(text, " against {}", to_string(fault.against));
  if (kind.needs == kShare || kind.needs == kNumber) append_format(text, " amount {}", fault.amount);
  if (kind.needs == kDuration) append_format(text, " by {}", format_duration(fault.by));
  if (fault.lasts > Duration(0)) append_format(text, " for {}", format_duration(fault.lasts));
  return text;
}

}  // namespace hyperscale::sim
