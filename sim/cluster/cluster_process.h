// ClusterProcess: a ClusterNode on a virtual machine: passes datagrams, deadlines and orders in, executes actions in
// their order. It corresponds to the adapter of a real node process, and gives the same guarantees: actions after a
// Persist are executed only when it is durable.
//
// One call at a time. A process whose state cannot be read or saved ends.
#pragma once

#include "cluster/cluster_node.h"
#include "cluster/loop_watch.h"
#include "sim/checkers/state_checker.h"
#include "sim/cluster/cluster_directory.h"
#include "sim/cluster/durable_record.h"
#include "sim/engine/process.h"
#include "sim/engine/settings.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace hyperscale::sim {

// Receives what a node does, for checkers.
class ClusterWatcher {
 public:
  virtual ~ClusterWatcher() = default;
  virtual void acted(HostId host, const cluster::ClusterNode::Action& action) = 0;
  // A datagram caused an action.
  virtual void took(HostId host, const SharedBytes& bytes) = 0;
};

struct ClusterProcessSetup {
  const ClusterDirectory& directory;
  const Settings& settings;
  const std::string& bug;
  ClusterWatcher& watcher;
  const std::int64_t& key_phase;  // from the machine's configuration
};

// State that a simulated node publishes about itself.
SharedBytes state_bytes(ToldState state);
ToldState state_of_bytes(ByteView bytes);

class ClusterProcess final : public Process {
 public:
  ClusterProcess(const ClusterProcessSetup& setup, const ProcessBirth& birth);

  void start(ProcessContext& context) override;
  void datagram(ProcessContext& context, HostId from, const SharedBytes& bytes) override;
  void refused(ProcessContext& context, HostId by) override;
  void wake(ProcessContext& context, Duration late) override;
  void order(ProcessContext& context, std::string_view what, std::int64_t value) override;
  MonoTime next_wake() const override;

  // nullptr before it has started.
  const cluster::ClusterNode* node() const { return node_ ? &*node_ : nullptr; }

 private:
  // False if the process has ended.
  bool step(ProcessContext& context, const cluster::ClusterNode::Event& event);
  bool carry_out(ProcessContext& context, const Actions<cluster::ClusterNode::Action>& actions);
  bool carry_out(ProcessContext& context, const cluster::ClusterNode::Action& action);
  bool save(ProcessContext& context, const cluster::DurableState& state);
  bool report_lag(ProcessContext& context, Duration late);
  bool report_state(ProcessContext& context);

  ClusterProcessSetup setup_;
  ProcessBirth birth_;
  Duration state_period_;
  cluster::LoopWatch loop_;
  std::uint64_t saves_ = 0;
  std::uint32_t states_reported_ = 0;
  MonoTime state_reported_at_;
  std::optional<cluster::ClusterNode> node_;
};

}  // namespace hyperscale::sim
