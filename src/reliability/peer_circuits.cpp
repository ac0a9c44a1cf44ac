#include "reliability/peer_circuits.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace hyperscale::reliability {

using runtime::BreakerState;

PeerCircuits::PeerCircuits(runtime::BreakerLimits limits, std::size_t circuits_max)
    : limits_(limits), circuits_max_(circuits_max) {
  CHECK(circuits_max > 0);
}

bool PeerCircuits::allow(std::string_view peer, MonoTime now) {
  const auto found = circuits_.find(peer);
  if (found == circuits_.end() || found->second.breaker.allow(now)) return true;
  ++refused_;
  return false;
}

void PeerCircuits::succeeded(std::string_view peer, MonoTime now) {
  const auto found = circuits_.find(peer);
  if (found != circuits_.end()) found->second.breaker.on_success(now);
}

bool PeerCircuits::failed(std::string_view peer, MonoTime now) {
  Circuit& circuit = circuit_of(peer, now);
  const bool was_open = circuit.breaker.state(now) == BreakerState::kOpen;
  circuit.breaker.on_failure(now);
  circuit.last_error = now;
  ++circuit.errors;
  const bool opened = !was_open && circuit.breaker.state(now) == BreakerState::kOpen;
  circuit.opened += opened ? 1 : 0;
  return opened;
}

void PeerCircuits::forget(std::string_view peer) {
  const auto found = circuits_.find(peer);
  if (found != circuits_.end()) circuits_.erase(found);
}

PeerCircuits::Status PeerCircuits::status(std::string_view peer, MonoTime now) const {
  const auto found = circuits_.find(peer);
  if (found == circuits_.end()) return {.peer = std::string(peer)};
  return status_of(peer, found->second, now);
}

std::vector<PeerCircuits::Status> PeerCircuits::statuses(MonoTime now) const {
  std::vector<Status> all;
  for (const auto& [peer, circuit] : circuits_) all.push_back(status_of(peer, circuit, now));
  return all;
}

PeerCircuits::Circuit& PeerCircuits::circuit_of(std::string_view peer, MonoTime now) {
  const auto found = circuits_.find(peer);
  if (found != circuits_.end()) return found->second;
  if (circuits_.size() == circuits_max_) drop_one(now);
  return circuits_.emplace(std::string(peer), Circuit{runtime::CircuitBreaker(limits_), now}).first->second;
}

void PeerCircuits::drop_one(MonoTime now) {
  const auto rank = [&](const auto& each) {
    return std::pair(each.second.breaker.state(now) != BreakerState::kClosed, each.second.last_error);
  };
  circuits_.erase(std::ranges::min_element(circuits_, {}, rank));
  ++dropped_;
}

PeerCircuits::Status PeerCircuits::status_of(std::string_view peer, const Circuit& circuit, MonoTime now) {
  return {.peer = std::string(peer),
          .state = circuit.breaker.state(now),
          .errors = circuit.errors,
          .opened = circuit.opened};
}

}  // namespace hyperscale::reliability
