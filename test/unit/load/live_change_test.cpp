// The load of a run is changed while it goes on.
#include "executor_harness.h"
#include "load/pacing/arrival_schedule.h"
#include "load/pacing/load_curve.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::load {
namespace {

using plan::LoadChangeKind;

plan::Load open_load(double rate, Duration duration) {
  plan::Load load;
  load.pacing = plan::Pacing::kOpen;
  load.rate_per_s = rate;
  load.duration = duration;
  load.vus = 100;
  return load;
}

TEST(LoadCurveChange, ATargetHoldsToTheSameEnd) {
  LoadCurve curve(open_load(100, 10s));
  curve.set_target(4s, 50);
  EXPECT_EQ(curve.target_at(3999ms), 100);
  EXPECT_EQ(curve.target_at(4s), 50);
  EXPECT_EQ(curve.length(), 10s);
  EXPECT_EQ(curve.time_of_total(400), 4s);
  EXPECT_EQ(curve.time_of_total(450), 5s);
}

TEST(LoadCurveChange, ARampIsLeftWhereItWas) {
  plan::Load load = open_load(0, 0s);
  load.stages = {{10s, 100}, {10s, 0}};
  LoadCurve curve(load);
  curve.set_target(5s, 20);
  EXPECT_DOUBLE_EQ(curve.target_at(2500ms), 25);
  EXPECT_EQ(curve.target_at(5s), 20);
  EXPECT_EQ(curve.target_at(19s), 20);
  EXPECT_EQ(curve.length(), 20s);
}

TEST(LoadCurveChange, APauseMovesWhatFollows) {
  plan::Load load = open_load(0, 0s);
  load.stages = {{10s, 100}, {10s, 0}};
  LoadCurve curve(load);
  const double total = curve.total_at(20s);
  curve.pause(5s);
  EXPECT_TRUE(curve.paused());
  EXPECT_EQ(curve.length(), Duration::max());
  EXPECT_EQ(curve.target_at(6s), 0);
  EXPECT_EQ(curve.target_at(1h), 0);
  curve.resume(8s);
  EXPECT_FALSE(curve.paused());
  EXPECT_EQ(curve.length(), 23s);
  EXPECT_EQ(curve.target_at(7s), 0);
  EXPECT_DOUBLE_EQ(curve.target_at(8s), 50);
  EXPECT_DOUBLE_EQ(curve.target_at(13s), 100);
  EXPECT_DOUBLE_EQ(curve.total_at(23s), total);
}

TEST(LoadCurveChange, ATargetThatIsSetInAPauseComesWithItsEnd) {
  LoadCurve curve(open_load(100, 10s));
  curve.pause(2s);
  curve.set_target(3s, 10);
  EXPECT_EQ(curve.target_at(4s), 0);
  curve.resume(5s);
  EXPECT_EQ(curve.target_at(5s), 10);
  EXPECT_EQ(curve.length(), 13s);
}

TEST(LoadCurveChange, AChangeAfterTheEndChangesNothing) {
  LoadCurve curve(open_load(100, 10s));
  curve.set_target(11s, 50);
  EXPECT_EQ(curve.length(), 10s);
  curve.pause(12s);
  curve.resume(13s);
  EXPECT_EQ(curve.length(), 10s);
}

RC_GTEST_PROP(LoadCurveChange, NothingBeforeAChangeMoves, ()) {
  plan::Load load = open_load(50, 0s);
  const auto stages = *rc::gen::container<std::vector<int>>(*rc::gen::inRange(1, 5), rc::gen::inRange(0, 1000));
  for (const int target : stages) load.stages.push_back({3s, static_cast<double>(target)});
  const LoadCurve before(load);
  LoadCurve after(load);
  const Duration at(std::int64_t{*rc::gen::inRange(0, 16'000)} * 1'000'000);
  if (*rc::gen::arbitrary<bool>()) {
    after.set_target(at, *rc::gen::inRange(0, 500));
  } else {
    after.pause(at);
    if (*rc::gen::arbitrary<bool>()) after.resume(at + Duration(std::int64_t{*rc::gen::inRange(0, 5'000)} * 1'000'000));
  }
  for (Duration time{}; time < at; time += 97ms) {
    RC_ASSERT(std::abs(after.target_at(time) - before.target_at(time)) < 1e-6);
    RC_ASSERT(std::abs(after.total_at(time) - before.total_at(time)) < 1e-6 * (1 + before.total_at(time)));
  }
}

// Whoever the arrivals fall to, together they are the one schedule of the changed curve.
TEST(ArrivalScheduleChange, SegmentsKeepToOneSchedule) {
  const plan::Load load = open_load(100, 10s);
  std::vector<Duration> all;
  for (const plan::Segment& segment : plan::segments_of(100, 3)) {
    ArrivalSchedule schedule(load, segment, 0);
    LoadCurve curve(load);
    curve.set_target(5s, 10);
    bool changed = false;
    while (schedule.next()) {
      if (!changed && schedule.next()->at >= 4s) {
        schedule.follow(curve);
        changed = true;
        continue;
      }
      all.push_back(schedule.next()->at);
      schedule.advance();
    }
  }
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), 550U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double at_ms = i <= 500 ? 10.0 * static_cast<double>(i) : 5000 + 100.0 * static_cast<double>(i - 500);
    EXPECT_NEAR(static_cast<double>(all[i].count()) / 1e6, at_ms, 0.01);
  }
}

TEST(ArrivalScheduleChange, ANumberWaitsOutAPause) {
  const plan::Load load = open_load(100, 10s);
  ArrivalSchedule schedule(load, {.vu_count = 1, .vu_total = 1}, 0);
  schedule.skip(150);
  LoadCurve curve(load);
  curve.pause(1505ms);
  schedule.advance();
  schedule.follow(curve);
  EXPECT_FALSE(schedule.next());
  EXPECT_FALSE(schedule.exhausted());
  curve.resume(3505ms);
  schedule.follow(curve);
  ASSERT_TRUE(schedule.next());
  EXPECT_EQ(*schedule.next(), (Arrival{151, 3510ms}));
}

// Changes an executor's load once when `when` holds, as a runner would.
class Changer {
 public:
  Changer(LoadChangeKind kind, double value, std::function<bool()> when)
      : kind_(kind), value_(value), when_(std::move(when)) {}
  void operator()(Executor& executor) {
    if (done_ || !when_()) return;
    done_ = true;
    executor.change({kind_, value_, EventLoop::now()});
  }
  bool done() const { return done_; }

 private:
  LoadChangeKind kind_;
  double value_;
  std::function<bool()> when_;
  bool done_ = false;
};

class LiveChange : public testing::Test {
 public:
  void SetUp() override {
    plan = plan_for(server->port(), "/");
    plan.load.graceful_stop = 5s;
  }
  std::uint64_t count() const { return server->counters().requests; }
  results::Recorded run(const std::function<void(Executor&)>& each_turn) {
    return run_segment(plan, plan::segments_of(plan.load.vus, 1).front(), LoopBackend::kAuto, each_turn);
  }
  std::unique_ptr<target::TargetServer> server = start_target();
  plan::Plan plan;
};

TEST_F(LiveChange, UsersAreAddedBeyondThoseOfThePlan) {
  plan.load.vus = 2;
  plan.load.iterations = 2'000;
  Changer more(LoadChangeKind::kUsers, 7, [&] { return count() >= 100; });
  const auto result = run(std::ref(more));
  EXPECT_EQ(result.total_counts().requests(), 2'000U);
  EXPECT_EQ(result.vus_max, 7U);
}

// Quiet from one change to the other, up to what was in flight or due at the first.
class Quiet {
 public:
  Quiet(LiveChange& test, plan::LoadChange first, plan::LoadChange second)
      : test_(test), first_(first), second_(second) {}
  void operator()(Executor& executor) {
    if (until_ == MonoTime() && test_.count() >= 200) {
      before_ = test_.count();
      first_.at = EventLoop::now();
      until_ = second_.at = first_.at + 100ms;
      executor.change(first_);
      executor.change(second_);
    }
    if (EventLoop::now() < until_) EXPECT_LE(test_.count(), before_ + 100);
  }
  bool was() const { return until_ != MonoTime(); }

 private:
  LiveChange& test_;
  plan::LoadChange first_;
  plan::LoadChange second_;
  std::uint64_t before_ = 0;
  MonoTime until_;
};

TEST_F(LiveChange, UsersLeaveAfterTheirIteration) {
  plan.load.vus = 6;
  plan.load.iterations = 1'000;
  Quiet quiet(*this, {LoadChangeKind::kUsers, 0, {}}, {LoadChangeKind::kUsers, 6, {}});
  const auto result = run(std::ref(quiet));
  EXPECT_TRUE(quiet.was());
  EXPECT_EQ(result.total_counts().requests(), 1'000U);
}

TEST_F(LiveChange, APausedRunSendsNothingAndThenAllThatWasAsked) {
  for (const auto pacing : {plan::Pacing::kClosed, plan::Pacing::kOpen}) {
    plan.load.pacing = pacing;
    plan.load.rate_per_s = 5'000;
    plan.load.vus = 5;
    plan.load.iterations = 1'000;
    Quiet quiet(*this, {LoadChangeKind::kPause, 0, {}}, {LoadChangeKind::kResume, 0, {}});
    const auto result = run(std::ref(quiet));
    EXPECT_TRUE(quiet.was());
    EXPECT_EQ(result.total_counts().requests(), 1'000U);
    server = start_target();
    plan = plan_for(server->port(), "/");
  }
}

TEST_F(LiveChange, PauseInWarmUpExtendsOnlyTheWarmUp) {
  for (const auto pacing : {plan::Pacing::kClosed, plan::Pacing::kOpen}) {
    plan.load.pacing = pacing;
    plan.load.rate_per_s = 1'000;
    plan.load.vus = 5;
    plan.load.warmup = 400ms;
    plan.load.duration = 200ms;
    MonoTime paused;
    const auto result = run([&](Executor& executor) {
      if (paused != MonoTime() || count() == 0) return;
      paused = EventLoop::now();
      executor.change({LoadChangeKind::kPause, 0, paused});
      executor.change({LoadChangeKind::kResume, 0, paused + 600ms});
    });
    EXPECT_GT(result.warmup_requests, 0U);
    EXPECT_GT(result.total_counts().requests(), 0U) << "the warm-up is over some time";
    EXPECT_GE(result.elapsed, 200ms);
    EXPECT_LT(result.elapsed, 600ms) << "the pause is none of it";
    EXPECT_LT(result.total_counts().requests(), count()) << "not everything counts";
    server = start_target();
    plan = plan_for(server->port(), "/");
  }
}

TEST_F(LiveChange, ARateIsFollowedFromTheMomentOfItsChange) {
  plan.load.pacing = plan::Pacing::kOpen;
  plan.load.rate_per_s = 20;
  plan.load.iterations = 300;  // a quarter of a minute at the first rate
  plan.load.vus = 50;
  Changer faster(LoadChangeKind::kRate, 20'000, [&] { return count() >= 3; });
  const auto result = run(std::ref(faster));
  EXPECT_EQ(result.total_counts().requests(), 300U);
  EXPECT_LT(result.elapsed, 10s);
}

TEST_F(LiveChange, ADurationWithARateOfZeroStillEnds) {
  plan.load.pacing = plan::Pacing::kOpen;
  plan.load.rate_per_s = 500;
  plan.load.duration = 300ms;
  plan.load.vus = 50;
  Changer none(LoadChangeKind::kRate, 0, [&] { return count() >= 20; });
  const auto result = run(std::ref(none));
  EXPECT_LT(result.total_counts().requests(), 150U);
}

}  // namespace
}  // namespace hyperscale::load
