// Queries of a failure detector that may be absent: without one every node counts as alive and nothing is suspected
// (AD30-INT-2), so a node that runs without detection would still choose among all its peers. Every node runs with one:
// no program uses these functions yet. Pure functions.
#pragma once

#include "membership/detection/failure_detector.h"

#include <cstddef>
#include <optional>

namespace hyperscale::membership {

inline bool is_alive_global(const FailureDetector* detector, const wire::NodeAddress& node) {
  return detector == nullptr || detector->is_alive_global(node);
}
inline bool is_alive_for_job(const FailureDetector* detector, const JobKey& job, const wire::NodeAddress& node) {
  return detector == nullptr || detector->is_alive_for_job(job, node);
}
inline bool suspect_global(FailureDetector* detector, const Accusation& accusation, MonoTime now) {
  return detector != nullptr && detector->suspect_global(accusation, now);
}
inline bool suspect_job(FailureDetector* detector, const JobKey& job, const Accusation& accusation, MonoTime now) {
  return detector != nullptr && detector->suspect_job(job, accusation, now);
}
inline std::size_t clear_job(FailureDetector* detector, const JobKey& job) {
  return detector == nullptr ? 0 : detector->clear_job(job);
}
inline std::optional<NodeStatus> node_status(const FailureDetector* detector, const wire::NodeAddress& node) {
  return detector == nullptr ? std::nullopt : detector->node_status(node);
}

}  // namespace hyperscale::membership
