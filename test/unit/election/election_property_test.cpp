#include "sim/bugs/bug_planter.h"
#include "virtual_group.h"

#include <gtest/gtest.h>

namespace hyperscale::election {
namespace {

constexpr std::uint64_t kSeeds = 60;

// Other seeds with --gtest_random_seed=N.
std::uint64_t first_seed() {
  return static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed)) * 10'000 + 1;
}

std::string first_violation(Mutations mutations, std::uint64_t seeds) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    for (const std::size_t size : {std::size_t{3}, std::size_t{5}}) {
      VirtualGroup group({.size = size, .seed = seed, .mutations = mutations});
      if (std::string violation = group.run(); !violation.empty()) return violation;
    }
  }
  return "";
}

// The checker fails this on two winners of one term, two leases at once, a lease of a lower term after a higher one, a
// term that falls or is forgotten, a term raised without pre-votes, no common leader after healing, and a change of
// leader in calm.
// proves: LEAD-3, LEAD-8, AD5-2
// proves part: LEAD-5 (not that every higher term gets a vote: not from a voter that is bound to a leader)
TEST(ElectionProperty, OneLeaderWhateverHappens) {
  EXPECT_EQ(first_violation({}, kSeeds), "");
}

TEST(ElectionProperty, TroubleIsReal) {
  std::uint64_t leaderships = 0;
  std::uint64_t crashes = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    VirtualGroup group({.size = 5, .seed = seed});
    EXPECT_EQ(group.run(), "");
    leaderships += group.leaderships();
    crashes += group.crashes();
  }
  EXPECT_GT(leaderships, 60U);
  EXPECT_GT(crashes, 60U);
}

TEST(ElectionProperty, SameSeedSameTrace) {
  VirtualGroup first({.size = 5, .seed = 11});
  VirtualGroup second({.size = 5, .seed = 11});
  VirtualGroup other({.size = 5, .seed = 12});
  first.run();
  second.run();
  other.run();
  EXPECT_EQ(first.trace_hash(), second.trace_hash());
  EXPECT_NE(first.trace_hash(), other.trace_hash());
}

struct Broken {
  const char* name;
  wire::BugSwitch Mutations::* rule;
  std::uint64_t seeds_max;  // caught by then
};

class ElectionMutation : public testing::TestWithParam<Broken> {};

TEST_P(ElectionMutation, IsCaught) {
  Mutations mutations;
  mutations.*GetParam().rule = BugPlanter::planted();
  const std::string violation = first_violation(mutations, GetParam().seeds_max);
  EXPECT_NE(violation, "") << "not caught within " << GetParam().seeds_max << " seeds";
  RecordProperty("caught", violation);
}

INSTANTIATE_TEST_SUITE_P(Each, ElectionMutation,
                         testing::Values(Broken{"skip_pre_vote", &Mutations::skip_pre_vote, 5},
                                         Broken{"quorum_from_live", &Mutations::quorum_from_live, 50},
                                         Broken{"vote_twice", &Mutations::vote_twice, 150},
                                         Broken{"forget_vote_on_restart", &Mutations::forget_vote_on_restart, 20},
                                         Broken{"lead_without_lease", &Mutations::lead_without_lease, 20},
                                         Broken{"ignore_higher_term", &Mutations::ignore_higher_term, 50},
                                         Broken{"count_vote_twice", &Mutations::count_vote_twice, 150},
                                         Broken{"reuse_term", &Mutations::reuse_term, 20}),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace hyperscale::election
