#include "election/election.h"

#include "base/check.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::election {

namespace {

void check_config(const ElectionConfig& config) {
  CHECK(config.group_size >= 1 && config.group_size <= kGroupSizeMax, "a group of {}", config.group_size);
  CHECK(config.voters.empty() ||
            (config.voters.size() == config.group_size && std::ranges::count(config.voters, config.self.name) == 1),
        "{} names for a group of {}", config.voters.size(), config.group_size);
  const std::set<std::string> names(config.voters.begin(), config.voters.end());
  CHECK(names.size() == config.voters.size(), "a voter is named twice");
  CHECK(config.timing.lease < config.timing.heartbeat_interval * static_cast<int>(kHeartbeatsKept),
        "a lease of more than {} heartbeats", kHeartbeatsKept);
}

}  // namespace

Election::Election(ElectionConfig config, DurableVote durable)
    : config_(std::move(config)),
      prng_(config_.seed),
      vote_(std::move(durable)),
      voters_(config_.self, config_.group_size, config_.voters),
      flapping_(config_.flapping_changes_max, config_.timing.flapping_window, config_.timing.flapping_cooldown) {
  check_config(config_);
  CHECK(vote_.term <= kTermMax, "term {}", vote_.term);
}

Actions<Election::Action> Election::step(const Event& event, MonoTime now) {
  out_.clear();
  expire(now);
  struct Visitor {
    Election& election;
    MonoTime now;
    void operator()(const Start&) const { election.start(now); }
    void operator()(const Received& received) const { election.receive(received, now); }
    void operator()(const Tick&) const { election.tick(now); }
    void operator()(const PeerUp& up) const { election.peer_up(up.peer); }
    void operator()(const PeerDown& down) const { election.peer_down(down.peer); }
    void operator()(const HealthChanged& health) const {
      election.health_ = health.score;
      election.judge_fitness(now);
    }
    void operator()(const DegradationChanged& degradation) const {
      election.degradation_ = degradation.level;
      election.judge_fitness(now);
    }
    void operator()(const Leave&) const { election.leave(now); }
  };
  std::visit(Visitor{*this, now}, event);
  flush_vote();
  report_leader(now);
  return std::exchange(out_, {});
}

MonoTime Election::next_wake() const {
  switch (state_) {
    case State::kInitial:
      return MonoTime::max();
    case State::kFollower:
      return leader_ ? promise_.until() : election_at_;
    case State::kPreCandidate:
    case State::kCandidate:
      return std::min(attempt_ends_, ask_again_at_);
    case State::kLeader:
      return config_.mutations.lead_without_lease ? beat_at_ : std::min(beat_at_, lease_.deadline());
  }
  UNREACHABLE("state {}", static_cast<int>(state_));
}

bool Election::leads(MonoTime now) const {
  return state_ == State::kLeader && (lease_.holds(now) || config_.mutations.lead_without_lease);
}

std::size_t Election::quorum_size() const {
  if (config_.mutations.quorum_from_live) return (voters_.active_peers() + 1) / 2 + 1;
  return config_.group_size / 2 + 1;
}

bool Election::has_quorum_available() const {
  return voters_.active_peers() + 1 >= quorum_size();
}

void Election::start(MonoTime now) {
  if (state_ != State::kInitial) return;
  // Before a restart this node may have acknowledged a heartbeat: it is bound as if it had done so just now.
  promise_.extend(now, promise_length(config_.timing.lease));
  become_follower(now, promise_.until() - now + delay_by_rank());
}

void Election::receive(const Received& received, MonoTime now) {
  if (state_ == State::kInitial) return;
  const Voters::Found found = voters_.seat_of(received.from);
  if (!found.seat) return refuse_sender(received.from, found.refusal);
  std::visit(
      [&](const auto& body) {
        if constexpr (requires { handle(*found.seat, body, now); }) {
          if (body.term <= latest_term_) return handle(*found.seat, body, now);
          if (stats_.refused_terms++ == 0) {
            note(true, fmt::format("{} speaks of term {}, which no group can have reached: ignored", received.from.name,
                                   body.term));
          }
        }
      },
      received.body);
}

void Election::refuse_sender(const wire::NodeIdentity& node, Voters::Refusal refusal) {
  switch (refusal) {
    case Voters::Refusal::kStranger:
      ++stats_.refused_strangers;
      return;
    case Voters::Refusal::kOwnName:
      if (stats_.refused_strangers++ == 0) note(true, fmt::format("another node is called {} too", node.name));
      return;
    case Voters::Refusal::kSurplus:
      if (stats_.refused_surplus++ == 0) {
        note(true, fmt::format("{} is no voter: the {} configured ones are known", node.name, config_.group_size));
      }
      return;
  }
}

