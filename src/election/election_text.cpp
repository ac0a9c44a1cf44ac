// Actions of the election as text for logs and traces.
#include "base/check.h"
#include "election/election.h"

#include <fmt/format.h>

namespace hyperscale::election {

namespace {

std::string body_text(const wire::PreVoteRequest& m) {
  return fmt::format("pre-vote-request term {} health {} priority {}", m.term, m.rank.health_score, m.rank.priority);
}
std::string body_text(const wire::PreVoteResponse& m) {
  return fmt::format("pre-vote-response term {} {}", m.term, m.granted ? "granted" : "denied");
}
std::string body_text(const wire::VoteRequest& m) {
  return fmt::format("vote-request term {} health {} priority {}", m.term, m.rank.health_score, m.rank.priority);
}
std::string body_text(const wire::VoteResponse& m) {
  return fmt::format("vote-response term {} {}", m.term, m.granted ? "granted" : "denied");
}
std::string body_text(const wire::LeaderAnnounce& m) {
  return fmt::format("leader-announce term {}", m.term);
}
std::string body_text(const wire::LeaderHeartbeat& m) {
  if (m.sequence == kResignationSequence) return fmt::format("resignation term {}", m.term);
  return fmt::format("heartbeat {} term {} health {}", m.sequence, m.term, m.rank.health_score);
}
std::string body_text(const wire::LeaderHeartbeatAck& m) {
  return fmt::format("heartbeat-ack {} term {}", m.sequence, m.term);
}

std::string text(const Election::Send& send) {
  return std::visit(
      [&](const auto& body) -> std::string {
        if constexpr (requires { body_text(body); }) {
          return fmt::format("to {}: {}", send.to.name, body_text(body));
        } else {
          return "not of the election";
        }
      },
      send.body);
}
std::string text(const Election::Persist& persist) {
  return fmt::format("persist term {} vote '{}'", persist.vote.term, persist.vote.voted_for);
}
std::string text(const Election::BecameLeader& won) {
  return fmt::format("became leader of term {}, fence {:#x}", won.term, won.fence.value());
}
std::string text(const Election::LostLeadership& lost) {
  return fmt::format("lost leadership of term {}: {}", lost.term, lost.text);
}
std::string text(const Election::LeaderChanged& changed) {
  return fmt::format("leader of term {}: {}", changed.term, changed.leader ? changed.leader->name : "none");
}
std::string text(const Election::Note& note) {
  return (note.warning ? "warning: " : "note: ") + note.text;
}

}  // namespace

std::string to_string(const Election::Action& action) {
  return std::visit([](const auto& a) { return text(a); }, action);
}

std::string_view name(State state) {
  switch (state) {
    case State::kInitial:
      return "initial";
    case State::kFollower:
      return "follower";
    case State::kPreCandidate:
      return "pre-candidate";
    case State::kCandidate:
      return "candidate";
    case State::kLeader:
      return "leader";
  }
  UNREACHABLE("state {}", static_cast<int>(state));
}

std::string_view name(LossReason reason) {
  switch (reason) {
    case LossReason::kQuorumLost:
      return "no majority answered within the lease";
    case LossReason::kHigherTerm:
      return "a higher term has begun";
    case LossReason::kUnhealthy:
      return "local health is too bad to lead";
    case LossReason::kDegraded:
      return "this node is overloaded";
    case LossReason::kLeaving:
      return "this node leaves";
  }
  UNREACHABLE("reason {}", static_cast<int>(reason));
}

}  // namespace hyperscale::election
