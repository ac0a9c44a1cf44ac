#include "sim/scenario/fault_player.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace hyperscale::sim {
namespace {

constexpr Duration kUpgradeTime = 1s;

}  // namespace

FaultPlayer::FaultPlayer(World& world, System& system)
    : world_(world), system_(system), attacker_(world), prng_(world.stream("faults")) {
  for (HostId id = 0; id < world_.size(); ++id) {
    specs_.push_back(&world_.host(id).spec);
    natural_rate_ppm_.push_back(world_.host(id).clock.rate_ppm());
    natural_wall_offset_.push_back(world_.host(id).clock.wall_offset());
  }
}

std::vector<HostId> FaultPlayer::hosts(const Targets& targets) {
  return resolve(targets, specs_, [this](const std::vector<HostId>& among) { return system_.leader_of(among); }, prng_);
}

std::vector<HostId> FaultPlayer::others_than(const std::vector<HostId>& hosts) const {
  std::vector<HostId> others;
  for (HostId id = 0; id < world_.size(); ++id) {
    if (!std::ranges::binary_search(hosts, id)) others.push_back(id);
  }
  return others;
}

void FaultPlayer::schedule(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) world_.at(SimTime() + fault.at, [this, fault] { apply(fault); });
}

void FaultPlayer::apply(const Fault& fault) {
  const std::vector<HostId> targets = hosts(fault.targets);
  if (traits(fault.kind).takes_targets && targets.empty()) return;
  ++applied_;
  const std::string text = to_string(fault);
  world_.trace().add(world_.now(), Happening::kFault, static_cast<HostId>(targets.size()), hash_of(text));
  if (world_.trace().text()) world_.trace().line(world_.now(), "fault: " + text);
  Undo undo;
  switch (fault.kind) {
    case FaultKind::kPartition:
    case FaultKind::kOneWay:
    case FaultKind::kLoss:
    case FaultKind::kDuplicate:
    case FaultKind::kReorder:
    case FaultKind::kCorrupt:
    case FaultKind::kDelay:
    case FaultKind::kBandwidth:
      undo = apply_to_links(fault, targets);
      break;
    case FaultKind::kDiskFull:
    case FaultKind::kSyncError:
    case FaultKind::kCrashAtSync:
    case FaultKind::kSlowDisk:
    case FaultKind::kBitRot:
      undo = apply_to_disks(fault, targets);
      break;
    case FaultKind::kClockJump:
    case FaultKind::kClockRate:
      undo = apply_to_clocks(fault, targets);
      break;
    case FaultKind::kReplay:
      attacker_.replay(fault.amount);
      undo = [this] { attacker_.replay(0); };
      break;
    case FaultKind::kFlood:
      attacker_.flood(fault.amount);
      undo = [this] { attacker_.flood(0); };
      break;
    case FaultKind::kForgeRefusals:
      attacker_.refuse(fault.amount);
      undo = [this] { attacker_.refuse(0); };
      break;
    case FaultKind::kForgeSenders:
      attacker_.forge(fault.amount, targets, fault.against.empty() ? others_than(targets) : hosts(fault.against));
      undo = [this] { attacker_.forge(0, {}, {}); };
      break;
    case FaultKind::kHeal:
      heal();
      break;
    default:
      undo = apply_to_machines(fault, targets);
  }
  if (!undo || fault.lasts <= Duration(0)) return;
  // A fault that heal() has ended is not undone again: a clock would jump back twice.
  world_.after(fault.lasts, [this, undo = std::move(undo), healed = times_healed_] {
    if (healed == times_healed_) undo();
  });
}

FaultPlayer::Undo FaultPlayer::apply_to_machines(const Fault& fault, const std::vector<HostId>& hosts) {
  for (const HostId host : hosts) {
    switch (fault.kind) {
      case FaultKind::kCrash:
        world_.crash(host);
        break;
      case FaultKind::kStart:
        world_.start(host);
        break;
      case FaultKind::kPause:
        world_.pause(host);
        break;
      case FaultKind::kSlow:
        world_.set_step_cost(host, fault.by / 10, fault.by);
        break;
      case FaultKind::kLeave:
        world_.order(host, "leave", 0);
        break;
      case FaultKind::kUpgrade:
        upgrade(host, static_cast<std::uint16_t>(fault.amount));
        break;
      case FaultKind::kRotateKeys:
        system_.configure(host, "keys", static_cast<std::int64_t>(fault.amount));
        world_.order(host, "reload", 0);
        break;
      default:
        UNREACHABLE("{} is not done to a machine", traits(fault.kind).name);
    }
  }
  switch (fault.kind) {
    case FaultKind::kCrash:
    case FaultKind::kLeave:
      return [this, hosts] {
        for (const HostId host : hosts) world_.start(host);
      };
    case FaultKind::kPause:
      return [this, hosts] {
        for (const HostId host : hosts) world_.resume(host);
      };
    case FaultKind::kSlow:
      return [this, hosts] {
        for (const HostId host : hosts) world_.set_step_cost(host, 0s, 0s);
      };
    default:
      return nullptr;
  }
}

