// Judging others: who gets a pre-vote, who gets the vote of a term.
#include "election/election.h"

#include <algorithm>

namespace hyperscale::election {

void Election::handle(std::size_t seat, const wire::PreVoteRequest& request, MonoTime now) {
  const wire::NodeIdentity& candidate = voters_[seat].node;
  if (contests(seat, request, now)) {
    contested_ = true;
    send(candidate, wire::PreVoteResponse{.term = request.term, .granted = false});
    return start_pre_vote(now);
  }
  const bool granted = grants_pre_vote(seat, request, now);
  const wire::Term term = granted ? request.term : std::max(request.term, vote_.term);
  send(candidate, wire::PreVoteResponse{.term = term, .granted = granted});
  // The better one is standing: two candidates would only split the votes.
  if (granted && state_ == State::kPreCandidate) give_up(now);
}

bool Election::grants_pre_vote(std::size_t seat, const wire::PreVoteRequest& request, MonoTime now) const {
  if (request.term < vote_.term || !eligible(seat, request.rank) || state_ == State::kLeader) return false;
  // A candidate fit to lead is better than a leader that is not (LEAD-4).
  if (promised(now)) return leader_ && !healthy_enough(leader_rank_.health_score, config_.max_leader_lhm);
  const bool standing = state_ == State::kPreCandidate || state_ == State::kCandidate;
  return !standing || better({request.rank, voters_[seat].node.name}, {own_rank(), config_.self.name});
}

// A better follower that sees no leader either stands itself, once: if it then fails it lets others try (LEAD-2).
bool Election::contests(std::size_t seat, const wire::PreVoteRequest& request, MonoTime now) const {
  return state_ == State::kFollower && !contested_ && !promised(now) && !flapping_.cooling_down(now) && may_stand() &&
         request.term == vote_.term && vote_.term < kTermMax &&
         better({own_rank(), config_.self.name}, {request.rank, voters_[seat].node.name});
}

bool Election::eligible(std::size_t seat, const wire::CandidateRank& rank) const {
  return voters_[seat].up && healthy_enough(rank.health_score, config_.max_leader_lhm);
}

void Election::handle(std::size_t seat, const wire::VoteRequest& request, MonoTime now) {
  const wire::NodeIdentity& candidate = voters_[seat].node;
  const auto answer = [&](wire::Term term, bool granted) {
    send(candidate, wire::VoteResponse{.term = term, .granted = granted});
  };
  if (request.term < vote_.term) return answer(vote_.term, false);
  // Bound to a leader: the request does not even move the term, or one stray candidate could end a good leadership.
  if (promised(now) && state_ != State::kLeader) return answer(request.term, false);
  if (newer(request.term)) enter_term(request.term, now);
  const bool free_to_vote =
      vote_.voted_for.empty() || vote_.voted_for == candidate.name || config_.mutations.vote_twice;
  if (!free_to_vote || !eligible(seat, request.rank)) return answer(request.term, false);
  vote_for(candidate.name);
  if (state_ == State::kFollower) election_at_ = now + config_.timing.vote_timeout + retry_delay();
  answer(request.term, true);
}

}  // namespace hyperscale::election
