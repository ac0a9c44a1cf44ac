// Standing for election: pre-vote, vote, giving up.
#include "base/check.h"
#include "election/election.h"

namespace hyperscale::election {

bool Election::may_stand() const {
  return state_ != State::kInitial && !leaving_ && degradation_ < Degradation::kSevere &&
         healthy_enough(health_, config_.max_leader_lhm);
}

// The healthier starts earlier, then the one with the higher priority, then chance (LEAD-2).
Duration Election::delay_by_rank() {
  const Duration slot = config_.timing.rank_slot;
  const Duration by_priority = slot / 2 / (std::int64_t{1} + config_.priority);
  return slot * health_ + by_priority + prng_.between(Duration(0), slot / 4);
}

Duration Election::retry_delay() {
  return prng_.between(config_.timing.retry_min, config_.timing.retry_max) + delay_by_rank();
}

void Election::stand_or_wait(MonoTime now) {
  if (promised(now)) {
    election_at_ = promise_.until() + delay_by_rank();
  } else if (flapping_.cooling_down(now)) {
    election_at_ = flapping_.until() + delay_by_rank();
  } else if (!may_stand() || vote_.term >= kTermMax) {
    election_at_ = now + retry_delay();
  } else {
    start_pre_vote(now);
  }
}

void Election::open_ballot(State state, Duration timeout, MonoTime now) {
  state_ = state;
  votes_.start(config_.group_size, config_.mutations.count_vote_twice);
  votes_.grant(kOwnSeat);
  attempt_ends_ = now + timeout;
  ask_again_at_ = now + config_.timing.resend_interval;
}

void Election::start_pre_vote(MonoTime now) {
  if (config_.mutations.skip_pre_vote) return start_election(now);
  ++stats_.pre_votes_started;
  open_ballot(State::kPreCandidate, config_.timing.pre_vote_timeout, now);
  send_to_all(wire::PreVoteRequest{.term = vote_.term, .rank = own_rank()});
  if (votes_.granted() >= quorum_size()) start_election(now);
}

void Election::start_election(MonoTime now) {
  CHECK(!promised(now), "stands in spite of a promise");
  ++stats_.elections_started;
  if (!config_.mutations.reuse_term) enter_term(wire::Term(vote_.term.value() + 1), now);
  vote_for(config_.self.name);
  open_ballot(State::kCandidate, config_.timing.vote_timeout, now);
  send_to_all(wire::VoteRequest{.term = vote_.term, .rank = own_rank()});
  if (votes_.granted() >= quorum_size()) win(now);
}

void Election::ask_again(MonoTime now) {
  ask_again_at_ = now + config_.timing.resend_interval;
  for (std::size_t seat = 1; seat < voters_.seats().size(); ++seat) {
    if (!voters_[seat].seen || votes_.granted_by(seat)) continue;
    if (state_ == State::kPreCandidate) {
      send(voters_[seat].node, wire::PreVoteRequest{.term = vote_.term, .rank = own_rank()});
    } else {
      send(voters_[seat].node, wire::VoteRequest{.term = vote_.term, .rank = own_rank()});
    }
  }
}

void Election::give_up(MonoTime now) {
  become_follower(now, retry_delay());
}

void Election::handle(std::size_t seat, const wire::PreVoteResponse& response, MonoTime now) {
  if (count_answer(State::kPreCandidate, seat, response.term, response.granted, now)) start_election(now);
}

void Election::handle(std::size_t seat, const wire::VoteResponse& response, MonoTime now) {
  if (count_answer(State::kCandidate, seat, response.term, response.granted, now)) win(now);
}

// True when this answer makes a majority.
bool Election::count_answer(State asked_as, std::size_t seat, wire::Term term, bool granted, MonoTime now) {
  if (state_ != asked_as) return false;
  if (newer(term)) {
    enter_term(term, now);
    return false;
  }
  if (term != vote_.term) return false;
  if (!granted) {
    votes_.deny(seat);
    if (votes_.hopeless(quorum_size())) give_up(now);
    return false;
  }
  votes_.grant(seat);
  return votes_.granted() >= quorum_size();
}

}  // namespace hyperscale::election
