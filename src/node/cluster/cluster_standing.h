// What a node tells others and its operator about its place in a cluster: a view, and whether it may act as leader
// right now. A value; any thread.
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
  std::uint64_t fence = 0;  // of the term it leads; 0 when it does not
  bool tls = false;         // with certificates on the framed transport
  cluster::SyncView sync;
  cluster::FrameStats frames;
  std::vector<std::string> cores;  // what each runs; empty: available
};

}  // namespace hyperscale::node