// Applies expired leases and promises before any other event.
void Election::expire(MonoTime now) {
  if (state_ == State::kLeader) {
    if (now >= lease_.deadline() && !config_.mutations.lead_without_lease) step_down(LossReason::kQuorumLost, now);
  } else if (leader_ && !promised(now)) {
    leader_.reset();
  }
}

void Election::tick(MonoTime now) {
  switch (state_) {
    case State::kInitial:
      return;
    case State::kFollower:
      if (!leader_ && now >= election_at_) stand_or_wait(now);
      return;
    case State::kPreCandidate:
    case State::kCandidate:
      if (now >= attempt_ends_) return give_up(now);
      if (now >= ask_again_at_) ask_again(now);
      return;
    case State::kLeader:
      if (now >= beat_at_) beat(now);
      return;
  }
}

void Election::peer_up(const wire::NodeIdentity& peer) {
  const Voters::Found found = voters_.seat_of(peer);
  if (!found.seat) return refuse_sender(peer, found.refusal);
  voters_.set_up(*found.seat, true);
  report_quorum();
}

// A dead leader's lease still has to expire (AD6-3): only the leader knows when it stopped acting.
void Election::peer_down(const wire::NodeIdentity& peer) {
  const std::optional<std::size_t> seat = voters_.find(peer);
  if (!seat) return;
  voters_.set_up(*seat, false);
  report_quorum();
}

void Election::report_quorum() {
  if (has_quorum_available() == quorum_reported_) return;
  quorum_reported_ = !quorum_reported_;
  note(!quorum_reported_, fmt::format("{} of {} voters are alive, {} are needed: {}", voters_.active_peers() + 1,
                                      config_.group_size, quorum_size(), quorum_reported_ ? "quorum" : "no quorum"));
}

void Election::judge_fitness(MonoTime now) {
  if (state_ == State::kPreCandidate || state_ == State::kCandidate) {
    if (!may_stand()) give_up(now);
    return;
  }
  if (state_ != State::kLeader) return;
  if (!healthy_enough(health_, config_.max_leader_lhm)) return step_down(LossReason::kUnhealthy, now);
  if (degradation_ == Degradation::kCritical || (degradation_ == Degradation::kSevere && successor_known(now))) {
    step_down(LossReason::kDegraded, now);
  }
}

void Election::leave(MonoTime now) {
  leaving_ = true;
  if (state_ == State::kLeader) return step_down(LossReason::kLeaving, now);
  if (state_ == State::kPreCandidate || state_ == State::kCandidate) give_up(now);
}

void Election::enter_term(wire::Term term, MonoTime now) {
  if (state_ == State::kLeader) step_down(LossReason::kHigherTerm, now);
  if (state_ != State::kFollower) give_up(now);
  vote_ = {.term = term, .voted_for = {}};
  vote_unsaved_ = true;
  leader_.reset();
  term_leader_.clear();
  leader_rank_ = {};
  heartbeat_seen_ = 0;
}

void Election::become_follower(MonoTime now, Duration election_in) {
  state_ = State::kFollower;
  election_at_ = now + election_in;
  attempt_ends_ = ask_again_at_ = beat_at_ = MonoTime::max();
}

void Election::vote_for(const std::string& name) {
  if (vote_.voted_for == name) return;
  vote_.voted_for = name;
  vote_unsaved_ = true;
}

// Runs before any message is sent: what a message claims must still be true after a crash.
void Election::flush_vote() {
  if (!std::exchange(vote_unsaved_, false) || config_.mutations.forget_vote_on_restart) return;
  out_.push_back(Persist{vote_});
}

void Election::send(const wire::NodeIdentity& to, wire::ClusterBody body) {
  flush_vote();
  out_.push_back(Send{to, std::move(body)});
}

void Election::send_to_all(const wire::ClusterBody& body) {
  for (const Seat& seat : voters_.seats().subspan(1)) {
    if (seat.seen) send(seat.node, body);
  }
}

void Election::report_leader(MonoTime now) {
  if (leader_ == reported_leader_ && (!leader_ || vote_.term == reported_term_)) return;
  reported_leader_ = leader_;
  reported_term_ = vote_.term;
  out_.push_back(LeaderChanged{leader_, vote_.term});
  if (leader_ && flapping_.changed(now)) {
    ++stats_.cooldowns;
    note(true, fmt::format("leadership changed more than {} times: no election from here for {} ms",
                           config_.flapping_changes_max, config_.timing.flapping_cooldown / 1ms));
  }
}

}  // namespace hyperscale::election
