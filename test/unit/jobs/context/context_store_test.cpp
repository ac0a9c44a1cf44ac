#include "jobs/context/context_store.h"

#include "base/prng.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::jobs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Updates = std::vector<ContextUpdate>;

std::size_t put(ContextStore& store, const std::string& workflow, const Updates& updates,
                const std::string& writer = "m1") {
  return store.apply(workflow, updates, writer).value();
}

const ContextEntry& entry(const ContextStore& store, const std::string& workflow, const std::string& key) {
  return store.state().values.at(workflow).at(key);
}

// proves: CTX-API-1
TEST(ContextStore, HasTwoLevels) {
  ContextStore store;
  put(store, "login", {{.key = "token", .json = "\"abc\"", .timestamp = 7}});
  put(store, "browse", {{.key = "token", .json = "1", .timestamp = 8}, {.key = "page", .json = "[2]", .timestamp = 9}});
  EXPECT_EQ(entry(store, "login", "token").json, "\"abc\"");
  EXPECT_EQ(entry(store, "login", "token").timestamp, 7U);
  EXPECT_EQ(entry(store, "browse", "token").json, "1");
  EXPECT_EQ(store.state().values.at("browse").size(), 2U);
}

// proves: CTX-SYNC-11
TEST(ContextStore, TheLastWriterWins) {
  const auto after = [](std::uint64_t timestamp, const std::string& writer) {
    ContextStore store;
    put(store, "w", {{.key = "k", .json = "old", .timestamp = 5}}, "m2");
    put(store, "w", {{.key = "k", .json = "new", .timestamp = timestamp}}, writer);
    return entry(store, "w", "k").json;
  };
  EXPECT_EQ(after(6, "m1"), "new");
  EXPECT_EQ(after(4, "m9"), "old");
  EXPECT_EQ(after(5, "m3"), "new") << "the greater node wins a tie";
  EXPECT_EQ(after(5, "m1"), "old");
  EXPECT_EQ(after(5, "m2"), "old");
  EXPECT_EQ(after(5, ""), "old");
  ContextEntry unknown{.json = "x", .timestamp = 5};
  EXPECT_FALSE(wins({.json = "y", .timestamp = 5, .writer = "m1"}, unknown)) << "one writer is not known";
}

// proves part: CTX-SYNC-5 (the rule; the clock also passes timestamps that were given)
TEST(ContextStore, AMissingTimestampIsTheClock) {
  ContextStore store;
  EXPECT_EQ(store.clock(), 1U);
  EXPECT_EQ(put(store, "w", {{.key = "a", .json = "1"}, {.key = "b", .json = "2"}}, "leader"), 2U);
  EXPECT_EQ(entry(store, "w", "a").timestamp, 1U);
  EXPECT_EQ(entry(store, "w", "b").timestamp, 1U);
  EXPECT_EQ(entry(store, "w", "a").writer, "leader");
  EXPECT_EQ(store.clock(), 2U);
  put(store, "w", {{.key = "a", .json = "3", .timestamp = 40}});
  EXPECT_EQ(store.clock(), 41U) << "above all that was written";
  EXPECT_EQ(put(store, "w", {{.key = "a", .json = "4"}}), 1U);
  EXPECT_EQ(entry(store, "w", "a").json, "4");
  EXPECT_EQ(put(store, "w", {{.key = "a", .json = "5", .timestamp = 2}}), 0U);
  EXPECT_EQ(store.clock(), 43U);
  EXPECT_EQ(put(store, "w", {}), 0U);
  EXPECT_EQ(store.clock(), 43U);
}

// proves part: CTX-SYNC-6 (version and snapshot; acknowledgements are the journal's)
TEST(ContextStore, ALayerIsAVersionWithAllValues) {
  ContextStore store;
  EXPECT_EQ(store.version(), 0U);
  put(store, "setup", {{.key = "user", .json = "{}"}});
  const ContextSnapshot first = store.complete_layer();
  EXPECT_EQ(first.version, 1U);
  EXPECT_EQ(first.values.at("setup").at("user").json, "{}");
  put(store, "load", {{.key = "ids", .json = "[]"}});
  EXPECT_FALSE(first.values.contains("load"));
  const ContextSnapshot second = store.complete_layer();
  EXPECT_EQ(second.version, 2U);
  EXPECT_EQ(second.values.size(), 2U);
}

