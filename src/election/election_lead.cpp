// Leading and following: announcements, heartbeats, the lease, stepping down.
#include "election/election.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::election {

void Election::win(MonoTime now) {
  ++stats_.elections_won;
  state_ = State::kLeader;
  attempt_ends_ = ask_again_at_ = MonoTime::max();
  leader_ = config_.self;
  term_leader_ = config_.self.name;
  contested_ = false;
  lease_.start(config_.group_size, now + config_.timing.lease);
  flush_vote();
  out_.push_back(BecameLeader{vote_.term, fencing_token(vote_.term, 1)});
  send_to_all(wire::LeaderAnnounce{.term = vote_.term});
  beat(now);
}

void Election::beat(MonoTime now) {
  const std::uint64_t sequence = lease_.sent(now);
  beat_at_ = now + config_.timing.heartbeat_interval;
  send_to_all(wire::LeaderHeartbeat{.term = vote_.term, .sequence = sequence, .rank = own_rank()});
  lease_.renew(quorum_size(), config_.timing.lease);
}

void Election::handle(std::size_t seat, const wire::LeaderHeartbeatAck& ack, MonoTime now) {
  if (state_ != State::kLeader) return;
  if (newer(ack.term)) return enter_term(ack.term, now);
  if (ack.term != vote_.term) return;
  if (!lease_.acknowledged(seat, ack.sequence)) {
    ++stats_.refused_replays;
    return;
  }
  lease_.renew(quorum_size(), config_.timing.lease);
  judge_fitness(now);
}

// Another voter that is alive and answers could take over.
bool Election::successor_known(MonoTime now) const {
  for (std::size_t seat = 1; seat < voters_.seats().size(); ++seat) {
    if (voters_[seat].up && lease_.answered_since(seat, now - config_.timing.lease)) return true;
  }
  return false;
}

void Election::step_down(LossReason reason, MonoTime now) {
  ++stats_.step_downs;
  lease_.end();
  leader_.reset();
  out_.push_back(LostLeadership{vote_.term, reason, fmt::format("{}", name(reason))});
  send_to_all(wire::LeaderHeartbeat{.term = vote_.term, .sequence = kResignationSequence, .rank = own_rank()});
  give_up(now);
}

void Election::handle(std::size_t seat, const wire::LeaderAnnounce& announce, MonoTime now) {
  // Only the first announcement of a leader in its term counts: a replayed one must not bring a dead leader back.
  if (announce.term < vote_.term || (announce.term == vote_.term && !term_leader_.empty())) return;
  follow(seat, announce.term, now);
}

void Election::handle(std::size_t seat, const wire::LeaderHeartbeat& heartbeat, MonoTime now) {
  const wire::NodeIdentity& sender = voters_[seat].node;
  if (heartbeat.sequence == kResignationSequence) return take_resignation(seat, heartbeat, now);
  if (heartbeat.term < vote_.term) {  // shows the sender that its term is over
    return send(sender, wire::LeaderHeartbeatAck{.term = vote_.term, .sequence = heartbeat.sequence});
  }
  if (!newer(heartbeat.term) && heartbeat.sequence <= heartbeat_seen_) {
    ++stats_.refused_replays;
    return;
  }
  if (!follow(seat, heartbeat.term, now)) return;
  heartbeat_seen_ = heartbeat.sequence;
  leader_rank_ = heartbeat.rank;
  send(sender, wire::LeaderHeartbeatAck{.term = heartbeat.term, .sequence = heartbeat.sequence});
}

// A node that sends as leader of a term has won it, so all leases of earlier terms are over, and this one is returned:
// no lease is left that a promise of this node could protect.
void Election::take_resignation(std::size_t seat, const wire::LeaderHeartbeat& heartbeat, MonoTime now) {
  const std::string& sender = voters_[seat].node.name;
  if (heartbeat.term != vote_.term || state_ == State::kLeader) return;
  if (!term_leader_.empty() && term_leader_ != sender) return;
  term_leader_ = sender;
  leader_.reset();
  heartbeat_seen_ = UINT64_MAX;  // what it sent before is of no use any more
  promise_.release();
  if (state_ == State::kFollower) election_at_ = now + delay_by_rank();
}

// False when this term has another leader already: then voters were set up wrongly, and the first one stays.
bool Election::follow(std::size_t seat, wire::Term term, MonoTime now) {
  if (newer(term)) enter_term(term, now);
  const wire::NodeIdentity& leader = voters_[seat].node;
  if (!term_leader_.empty() && term_leader_ != leader.name) {
    if (stats_.refused_leaders++ == 0) {
      note(true, fmt::format("{} and {} both claim term {}", leader.name, term_leader_, vote_.term));
    }
    return false;
  }
  term_leader_ = leader.name;
  leader_ = leader;
  contested_ = false;
  promise_.extend(now, promise_length(config_.timing.lease));
  become_follower(now, promise_.until() - now + delay_by_rank());
  return true;
}

}  // namespace hyperscale::election
