// What the parts work out is what a node does: timeouts, distances, local health and both layers of failure detection,
// seen from outside.

#include "one_node.h"
#include "sim/bugs/bug_planter.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace hyperscale::membership::test {
namespace {

using wire::UpdateKind;

constexpr Duration kTick = 100ms;  // of the wheel

wire::Coordinate at(float x_ms, float height_ms) {
  wire::Coordinate place{
      .position = {}, .height_ms = height_ms, .relative_error = 0.1F, .error_ms = 1, .sample_count = 50};
  place.position[0] = x_ms;
  return place;
}

wire::ClusterMessage placed(const wire::NodeIdentity& from, wire::ClusterBody body, const wire::Coordinate& place) {
  wire::ClusterMessage message;
  message.sender = from;
  message.incarnation = wire::Incarnation(1);
  message.body = std::move(body);
  message.coordinate = place;
  return message;
}

// The peer answers every probe after `rtt`, from that place.
void measure(OneNode& node, const wire::NodeIdentity& peer, const wire::Coordinate& place, Duration rtt) {
  node.advance(40s, [&](const Membership::Send& send) {
    const auto* probe = std::get_if<wire::Probe>(&send.message.body);
    if (probe == nullptr || send.to != peer.address) return;
    node.now += rtt;
    node.feed(Membership::Received{.message = placed(peer, wire::Ack{.sequence = probe->sequence, .rtt_us = 0}, place),
                                   .from = peer.address});
  });
}

void make_slow(OneNode& node, int score) {
  for (int i = 0; i < score / 2; ++i) node.feed(Membership::LoopLag{.late = 5s, .period = 1s});
  ASSERT_EQ(node.core.health_score(), score);
}

// `teller` accuses; the accused answers whoever looks for itself, but does not refute.
void accuse(OneNode& node, const wire::NodeIdentity& subject, const wire::NodeIdentity& teller, std::uint64_t at) {
  const std::size_t before = node.log.size();
  node.hear(teller, update(UpdateKind::kSuspect, subject, at, teller));
  const std::vector<OneNode::Logged> said(node.log.begin() + static_cast<std::ptrdiff_t>(before), node.log.end());
  const auto world = node.answering({subject});
  for (const auto& logged : said) {
    if (const auto* send = std::get_if<Membership::Send>(&logged.action)) world(*send);
  }
}

// From the word of `teller` until the death of `subject`, which answers probes but does not refute.
Duration suspicion_lasts(OneNode& node, const wire::NodeIdentity& subject, const wire::NodeIdentity& teller,
                         std::vector<wire::NodeIdentity> living, int words = 1) {
  living.push_back(subject);
  const MonoTime start = node.now;
  for (int i = 0; i < words; ++i) {
    accuse(node, subject, teller, 1);
    if (words > 1) node.advance(1s, node.answering(living));
  }
  node.advance(400s, node.answering(living));
  for (const auto& logged : node.log) {
    const auto* down = std::get_if<Membership::MemberDown>(&logged.action);
    if (down != nullptr && down->member == subject) return logged.time - start;
  }
  return Duration::max();
}

Duration seconds(double value) {
  return Duration(std::llround(value * 1e9));
}

// proves: AD35-TMO-3, AD35-VIV-9, AD35-RTT-3
// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
// proves part: AD35-TMO-1 (not where a host refuses packets, nor for a death that nobody suspected)
TEST(Applied, UnmeasuredManagerGetsLongestSuspicion) {
  OneNode node(manager(1));
  node.meet(manager(2));
  node.meet(manager(3));
  const auto view = node.core.member(manager(2).address, node.now).value();
  EXPECT_EQ(view.coordinate_quality, 0);
  EXPECT_EQ(view.rtt_ucb_ms, RttConfig().rtt_default_ms + RttConfig().k_sigma * RttConfig().sigma_default_ms);
  const Duration lasts = suspicion_lasts(node, manager(2), manager(3), {manager(3)});
  EXPECT_GE(lasts, 57500ms) << "5 s * 10 * 1.15";
  EXPECT_LE(lasts, 57500ms + kTick);
}

// Base * latency by the bound * local health * confidence.
// proves: AD35-TMO-2, AD35-RTT-1, AD35-TMO-3
// proves part: AD35-TMO-1 (not where a host refuses packets, nor for a death that nobody suspected)
// proves part: AD35-RTT-2 (timeouts and the choice of a manager; jobs are not routed between datacenters yet)
// proves part: SWIM-LHM-2 (not the fixed time for which a death that was heard of is doubted)
// proves part: AD35-OBS-3 (every field; measured_rtt_samples has the last one only)
// proves part: OV-12 (refusals; probes, suspicions and jobs by LHM; not elections, nor the unconfirmed)
TEST(Applied, ManagerSuspicionIsProductOfThreeFactors) {
  for (const int score : {0, 2, 6}) {
    OneNode node(manager(1));
    node.meet(manager(2));
    measure(node, manager(2), at(0, 1), 20ms);
    node.meet(manager(3));
    const auto view = node.core.member(manager(2).address, node.now).value();
    ASSERT_GT(view.rtt_ucb_ms, *view.rtt_ms + 1);
    ASSERT_GT(view.rtt_ucb_ms, 10);
    ASSERT_LT(view.rtt_ucb_ms, 100);
    const double error = node.core.coordinate()->relative_error;
    ASSERT_GT(error, 0.01);
    make_slow(node, score);
    const Duration wanted = seconds(5 * view.rtt_ucb_ms / 10 * (1 + 0.25 * score) * (1 + error / 10));
    const Duration told = node.core.member(manager(2).address, node.now)->suspicion_timeout;
    EXPECT_GE(told, wanted - 1ms) << score;
    EXPECT_LE(told, wanted + 1ms) << score;
    const Duration lasts = suspicion_lasts(node, manager(2), manager(3), {manager(3)});
    EXPECT_GE(lasts, wanted - 1ms) << score;
    EXPECT_LE(lasts, wanted + kTick) << score;
  }
}

// Nobody told of it: this node found by its own probes that the peer is silent.
// proves: AD35-ROLE-3
// proves part: AD35-TMO-1 (not where a host refuses packets, nor for a death that nobody suspected)
TEST(Applied, SilentGateIsSuspectedForTheSameProduct) {
  OneNode node(gate(1));
  node.meet(gate(2));
  measure(node, gate(2), at(0, 1), 20ms);
  for (std::uint16_t i = 3; i <= 6; ++i) node.meet(gate(i));
  const auto others = node.answering({gate(3), gate(4), gate(5), gate(6)});
  const MonoTime end = node.now + 60s;
  while (node.state(gate(2)) == MemberState::kAlive && node.now < end) node.advance(1ms, others);
  const MonoTime suspected = node.now;
  ASSERT_EQ(node.state(gate(2)), MemberState::kSuspect);
  const auto& told = node.core.counters().timeouts;
  ASSERT_EQ(told.applied_s[wire::NodeRole::kGate].total(), 1);
  const double bound = node.core.member(gate(2).address, node.now)->rtt_ucb_ms;
  ASSERT_GT(bound, 15);
  EXPECT_NEAR(told.latency_multiplier.sum, bound / 10, 0.01);
  const double wanted_s = 5 * bound / 10 * told.load_multiplier.sum * told.confidence_adjustment.sum;
  EXPECT_NEAR(told.applied_s[wire::NodeRole::kGate].sum, wanted_s, 0.01);
  node.advance(300s, others);
  ASSERT_EQ(node.all<Membership::MemberDown>().size(), 1);
  for (const auto& logged : node.log) {
    if (!std::holds_alternative<Membership::MemberDown>(logged.action)) continue;
    EXPECT_GE(logged.time - suspected, seconds(wanted_s) - 20ms);
    EXPECT_LE(logged.time - suspected, seconds(wanted_s) + kTick);
  }
}

// proves part: AD35-RTT-2 (timeouts and the choice of a manager; jobs are not routed between datacenters yet)
TEST(Applied, ProbeTimeoutUsesUpperBoundOfDistance) {
  OneNode node(manager(1));
  node.meet(manager(2));
  wire::Coordinate unsure = at(0, 1);
  unsure.error_ms = 20;
  measure(node, manager(2), unsure, 450ms);
  node.log.clear();
  const MonoTime end = node.now + 20s;
  while (node.sent<wire::Probe>(manager(2)).empty() && node.now < end) node.advance(1ms);
  const auto view = node.core.member(manager(2).address, node.now).value();
  ASSERT_GT(view.rtt_ucb_ms, *view.rtt_ms + 10);
  const MonoTime probed = node.now;
  const auto asked = node.core.counters().indirect_probes;
  while (node.core.counters().indirect_probes == asked && node.now < end) node.advance(1ms);
  EXPECT_NEAR(static_cast<double>((node.now - probed).count()) / 1e6, 1.5 * view.rtt_ucb_ms, 2);
}

// proves: AD30-WHEEL-3, AD35-ROLE-3
// proves part: SWIM-4 (suspicions of workers; managers and gates are waited for by their distance)
// proves part: SWIM-LHM-2 (not the fixed time for which a death that was heard of is doubted)
// proves part: OV-12 (refusals; probes, suspicions and jobs by LHM; not elections, nor the unconfirmed)
TEST(Applied, WorkerSuspicionFollowsClusterSizeAndHealth) {
  for (const std::uint16_t members : {4, 12}) {
    for (const int score : {0, 2}) {
      OneNode node(worker(1));
      std::vector<wire::NodeIdentity> others;
      for (std::uint16_t i = 2; i <= members; ++i) node.meet(worker(i));
      for (std::uint16_t i = 3; i <= members; ++i) others.push_back(worker(i));
      make_slow(node, score);
      const Duration wanted = seconds(10 * std::log(members) * (1 + 0.25 * score));
      const Duration lasts = suspicion_lasts(node, worker(2), worker(3), others);
      EXPECT_GE(lasts, wanted - 1ms) << members << " " << score;
      EXPECT_LE(lasts, wanted + kTick) << members << " " << score;
    }
  }
}

// proves: AD30-WHEEL-2
TEST(Applied, RepeatedAccusationsDoNotProlongSuspicion) {
  OneNode node(worker(1));
  for (std::uint16_t i = 2; i <= 6; ++i) node.meet(worker(i));
  const Duration lasts = suspicion_lasts(node, worker(2), worker(3), {worker(3), worker(4), worker(5), worker(6)}, 15);
  EXPECT_LE(lasts, seconds(10 * std::log(6)) + kTick);
}

// proves: AD35-VIV-1, AD35-VIV-5, AD35-VIV-7, AD35-VIV-2, AD35-VIV-3
TEST(Applied, UnmeasuredPeerIsEstimatedFromCoordinate) {
  OneNode node(manager(1));
  node.meet(manager(2));
  measure(node, manager(2), at(0, 1), 20ms);
  node.feed(Membership::Received{.message = placed(manager(3), wire::SyncRequest{}, at(0, 1)), .from = {}});
  node.feed(Membership::Received{.message = placed(manager(4), wire::SyncRequest{}, at(0, 31)), .from = {}});
  const auto measured = node.core.member(manager(2).address, node.now).value();
  const auto near = node.core.member(manager(3).address, node.now).value();
  const auto high = node.core.member(manager(4).address, node.now).value();
  EXPECT_EQ(near.measured_rtt_ms, std::nullopt);
  ASSERT_TRUE(near.rtt_ms && high.rtt_ms);
  EXPECT_NEAR(*near.rtt_ms, *measured.rtt_ms, 0.01) << "the same place";
  EXPECT_NEAR(*high.rtt_ms - *near.rtt_ms, 30, 0.01) << "what its access link adds";
  node.log.clear();
  node.receive(manager(2), wire::Probe{.sequence = 1, .target = manager(1).address});
  EXPECT_GT(node.core.coordinate()->height_ms, 0);
  EXPECT_EQ(node.sends<wire::Ack>().at(0).message.coordinate, node.core.coordinate()) << "all of it is told";
}

// proves: SWIM-LHM-3
// proves part: OV-12 (refusals; probes, suspicions and jobs by LHM; not elections, nor the unconfirmed)
TEST(Applied, ProbeTimeoutGrowsAQuarterPerHealthPoint) {
  for (const auto& [score, timeout] :
       {std::pair(0, 500ms), std::pair(2, 750ms), std::pair(4, 1000ms), std::pair(8, 1500ms)}) {
    OneNode node(worker(1));
    for (std::uint16_t i = 2; i <= 4; ++i) node.meet(worker(i));
    make_slow(node, score);
    const MonoTime end = node.now + 20s;
    while (node.core.counters().probes_sent == 0 && node.now < end) node.advance(1ms);
    const MonoTime probed = node.now;
    while (node.core.counters().indirect_probes == 0 && node.now < end) node.advance(1ms);
    EXPECT_EQ(node.now - probed, Duration(timeout)) << score;
  }
}

// proves part: SWIM-LHM-1 (not failed probes of a suspect, nor of one whose host refuses them)
TEST(Applied, WhatANodeLivesThroughMovesItsScore) {
  OneNode node(worker(1));
  node.meet(worker(2));
  const auto until = [&](auto counter) {
    const auto before = node.core.counters().*counter;
    const MonoTime end = node.now + 20s;
    while (node.core.counters().*counter == before && node.now < end) node.advance(1ms);
    return node.core.health_score();
  };
  EXPECT_EQ(until(&Counters::indirect_probes), 1) << "the direct probe was not answered";
  EXPECT_EQ(until(&Counters::suspicions_started), 3) << "nor the indirect one, and that is a suspicion";
  node.receive(worker(2), wire::Join{}, 2);
  EXPECT_EQ(node.core.health_score(), 2) << "it was wrong";
  node.hear(worker(2), update(UpdateKind::kSuspect, worker(1), 1, worker(2)), 2);
  EXPECT_EQ(node.core.health_score(), 1) << "refuted";
  node.feed(Membership::LoopLag{.late = 1500ms, .period = 1s});
  EXPECT_EQ(node.core.health_score(), 2);
  node.feed(Membership::LoopLag{.late = 3s, .period = 1s});
  EXPECT_EQ(node.core.health_score(), 4);
  node.feed(Membership::LoopLag{.late = 0s, .period = 1s});
  EXPECT_EQ(node.core.health_score(), 3);
  node.log.clear();
  node.advance(1500ms);
  ASSERT_FALSE(node.sent<wire::Probe>(worker(2)).empty());
  const auto probe = node.sent<wire::Probe>(worker(2)).at(0);
  node.receive(worker(2), wire::Ack{.sequence = probe.sequence, .rtt_us = 0}, 2);
  EXPECT_EQ(node.core.health_score(), 2);
  for (int i = 0; i < 9; ++i) node.feed(Membership::LoopLag{.late = 3s, .period = 1s});
  EXPECT_EQ(node.core.health_score(), 8);
}

// proves: AD30-JOB-2, AD30-TEST-1
// proves part: OV-12 (refusals; probes, suspicions and jobs by LHM; not elections, nor the unconfirmed)
TEST(Applied, ASlowObserverWaitsLongerForAJob) {
  const auto lasts = [](int score) {
    OneNode node(manager(1));
    node.meet(worker(2));
    node.meet(worker(3));
    make_slow(node, score);
    const MonoTime start = node.now;
    EXPECT_TRUE(node.core.suspect_job("job-1", worker(2).address, manager(1).address, node.now));
    node.advance(100s, node.answering({worker(2), worker(3)}));
    for (const auto& logged : node.log) {
      if (std::holds_alternative<Membership::JobNodeDown>(logged.action)) return logged.time - start;
    }
    return Duration::max();
  };
  EXPECT_NEAR(static_cast<double>(lasts(0).count()), 1e10 * std::log(3), 1e6);
  EXPECT_NEAR(static_cast<double>(lasts(8).count()), 3e10 * std::log(3), 1e6);
}

// proves part: AD30-REC-1 (in the detector; of what it finds a node is seen to log one kind only)
TEST(Applied, ReportsLayerConflictAndDeathClearsJobs) {
  OneNode node(manager(1));
  node.meet(worker(2));
  node.meet(manager(3));
  for (const char* job : {"job-1", "job-2"}) {
    EXPECT_TRUE(node.core.suspect_job(job, worker(2).address, manager(1).address, node.now));
  }
  const auto world = node.answering({worker(2), manager(3)});
  node.advance(20s, world);
  EXPECT_EQ(node.all<Membership::JobNodeDown>().size(), 2);
  std::size_t told = 0;
  for (const auto& note : node.all<Membership::Note>()) told += note.text.find("layers disagree") != std::string::npos;
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(node.core.suspect_job("job-3", worker(2).address, manager(1).address, node.now));
  node.hear(manager(3), update(UpdateKind::kSuspect, worker(2), 1, manager(3)));
  node.hear(manager(3), update(UpdateKind::kDead, worker(2), 1, manager(3)));
  EXPECT_FALSE(node.core.is_alive_for_job("another", worker(2).address));
  EXPECT_EQ(node.core.clear_job("job-1") + node.core.clear_job("job-3"), 0);
}

std::size_t notes_with(const OneNode& node, std::string_view text) {
  std::size_t found = 0;
  for (const auto& note : node.all<Membership::Note>()) found += note.text.find(text) != std::string::npos;
  return found;
}

// proves part: AD30-LIM-1 (refusal, counters and log line; what is tracked goes on)
TEST(Applied, SuspicionPastLimitIsRefusedAndCounted) {
  Config config = Config::scaled_to(1s, wire::NodeRole::kManager);
  config.detection.limits.max_suspicions_per_job = 1;
  config.detection.limits.max_total_suspicions = 2;
  config.detection.wheel.max_entries = 1;
  OneNode node(manager(1), config);
  for (std::uint16_t i = 2; i <= 5; ++i) node.meet(worker(i));
  const auto suspect = [&](const char* job, std::uint16_t peer) {
    return node.core.suspect_job(job, worker(peer).address, manager(1).address, node.now);
  };
  EXPECT_TRUE(suspect("job-1", 2));
  EXPECT_FALSE(suspect("job-1", 3)) << "the job is full";
  EXPECT_TRUE(suspect("job-2", 2));
  EXPECT_FALSE(suspect("job-3", 2)) << "all jobs together are full";
  EXPECT_EQ(node.core.counters().job_suspicions_refused, 2U);
  const auto all = node.answering({worker(2), worker(3), worker(4), worker(5)});
  node.advance(100ms, all);
  node.feed(Membership::LoopLag{.late = 0s, .period = 1s});
  EXPECT_EQ(notes_with(node, "cannot suspect"), 1U) << "a storm of refusals is one line";
  node.advance(60s, all);
  EXPECT_EQ(node.all<Membership::JobNodeDown>().size(), 2U) << "what was accepted before came to its end";
  EXPECT_EQ(node.core.counters().suspicions_refused, 0U);
  accuse(node, worker(4), worker(3), 1);
  accuse(node, worker(5), worker(3), 1);
  EXPECT_EQ(node.state(worker(4)), MemberState::kSuspect);
  EXPECT_EQ(node.state(worker(5)), MemberState::kAlive) << "the wheel is full";
  EXPECT_EQ(node.core.counters().suspicions_refused, 1U);
  EXPECT_EQ(notes_with(node, "cannot suspect"), 2U);
}

// With a bug planted that leaves the suspicions of the dead behind.
// proves part: AD30-LIM-1 (jobs: suspicions of the dead make room)
TEST(Applied, AtALimitSuspicionsOfTheDeadMakeRoom) {
  Config config = Config::scaled_to(1s, wire::NodeRole::kManager);
  config.detection.limits.max_total_suspicions = 1;
  config.detection.mutations.global_death_keeps_jobs = BugPlanter::planted();
  OneNode node(manager(1), config);
  for (const auto& peer : {worker(2), worker(3), manager(3)}) node.meet(peer);
  EXPECT_TRUE(node.core.suspect_job("job-1", worker(2).address, manager(1).address, node.now));
  node.hear(manager(3), update(UpdateKind::kSuspect, worker(2), 1, manager(3)));
  node.hear(manager(3), update(UpdateKind::kDead, worker(2), 1, manager(3)));
  EXPECT_TRUE(node.core.suspect_job("job-2", worker(3).address, manager(1).address, node.now));
  EXPECT_EQ(node.core.counters().job_suspicions_refused, 0U);
}

// proves part: AD30-INT-2 (functions that no node calls, and a node before its start, which knows nobody)
TEST(Applied, WithoutDetectorEverybodyIsAlive) {
  Membership core(Config::scaled_to(1s, wire::NodeRole::kManager), manager(1), wire::Incarnation(), 1);
  EXPECT_TRUE(core.is_alive_for_job("job-1", worker(2).address));
  EXPECT_FALSE(core.suspect_job("job-1", worker(2).address, manager(1).address, MonoTime() + 1h));
  EXPECT_EQ(core.clear_job("job-1"), 0);
  EXPECT_EQ(core.state_of(worker(2).address), std::nullopt);
}

// One member through all rows of the table.
// proves: SWIM-2
// proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
// proves part: AD31-11 (told as a recovery on every path; not that votes and the count of workers take it back)
// proves part: SWIM-1 (states, timers, gossip and callbacks; no manager gives out work by them yet)
// proves part: AD35-LIFE-1 (any message makes a peer ALIVE, not only an ack both ways)
TEST(Applied, AMemberGoesThroughTheTableOfStates) {
  OneNode node(worker(1));
  node.meet(worker(2));
  node.meet(worker(3));
  EXPECT_EQ(node.all<Membership::MemberUp>().size(), 2);
  EXPECT_EQ(node.state(worker(2)), MemberState::kAlive);
  const auto peers = [&] {
    const Counters now = node.core.counters();
    return std::vector{now.peers_alive, now.peers_suspect, now.peers_dead};
  };
  EXPECT_EQ(peers(), (std::vector<std::uint32_t>{2, 0, 0}));
  const auto all = node.answering({worker(2), worker(3)});
  for (const bool by_itself : {true, false}) {
    const std::uint64_t life = node.incarnation_of(worker(2));
    accuse(node, worker(2), worker(3), life);
    ASSERT_EQ(node.state(worker(2)), MemberState::kSuspect);
    EXPECT_EQ(peers(), (std::vector<std::uint32_t>{1, 1, 0}));
    if (by_itself) node.meet(worker(2), life + 1);
    if (!by_itself) node.hear(worker(3), update(UpdateKind::kAlive, worker(2), life + 1, worker(2)));
    ASSERT_EQ(node.state(worker(2)), MemberState::kAlive);
  }
  node.advance(60s, all);
  ASSERT_EQ(node.state(worker(2)), MemberState::kAlive) << "the timer has stopped";
  for (const bool by_itself : {true, false}) {
    node.log.clear();
    node.advance(60s, node.answering({worker(3)}));
    ASSERT_EQ(node.state(worker(2)), MemberState::kDead);
    EXPECT_EQ(peers(), (std::vector<std::uint32_t>{1, 0, 1}));
    EXPECT_EQ(node.all<Membership::MemberDown>().size(), 1);
    std::size_t told = 0;
    for (const auto& announce : node.sent<wire::Announce>(worker(3))) told += announce.update.kind == UpdateKind::kDead;
    EXPECT_GT(told, 0) << "gossiped";
    const std::uint64_t life = node.incarnation_of(worker(2));
    if (by_itself) node.meet(worker(2), life + 1);
    if (!by_itself) node.hear(worker(3), update(UpdateKind::kAlive, worker(2), life + 1, worker(2)));
    ASSERT_EQ(node.state(worker(2)), MemberState::kAlive);
  }
  node.advance(60s, node.answering({worker(3)}));
  ASSERT_EQ(node.state(worker(2)), MemberState::kDead);
  node.advance(900s, node.answering({worker(3)}));
  EXPECT_FALSE(node.knows(worker(2)));
}

// proves: SWIM-5
TEST(Applied, ProbesAreCountedByTheirOutcome) {
  OneNode node(worker(1));
  for (std::uint16_t i = 2; i <= 4; ++i) node.meet(worker(i));
  node.advance(60s, node.answering({worker(3), worker(4)}));
  const Counters counters = node.core.counters();
  EXPECT_EQ(counters.probes_sent, node.sends<wire::Probe>().size());
  EXPECT_GE(counters.probes_acked, 40) << "two of three answer until the third is dead, then all";
  EXPECT_GE(counters.indirect_probes, 1);
  EXPECT_GE(counters.probes_failed, 1);
  EXPECT_LE(counters.probes_failed, counters.indirect_probes);
  EXPECT_EQ(counters.suspicions_started, 1);
  EXPECT_EQ(counters.deaths_detected, 1);
}

// proves: SWIM-5
TEST(Applied, EveryChangeOfAMemberIsInTheAuditLogAndCounted) {
  OneNode node(worker(1));
  node.meet(worker(3));
  const auto told = [&](UpdateKind kind, std::uint64_t at) {
    node.hear(worker(3), update(kind, worker(2), at, worker(3)));
  };
  told(UpdateKind::kJoin, 1);
  node.hear(worker(3), update(UpdateKind::kJoin, worker(9), 1, worker(3)));  // who never answers
  node.meet(worker(2));
  told(UpdateKind::kSuspect, 1);
  told(UpdateKind::kAlive, 2);
  told(UpdateKind::kSuspect, 2);
  told(UpdateKind::kDead, 2);
  told(UpdateKind::kAlive, 3);
  node.receive(worker(2), wire::Leave{}, 3);
  node.advance(901s, node.answering({worker(3)}));
  node.hear(worker(3), update(UpdateKind::kSuspect, worker(1), node.core.incarnation().value(), worker(3)));
  node.feed(Membership::Leave{});
  const auto events_of = [&](const wire::NodeIdentity& subject) {
    std::vector<std::string> events;
    for (const AuditEntry& entry : node.core.audit().entries())
      if (entry.subject == subject.address) events.emplace_back(name(entry.event));
    return events;
  };
  EXPECT_EQ(events_of(worker(9)), (std::vector<std::string>{"PEER_LEARNED", "UNCONFIRMED_PEER_REMOVED"}));
  EXPECT_EQ(events_of(worker(1)), (std::vector<std::string>{"SELF_REFUTED", "SELF_LEFT"}));
  EXPECT_EQ(events_of(worker(2)), (std::vector<std::string>{"PEER_LEARNED", "PEER_CONFIRMED", "SUSPECTED", "REFUTED",
                                                            "SUSPECTED", "DIED", "RECOVERED", "LEFT", "REAPED"}));
  const Counters counters = node.core.counters();
  EXPECT_EQ(counters.suspicions_heard, 2);
  EXPECT_EQ(counters.recoveries, 1);
  EXPECT_EQ(counters.departures, 1);
  EXPECT_EQ(counters.reaped, 1);
  EXPECT_EQ(counters.refutations, 1);
  EXPECT_EQ(counters.unconfirmed_removed.total(), 1);
}

}  // namespace
}  // namespace hyperscale::membership::test
