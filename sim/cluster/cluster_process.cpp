#include "sim/cluster/cluster_process.h"

#include "base/check.h"
#include "base/endian.h"
#include "sim/cluster/cluster_setup.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace hyperscale::sim {
namespace {

constexpr std::int64_t kStatePeriods = 5;

}  // namespace

using cluster::ClusterNode;

ClusterProcess::ClusterProcess(const ClusterProcessSetup& setup, const ProcessBirth& birth)
    : setup_(setup), birth_(birth), state_period_(probe_interval(setup.settings)) {}

void ClusterProcess::start(ProcessContext& context) {
  auto saved = load_state(context);
  if (!saved) return context.exit(saved.error().context, false);
  saves_ = saved->sequence;
  node_.emplace(node_config(setup_.directory, birth_, setup_.settings, setup_.bug, setup_.key_phase), saved->state);
  step(context, ClusterNode::Start{.wall = context.wall()});
}

void ClusterProcess::datagram(ProcessContext& context, HostId from, const SharedBytes& bytes) {
  const auto actions = node_->step(
      ClusterNode::DatagramIn{.from = setup_.directory.address(from), .bytes = bytes, .wall = context.wall()},
      context.mono());
  if (!actions.empty()) setup_.watcher.took(birth_.host, bytes);
  carry_out(context, actions);
}

void ClusterProcess::refused(ProcessContext& context, HostId by) {
  step(context, ClusterNode::Refused{.peer = setup_.directory.address(by), .wall = context.wall()});
}

void ClusterProcess::wake(ProcessContext& context, Duration late) {
  if (report_lag(context, late) && report_state(context)) step(context, ClusterNode::Tick{.wall = context.wall()});
}

bool ClusterProcess::report_lag(ProcessContext& context, Duration late) {
  const auto lag = loop_.to_tell(late);
  return !lag || step(context, ClusterNode::LoopLag{.late = *lag, .period = cluster::LoopWatch::kPeriodMax});
}

// Stands for the heartbeat of its role: a state that changes occasionally.
bool ClusterProcess::report_state(ProcessContext& context) {
  if (context.mono() < state_reported_at_ + kStatePeriods * state_period_) return true;
  state_reported_at_ = context.mono();
  return step(context, ClusterNode::EmbedState{.state = state_bytes({birth_.run, ++states_reported_})});
}

void ClusterProcess::order(ProcessContext& context, std::string_view what, std::int64_t) {
  if (what == "leave") {
    step(context, ClusterNode::Leave{.wall = context.wall()});
  } else if (what == "reload") {
    step(context,
         ClusterNode::RotateKeys{.keys = keyring(setup_.directory.identity(birth_.host).role, setup_.key_phase)});
  }
}

MonoTime ClusterProcess::next_wake() const {
  return node_ ? node_->next_wake() : MonoTime::max();
}

bool ClusterProcess::step(ProcessContext& context, const ClusterNode::Event& event) {
  return carry_out(context, node_->step(event, context.mono()));
}

bool ClusterProcess::carry_out(ProcessContext& context, const Actions<ClusterNode::Action>& actions) {
  return std::ranges::all_of(actions, [&](const ClusterNode::Action& action) { return carry_out(context, action); });
}

bool ClusterProcess::carry_out(ProcessContext& context, const ClusterNode::Action& action) {
  if (const auto* send = std::get_if<ClusterNode::Send>(&action)) {
    context.send(setup_.directory.host(send->to), send->bytes);
    return true;
  }
  if (!std::holds_alternative<ClusterNode::StateReceived>(action)) context.note(to_string(action));
  if (const auto* persist = std::get_if<ClusterNode::Persist>(&action)) {
    if (!save(context, persist->state)) return false;
  }
  setup_.watcher.acted(birth_.host, action);
  if (std::holds_alternative<ClusterNode::Left>(action)) {
    context.exit("has left", true);
    return false;
  }
  return true;
}

SharedBytes state_bytes(ToldState state) {
  std::vector<std::uint8_t> bytes(8);
  store_le32(bytes.data(), state.run);
  store_le32(bytes.data() + 4, state.count);
  return SharedBytes::adopt(std::move(bytes));
}

ToldState state_of_bytes(ByteView bytes) {
  CHECK(bytes.size() == 8, "a state of {} bytes", bytes.size());
  return {load_le32(bytes.data()), load_le32(bytes.data() + 4)};
}

bool ClusterProcess::save(ProcessContext& context, const cluster::DurableState& state) {
  const SaveResult result = save_state(context, {.sequence = ++saves_, .state = state});
  if (result == SaveResult::kDiskFull) context.exit("the disk is full", false);
  return result == SaveResult::kSafe;
}

}  // namespace hyperscale::sim
