// Attacker: outside of the cluster, captures all packets and can send to every node, under any sender's address, but
// has no key. It replays packets, also with a bit flipped, floods with noise, its own or in the names of members, and
// forges refusals of machines.
//
// Same thread as its world. Remembers the last kHeardMax packets. Has its own random generator.
#pragma once

#include "base/prng.h"
#include "sim/engine/world.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hyperscale::sim {

inline constexpr std::size_t kHeardMax = 256;
inline constexpr std::uint32_t kStrangers = 16;  // source addresses of noise

class Attacker {
 public:
  explicit Attacker(World& world);

  // Packets per second, to random machines; 0 stops it.
  void replay(double per_second);
  void flood(double per_second);
  void refuse(double per_second);
  // Sends noise to each of `to` with the sender addresses of `from`.
  void forge(double per_second, std::vector<HostId> to, std::vector<HostId> from);
  std::uint64_t sent() const { return sent_; }

 private:
  struct Activity {
    double per_second = 0;
    std::uint32_t generation = 0;
    void (Attacker::*send)() = nullptr;
  };

  void hear(const Packet& packet);
  void begin(Activity& activity, double per_second);
  void schedule(Activity& activity);
  void send_old();
  void send_noise();
  void send_refusal();
  void send_forged();
  SharedBytes noise();

  World& world_;
  Prng prng_;
  std::array<Packet, kHeardMax> heard_;
  std::size_t heard_count_ = 0;
  Activity replaying_{.send = &Attacker::send_old};
  Activity flooding_{.send = &Attacker::send_noise};
  Activity refusing_{.send = &Attacker::send_refusal};
  Activity forging_{.send = &Attacker::send_forged};
  std::vector<HostId> forged_to_;
  std::vector<HostId> forged_from_;
  std::uint64_t sent_ = 0;
};

}  // namespace hyperscale::sim
