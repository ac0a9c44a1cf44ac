// Nodes, times and a driver for tests of the failure detector: it wakes the detector exactly when that asks for it.
#pragma once

#include "membership/detection/failure_detector.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hyperscale::membership {

inline constexpr MonoTime kStart = MonoTime::from_ns(3'000'000'000);

inline wire::NodeAddress node(int number) {
  wire::NodeAddress address;
  address.ip[15] = 1;
  address.port = static_cast<std::uint16_t>(number);
  return address;
}

inline wire::Incarnation life(std::uint64_t number) {
  return wire::Incarnation(number);
}

inline Accusation accusation(int suspect, std::uint64_t incarnation = 1, int from = 1,
                             wire::NodeRole role = wire::NodeRole::kGate) {
  return {.node = node(suspect), .role = role, .incarnation = life(incarnation), .from = node(from)};
}

inline DetectionConfig planted(const DetectionMutations& mutations) {
  DetectionConfig config;
  config.mutations = mutations;
  return config;
}

struct DetectionWorld {
  explicit DetectionWorld(const DetectionConfig& config = {}, std::size_t members = 1'000) : detector(config) {
    detector.start(now);
    detector.set_members(members);
  }

  bool suspect(int number, std::uint64_t incarnation = 1, int from = 1) {
    return detector.suspect_global(accusation(number, incarnation, from), now);
  }
  bool suspect_job(const JobKey& job, int number, std::uint64_t incarnation = 1, int from = 1) {
    return detector.suspect_job(job, accusation(number, incarnation, from), now);
  }
  bool confirm(int number, int from, std::uint64_t incarnation = 1) {
    return detector.confirm_global(node(number), life(incarnation), node(from), now);
  }

  Expired pass(Duration time) {
    const MonoTime until = now + time;
    Expired all;
    while (detector.next_wake() <= until) {
      now = std::max(now, detector.next_wake());
      take(detector.expire(now), all);
    }
    now = until;
    take(detector.expire(now), all);
    return all;
  }

  static void take(Expired from, Expired& to) {
    for (auto& death : from.global) to.global.push_back(std::move(death));
    for (auto& death : from.job) to.job.push_back(std::move(death));
    for (auto& anomaly : from.anomalies) to.anomalies.push_back(anomaly);
  }

  FailureDetector detector;
  MonoTime now = kStart;
};

}  // namespace hyperscale::membership
