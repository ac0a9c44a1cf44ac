// PeerCircuits: a circuit breaker per peer, all with one rule (FAIL-CB-2, AD38-CB). A peer that fails is not called for
// a while, and the others are not affected.
//
//   if (!circuits.allow(peer, now)) return open_circuit();   // fail at once, without a retry
//   ... call ...; answered ? circuits.succeeded(peer, now) : circuits.failed(peer, now);
//
// A call that was allowed reports exactly once. A rejection by the peer is an answer, hence a success. Peers are any
// names: of a node, a datacenter, or a group that shares one circuit.
//
// Thread rule: one owner. Bounded: a peer has an entry from its first error on; past `circuits_max` the closed circuit
// with the oldest error is dropped, or the oldest of all, and counted.
#pragma once

#include "base/time.h"
#include "runtime/policy/circuit_breaker.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::reliability {

// Calls between roles (FAIL-CB-4), and the quorum of a group (WF-QUORUM-7).
inline constexpr runtime::BreakerLimits kCallCircuit{.rule = runtime::BreakerRule::kErrorCount,
                                                     .window = 30s,
                                                     .errors = 3,
                                                     .cool_down = 10s,
                                                     .half_open_probes = 1,
                                                     .probes_at_once = 1};
// Another datacenter (AD38-CB-1).
inline constexpr runtime::BreakerLimits kDatacenterCircuit{.rule = runtime::BreakerRule::kErrorsInARow,
                                                           .errors = 5,
                                                           .cool_down = 30s,
                                                           .half_open_probes = 3,
                                                           .probes_at_once = 1};
inline constexpr std::size_t kCircuitsMax = 4'096;

class PeerCircuits {
 public:
  struct Status {
    std::string peer;
    runtime::BreakerState state = runtime::BreakerState::kClosed;
    std::uint64_t errors = 0;
    std::uint64_t opened = 0;  // how often
  };

  explicit PeerCircuits(runtime::BreakerLimits limits = kCallCircuit, std::size_t circuits_max = kCircuitsMax);

  bool allow(std::string_view peer, MonoTime now);
  void succeeded(std::string_view peer, MonoTime now);
  // True if this error opened the circuit.
  bool failed(std::string_view peer, MonoTime now);
  // The peer is no member any more.
  void forget(std::string_view peer);

  Status status(std::string_view peer, MonoTime now) const;
  // Peers with errors so far, ascending.
  std::vector<Status> statuses(MonoTime now) const;
  std::uint64_t refused() const { return refused_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Circuit {
    runtime::CircuitBreaker breaker;
    MonoTime last_error;
    std::uint64_t errors = 0;
    std::uint64_t opened = 0;
  };
  using Circuits = std::map<std::string, Circuit, std::less<>>;

  Circuit& circuit_of(std::string_view peer, MonoTime now);
  void drop_one(MonoTime now);
  static Status status_of(std::string_view peer, const Circuit& circuit, MonoTime now);

  runtime::BreakerLimits limits_;
  std::size_t circuits_max_;
  Circuits circuits_;
  std::uint64_t refused_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace hyperscale::reliability
