#include "sim/checkers/vote_checker.h"

#include <fmt/format.h>

namespace hyperscale::sim {

Finding VoteChecker::persisted(HostId host, const PersistedVote& vote) {
  PersistedVote& last = last_[host];
  if (vote.term < last.term) return fmt::format("machine {} goes back from term {} to {}", host, last.term, vote.term);
  if (vote.incarnation < last.incarnation) {
    return fmt::format("machine {} goes back from incarnation {} to {}", host, last.incarnation, vote.incarnation);
  }
  if (vote.term == last.term && !last.voted_for.empty() && vote.voted_for != last.voted_for) {
    return fmt::format("machine {} votes for '{}' in term {} after it has voted for '{}'", host, vote.voted_for,
                       vote.term, last.voted_for);
  }
  last = vote;
  return std::nullopt;
}

}  // namespace hyperscale::sim
