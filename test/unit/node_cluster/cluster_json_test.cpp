#include "node/cluster/cluster_json.h"

#include "node/cluster/cluster_metrics.h"
#include "node/fleet/fleet_plan.h"
#include "node/fleet/fleet_table.h"

#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hyperscale::node {
namespace {

using nlohmann::json;
using testing::HasSubstr;

ClusterStanding standing() {
  ClusterStanding out;
  out.view.self = {.name = "dc1-manager-1",
                   .role = wire::NodeRole::kManager,
                   .datacenter = "dc1",
                   .address = wire::address_v4(10, 0, 0, 1, 7700)};
  out.view.leadership = cluster::LeadershipState::kLeader;
  out.view.term = wire::Term(3);
  out.view.leader = out.view.self;
  out.view.coordinate = wire::Coordinate{
      .position = {1, 2, 3, 4}, .height_ms = 0.5F, .relative_error = 0.125F, .error_ms = 1, .sample_count = 30};
  cluster::MemberView alive{.identity = {.name = "dc1-worker-1",
                                         .role = wire::NodeRole::kWorker,
                                         .datacenter = "dc1",
                                         .address = wire::address_v4(10, 0, 0, 2, 7700)},
                            .state = membership::MemberState::kAlive,
                            .incarnation = {},
                            .rtt_ms = 2.5,
                            .rtt_ucb_ms = 4,
                            .coordinate_quality = 1,
                            .measured_rtt_ms = 3.0,
                            .suspicion_timeout = 5250ms,
                            .next_attempt_in = {}};
  cluster::MemberView unknown{.identity = {.name = "",
                                           .role = wire::NodeRole::kManager,
                                           .datacenter = "",
                                           .address = wire::address_v4(10, 0, 0, 9, 7700)},
                              .incarnation = {},
                              .in_state_for = 47s,
                              .rtt_ms = {},
                              .measured_rtt_ms = {},
                              .passive_timeout_remaining = 43s,
                              .confirmation_attempts = 1,
                              .next_attempt_in = 4s};
  out.view.members = {alive, unknown};
  out.leads = true;
  out.fence = 3ULL << 32 | 1;
  out.tls = true;
  out.sync = {.synced = {{.member = alive.identity,
                          .version = 41,
                          .worker = wire::WorkerStateSnapshot{.node_id = "dc1-worker-1", .total_cores = 8},
                          .agreed = {.version = {.major = 1, .minor = 1}, .features = {"batched_stats"}},
                          .node_version = "hyperscale-0.0.9",
                          .age = 1500ms}},
              .workers = {{.state = {.node_id = "dc1-worker-1", .total_cores = 8}, .told_by = "dc1-worker-1"}},
              .members = 2,
              .pending = 1,
              .asked = 5,
              .failed = 3,
              .refused_stale = 4};
  out.view.stats.degradation = cluster::Degradation::kHigh;
  out.view.stats.states_known = 6;
  out.cores = {"login", ""};
  out.frames = {.questions_in = 9, .questions_out = 5, .refused_unsealed = 7, .refused_replayed = 2};
  return out;
}

// proves: AD35-OBS-2
TEST(ClusterJson, TheCoordinate) {
  const auto got = json::parse(coordinate_json(standing().view));
  EXPECT_EQ(got, (json{{"position", {1, 2, 3, 4}},
                       {"height", 0.5},
                       {"error", 0.125},
                       {"peer_count", 2},
                       {"convergence_status", "converged"}}));
  ClusterStanding unsure = standing();
  unsure.view.coordinate->relative_error = 0.25F;
  EXPECT_EQ(json::parse(coordinate_json(unsure.view))["convergence_status"], "converging");
  unsure.view.coordinate->relative_error = 0.2F;
  EXPECT_EQ(json::parse(coordinate_json(unsure.view))["convergence_status"], "converging");
  unsure.view.coordinate->relative_error = 0.19F;
  EXPECT_EQ(json::parse(coordinate_json(unsure.view))["convergence_status"], "converged");
  unsure.view.coordinate.reset();
  EXPECT_EQ(json::parse(coordinate_json(unsure.view)), (json{{"peer_count", 2}, {"convergence_status", "none"}}));
}

// proves part: AD35-OBS-3 (every field; measured_rtt_samples has the last one only)
TEST(ClusterJson, ThePeers) {
  const auto got = json::parse(peers_json(standing().view));
  EXPECT_EQ(got, (json::array({{{"peer", "10.0.0.2:7700"},
                                {"estimated_rtt_ms", 2.5},
                                {"measured_rtt_samples", {3.0}},
                                {"prediction_error_ms", 0.5},
                                {"adaptive_timeout_s", 5.25}}})));
}

// proves part: AD35-OBS-4 (not next_attempt_in and confirmation_attempts as the route of a node gives them)
TEST(ClusterJson, TheUnconfirmed) {
  const auto now = WallTime::from_ns(1'800'000'047'000'000'000);
  const auto got = json::parse(unconfirmed_json(standing().view, now));
  EXPECT_EQ(got, (json::array({{{"peer", "10.0.0.9:7700"},
                                {"role", "manager"},
                                {"discovered_at", "2027-01-15T08:00:00.000Z"},
                                {"age_seconds", 47.0},
                                {"passive_timeout_remaining", 43.0},
                                {"confirmation_attempts", 1},
                                {"next_attempt_in", 4.0}}})));
}

TEST(ClusterJson, StandingHasLeadershipAndFenceToken) {
  const auto got = json::parse(standing_json(standing()));
  EXPECT_EQ(got["leads"], true);
  EXPECT_EQ(got["fence"], 3ULL << 32 | 1);
  EXPECT_EQ(got["term"], 3);
  EXPECT_EQ(got["members"].size(), 2U);
}

TEST(ClusterJson, TheManagersThatAWorkerOrGateTurnsTo) {
  ClusterStanding gate = standing();
  gate.view.primaries = {
      {.datacenter = "dc1", .primary = gate.view.self, .leader = gate.view.self, .term = wire::Term(3)},
      {.datacenter = "dc2", .coordinate_unaware = true}};
  const auto got = json::parse(standing_json(gate));
  EXPECT_EQ(got["primaries"], json::array({{{"datacenter", "dc1"},
                                            {"primary", "dc1-manager-1"},
                                            {"leader", "dc1-manager-1"},
                                            {"term", 3},
                                            {"coordinate_unaware", false}},
                                           {{"datacenter", "dc2"},
                                            {"primary", nullptr},
                                            {"leader", nullptr},
                                            {"term", 0},
                                            {"coordinate_unaware", true}}}));
  const std::string table = fleet_table({{.name = "gate-1",
                                          .role = "gate",
                                          .datacenter = "",
                                          .address = "10.0.0.1:7700",
                                          .process = "running",
                                          .standing = standing_json(gate)}},
                                        Glyphs::kAscii);
  EXPECT_THAT(table, HasSubstr("primary"));
  EXPECT_THAT(table, HasSubstr("dc1-manager-1, -"));
}

// Every metric of part A.6 of AD-35, with a value that only its own source gives.
// proves: AD35-ROLE-5, AD35-ROLE-7, AD35-SC-3
// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
// proves part: AD29-6 (text, time and counter; not that a node's log has it as a warning)
TEST(ClusterMetrics, ExportEveryCoordinateAndConfirmationMetric) {
  using wire::NodeRole;
  ClusterStanding node = standing();
  membership::Counters& m = node.view.stats.membership;
  m.coordinate_updates = 11;
  m.unconfirmed_removed.of = {12, 13, 14};
  m.confirmation_attempts.of = {2, 3, 0};
  m.confirmation_successes = 4;
  m.confirmations = 15;
  m.warned_unconfirmed = 25;
  m.unconfirmed_removed_by_timeout[NodeRole::kGate] = 16;
  m.unconfirmed_removed_by_gossip[NodeRole::kWorker] = 17;
  m.unconfirmed_removed_by_timeout[NodeRole::kManager] = 26;
  m.peers_unconfirmed = 18;
  m.peers_alive = 19;
  m.peers_suspect = 20;
  m.peers_dead = 21;
  m.suspicions_started = 22;
  m.prediction_error_ms.add(1.5);
  m.prediction_error_ms.add(40);
  m.convergence_time_s.add(12);
  m.timeouts.applied_s[NodeRole::kGate].add(5.25);
  m.timeouts.applied_s[NodeRole::kManager].add(27);
  m.timeouts.latency_multiplier.add(5);
  m.timeouts.load_multiplier.add(2.5);
  m.timeouts.confidence_adjustment.add(1.07);
  const std::string page = cluster_metrics(node);
  for (const char* line : {"vivaldi_coordinate_updates 11\n",
                           "unconfirmed_peers_removed_gate 12\n",
                           "unconfirmed_peers_removed_manager 13\n",
                           "unconfirmed_peers_removed_worker 14\n",
                           "confirmation_attempts_total 5\n",
                           "confirmation_attempts_success 4\n",
                           "transitions_unconfirmed_to_alive 15\n",
                           "unconfirmed_warnings_total 25\n",
                           "transitions_unconfirmed_to_removed 39\n",
                           "peer_confirmation_attempts_total{role=\"gate\"} 2\n",
                           "peer_confirmation_attempts_total{role=\"manager\"} 3\n",
                           "peer_confirmation_attempts_total{role=\"worker\"} 0\n",
                           "unconfirmed_cleanup_total{role=\"gate\",reason=\"timeout\"} 16\n",
                           "unconfirmed_cleanup_total{role=\"worker\",reason=\"gone\"} 17\n",
                           "unconfirmed_cleanup_total{role=\"manager\",reason=\"timeout\"} 26\n",
                           "peers_unconfirmed 18\n",
                           "peers_alive 19\n",
                           "peers_suspect 20\n",
                           "peers_dead 21\n",
                           "suspicions_started{reason=\"timeout\"} 22\n",
                           "# TYPE vivaldi_prediction_error histogram\n",
                           "vivaldi_prediction_error_count 2\n",
                           "vivaldi_prediction_error_sum 41.5\n",
                           "vivaldi_prediction_error_bucket{le=\"1\"} 0\n",
                           "vivaldi_prediction_error_bucket{le=\"2\"} 1\n",
                           "vivaldi_prediction_error_bucket{le=\"+Inf\"} 2\n",
                           "vivaldi_convergence_time_bucket{le=\"10\"} 0\n",
                           "vivaldi_convergence_time_bucket{le=\"20\"} 1\n",
                           "adaptive_timeout_seconds_sum{role=\"gate\"} 5.25\n",
                           "adaptive_timeout_seconds_sum{role=\"manager\"} 27\n",
                           "adaptive_timeout_seconds_count{role=\"worker\"} 0\n",
                           "adaptive_timeout_applied_count 2\n",
                           "adaptive_timeout_applied_sum 32.25\n",
                           "latency_multiplier_sum 5\n",
                           "load_multiplier_sum 2.5\n",
                           "confidence_adjustment_sum 1.07\n",
                           "vivaldi_coord_quality{peer=\"10.0.0.2:7700\"} 1\n",
                           "vivaldi_rtt_ucb_ms{peer=\"10.0.0.2:7700\"} 4\n"})
    EXPECT_THAT(page, HasSubstr(std::string("\n") + line)) << "or at the start of a line";
}

// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
TEST(ClusterMetrics, DistancesAndConfirmationHaveTheirKinds) {
  const std::string page = cluster_metrics(standing());
  const std::map<std::string, std::vector<std::string>> kinds{
      {"counter",
       {"vivaldi_coordinate_updates", "unconfirmed_peers_removed_gate", "unconfirmed_peers_removed_manager",
        "unconfirmed_peers_removed_worker", "confirmation_attempts_total", "confirmation_attempts_success",
        "transitions_unconfirmed_to_alive", "transitions_unconfirmed_to_removed", "peer_confirmation_attempts_total",
        "unconfirmed_cleanup_total", "suspicions_started"}},
      {"histogram",
       {"vivaldi_prediction_error", "vivaldi_convergence_time", "adaptive_timeout_applied", "latency_multiplier",
        "load_multiplier", "confidence_adjustment", "adaptive_timeout_seconds"}},
      {"gauge",
       {"peers_unconfirmed", "peers_alive", "peers_suspect", "peers_dead", "vivaldi_coord_quality",
        "vivaldi_rtt_ucb_ms"}}};
  for (const auto& [kind, names] : kinds)
    for (const std::string& name : names) EXPECT_THAT(page, HasSubstr("# TYPE " + name + " " + kind + "\n"));
}

TEST(ClusterMetrics, HaveAtMostSoManySeriesForPeers) {
  ClusterStanding node = standing();
  node.view.members.assign(kPeerSeriesMax + 7, node.view.members.front());
  for (std::size_t i = 0; i < node.view.members.size(); ++i)
    node.view.members[i].identity.address.port = static_cast<std::uint16_t>(i + 1);
  const std::string page = cluster_metrics(node);
  std::size_t series = 0;
  for (std::size_t at = page.find("{peer="); at != std::string::npos; at = page.find("{peer=", at + 1)) ++series;
  EXPECT_EQ(series, 2 * kPeerSeriesMax);
  EXPECT_THAT(page, HasSubstr("cluster_peers_without_series 7\n"));
}

TEST(ClusterJson, TheStandingTellsWhatALeaderWasTold) {
  const auto got = json::parse(standing_json(standing()));
  EXPECT_EQ(got["synced"], (json::array({{{"name", "dc1-worker-1"},
                                          {"role", "worker"},
                                          {"version", 41},
                                          {"cores", 8},
                                          {"protocol", "1.1"},
                                          {"features", {"batched_stats"}},
                                          {"program", "hyperscale-0.0.9"},
                                          {"age_s", 1.5}}})));
  EXPECT_EQ(got["workers"],
            (json::array({{{"name", "dc1-worker-1"}, {"cores", 8}, {"workflows", 0}, {"told_by", "dc1-worker-1"}}})));
  EXPECT_EQ(got["sync_members"], 2);
  EXPECT_EQ(got["sync_pending"], 1);
  EXPECT_EQ(got["tls"], true);
  EXPECT_EQ(got["degradation"], "high");
  EXPECT_EQ(got["cores"], (json::array({"login", ""}))) << "what each runs";
}

// proves: SWIM-5
TEST(ClusterJson, TheAuditLogTellsWhatHappenedToWhomAndWhen) {
  const MonoTime now = MonoTime() + 100s;
  const WallTime wall = WallTime() + 1'750'000'000s;
  const auto got = json::parse(audit_json({{.time = now - 10s,
                                            .event = membership::AuditEvent::kDied,
                                            .subject = wire::address_v4(10, 0, 0, 2, 7700),
                                            .incarnation = wire::Incarnation(4),
                                            .heard_by_gossip = true}},
                                          now, wall));
  ASSERT_EQ(got.size(), 1u);
  EXPECT_THAT(got[0]["at"].get<std::string>(), HasSubstr("2025-06-15T15:06:30"));
  EXPECT_EQ(got[0]["event"], "DIED");
  EXPECT_EQ(got[0]["subject"], "10.0.0.2:7700");
  EXPECT_EQ(got[0]["incarnation"], 4);
  EXPECT_EQ(got[0]["heard_by_gossip"], true);
}

// proves: SWIM-5
TEST(ClusterMetrics, TellOfProbesSuspicionsAndGossip) {
  ClusterStanding node = standing();
  membership::Counters& m = node.view.stats.membership;
  m.probes_sent = 31;
  m.probes_failed = 32;
  m.probes_refused = 33;
  m.suspicions_started = 34;
  m.suspicions_of_refused = 35;
  m.refutations = 36;
  m.gossip_dropped = 37;
  m.gossip_queued = 38;
  const std::string page = cluster_metrics(node);
  for (const char* line : {"probes_sent_total 31", "probes_failed_total 32", "probes_refused_total 33",
                           "suspicions_started{reason=\"timeout\"} 34", "suspicions_started{reason=\"refused\"} 35",
                           "refutations_total 36", "gossip_dropped_total 37", "gossip_queued 38"})
    EXPECT_THAT(page, HasSubstr("\n" + std::string(line) + "\n"));
}

// proves: SWIM-5
// proves part: AD30-LIM-1 (the metrics)
TEST(ClusterMetrics, TellOfSuspicionsThatALimitRefused) {
  ClusterStanding node = standing();
  node.view.stats.membership.suspicions_refused = 23;
  node.view.stats.membership.job_suspicions_refused = 24;
  const std::string page = cluster_metrics(node);
  EXPECT_THAT(page, HasSubstr("suspicions_refused_total{layer=\"global\"} 23\n"));
  EXPECT_THAT(page, HasSubstr("suspicions_refused_total{layer=\"job\"} 24\n"));
}

// proves: SWIM-5
// proves part: AD31-4 (the names of both metrics)
TEST(ClusterMetrics, SeparateGossipedFromDetectedDeaths) {
  ClusterStanding node = standing();
  node.view.stats.membership.deaths_gossiped = 25;
  node.view.stats.membership.deaths_detected = 26;
  const std::string page = cluster_metrics(node);
  EXPECT_THAT(page, HasSubstr("\ngossip_informed_deaths 25\n"));
  EXPECT_THAT(page, HasSubstr("\ndeaths_detected_total 26\n"));
}

// proves: AD3-2
TEST(ClusterMetrics, TellWhetherAQuorumIsAvailable) {
  ClusterStanding node = standing();
  for (const bool available : {false, true}) {
    node.view.quorum_available = available;
    EXPECT_EQ(json::parse(standing_json(node))["quorum_available"], available);
    EXPECT_THAT(cluster_metrics(node),
                HasSubstr(available ? "\ncluster_quorum_available 1\n" : "\ncluster_quorum_available 0\n"));
  }
}

TEST(ClusterMetrics, TellOfTheStateSync) {
  const std::string page = cluster_metrics(standing());
  for (const char* name :
       {"cluster_state_sync_asked_total 5", "cluster_state_sync_failed_total 3", "cluster_state_sync_pending 1",
        "cluster_state_sync_refused_total 4", "cluster_degradation_level 2", "cluster_states_known 6",
        "cluster_frames_refused_total{reason=\"unsealed\"} 7", "cluster_frames_refused_total{reason=\"replayed\"} 2"})
    EXPECT_THAT(page, HasSubstr(name));
}

TEST(ClusterMetrics, HaveTheNamesOfTheCatalogue) {
  const std::string page = cluster_metrics(standing());
  for (const char* name : {"gossip_informed_deaths 0", "peers_unconfirmed 0", "vivaldi_coordinate_updates 0",
                           "unconfirmed_peers_removed_gate 0", "confirmation_attempts_total 0",
                           "peer_confirmation_attempts_total{role=\"worker\"} 0",
                           "suspicions_started{reason=\"timeout\"} 0", "vivaldi_rtt_ucb_ms{peer=\"10.0.0.2:7700\"} 4",
                           "cluster_leads 1", "cluster_datagrams_refused_total{reason=\"forged\"} 0"})
    EXPECT_THAT(page, HasSubstr(name));
}

TEST(FleetTable, TellsHowOthersSeeANode) {
  const std::string table = fleet_table({{.name = "dc1-manager-1",
                                          .role = "manager",
                                          .datacenter = "dc1",
                                          .address = "10.0.0.1:7700",
                                          .process = "running",
                                          .standing = standing_json(standing())},
                                         {.name = "dc1-worker-1",
                                          .role = "worker",
                                          .datacenter = "dc1",
                                          .address = "10.0.0.2:7700",
                                          .process = "paused",
                                          .standing = {}}},
                                        Glyphs::kAscii);
  EXPECT_THAT(table, HasSubstr("dc1-manager-1  manager  dc1  10.0.0.1:7700  running  -        0    leads"));
  EXPECT_THAT(table, HasSubstr("1 of 2")) << "synced";
  EXPECT_THAT(table, HasSubstr("dc1-worker-1   worker   dc1  10.0.0.2:7700  paused   alive"));
}

// Of another version, broken, or of a server that is no node at all.
TEST(FleetTable, ReadsAnyAnswerByItsTypes) {
  for (const char* answer : {"",
                             "x",
                             "null",
                             "[]",
                             "5",
                             "\"text\"",
                             "true",
                             "{}",
                             "[1,2]",
                             R"({"members":5})",
                             R"({"members":{"a":1}})",
                             R"({"members":[null,5,"x",[],{}]})",
                             R"({"members":[{"name":"n","state":7,"rtt_ms":"x"}]})",
                             R"({"members":[{"name":5},{"state":"alive"}]})",
                             R"({"incarnation":"x","term":-1,"leader":[]})",
                             R"({"incarnation":1.5,"leads":"yes","leadership":7,"term":1e99})",
                             R"({"leads":true,"synced":5})",
                             R"({"leads":true,"synced":[],"sync_members":"x"})",
                             R"({"primaries":7})",
                             R"({"primaries":[5,{},{"primary":7}]})",
                             R"({"leads":1,"leadership":null})"}) {
    const std::string table = fleet_table({{.name = "n",
                                            .role = "worker",
                                            .datacenter = "dc1",
                                            .address = "10.0.0.1:7700",
                                            .process = "running",
                                            .standing = answer}},
                                          Glyphs::kAscii);
    EXPECT_THAT(table, HasSubstr("n     worker  dc1  10.0.0.1:7700  running  -")) << answer;
  }
}

TEST(FleetTable, ShowsWhatIsThereWhenTheRestIsMissing) {
  const std::string table = fleet_table({{.name = "n",
                                          .role = "manager",
                                          .datacenter = "dc1",
                                          .address = "10.0.0.1:7700",
                                          .process = "running",
                                          .standing = R"({"leader":"m","term":7,"leads":true,"synced":[1]})"}},
                                        Glyphs::kAscii);
  EXPECT_THAT(table, HasSubstr("leads       m       7     1 of -"));
}

TEST(FleetPlan, EveryVoterKnowsItsWholeGroup) {
  const FleetShape shape{.gates = 1, .datacenters = 2, .managers = 2, .workers = 1};
  ASSERT_EQ(nodes_of(shape), 7U);
  const auto nodes =
      plan_fleet(shape, std::vector<FleetPorts>(7, {.cluster = 1, .api = 2, .metrics = 3, .transport = 4}));
  EXPECT_EQ(nodes[0].name, "gate-1");
  EXPECT_EQ(nodes[4].name, "dc2-manager-1");
  const std::string toml = node_toml(shape, nodes, nodes[4], "/somewhere");
  EXPECT_THAT(toml, HasSubstr("group_size = 2\nvoters = \"dc2-manager-1,dc2-manager-2\"\n"));
  EXPECT_THAT(toml, HasSubstr("datacenter = \"dc2\""));
  EXPECT_EQ(toml.find("tls_"), std::string::npos);
  FleetShape with_tls = shape;
  with_tls.tls = true;
  EXPECT_THAT(node_toml(with_tls, nodes, nodes[4], "/somewhere"),
              HasSubstr("tls_cert_file = \"/somewhere/cert.pem\"\ntls_key_file = \"/somewhere/key.pem\"\n"
                        "tls_ca_file = \"/somewhere/../ca.pem\"\n"));
  EXPECT_EQ(node_toml(shape, nodes, nodes[6], "/somewhere").find("group_size"), std::string::npos) << "a worker";
}

}  // namespace
}  // namespace hyperscale::node