// proves part: CTX-SYNC-8 (stored, and old versions refused; the answer is sent by its owner)
// proves part: CTX-SYNC-12 (the store of the new leader; not: the leader's death)
TEST(ContextStore, ANewLeaderGoesOnFromTheLastSnapshot) {
  ContextStore leader;
  put(leader, "setup", {{.key = "user", .json = "1"}});
  const ContextSnapshot synced = leader.complete_layer();
  put(leader, "load", {{.key = "ids", .json = "lost with the leader"}});
  ContextStore next;
  EXPECT_TRUE(next.install(synced));
  EXPECT_EQ(next.version(), 1U);
  EXPECT_FALSE(next.state().values.contains("load"));
  put(next, "load", {{.key = "ids", .json = "again"}}, "m2");
  EXPECT_EQ(next.complete_layer().version, 2U);
  EXPECT_EQ(entry(next, "setup", "user").json, "1");
}

// proves part: CTX-SYNC-8 (stored, and old versions refused; the answer is sent by its owner)
TEST(ContextStore, AnOldSnapshotIsRefused) {
  ContextStore leader;
  put(leader, "a", {{.key = "k", .json = "1"}});
  const ContextSnapshot first = leader.complete_layer();
  put(leader, "b", {{.key = "k", .json = "2"}});
  const ContextSnapshot second = leader.complete_layer();
  ContextStore peer;
  EXPECT_TRUE(peer.install(second));
  EXPECT_FALSE(peer.install(first));
  EXPECT_EQ(peer.version(), 2U);
  EXPECT_TRUE(peer.install(second)) << "the same one again";
  ContextSnapshot other = second;
  other.values.at("b").at("k").json = "3";
  EXPECT_FALSE(peer.install(other)) << "one version, other values";
  EXPECT_EQ(entry(peer, "b", "k").json, "2");
}

TEST(ContextStore, TheClockNeverFalls) {
  ContextStore leader;
  put(leader, "a", {{.key = "k", .json = "1"}});
  ContextStore peer;
  put(peer, "x", {{.key = "k", .json = "1", .timestamp = 900}});
  ASSERT_TRUE(peer.install(leader.complete_layer()));
  EXPECT_EQ(peer.clock(), 901U);
  ContextSnapshot wrong = leader.complete_layer();
  wrong.version = 9;
  wrong.values.at("a").at("k").timestamp = wrong.clock;
  EXPECT_FALSE(peer.install(wrong)) << "its clock is not above its timestamps";
}

// proves part: CTX-SYNC-9 (the selection; the dispatch is made by its owner)
TEST(ContextStore, ADispatchGetsItsDependenciesOnly) {
  ContextStore store;
  put(store, "a", {{.key = "z", .json = "1"}, {.key = "y", .json = "2"}});
  put(store, "b", {{.key = "x", .json = "3", .timestamp = 12}});
  put(store, "c", {{.key = "w", .json = "4"}});
  const auto values = store.of(std::vector<std::string>{"b", "none", "a", "b"});
  std::vector<std::string> names;
  for (const auto& value : values) names.push_back(value.source + "." + value.key + "=" + value.json);
  EXPECT_THAT(names, ElementsAre("a.y=2", "a.z=1", "b.x=3"));
  EXPECT_EQ(values.back().timestamp, 12U);
  EXPECT_THAT(store.of({}), IsEmpty());
}

