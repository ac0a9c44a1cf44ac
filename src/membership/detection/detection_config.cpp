#include "membership/detection/detection_config.h"

#include "base/check.h"

namespace hyperscale::membership {
namespace {

constexpr Duration kDefaultProbeInterval = 1s;

struct Scale {
  Duration probe_interval;

  void operator()(Duration& value) const { value = value / 1'000 * (probe_interval / 1us) / 1'000; }
  void operator()(SuspicionTimeouts& timeouts) const {
    (*this)(timeouts.min);
    (*this)(timeouts.max);
  }
  void operator()(PeerTimeouts& timeouts) const {
    (*this)(timeouts.global);
    (*this)(timeouts.job);
  }
};

}  // namespace

PeerTimeouts timeouts_for(wire::NodeRole observer, wire::NodeRole peer) {
  using wire::NodeRole;
  if (observer == NodeRole::kManager && peer == NodeRole::kWorker) return {{10s, 60s}, {2s, 15s}};
  if (observer == NodeRole::kGate && peer == NodeRole::kManager) return {{30s, 120s}, {5s, 30s}};
  return {{5s, 30s}, {1s, 10s}};
}

const PeerTimeouts& DetectionConfig::timeouts(wire::NodeRole peer) const {
  switch (peer) {
    case wire::NodeRole::kGate:
      return gates;
    case wire::NodeRole::kManager:
      return managers;
    case wire::NodeRole::kWorker:
      return workers;
  }
  UNREACHABLE("role {}", static_cast<int>(peer));
}

DetectionConfig DetectionConfig::scaled_to(Duration probe_interval, wire::NodeRole observer) {
  CHECK(probe_interval >= 10ms && probe_interval <= 60s, "probe interval of {} ns", probe_interval.count());
  DetectionConfig config;
  config.gates = timeouts_for(observer, wire::NodeRole::kGate);
  config.managers = timeouts_for(observer, wire::NodeRole::kManager);
  config.workers = timeouts_for(observer, wire::NodeRole::kWorker);
  if (probe_interval == kDefaultProbeInterval) return config;

  const Scale scale{probe_interval};
  for (PeerTimeouts* timeouts : {&config.gates, &config.managers, &config.workers}) scale(*timeouts);
  for (Duration* duration : {&config.suspicion_k, &config.adaptive_timeout_max, &config.wheel.fine_tick,
                             &config.poll.far_interval, &config.poll.near_interval, &config.poll.close_interval,
                             &config.poll.near, &config.poll.close, &config.reconcile_interval}) {
    scale(*duration);
  }
  return config;
}

}  // namespace hyperscale::membership
