#include "sim/engine/attacker.h"

#include "sim/engine/chance.h"

#include <algorithm>
#include <utility>

namespace hyperscale::sim {
namespace {

constexpr double kFlippedShare = 0.2;     // of replayed packets
constexpr double kRedirectedShare = 0.3;  // go to another machine than the first time
constexpr double kHeadShare = 0.5;        // of noise begins like a captured packet

}  // namespace

Attacker::Attacker(World& world) : world_(world), prng_(world.stream("attacker")) {
  world_.set_tap([this](const Packet& packet) { hear(packet); });
}

void Attacker::hear(const Packet& packet) {
  heard_[heard_count_++ % kHeardMax] = packet;
}

void Attacker::replay(double per_second) {
  begin(replaying_, per_second);
}

void Attacker::flood(double per_second) {
  begin(flooding_, per_second);
}

void Attacker::refuse(double per_second) {
  begin(refusing_, per_second);
}

void Attacker::forge(double per_second, std::vector<HostId> to, std::vector<HostId> from) {
  forged_to_ = std::move(to);
  forged_from_ = std::move(from);
  begin(forging_, forged_to_.empty() || forged_from_.empty() ? 0 : per_second);
}

void Attacker::begin(Activity& activity, double per_second) {
  activity.per_second = per_second;
  ++activity.generation;
  if (per_second > 0) schedule(activity);
}

void Attacker::schedule(Activity& activity) {
  const Duration mean(static_cast<std::int64_t>(1e9 / activity.per_second));
  world_.after(up_to(prng_, 2 * mean) + 1us, [this, &activity, generation = activity.generation] {
    if (activity.generation != generation) return;
    (this->*activity.send)();
    schedule(activity);
  });
}

void Attacker::send_old() {
  if (heard_count_ == 0) return;
  const Packet& old = heard_[prng_.below(std::min(heard_count_, kHeardMax))];
  const HostId to = chance(prng_, kRedirectedShare) ? static_cast<HostId>(prng_.below(world_.size())) : old.to;
  SharedBytes bytes = old.bytes;
  if (chance(prng_, kFlippedShare) && !bytes.empty()) {
    std::vector<std::uint8_t> flipped(bytes.view().begin(), bytes.view().end());
    flipped[prng_.below(flipped.size())] ^= static_cast<std::uint8_t>(1U << prng_.below(8));
    bytes = SharedBytes::adopt(std::move(flipped));
  }
  ++sent_;
  world_.inject(old.from, to, std::move(bytes));
}

SharedBytes Attacker::noise() {
  std::vector<std::uint8_t> noise(1 + prng_.below(world_.network().limits().mtu_bytes));
  for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(prng_.next());
  if (heard_count_ > 0 && chance(prng_, kHeadShare)) {
    const ByteView head = heard_[prng_.below(std::min(heard_count_, kHeardMax))].bytes.view();
    std::copy_n(head.begin(), std::min({head.size(), noise.size(), std::size_t{32}}), noise.begin());
  }
  return SharedBytes::adopt(std::move(noise));
}

void Attacker::send_noise() {
  ++sent_;
  const auto from = static_cast<HostId>(kStrangerFirst + prng_.below(kStrangers));
  SharedBytes bytes = noise();
  world_.inject(from, static_cast<HostId>(prng_.below(world_.size())), std::move(bytes));
}

void Attacker::send_forged() {
  const HostId to = forged_to_[prng_.below(forged_to_.size())];
  const HostId from = forged_from_[prng_.below(forged_from_.size())];
  if (to == from) return;
  ++sent_;
  world_.inject(from, to, noise());
}

// Sent as an answer to a recent packet: its sender waits for one.
void Attacker::send_refusal() {
  if (heard_count_ == 0) return;
  const Packet& packet = heard_[(heard_count_ - 1) % kHeardMax];
  ++sent_;
  world_.refuse(packet.to, packet.from);
}

}  // namespace hyperscale::sim
