#include "cluster/own_heartbeat.h"

namespace hyperscale::cluster {
namespace {

wire::Heartbeat heartbeat_of(const wire::NodeIdentity& self, const OwnFacts& facts, std::uint64_t version) {
  switch (self.role) {
    case wire::NodeRole::kGate: {
      wire::GateHeartbeat beat;
      beat.node_id = self.name;
      beat.state = facts.state;
      beat.version = version;
      beat.is_leader = facts.leads;
      beat.term = facts.term;
      return beat;
    }
    case wire::NodeRole::kManager: {
      wire::ManagerHeartbeat beat;
      beat.node_id = self.name;
      beat.datacenter = self.datacenter;
      beat.is_leader = facts.leads;
      beat.term = facts.term;
      beat.version = version;
      beat.worker_count = facts.workers;
      beat.state = facts.state;
      return beat;
    }
    case wire::NodeRole::kWorker:
      break;
  }
  wire::WorkerHeartbeat beat;
  beat.node_id = self.name;
  beat.state = facts.state == wire::ServerState::kDraining ? wire::WorkerState::kDraining : wire::WorkerState::kHealthy;
  beat.available_cores = facts.available_cores;
  beat.version = version;
  return beat;
}

}  // namespace

SharedBytes own_heartbeat(const wire::NodeIdentity& self, const OwnFacts& facts, std::uint64_t version) {
  return SharedBytes::adopt(wire::encode_heartbeat(heartbeat_of(self, facts, version)));
}

}  // namespace hyperscale::cluster
