#include "cluster/node_parts.h"

#include "cluster/state_versions.h"

#include <utility>

namespace hyperscale::cluster {
namespace {

constexpr Duration kStatesCleanupInterval = 30s;

membership::Config membership_config(const ClusterConfig& config) {
  auto made = membership::Config::scaled_to(config.probe_interval, config.self.role);
  for (const wire::NodeAddress& seed : config.seeds) made.seeds.push_back({.address = seed});
  made.message_bytes_max = config.datagram_bytes_max - wire::kSealOverheadBytes;
  made.gossip_updates_max = config.gossip_updates_max;
  made.mutations = config.mutations.membership;
  made.detection.mutations = config.mutations.detection;
  made.coordinates.mutations = config.mutations.coordinates;
  return made;
}

election::ElectionConfig election_config(const ClusterConfig& config) {
  election::ElectionConfig made;
  made.self = config.self;
  made.group_size = config.group_size;
  made.voters = config.voters;
  made.priority = config.priority;
  made.timing = election::Timing::scaled_to(config.probe_interval);
  made.seed = Prng(config.seed).stream("election").next();
  made.mutations = config.mutations.election;
  return made;
}

bool is_of_election(const wire::ClusterBody& body) {
  return std::holds_alternative<wire::PreVoteRequest>(body) || std::holds_alternative<wire::PreVoteResponse>(body) ||
         std::holds_alternative<wire::VoteRequest>(body) || std::holds_alternative<wire::VoteResponse>(body) ||
         std::holds_alternative<wire::LeaderAnnounce>(body) || std::holds_alternative<wire::LeaderHeartbeat>(body) ||
         std::holds_alternative<wire::LeaderHeartbeatAck>(body);
}

}  // namespace

ClusterNode::Parts::Parts(ClusterConfig node_config, DurableState kept)
    : config(std::move(node_config)),
      durable(std::move(kept)),
      membership(membership_config(config), config.self, durable.incarnation,
                 Prng(config.seed).stream("membership").next()),
      primaries(config.self, config.probe_interval, membership),
      degradation(config.probe_interval) {
  if (config.group_size > 0) {
    election.emplace(election_config(config),
                     election::DurableVote{.term = durable.term, .voted_for = durable.voted_for});
  }
}

void ClusterNode::Parts::take(const Start& event, MonoTime now) {
  wall_ = event.wall;
  started_ = true;
  const bool had_predecessor = durable.incarnation > wire::Incarnation();
  gate.emplace(config, stats, had_predecessor ? std::max(event.wall + kAheadUnnoted, durable.heard_until) : event.wall);
  step_membership(membership::Membership::Start{}, now);
  if (election) step_election(election::Election::Start{}, now);
}

void ClusterNode::Parts::take(const DatagramIn& event, MonoTime now) {
  wall_ = event.wall;
  auto message = gate->open(event.bytes.view(), now, event.wall);
  if (!message) return;
  if (const auto heard_until = gate->take_heard_until()) {
    durable.heard_until = *heard_until;
    persist();
  }
  sending_worker_.reset();
  if (message->sender.role == wire::NodeRole::kWorker) sending_worker_ = message->sender.address;
  const bool for_election = election && is_of_election(message->body);
  election::Election::Received vote;
  if (for_election) vote = {.from = message->sender, .body = message->body};
  // First: it may be what confirms the sender, and only peers that are up take part in an election.
  step_membership(membership::Membership::Received{.message = std::move(*message), .from = event.from}, now);
  if (for_election) step_election(vote, now);
}

void ClusterNode::Parts::take(const Refused& event, MonoTime now) {
  wall_ = event.wall;
  step_membership(membership::Membership::Refused{.peer = event.peer}, now);
}

void ClusterNode::Parts::take(const Tick& event, MonoTime now) {
  wall_ = event.wall;
  if (membership.next_wake() <= now) step_membership(membership::Membership::Tick{}, now);
  if (election && election->next_wake() <= now) step_election(election::Election::Tick{}, now);
  report_degradation(now);
  primaries.look(now);
  forget_old_states(now);
}

// The state of a peer without news is kept as long as a dead peer is (STATE-4). A peer that is alive and has no news is
// reported once more after this; one that is gone takes no memory.
void ClusterNode::Parts::forget_old_states(MonoTime now) {
  if (now < next_states_cleanup_) return;
  next_states_cleanup_ = now + kStatesCleanupInterval;
  states_.cleanup(membership::Config().dead_kept, now);
}

void ClusterNode::Parts::take(const LoopLag& event, MonoTime now) {
  degradation.observe(event.late, event.period, now);
  step_membership(membership::Membership::LoopLag{.late = event.late, .period = event.period}, now);
  report_degradation(now);
}

void ClusterNode::Parts::take(const EmbedState& event, MonoTime) {
  CHECK(event.state.size() <= kOwnStateBytesMax, "{} bytes of state", event.state.size());
  own_state_ = event.state;
  ++own_state_changes_;
  embed();
}

void ClusterNode::Parts::take(const CoresAvailable& event, MonoTime) {
  cores_available_ = event.count;
}

void ClusterNode::Parts::take(const RotateKeys& event, MonoTime) {
  config.keys = event.keys;
  if (gate) gate->rotate(event.keys);
}

void ClusterNode::Parts::take(const Leave& event, MonoTime now) {
  wall_ = event.wall;
  leaving_ = true;
  if (election) step_election(election::Election::Leave{}, now);
  step_membership(membership::Membership::Leave{}, now);
}

void ClusterNode::Parts::step_membership(const membership::Membership::Event& event, MonoTime now) {
  carry_out(membership.step(event, now), now);
  report_health(now);
}

void ClusterNode::Parts::step_election(const election::Election::Event& event, MonoTime now) {
  election->believe_up_to(latest_term());
  carry_out(election->step(event, now), now);
}

wire::Term ClusterNode::Parts::latest_term() const {
  return election::latest_plausible_term(wall_, election::Timing::scaled_to(config.probe_interval).retry_min);
}

void ClusterNode::Parts::report_health(MonoTime now) {
  if (!election || reported_health_ == membership.health_score()) return;
  reported_health_ = membership.health_score();
  step_election(election::Election::HealthChanged{.score = static_cast<std::uint8_t>(reported_health_)}, now);
}

// With the owner's clock only: a packet, perhaps a replayed one, must not be what makes a node act on its own lag.
void ClusterNode::Parts::report_degradation(MonoTime now) {
  const Degradation level = degradation_of(membership.health_score(), degradation.lag_ratio(now));
  if (!election || !started_ || reported_degradation_ == level) return;
  reported_degradation_ = level;
  step_election(election::Election::DegradationChanged{.level = level}, now);
}

// A version begins with the incarnation, so a new one is a new version of the same state.
void ClusterNode::Parts::embed() {
  const SharedBytes& told = own_state_.empty() ? heartbeat_ : own_state_;
  if (told.empty()) return membership.embed_state({});
  membership.embed_state(with_version(state_version(membership.incarnation(), own_state_changes_), told.view()));
}

void ClusterNode::Parts::after_step(MonoTime now) {
  embed_own_state(now);
  report_primaries();
}

void ClusterNode::Parts::embed_own_state(MonoTime now) {
  if (!config.tells_heartbeat || !own_state_.empty() || !started_) return;
  OwnFacts facts{.leads = false,
                 .term = {},
                 .state = wire::ServerState::kActive,
                 .workers = workers_up_,
                 .available_cores = cores_available_};
  if (election) {
    facts.leads = election->leads(now);
    facts.term = election->term();
    if (!election->leader()) facts.state = wire::ServerState::kSyncing;
  }
  if (leaving_) facts.state = wire::ServerState::kDraining;
  if (embedded_facts_ == facts) return;
  embedded_facts_ = facts;
  heartbeat_ = own_heartbeat(config.self, facts, ++own_state_changes_);
  embed();
}

void ClusterNode::Parts::report_primaries() {
  for (PrimaryManagers::News& news : primaries.take_news()) {
    if (auto* changed = std::get_if<PrimaryManagers::PrimaryChanged>(&news)) {
      out.push_back(PrimaryChanged{.datacenter = std::move(changed->datacenter),
                                   .manager = std::move(changed->manager),
                                   .reason = changed->reason});
    } else if (auto* led = std::get_if<PrimaryManagers::LeaderLearned>(&news)) {
      out.push_back(
          LeaderLearned{.datacenter = std::move(led->datacenter), .leader = std::move(led->leader), .term = led->term});
    }
  }
}

void ClusterNode::Parts::send(const wire::NodeAddress& to, wire::ClusterMessage message) {
  if (auto packet = gate->seal(to, domain_to(to), std::move(message), wall_))
    out.push_back(Send{.to = to, .bytes = std::move(*packet)});
}

// Addresses that are not known yet are seeds, which are gates or managers, and the worker of the last packet.
wire::KeyDomain ClusterNode::Parts::domain_to(const wire::NodeAddress& to) const {
  if (to == sending_worker_) return wire::KeyDomain::kWorkers;
  return wire::domain_between(config.self.role, membership.role_at(to).value_or(wire::NodeRole::kManager));
}

void ClusterNode::Parts::persist() {
  if (!config.mutations.skip_persist) out.push_back(Persist{durable});
}

void ClusterNode::Parts::carry_out(Actions<membership::Membership::Action> actions, MonoTime now) {
  for (auto& action : actions) std::visit([&](auto& each) { act(std::move(each), now); }, action);
}

void ClusterNode::Parts::carry_out(Actions<election::Election::Action> actions, MonoTime now) {
  for (auto& action : actions) std::visit([&](auto& each) { act(std::move(each), now); }, action);
}

void ClusterNode::Parts::act(membership::Membership::Send action, MonoTime) {
  send(action.to, std::move(action.message));
}

void ClusterNode::Parts::act(membership::Membership::MemberUp action, MonoTime now) {
  out.push_back(MemberUp{.member = action.member, .recovered = action.recovered});
  if (action.member.role == wire::NodeRole::kWorker) ++workers_up_;
  primaries.member_up(action.member, now);
  if (election) step_election(election::Election::PeerUp{.peer = std::move(action.member)}, now);
}

void ClusterNode::Parts::act(membership::Membership::MemberDown action, MonoTime now) {
  out.push_back(MemberDown{.member = action.member,
                           .incarnation = action.incarnation,
                           .heard_by_gossip = action.heard_by_gossip,
                           .left = action.left});
  if (action.member.role == wire::NodeRole::kWorker) --workers_up_;
  primaries.member_down(action.member, now);
  if (election) step_election(election::Election::PeerDown{.peer = std::move(action.member)}, now);
}

void ClusterNode::Parts::act(const membership::Membership::StateReceived& action, MonoTime now) {
  primaries.heard(action.from, now);
  const auto got = split_version(action.state);
  const bool news =
      got && (config.mutations.accept_old_states || states_.check_and_update(action.from.address, got->version, now));
  if (!news) {
    ++stats.states_stale;
    return;
  }
  if (action.from.role == wire::NodeRole::kManager) {
    const auto heartbeat = wire::decode_heartbeat(got->state.view());
    const auto* manager = heartbeat ? std::get_if<wire::ManagerHeartbeat>(&*heartbeat) : nullptr;
    if (manager != nullptr && manager->term <= latest_term()) primaries.told(action.from, *manager, now);
  }
  out.push_back(StateReceived{.from = action.from, .state = got->state});
}

void ClusterNode::Parts::act(const membership::Membership::JobNodeDown& action, MonoTime now) {
  out.push_back(JobNodeDown{.job = action.job, .member = action.member, .incarnation = action.incarnation});
  primaries.job_node_down(action.job, action.member, now);
}

void ClusterNode::Parts::act(const membership::Membership::IncarnationChanged& action, MonoTime) {
  durable.incarnation = action.incarnation;
  persist();
  embed();
}

void ClusterNode::Parts::act(membership::Membership::Note action, MonoTime) {
  out.push_back(Note{.warning = action.warning, .text = std::move(action.text)});
}

void ClusterNode::Parts::act(const membership::Membership::Left&, MonoTime) {
  out.push_back(Left{});
}

void ClusterNode::Parts::act(election::Election::Send action, MonoTime now) {
  send(action.to.address, membership.envelope(std::move(action.body), action.to.address, now));
}

void ClusterNode::Parts::act(election::Election::Persist action, MonoTime) {
  durable.term = action.vote.term;
  durable.voted_for = std::move(action.vote.voted_for);
  persist();
}

void ClusterNode::Parts::act(const election::Election::BecameLeader& action, MonoTime) {
  out.push_back(BecameLeader{.term = action.term, .fence = action.fence.value()});
}

void ClusterNode::Parts::act(election::Election::LostLeadership action, MonoTime) {
  out.push_back(LostLeadership{.term = action.term, .reason = std::move(action.text)});
}

void ClusterNode::Parts::act(election::Election::LeaderChanged action, MonoTime) {
  out.push_back(LeaderChanged{.leader = std::move(action.leader), .term = action.term});
}

void ClusterNode::Parts::act(election::Election::Note action, MonoTime) {
  out.push_back(Note{.warning = action.warning, .text = std::move(action.text)});
}

}  // namespace hyperscale::cluster
