#include "sim/engine/step_context.h"

#include "sim/engine/chance.h"

#include <utility>

namespace hyperscale::sim {

MonoTime World::StepContext::mono() const {
  return world_.hosts_[host_].clock.mono(world_.now_);
}

WallTime World::StepContext::wall() const {
  return world_.hosts_[host_].clock.wall(world_.now_);
}

void World::StepContext::send(HostId to, SharedBytes bytes) {
  if (dead_) return;
  world_.observer_.sent(host_, to, bytes);
  if (to >= world_.size()) return;  // unknown address
  if (world_.tap_) world_.tap_(Packet{.from = host_, .to = to, .bytes = bytes, .is_refusal = false});
  world_.send(host_, to, std::move(bytes), world_.now_ + delay_);
}

bool World::StepContext::write(std::string_view record, ByteView bytes) {
  return dead_ || world_.hosts_[host_].disk.write(record, bytes);
}

bool World::StepContext::sync() {
  if (dead_) return false;
  Disk& disk = world_.hosts_[host_].disk;
  delay_ += disk.faults.sync_latency;
  const bool dies = chance(disk.prng(), disk.faults.crash_at_sync);
  if (dies && disk.prng().below(2) == 0) {
    dead_ = true;
    return false;
  }
  dead_ = !disk.sync() || dies;
  return !dead_;
}

std::optional<std::vector<std::uint8_t>> World::StepContext::read(std::string_view record) const {
  return world_.hosts_[host_].disk.read(record);
}

void World::StepContext::exit(std::string_view reason, bool on_purpose) {
  if (exit_reason_) return;
  exit_reason_ = std::string(reason);
  exit_on_purpose_ = on_purpose;
}

void World::StepContext::note(std::string_view text) {
  world_.record(Happening::kNote, host_, hash_of(text), text);
}

}  // namespace hyperscale::sim
