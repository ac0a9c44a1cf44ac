// Network: decides the delivery of each packet: when, how often, and whether intact. It holds no packets; the world
// does.
//
// Single-threaded. Every machine has its own random generator, so packets of one do not change the random numbers of
// another. A packet may be lost for one of several reasons; each is counted.
#pragma once

#include "base/prng.h"
#include "sim/engine/link_conditions.h"
#include "sim/engine/sim_time.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hyperscale::sim {

struct NetworkCounters {
  std::uint64_t sent = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t delivered = 0;
  std::uint64_t lost = 0;
  std::uint64_t blocked = 0;  // by a partition
  std::uint64_t oversized = 0;
  std::uint64_t congested = 0;  // egress queue was full
  std::uint64_t duplicated = 0;
  std::uint64_t reordered = 0;
  std::uint64_t corrupted = 0;
};

struct Delivery {
  SimTime at;
  std::uint64_t flip = 0;  // selects the bit to flip; 0 for none
};

using DisturbanceId = std::uint32_t;

class Network {
 public:
  // names and sites: of each machine.
  Network(NetworkSetup setup, const Prng& root, const std::vector<std::string>& names,
          std::vector<std::uint32_t> sites);

  // Deliveries of a packet sent at `now`; empty if it is lost. The result is valid until the next call.
  const std::vector<Delivery>& route(SimTime now, HostId from, HostId to, std::size_t bytes);

  DisturbanceId add(Disturbance disturbance);
  void remove(DisturbanceId id) { disturbances_.erase(id); }
  void remove_all();
  // Bytes per second that leave one machine; 0 for no bound.
  void limit_egress(HostId host, std::uint64_t bytes_per_second);

  bool blocked(HostId from, HostId to) const;
  const NetworkLimits& limits() const { return setup_.limits; }
  const NetworkCounters& counters() const { return counters_; }
  std::uint64_t sent_bytes(HostId host) const { return machines_[host].sent_bytes; }

 private:
  struct Machine {
    Prng prng;
    std::uint64_t bytes_per_second = 0;
    SimTime egress_free_at;
    std::uint64_t sent_bytes = 0;
  };

  LinkConditions conditions(HostId from, HostId to) const;
  SimTime leaves_at(SimTime now, Machine& machine, std::size_t bytes) const;
  void deliver(const LinkConditions& link, SimTime leaves, Prng& prng);

  NetworkSetup setup_;
  std::vector<std::uint32_t> sites_;
  std::vector<Machine> machines_;
  Prng stranger_prng_;
  std::uint64_t distance_seed_;
  std::map<DisturbanceId, Disturbance> disturbances_;
  DisturbanceId next_id_ = 1;
  NetworkCounters counters_;
  std::vector<Delivery> deliveries_;
};

}  // namespace hyperscale::sim
