#include "sim/cluster/planted_bugs.h"

#include "base/check.h"
#include "sim/bugs/bug_planter.h"

#include <algorithm>
#include <array>

namespace hyperscale::sim {
namespace {

struct Row {
  std::string_view name;
  std::string_view about;
  std::uint64_t seeds_max;
  std::string_view scenario;
  void (*plant)(cluster::Mutations&);
};

constexpr std::uint64_t kFew = 20;
constexpr std::uint64_t kMany = 60;

using Mutations = cluster::Mutations;

const std::array kRows{
    Row{"skip_pre_vote", "a node that was cut off raises the term of the others", kFew, "deaf_follower",
        [](Mutations& m) { m.election.skip_pre_vote = BugPlanter::planted(); }},
    Row{"quorum_from_live", "a majority is counted from those that are alive, not from those configured", kMany, "",
        [](Mutations& m) { m.election.quorum_from_live = BugPlanter::planted(); }},
    Row{"vote_twice", "a second candidate of a term gets a vote too", kMany, "",
        [](Mutations& m) { m.election.vote_twice = BugPlanter::planted(); }},
    Row{"forget_vote_on_restart", "a vote that was saved is not read again", kMany, "",
        [](Mutations& m) { m.election.forget_vote_on_restart = BugPlanter::planted(); }},
    Row{"lead_without_lease", "a leader acts although no majority answers it", kFew, "",
        [](Mutations& m) { m.election.lead_without_lease = BugPlanter::planted(); }},
    Row{"ignore_higher_term", "a leader does not step down for a higher term", kMany, "",
        [](Mutations& m) { m.election.ignore_higher_term = BugPlanter::planted(); }},
    Row{"count_vote_twice", "a vote that comes twice counts twice", kFew, "slow_split_five",
        [](Mutations& m) { m.election.count_vote_twice = BugPlanter::planted(); }},
    Row{"reuse_term", "an election does not raise the term", kFew, "",
        [](Mutations& m) { m.election.reuse_term = BugPlanter::planted(); }},
    Row{"forget_incarnation_check", "old news about a member is believed", kMany, "",
        [](Mutations& m) { m.membership.forget_incarnation_check = BugPlanter::planted(); }},
    Row{"callbacks_twice", "a death is told again when it is heard again", kFew, "",
        [](Mutations& m) { m.membership.callbacks_twice = BugPlanter::planted(); }},
    Row{"never_refute", "a living node does not answer to its own suspicion", kFew, "",
        [](Mutations& m) { m.membership.never_refute = BugPlanter::planted(); }},
    Row{"reuse_nonce", "every packet is sealed with the same salt and nonce", 1, "",
        [](Mutations& m) { m.seal.reuse_nonce = BugPlanter::planted(); }},
    Row{"skip_persist", "promises are given and not written down", kMany, "",
        [](Mutations& m) { m.skip_persist = BugPlanter::planted(); }},
    Row{"accept_old_states", "what a node tells about itself is passed on whatever its version", kMany, "",
        [](Mutations& m) { m.accept_old_states = BugPlanter::planted(); }},
    Row{"accept_replays", "a packet is taken as often as it comes", kMany, "",
        [](Mutations& m) { m.accept_replays = BugPlanter::planted(); }},
};

}  // namespace

std::vector<PlantedBug> planted_bugs() {
  std::vector<PlantedBug> bugs;
  for (const Row& row : kRows) {
    bugs.push_back({std::string(row.name), std::string(row.about), row.seeds_max, std::string(row.scenario)});
  }
  return bugs;
}

void plant(std::string_view bug, cluster::Mutations& mutations) {
  if (bug.empty()) return;
  const auto row = std::ranges::find(kRows, bug, &Row::name);
  CHECK(row != kRows.end(), "no bug is called {}", bug);
  row->plant(mutations);
}

}  // namespace hyperscale::sim
