#include "sim/scenario/target.h"

#include "sim/scenario/scenario.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

class TargetTest : public testing::Test {
 protected:
  TargetTest() {
    for (const HostSpec& host : hosts) specs.push_back(&host);
  }
  std::vector<std::string> names(std::string_view text) {
    const auto targets = parse_targets(text, labels_of(hosts));
    EXPECT_TRUE(targets.has_value()) << targets.error().context;
    std::vector<std::string> found;
    const auto leader = [](const std::vector<HostId>& among) {
      return among.empty() ? std::nullopt : std::optional(among.back());
    };
    for (const HostId host : resolve(*targets, specs, leader, prng)) found.push_back(hosts[host].name);
    return found;
  }
  std::string error(std::string_view text) {
    const auto targets = parse_targets(text, labels_of(hosts));
    return targets ? "none" : targets.error().context;
  }

  std::vector<HostSpec> hosts = hosts_of({.gates = 3, .datacenters = 2, .managers = 3, .workers = 2});
  std::vector<const HostSpec*> specs;
  Prng prng{1};
};

using Names = std::vector<std::string>;

TEST_F(TargetTest, MachinesAreNamedByNameLabelAndBoth) {
  EXPECT_EQ(names("gate2"), Names{"gate2"});
  EXPECT_EQ(names("managers in dc2"), (Names{"dc2-manager1", "dc2-manager2", "dc2-manager3"}));
  EXPECT_EQ(names("dc1-worker1, gates"), (Names{"dc1-worker1", "gate1", "gate2", "gate3"}));
  EXPECT_EQ(names("all").size(), hosts.size());
}

TEST_F(TargetTest, LeadersFollowersAndDraws) {
  EXPECT_EQ(names("leader of gates"), Names{"gate3"});
  EXPECT_EQ(names("followers of managers in dc1"), (Names{"dc1-manager1", "dc1-manager2"}));
  EXPECT_EQ(names("2 random of workers").size(), 2);
  EXPECT_EQ(names("99 random of gates").size(), 3);
  EXPECT_EQ(names("1 random of followers of gates").size(), 1);
  EXPECT_NE(names("1 random of followers of gates"), Names{"gate3"});
}

TEST_F(TargetTest, TextAndTargetsAgree) {
  for (const std::string text :
       {"leader of managers in dc1", "2 random of all, gate1", "1 random of followers of gates"}) {
    EXPECT_EQ(to_string(*parse_targets(text, labels_of(hosts))), text);
  }
}

TEST_F(TargetTest, MistakesAreNamedWithTheNearestWord) {
  EXPECT_EQ(error("gaets"), "no machine or label is called 'gaets'; did you mean 'gates'?");
  EXPECT_EQ(error("managers of dc1"),
            "'of' in \"managers of dc1\" is not understood; write such as \"leader of managers in dc1\"");
  EXPECT_EQ(error("x random of gates"), "'x' is not how many to draw; write \"2 random of workers\"");
  EXPECT_EQ(error(""), "targets are empty; write such as \"gates\" or \"all\"");
  EXPECT_NE(error("gates, "), "none");
}

}  // namespace
}  // namespace hyperscale::sim