TEST(ContextStore, LimitsRefuseAllOrNothing) {
  ContextStore store;
  put(store, "w", {{.key = "k", .json = "1"}});
  const ContextSnapshot before = store.state();
  const auto refused = [&](const std::string& workflow, Updates updates) {
    updates.insert(updates.begin(), {.key = "good", .json = "1"});
    const auto result = store.apply(workflow, updates, "m1");
    EXPECT_FALSE(result);
    EXPECT_EQ(store.state(), before);
    return result ? std::string() : result.error().to_string();
  };
  EXPECT_THAT(refused("w", {{.key = "k", .json = std::string(kContextValueBytesMax + 1, '1')}}),
              HasSubstr("k of workflow w has 65537 bytes, at most 65536"));
  EXPECT_THAT(refused("w", {{.key = std::string(257, 'k'), .json = "1"}}), HasSubstr("more than 256 bytes"));
  EXPECT_THAT(refused(std::string(257, 'w'), {}), HasSubstr("more than 256 bytes"));
  EXPECT_THAT(refused("w", {{.key = "k", .json = "1", .timestamp = kLamportMax + 1}}), HasSubstr("beyond all clocks"));
  Updates many;
  for (std::size_t each = 0; each < kContextKeysMax; ++each) many.push_back({.key = std::to_string(each), .json = "1"});
  EXPECT_THAT(refused("x", many), HasSubstr("provides 101 values, at most 100"));
  Updates large;
  for (std::size_t each = 0; each < 64; ++each) {
    large.push_back({.key = std::to_string(each), .json = std::string(kContextValueBytesMax, '1')});
  }
  EXPECT_THAT(refused("x", large), HasSubstr("the context of the job has"));
  EXPECT_EQ(put(store, "w", {{.key = "k", .json = std::string(kContextValueBytesMax, '1')}}), 1U);
}

TEST(ContextStore, ASnapshotBeyondTheLimitsIsRefused) {
  ContextStore store;
  ContextSnapshot snapshot{.version = 1, .clock = 5, .values = {}};
  snapshot.values["w"]["k"] = {.json = std::string(kContextValueBytesMax + 1, '1'), .timestamp = 1, .writer = "m1"};
  EXPECT_FALSE(store.install(snapshot));
  snapshot.values["w"]["k"].json = "1";
  for (std::size_t each = 0; each < kContextWorkflowsMax; ++each) snapshot.values[std::to_string(each)];
  EXPECT_FALSE(store.install(snapshot));
  snapshot.values.erase("0");
  snapshot.clock = kLamportMax + 2;
  EXPECT_FALSE(store.install(snapshot));
  EXPECT_EQ(store.version(), 0U);
  snapshot.clock = 5;
  EXPECT_TRUE(store.install(snapshot));
}

// Updates of different times and writers end in the same values in any order.
RC_GTEST_PROP(ContextStore, TheOrderOfArrivalDoesNotMatter, ()) {
  struct Arrival {
    std::string workflow;
    ContextUpdate update;
    std::string writer;
  };
  std::vector<Arrival> arrivals;
  for (std::uint64_t timestamp = 1; timestamp < 8; ++timestamp) {
    for (const char* writer : {"m1", "m2"}) {
      const std::string key(1, *rc::gen::inRange('a', 'c'));
      arrivals.push_back({.workflow = std::string(1, *rc::gen::inRange('v', 'x')),
                          .update = {.key = key, .json = std::to_string(timestamp) + writer, .timestamp = timestamp},
                          .writer = writer});
    }
  }
  ContextStore one, other;
  for (const Arrival& each : arrivals) put(one, each.workflow, {each.update}, each.writer);
  Prng prng(*rc::gen::inRange<std::uint64_t>(0, 1'000'000));
  std::shuffle(arrivals.begin(), arrivals.end(), prng);
  for (const Arrival& each : arrivals) {
    const std::uint64_t clock = other.clock();
    put(other, each.workflow, {each.update}, each.writer);
    RC_ASSERT(other.clock() > clock);
    RC_ASSERT(other.clock() > *each.update.timestamp);
  }
  RC_ASSERT((one.state().values == other.state().values));
}

}  // namespace
}  // namespace hyperscale::jobs
