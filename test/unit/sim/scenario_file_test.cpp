#include "sim/scenario/scenario_file.h"

#include "sim/run/scenario_list.h"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ScenarioFile, AllOfItIsRead) {
  const ScenarioLoad load = read_scenario("sim/scenarios/storm.toml", R"(
about = "a storm"
time = "90s"

[topology]
gates = 5
datacenters = 1

[network]
site_latency = "20ms"
loss = 0.01
mtu = 900

[settings]
gossip_buffer = 32

[[fault]]
at = "50s"
kind = "heal"

[[fault]]
at = "20s"
kind = "loss"
targets = "leader of gates"
against = "dc1"
amount = 0.5
lasts = "10s"

[[fault]]
at = "30s"
kind = "clock_jump"
targets = "gate1"
by = "-5s"

[[expect]]
at = "80s"
kind = "leader_kept"
targets = "gates"
since = "60s"
)");
  EXPECT_THAT(load.errors, IsEmpty());
  const Scenario& scenario = load.scenario;
  EXPECT_EQ(scenario.name, "storm");
  EXPECT_EQ(scenario.time, 90s);
  EXPECT_EQ(scenario.topology, (Topology{.gates = 5, .datacenters = 1, .managers = 3, .workers = 4}));
  EXPECT_EQ(scenario.network.between_sites.latency, 20ms);
  EXPECT_EQ(scenario.network.within_site.loss, 0.01);
  EXPECT_EQ(scenario.network.limits.mtu_bytes, 900);
  EXPECT_EQ(scenario.settings.get("gossip_buffer", 0), 32);
  ASSERT_EQ(scenario.faults.size(), 3);
  EXPECT_EQ(to_string(scenario.faults[0]), "loss leader of gates against dc1 amount 0.5 for 10s");
  EXPECT_EQ(scenario.faults[1].by, -5s);
  EXPECT_EQ(scenario.faults[2].kind, FaultKind::kHeal);
  ASSERT_EQ(scenario.expectations.size(), 1);
  EXPECT_EQ(scenario.expectations[0].kind, ExpectKind::kLeaderKept);
  EXPECT_EQ(scenario.expectations[0].since, 60s);
}

TEST(ScenarioFile, NamesEachMistakeWithLineAndSuggestion) {
  const ScenarioLoad load = read_scenario("x.toml", R"(tme = "2m"
[topolgy]
gates = 3
[topology]
gate = 3
[network]
loss = 3
latency = 5
[[fault]]
at = "10s"
kind = "crsh"
[[fault]]
kind = "crash"
target = "gates"
[[fault]]
at = "10"
kind = "slow"
targets = "gate9"
[[expect]]
at = "20m"
kind = "setled"
)");
  EXPECT_THAT(
      load.errors,
      ElementsAre("x.toml:1: unknown key 'tme' in the file; did you mean 'time'?",
                  "x.toml:2: unknown section [topolgy]; did you mean 'topology'?",
                  "x.toml:5: unknown key 'gate' in [topology]; did you mean 'gates'?",
                  "x.toml:7: loss is a share from 0 to 1, not 3", "x.toml:7: loss is a share from 0 to 1, not 3",
                  "x.toml:8: latency must be a duration such as \"30s\", not a number",
                  "x.toml:11: no fault is called 'crsh'; did you mean 'crash'?",
                  "x.toml:12: [[fault]] needs the key 'at'", "x.toml:12: [[fault]] needs the key 'targets'",
                  "x.toml:14: unknown key 'target' in [[fault]]; did you mean 'targets'?",
                  "x.toml:15: [[fault]] needs the key 'by'", testing::StartsWith("x.toml:16: at: "),
                  "x.toml:18: targets: no machine or label is called 'gate9'; did you mean 'gate1'?",
                  "x.toml:20: the scenario is over before this is looked at",
                  "x.toml:21: nothing to expect is called 'setled'; did you mean 'settled'?"));
}

TEST(ScenarioFile, BrokenTomlIsOneError) {
  const ScenarioLoad load = read_scenario("x.toml", "about = \"x\ntime = 3\n");
  ASSERT_EQ(load.errors.size(), 1);
  EXPECT_TRUE(load.errors[0].starts_with("x.toml:1: syntax error")) << load.errors[0];
}

TEST(ScenarioFile, AFaultThatIsNoSectionIsToldHowToWriteIt) {
  EXPECT_THAT(read_scenario("x.toml", "[fault]\nat = \"1s\"\n").errors,
              ElementsAre("x.toml:1: fault is a list of sections; write [[fault]]"));
}

TEST(ScenarioFile, EveryScenarioOfTheProgramIsSound) {
  std::set<std::string_view> names;
  for (const ScenarioText& each : scenario_list()) {
    const ScenarioLoad load = read_scenario(std::string(each.name) + ".toml", each.text);
    EXPECT_THAT(load.errors, IsEmpty()) << each.name;
    EXPECT_FALSE(load.scenario.about.empty()) << each.name;
    EXPECT_FALSE(load.scenario.expectations.empty()) << each.name << " expects nothing";
    names.insert(each.name);
  }
  for (const std::string_view wanted :
       {"three_gates_start_together", "leader_killed", "leader_paused", "partition_and_heal", "one_way_partition",
        "rolling_restart", "worker_flood", "key_rotation", "asymmetric_loss", "clock_jump", "whole_dc_lost",
        "slow_node", "mixed_versions", "split_brain_five", "forged_senders"}) {
    EXPECT_TRUE(names.contains(wanted)) << wanted;
  }
}

TEST(ScenarioFile, AnotherTopologyReplacesThatOfTheFile) {
  const std::string_view text =
      "[topology]\ngates = 3\n[[fault]]\nat = \"1s\"\nkind = \"crash\"\ntargets = \"gate7\"\n";
  EXPECT_FALSE(read_scenario("x.toml", text).ok());
  EXPECT_TRUE(read_scenario("x.toml", text, Topology{.gates = 9}).ok());
}

}  // namespace
}  // namespace hyperscale::sim
