// The driver's decisions in virtual time, over a disk that is a map.
#include "stream/policy/driver_core.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::stream {
namespace {

constexpr StreamNumber kStream(1);
constexpr ClientId kProducer(100);

// Carries actions out as the adapter does, and writes down what it did.
class DriverCoreTest : public testing::Test {
 protected:
  struct OnDisk {
    std::uint64_t pid = 0;
    std::uint64_t activity_ns = 0;
  };

  void start(std::vector<FoundStream> found = {}) {
    core_.emplace(policies_);
    feed(Started{std::move(found)});
  }
  void feed(const DriverCore::Event& event) {
    std::deque<DriverCore::Action> actions;
    const auto step = [&](const DriverCore::Event& one) {
      std::ranges::move(core_->step(one, now_), std::back_inserter(actions));
    };
    step(event);
    while (!actions.empty()) {
      const auto action = actions.front();
      actions.pop_front();
      if (const auto* provision = std::get_if<Provision>(&action)) {
        log_.emplace_back("provision");
        const bool room = rooms_left_ > 0;
        if (taken_.contains(provision->epoch.value())) {
          step(Provisioned{.stream = provision->stream,
                           .epoch = provision->epoch,
                           .how = Provisioned::How::kTaken,
                           .why = "is there"});
          continue;
        }
        if (room) disk_[provision->epoch] = {provision->owner.id.value(), static_cast<std::uint64_t>(now_.ns())};
        step(Provisioned{.stream = provision->stream,
                         .epoch = provision->epoch,
                         .how = room ? Provisioned::How::kDone : Provisioned::How::kNoRoom,
                         .why = room ? "" : "needs 10, has 5"});
      } else if (const auto* answer = std::get_if<Answer>(&action)) {
        log_.emplace_back("answer");
        answer_ = *answer;
      } else if (const auto* own = std::get_if<Own>(&action)) {
        disk_[own->epoch].pid = own->owner.id.value();
      } else if (const auto* disown = std::get_if<Disown>(&action)) {
        disk_[disown->epoch].pid = 0;
      } else if (const auto* ended = std::get_if<LeaseEnded>(&action)) {
        log_.emplace_back("ended");
        ends_.push_back(*ended);
      } else if (const auto* announce = std::get_if<Announce>(&action)) {
        log_.emplace_back("announce");
        announced_ = announce->epoch;
      } else if (const auto* refresh = std::get_if<Refresh>(&action)) {
        disk_[refresh->epoch].activity_ns = static_cast<std::uint64_t>(now_.ns());
      } else if (std::holds_alternative<Scan>(action)) {
        log_.emplace_back("scan");
        step(scan(std::get<Scan>(action).stream));
      } else if (const auto* remove = std::get_if<Remove>(&action)) {
        log_.emplace_back("remove");
        disk_.erase(remove->epoch);
        ++rooms_left_;
      } else {
        log_.emplace_back("remove namespace");
      }
    }
  }
  // Everything on the disk is of one stream.
  Scanned scan(StreamNumber stream) const {
    Scanned scanned{.stream = stream, .found = {}};
    if (stream != kStream) return scanned;
    for (const auto& [epoch, on_disk] : disk_) {
      const bool alive = living_.contains(on_disk.pid);
      scanned.found.push_back({.epoch = epoch,
                               .owner = on_disk.pid == 0 ? Owner::kNone
                                        : alive          ? Owner::kAlive
                                                         : Owner::kDead,
                               .activity_ns = on_disk.activity_ns,
                               .bytes = 0});
    }
    return scanned;
  }
  Answer attach(Role role, ClientId client) {
    feed(AttachAsked{.stream = kStream, .role = role, .client = {.id = client}, .layout = {}});
    return answer_;
  }
  Answer keep_alive(LeaseId lease, ClientId client, Epoch mapped) {
    feed(KeptAlive{.lease = lease, .client = client, .mapped = mapped});
    return answer_;
  }
  void pass(Duration time) {
    for (const MonoTime end = now_ + time; now_ < end;) {
      now_ += 250ms;
      feed(Ticked{});
    }
  }
  std::vector<std::uint64_t> on_disk() const {
    std::vector<std::uint64_t> out;
    for (const auto& [epoch, state] : disk_) out.push_back(epoch.value());
    return out;
  }
  std::uint64_t skipped(KeptFor reason) const {
    return core_->counters().epoch_gc_skipped[static_cast<std::size_t>(reason)];
  }

