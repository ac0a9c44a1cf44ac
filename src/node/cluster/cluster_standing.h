// Cluster status of a node for its API and metrics: a view, and whether it may act as leader right now. A value; any
// thread.
#pragma once

#include "cluster/cluster_view.h"
#include "cluster/frame_gate.h"
#include "cluster/state_sync.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::node {

struct ClusterStanding {
  cluster::ClusterView view;
  bool leads = false;
  std::uint64_t fence = 0;  // of the term it leads; 0 if it leads none
  bool tls = false;         // framed transport uses certificates
  cluster::SyncView sync;
  cluster::FrameStats frames;
  std::vector<std::string> cores;  // workflow on each; empty: available
};

}  // namespace hyperscale::node