void FaultPlayer::upgrade(HostId host, std::uint16_t minor_version) {
  world_.crash(host);
  world_.install(host, minor_version);
  world_.after(kUpgradeTime, [this, host] { world_.start(host); });
}

FaultPlayer::Undo FaultPlayer::apply_to_links(const Fault& fault, const std::vector<HostId>& hosts) {
  if (fault.kind == FaultKind::kBandwidth) {
    for (const HostId host : hosts) world_.network().limit_egress(host, static_cast<std::uint64_t>(fault.amount));
    return [this, hosts] {
      for (const HostId host : hosts) world_.network().limit_egress(host, 0);
    };
  }
  Disturbance there;
  const bool cuts = fault.kind == FaultKind::kPartition || fault.kind == FaultKind::kOneWay;
  there.blocked = cuts;
  there.from = HostSet(hosts, world_.size());
  if (!fault.against.empty()) {
    there.to = HostSet(this->hosts(fault.against), world_.size());
  } else if (cuts) {
    there.to = HostSet(others_than(hosts), world_.size());
  }
  if (fault.kind == FaultKind::kLoss) there.extra.loss = fault.amount;
  if (fault.kind == FaultKind::kDuplicate) there.extra.duplicate = fault.amount;
  if (fault.kind == FaultKind::kReorder) there.extra.reorder = fault.amount;
  if (fault.kind == FaultKind::kCorrupt) there.extra.corrupt = fault.amount;
  if (fault.kind == FaultKind::kDelay) {
    there.extra.latency = fault.by / 2;
    there.extra.jitter = fault.by / 2;
  }
  std::vector<DisturbanceId> ids;
  if (fault.kind == FaultKind::kPartition) {
    ids.push_back(world_.network().add({.from = there.to, .to = there.from, .blocked = true, .extra = {}}));
  }
  ids.push_back(world_.network().add(std::move(there)));
  return [this, ids] {
    for (const DisturbanceId id : ids) world_.network().remove(id);
  };
}

FaultPlayer::Undo FaultPlayer::apply_to_disks(const Fault& fault, const std::vector<HostId>& hosts) {
  for (const HostId host : hosts) {
    Disk& disk = world_.disk(host);
    if (fault.kind == FaultKind::kDiskFull) disk.faults.full = true;
    if (fault.kind == FaultKind::kSyncError) disk.faults.sync_error = fault.amount;
    if (fault.kind == FaultKind::kCrashAtSync) disk.faults.crash_at_sync = fault.amount;
    if (fault.kind == FaultKind::kSlowDisk) disk.faults.sync_latency = fault.by;
    if (fault.kind == FaultKind::kBitRot) disk.rot();
  }
  if (fault.kind == FaultKind::kBitRot) return nullptr;
  return [this, hosts] {
    for (const HostId host : hosts) world_.disk(host).faults = DiskFaults();
  };
}

FaultPlayer::Undo FaultPlayer::apply_to_clocks(const Fault& fault, const std::vector<HostId>& hosts) {
  if (fault.kind == FaultKind::kClockJump) {
    for (const HostId host : hosts) world_.jump_wall(host, fault.by);
    return [this, hosts, back = -fault.by] {
      for (const HostId host : hosts) world_.jump_wall(host, back);
    };
  }
  for (const HostId host : hosts) world_.set_clock_rate(host, static_cast<std::int32_t>(fault.amount));
  return [this, hosts] {
    for (const HostId host : hosts) world_.set_clock_rate(host, natural_rate_ppm_[host]);
  };
}

void FaultPlayer::heal() {
  ++times_healed_;
  world_.network().remove_all();
  attacker_.replay(0);
  attacker_.flood(0);
  attacker_.refuse(0);
  attacker_.forge(0, {}, {});
  for (HostId host = 0; host < world_.size(); ++host) {
    world_.disk(host).faults = DiskFaults();
    world_.set_step_cost(host, 0s, 0s);
    world_.set_clock_rate(host, natural_rate_ppm_[host]);
    world_.jump_wall(host, natural_wall_offset_[host] - world_.host(host).clock.wall_offset());
    world_.resume(host);
    world_.start(host);
  }
}

}  // namespace hyperscale::sim