  using Epochs = std::vector<std::uint64_t>;
  DriverPolicies policies_;
  MonoTime now_ = MonoTime::from_ns(1'000'000'000'000);
  std::optional<DriverCore> core_;
  std::map<Epoch, OnDisk> disk_;
  std::set<std::uint64_t> living_{kProducer.value()};
  int rooms_left_ = 1'000'000;
  std::set<std::uint64_t> taken_;  // epochs whose folder another process has made
  std::vector<std::string> log_;
  Answer answer_;
  std::vector<LeaseEnded> ends_;
  Epoch announced_;
};

// proves part: SHM-TRIG-2 (a new epoch; not that a run gives its driver the time for leases to expire)
TEST_F(DriverCoreTest, EpochsCountUpByOneFromAboveWhatIsOnDisk) {
  disk_[Epoch(41)] = {};
  start({{kStream, Epoch(41)}});
  EXPECT_EQ(attach(Role::kProducer, kProducer).epoch, Epoch(42));
  feed(DetachAsked{.lease = answer_.lease, .client = kProducer});
  EXPECT_EQ(announced_, Epoch(43)) << "the end of a producer is a new epoch";
  EXPECT_EQ(attach(Role::kProducer, kProducer).epoch, Epoch(43)) << "which the next producer gets";
}

// F-1
// proves part: SHM-GOAL-1 (however often producers come and go; not that a run gives its driver the time to collect)
TEST_F(DriverCoreTest, AThousandAttachesDoNotGrow) {
  start();
  std::size_t most = 0;
  for (int i = 0; i < 1000; ++i) {
    const Answer answer = attach(Role::kProducer, kProducer);
    ASSERT_EQ(answer.code, ResponseCode::kOk) << answer.text;
    most = std::max(most, disk_.size());
    now_ += 1s;  // nobody ticks: attaching and detaching are the only triggers
    feed(DetachAsked{.lease = answer.lease, .client = kProducer});
  }
  EXPECT_LE(most, 2U + 3U) << "those that are kept, and those inside the window";
  pass(10s);
  EXPECT_EQ(on_disk(), (Epochs{1000})) << "the previous one stays";
}

// F-2, F-3
// proves: SHM-SAFE-1
// proves part: SHM-GOAL-2 (what consumers said they map; not that a tail reports what it maps)
// proves part: SHM-DRV-3 (granted, reported, up to the current one; not that a tail reports what it maps)
// proves part: SHM-DRV-6 (when a consumer's lease has expired)
TEST_F(DriverCoreTest, WhatAConsumerMapsStaysUntilItsLeaseHasEnded) {
  start();
  const Answer first = attach(Role::kProducer, kProducer);
  const Answer consumer = attach(Role::kConsumer, ClientId(200));
  ASSERT_EQ(consumer.code, ResponseCode::kOk);
  LeaseId producer = first.lease;
  for (int i = 0; i < 5; ++i) {
    feed(DetachAsked{.lease = producer, .client = kProducer});
    producer = attach(Role::kProducer, kProducer).lease;
    for (int second = 0; second < 4; ++second) {
      pass(1s);
      keep_alive(producer, kProducer, Epoch(answer_.epoch));
      ASSERT_EQ(keep_alive(consumer.lease, ClientId(200), Epoch(1)).code, ResponseCode::kOk);
    }
  }
  EXPECT_EQ(on_disk(), (Epochs{1, 2, 3, 4, 5, 6})) << "it may still be on its way through any of them";
  EXPECT_GT(skipped(KeptFor::kLease), 0U);
  ASSERT_EQ(keep_alive(consumer.lease, ClientId(200), Epoch(4)).code, ResponseCode::kOk);
  for (int second = 0; second < 4; ++second) {
    pass(1s);
    keep_alive(producer, kProducer, Epoch(6));
    keep_alive(consumer.lease, ClientId(200), Epoch(4));
  }
  EXPECT_EQ(on_disk(), (Epochs{4, 5, 6}));
  for (int second = 0; second < 8; ++second) {
    pass(1s);
    keep_alive(producer, kProducer, Epoch(6));
  }
  ASSERT_FALSE(ends_.empty());
  EXPECT_EQ(ends_.back().lease.id, consumer.lease);
  EXPECT_EQ(ends_.back().how, LeaseEnd::kExpired);
  EXPECT_EQ(on_disk(), (Epochs{5, 6}));
}

// proves: SHM-TRIG-1
TEST_F(DriverCoreTest, AnAttachedProducerIsATrigger) {
  start();
  attach(Role::kProducer, kProducer);
  EXPECT_EQ(log_, (std::vector<std::string>{"provision", "answer", "announce", "scan"}));
  log_.clear();
  attach(Role::kConsumer, ClientId(200));
  EXPECT_EQ(log_, (std::vector<std::string>{"answer"})) << "a consumer changes no epoch";
}

// proves: SHM-TRIG-1
TEST_F(DriverCoreTest, TheSecondAttachIsATriggerToo) {
  start();
  attach(Role::kProducer, kProducer);
  feed(DetachAsked{.lease = answer_.lease, .client = kProducer});
  log_.clear();
  attach(Role::kProducer, kProducer);
  EXPECT_EQ(log_, (std::vector<std::string>{"provision", "answer", "announce", "scan"}));
}

// proves: SHM-TRIG-1
TEST_F(DriverCoreTest, AnAttachThatSkipsAnEpochIsATriggerToo) {
  start();
  taken_ = {1, 2};
  EXPECT_EQ(attach(Role::kProducer, kProducer).epoch, Epoch(3));
  EXPECT_EQ(log_, (std::vector<std::string>{"provision", "provision", "provision", "answer", "announce", "scan"}));
}

// proves part: SHM-TRIG-2 (a driver collects; not that a run gives it the time for leases to expire)
TEST_F(DriverCoreTest, EveryEndOfAProducerIsATrigger) {
  policies_.epoch_gc_min_age_ns = 3'600'000'000'000;  // nothing is collected for the time that has passed alone
  start();
  const std::vector<std::string> told{"ended", "announce", "scan"};
  attach(Role::kProducer, kProducer);
  feed(DetachAsked{.lease = answer_.lease, .client = kProducer});
  EXPECT_EQ(std::vector(log_.end() - 3, log_.end()), told);
  attach(Role::kProducer, kProducer);
  log_.clear();
  feed(RevokeAsked{kStream});
  EXPECT_EQ(log_, told);
  attach(Role::kProducer, kProducer);
  log_.clear();
  feed(ClientGone{kProducer});
  EXPECT_EQ(log_, told);
  attach(Role::kProducer, kProducer);
  now_ += policies_.lease_time() + 1ns;
  log_.clear();
  feed(Ticked{});
  EXPECT_EQ(log_, told);
}

// proves part: SHM-DRV-6 (every end of a consumer; not that it is off the hot path)
TEST_F(DriverCoreTest, EveryEndOfAConsumerIsATrigger) {
  policies_.epoch_gc_min_age_ns = 3'600'000'000'000;  // nothing is collected for the time that has passed alone
  start();
  const LeaseId producer = attach(Role::kProducer, kProducer).lease;
  const LeaseId consumer = attach(Role::kConsumer, ClientId(200)).lease;
  log_.clear();
  keep_alive(consumer, ClientId(200), Epoch(1));
  EXPECT_EQ(log_, (std::vector<std::string>{"answer"})) << "not while it lives";
  log_.clear();
  feed(DetachAsked{.lease = consumer, .client = ClientId(200)});
  EXPECT_EQ(log_, (std::vector<std::string>{"answer", "ended", "scan"}));
  attach(Role::kConsumer, ClientId(200));
  log_.clear();
  feed(ClientGone{ClientId(200)});
  EXPECT_EQ(log_, (std::vector<std::string>{"ended", "scan"}));
  attach(Role::kConsumer, ClientId(200));
  now_ += 2s;
  keep_alive(producer, kProducer, Epoch(1));
  now_ += policies_.lease_time() - 2s + 1ns;
  log_.clear();
  feed(Ticked{});
  EXPECT_EQ(log_, (std::vector<std::string>{"ended", "scan", "announce"}));
}

// proves part: SHM-DRV-6 (once per window; not that it is off the hot path)
TEST_F(DriverCoreTest, CollectsOncePerFreshnessWindow) {
  disk_[Epoch(1)] = {};
  start({{kStream, Epoch(1)}});
  pass(2750ms);
  EXPECT_EQ(std::ranges::count(log_, "scan"), 0);
  pass(250ms);
  EXPECT_EQ(std::ranges::count(log_, "scan"), 1);
  pass(27s);
  EXPECT_EQ(std::ranges::count(log_, "scan"), 10);
  policies_.epoch_gc_min_age_ns = 1'000'000'000;
  start({{kStream, Epoch(1)}});
  log_.clear();
  pass(5s);
  EXPECT_EQ(std::ranges::count(log_, "scan"), 5);
}

// proves: SHM-DRV-1
// proves part: SHM-POL-3 (in a driver; not where others collect after it)
TEST_F(DriverCoreTest, KeepsAsManyEpochsAsItsPolicySays) {
  policies_.epoch_gc_keep = 3;
  policies_.epoch_gc_on_startup = true;
  disk_ = {{Epoch(1), {}}, {Epoch(2), {}}, {Epoch(3), {}}, {Epoch(4), {}}, {Epoch(5), {}}};
  start({{kStream, Epoch(5)}});
  EXPECT_EQ(on_disk(), (Epochs{3, 4, 5}));
}

// F-4
// proves part: SHM-TRIG-2 (expiry in a driver; not that a run gives it the time for that)
// proves part: SHM-DRV-2 (0 after expiry)
TEST_F(DriverCoreTest, KilledProducerLosesLeaseAndEpoch) {
  start();
  attach(Role::kProducer, kProducer);
  living_.clear();
  pass(3s);
  EXPECT_TRUE(ends_.empty());
  log_.clear();
  pass(250ms);
  ASSERT_EQ(ends_.size(), 1U);
  EXPECT_EQ(ends_[0].how, LeaseEnd::kExpired);
  EXPECT_EQ(announced_, Epoch(2));
  EXPECT_EQ(disk_.at(Epoch(1)).pid, 0U);
  EXPECT_EQ(log_, (std::vector<std::string>{"ended", "announce", "scan"})) << "in this order";
  attach(Role::kProducer, ClientId(101));
  feed(DetachAsked{.lease = answer_.lease, .client = ClientId(101)});
  pass(7s);
  EXPECT_EQ(on_disk(), (Epochs{2})) << "the one of the dead goes when it is not the previous one any more";
}

// F-6
// proves part: SHM-DRV-2 (the producer's pid, 0 after a detach; not after a revocation)
TEST_F(DriverCoreTest, AProducerThatLivesOnDoesNotPinItsOldEpochs) {
  start();
  for (int i = 0; i < 5; ++i) {
    attach(Role::kProducer, kProducer);
    EXPECT_EQ(disk_.at(answer_.epoch).pid, kProducer.value());
    feed(DetachAsked{.lease = answer_.lease, .client = kProducer});
    EXPECT_EQ(disk_.rbegin()->second.pid, 0U);
  }
  pass(7s);
  EXPECT_EQ(on_disk(), (Epochs{5})) << "its process lives";
}

// proves part: SHM-TRIG-2 (revocation in a driver; not that anybody revokes in a run)
TEST_F(DriverCoreTest, RevokingEndsAProducerAsItsOwnWishDoes) {
  start();
  attach(Role::kProducer, kProducer);
  feed(RevokeAsked{kStream});
  ASSERT_EQ(ends_.size(), 1U);
  EXPECT_EQ(ends_[0].how, LeaseEnd::kRevoked);
  EXPECT_EQ(announced_, Epoch(2));
  EXPECT_EQ(keep_alive(ends_[0].lease.id, kProducer, Epoch(1)).code, ResponseCode::kRejected);
}

// proves: SHM-POL-1
// proves part: SHM-TRIG-3 (both settings of a driver; not that the environment of a run can turn it off)
TEST_F(DriverCoreTest, CollectsAtTheStartWhenItIsTold) {
  for (const bool told : {false, true}) {
    disk_ = {{Epoch(1), {}}, {Epoch(2), {}}, {Epoch(3), {}}};
    policies_.epoch_gc_on_startup = told;
    start({{kStream, Epoch(3)}});
    EXPECT_EQ(on_disk(), told ? (Epochs{2, 3}) : (Epochs{1, 2, 3}));
  }
}

// F-9
// proves: SHM-ALLOC-1, SHM-SAFE-3
// proves part: SHM-TRIG-4 (what the driver decides; not that an error of the file system for lack of space gets there)
TEST_F(DriverCoreTest, NoRoomCollectsOnceRetriesOnceThenFails) {
  disk_ = {{Epoch(1), {.pid = kProducer.value(), .activity_ns = 1}}, {Epoch(2), {}}, {Epoch(3), {}}};
  start({{kStream, Epoch(3)}});
  rooms_left_ = 0;
  log_.clear();
  attach(Role::kProducer, ClientId(101));
  EXPECT_EQ(log_, (std::vector<std::string>{"provision", "scan", "provision", "answer"}));
  EXPECT_EQ(answer_.code, ResponseCode::kInternalError);
  EXPECT_EQ(answer_.text, "needs 10, has 5");
  living_.clear();
  log_.clear();
  attach(Role::kProducer, ClientId(101));
  EXPECT_EQ(log_, (std::vector<std::string>{"provision", "scan", "remove", "provision", "answer", "announce", "scan",
                                            "remove"}));
  EXPECT_EQ(answer_.code, ResponseCode::kOk);
  EXPECT_EQ(answer_.epoch, Epoch(4));
}

// Each stream is looked at once before the second try.
// proves: SHM-ALLOC-1
TEST_F(DriverCoreTest, WithoutRoomAllStreamsAreCollectedFirst) {
  disk_ = {{Epoch(1), {}}, {Epoch(2), {}}, {Epoch(3), {}}};
  start({{StreamNumber(0), Epoch(1)}, {kStream, Epoch(3)}});
  rooms_left_ = 0;
  feed(AttachAsked{.stream = StreamNumber(0), .role = Role::kProducer, .client = {.id = kProducer}, .layout = {}});
  ASSERT_GE(log_.size(), 6U);
  EXPECT_EQ(std::vector(log_.begin(), log_.begin() + 6),
            (std::vector<std::string>{"provision", "scan", "scan", "remove", "provision", "answer"}));
  EXPECT_EQ(answer_.code, ResponseCode::kOk);
}

// F-13
TEST_F(DriverCoreTest, GcOffKeepsAllAndFailsAtOnceWithoutRoom) {
  policies_.epoch_gc_enabled = false;
  policies_.epoch_gc_on_startup = true;
  disk_ = {{Epoch(1), {}}, {Epoch(2), {}}, {Epoch(3), {}}};
  start({{kStream, Epoch(3)}});
  pass(10s);
  rooms_left_ = 0;
  log_.clear();
  attach(Role::kProducer, kProducer);
  EXPECT_EQ(log_, (std::vector<std::string>{"provision", "answer"}));
  EXPECT_EQ(answer_.code, ResponseCode::kInternalError);
  EXPECT_EQ(on_disk(), (Epochs{1, 2, 3}));
  EXPECT_EQ(core_->counters().epoch_gc_runs, 0U);
}

// F-14
// proves: SHM-POL-1
TEST_F(DriverCoreTest, CurrentAndPreviousStayWithoutAnyLease) {
  disk_ = {{Epoch(6), {}}, {Epoch(7), {}}};
  start({{kStream, Epoch(7)}});
  pass(20s);
  EXPECT_EQ(on_disk(), (Epochs{6, 7}));
  EXPECT_GT(skipped(KeptFor::kRank), 0U);
}

TEST_F(DriverCoreTest, OwnerActivityIsRefreshedEachAnnouncePeriod) {
  start();
  const LeaseId lease = attach(Role::kProducer, kProducer).lease;
  for (int i = 0; i < 10; ++i) {
    pass(1s);
    keep_alive(lease, kProducer, Epoch(1));
    EXPECT_LE(age_of(disk_.at(Epoch(1)).activity_ns, now_), 1s);
  }
}

TEST_F(DriverCoreTest, OneProducerAtATimeAndAConsumerNeedsOne) {
  start();
  EXPECT_EQ(attach(Role::kConsumer, ClientId(200)).code, ResponseCode::kInvalidParams);
  attach(Role::kProducer, kProducer);
  EXPECT_EQ(attach(Role::kProducer, ClientId(101)).code, ResponseCode::kRejected);
  EXPECT_EQ(attach(Role::kProducer, ClientId()).code, ResponseCode::kRejected) << "a process nobody can see";
  feed(AttachAsked{
      .stream = kStream, .role = Role::kConsumer, .client = {ClientId(200)}, .layout_version = 9, .layout = {}});
  EXPECT_EQ(answer_.code, ResponseCode::kUnsupported);
  feed(AttachAsked{
      .stream = StreamNumber(2), .role = Role::kProducer, .client = {ClientId(5)}, .layout = {.nslots = 3}});
  EXPECT_EQ(answer_.code, ResponseCode::kInvalidParams);
  EXPECT_EQ(core_->counters().attaches_refused, 5U);
}

// proves part: SHM-GOAL-3 (consumers are told of a new epoch)
TEST_F(DriverCoreTest, AKeepaliveTellsAConsumerThatItMustRemap) {
  start();
  const LeaseId producer = attach(Role::kProducer, kProducer).lease;
  const LeaseId consumer = attach(Role::kConsumer, ClientId(200)).lease;
  EXPECT_EQ(keep_alive(consumer, ClientId(200), Epoch(1)).epoch, Epoch(1));
  feed(DetachAsked{.lease = producer, .client = kProducer});
  const Answer over = keep_alive(consumer, ClientId(200), Epoch(1));
  EXPECT_EQ(over.epoch, Epoch(2));
  EXPECT_FALSE(over.has_regions);
  attach(Role::kProducer, kProducer);
  EXPECT_TRUE(keep_alive(consumer, ClientId(200), Epoch(1)).has_regions);
  EXPECT_EQ(keep_alive(consumer, ClientId(200), Epoch(3)).code, ResponseCode::kInvalidParams) << "not there yet";
}

// proves: SHM-POL-1
TEST_F(DriverCoreTest, StoppedDriverGrantsNothingAndCleansUp) {
  for (const bool cleanup : {false, true}) {
    policies_.cleanup_shm_on_exit = cleanup;
    disk_.clear();
    ends_.clear();
    start();
    attach(Role::kProducer, kProducer);
    log_.clear();
    feed(StopAsked{});
    EXPECT_EQ(ends_.size(), 1U);
    EXPECT_EQ(std::ranges::count(log_, "remove namespace"), cleanup ? 1 : 0);
    EXPECT_EQ(attach(Role::kProducer, kProducer).code, ResponseCode::kRejected);
  }
}

}  // namespace
}  // namespace hyperscale::stream
