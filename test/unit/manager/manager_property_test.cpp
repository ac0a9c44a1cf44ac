// Random jobs on random workers that die, restart, are cut off and refuse, over
// a network that loses messages and a journal that is late and sometimes does
// not know. Datacenter has the rules of every moment; these are those of the
// end.
#include "datacenter.h"
#include "some_job.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::manager {
namespace {

class RandomFleet {
 public:
  RandomFleet(std::uint64_t seed, bool slow)
      : prng_(Prng(seed).stream("fleet")),
        datacenter_({.seed = seed,
                     .slow_journal = slow ? std::optional(jobs::SlowJournal::Behaviour{
                                                .seed = seed, .unknown_percent = below(40), .delay_max = 800ms})
                                          : std::nullopt,
                     .lost_percent = below(3) == 0 ? below(25) : 0}) {}

  void run() {
    for (std::uint32_t i = 0, n = 2 + below(4); i < n; ++i) add_worker();
    for (std::uint32_t i = 0; i < 40; ++i) {
      act();
      datacenter_.run_for(std::chrono::milliseconds(below(3'000)));
    }
    // In peace everything ends.
    for (const std::string& worker : workers_) {
      datacenter_.heal(worker);
      datacenter_.restart(worker);
      datacenter_.worker(worker).refuses = wire::Refusal::kNone;
    }
    for (int i = 0; i < 4; ++i) add_worker();  // that no share excludes
    ended_ = datacenter_.run_until_over(4h);
    datacenter_.run_for(2min);
  }

  Datacenter& datacenter() { return datacenter_; }
  bool ended() const { return ended_; }
  const std::vector<std::string>& workers() const { return workers_; }
  const std::map<std::string, plan::Job>& plans() const { return plans_; }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(prng_.below(n)); }
  const std::string& some_worker() { return workers_[below(static_cast<std::uint32_t>(workers_.size()))]; }

  void add_worker() {
    workers_.push_back(fmt::format("w{}", workers_.size()));
    datacenter_.add_worker(workers_.back(), 1 + below(6));
  }

  void act() {
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return submit();
      case 4:
        return datacenter_.kill(some_worker());
      case 5:
      case 6:
        return datacenter_.restart(some_worker());
      case 7:
        return datacenter_.cut(some_worker());
      case 8:
      case 9:
        return datacenter_.heal(some_worker());
      case 10:
        if (!plans_.empty() && below(2) == 0)
          datacenter_.cancel(fmt::format("job-{}", below(static_cast<std::uint32_t>(plans_.size()))));
        return;
      case 11:
        datacenter_.worker(some_worker()).refuses =
            below(2) == 0 ? wire::Refusal::kNone : static_cast<wire::Refusal>(5 + below(3));
        return;
      case 12:
        if (workers_.size() < 9) add_worker();
        return;
      case 13:
        if (below(4) != 0) return;
        datacenter_.lose_leadership();
        datacenter_.run_for(std::chrono::milliseconds(below(5'000)));
        return datacenter_.win_leadership();
    }
  }

  void submit() {
    std::vector<SomeWorkflow> workflows;
    for (std::uint32_t i = 0, n = 1 + below(3); i < n; ++i) {
      SomeWorkflow workflow{.name = fmt::format("W{}", i),
                            .vus = 1 + below(12),
                            .priority = static_cast<plan::Priority>(below(5)),
                            .is_test = below(6) > 0,
                            .duration = std::chrono::seconds(1 + below(20)),
                            .iterations = below(4) == 0 ? 100U : 0U,
                            .setup = below(4) == 0,
                            .teardown = below(4) == 0};
      if (i > 0 && below(3) == 0) workflow.depends = {fmt::format("W{}", below(i))};
      workflows.push_back(std::move(workflow));
    }
    const std::string id = fmt::format("job-{}", plans_.size());
    Submission submission = some_submission(id, some_job(workflows));
    submission.on_worker_loss = static_cast<OnWorkerLoss>(below(4));
    if (below(8) == 0) submission.timeout = std::chrono::seconds(5 + below(30));
    for (const std::string& worker : workers_)
      if (below(12) == 0)
        datacenter_.worker(worker).ends[{id, 0, wire::SharePart::kSteps, below(3)}] = wire::AttemptEnd::kFailed;
    plans_.emplace(id, submission.plan);
    datacenter_.submit(std::move(submission));
  }

  Prng prng_;
  Datacenter datacenter_;
  std::vector<std::string> workers_;
  std::map<std::string, plan::Job> plans_;
  bool ended_ = false;
};

void check_rules(std::uint64_t seed, bool slow) {
  RandomFleet fleet(seed, slow);
  fleet.run();
  Datacenter& datacenter = fleet.datacenter();
  if (!datacenter.broken().empty())
    RC_FAIL(fmt::format("{}\n{}", fmt::join(datacenter.broken(), "\n"), datacenter.story()));
  if (!fleet.ended()) RC_FAIL("a job does not end\n" + datacenter.story());

  // Nothing is left behind, here or with the workers.
  RC_ASSERT(datacenter.core().pool().reserved_total() == 0U);
  RC_ASSERT(datacenter.core().questions() == 0U);
  RC_ASSERT((datacenter.core().fetches().in_flight() == 0U && datacenter.core().fetches().waiting() == 0U));
  RC_ASSERT(datacenter.core().queued() == 0U);
  for (const std::string& worker : fleet.workers())
    if (datacenter.worker(worker).attempts() > 0)
      RC_FAIL(fmt::format("worker {} has {} attempts\n{}", worker, datacenter.worker(worker).attempts(),
                          datacenter.story()));

  // Each instant of a share is counted once, and none of a completed workflow
  // is missing.
  for (const auto& [share, times] : datacenter.counted()) {
    Duration counted{};
    for (const auto& [from, to] : times) {
      if (from != counted || to < from)
        RC_FAIL(fmt::format("share {} counts {} to {} after {}\n{}", to_string(share), format_duration(from),
                            format_duration(to), format_duration(counted), datacenter.story()));
      counted = to;
    }
  }
  std::set<std::pair<std::string, std::uint32_t>> completed;
  for (const auto& [id, plan] : fleet.plans())
    for (const jobs::Record& each : datacenter.records(id))
      if (const auto* merged = std::get_if<jobs::WorkflowMerged>(&each)) {
        RC_ASSERT(!completed.contains({id, merged->workflow}));
        if (merged->end != jobs::WorkflowEnd::kCompleted) continue;
        completed.emplace(id, merged->workflow);
        for (const auto& [share, times] : datacenter.counted())
          if (share.job == id && share.workflow == merged->workflow)
            RC_ASSERT(times.back().second == plan.workflows[merged->workflow].plan.load.duration);
      }

  // No two executions of one share under one fence.
  std::set<wire::AttemptId> executed;
  for (const Execution& each : datacenter.executions()) RC_ASSERT(executed.insert(each.attempt).second);
}

TEST(ManagerProperty, JobsEndAndCoresAreFree) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) { check_rules(seed, false); }));
}

TEST(ManagerProperty, JobsEndAndCoresAreFreeOnASlowJournal) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) { check_rules(seed, true); }));
}

TEST(ManagerProperty, SameEventsGiveSameActions) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    RandomFleet one(seed, true), other(seed, true);
    one.run();
    other.run();
    EXPECT_EQ(one.datacenter().story(), other.datacenter().story()) << seed;
  }
}

}  // namespace
}  // namespace hyperscale::manager
