#include "sim/run/campaign.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

namespace hyperscale::sim {
namespace {

constexpr auto kProgressPeriod = std::chrono::milliseconds(200);

Duration thread_cpu_time() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + Duration(used.tv_nsec);
}

class Runner {
 public:
  explicit Runner(const Campaign& campaign) : campaign_(campaign), next_(campaign.seeds.first) {}

  CampaignResult run() {
    const auto began = std::chrono::steady_clock::now();
    const auto jobs = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(campaign_.jobs, 1, std::min<std::uint64_t>(campaign_.seeds.count(), 256)));
    working_ = jobs;
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < jobs; ++i) threads.emplace_back([this] { work(); });
    std::unique_lock lock(mutex_);
    while (working_ > 0) {
      changed_.wait_for(lock, kProgressPeriod);
      result_.progress.real_time = std::chrono::steady_clock::now() - began;
      if (campaign_.progress) campaign_.progress(result_.progress);
    }
    std::ranges::sort(result_.failures, {}, &FailedSeed::seed);
    return std::move(result_);
  }

 private:
  void work() {
    while (const auto seed = next_seed()) {
      if (campaign_.begins) campaign_.begins(*seed);
      const Duration cpu_before = thread_cpu_time();
      const Scenario scenario = campaign_.scenario(*seed);
      const SimulationOptions options{.stop = campaign_.stop};
      const SimulationOutcome outcome = campaign_.twice ? simulate_twice(scenario, *seed, campaign_.maker, options)
                                                        : simulate(scenario, *seed, campaign_.maker, options);
      add(*seed, outcome, thread_cpu_time() - cpu_before);
    }
    const std::scoped_lock lock(mutex_);
    --working_;
    changed_.notify_one();
  }

  std::optional<std::uint64_t> next_seed() {
    const std::scoped_lock lock(mutex_);
    if (next_ > campaign_.seeds.last || (!result_.failures.empty() && !campaign_.keep_going)) return std::nullopt;
    if (campaign_.stop != nullptr && campaign_.stop->load()) {
      result_.stopped = true;
      return std::nullopt;
    }
    return next_++;
  }

  void add(std::uint64_t seed, const SimulationOutcome& outcome, Duration cpu_time) {
    const std::scoped_lock lock(mutex_);
    CampaignProgress& progress = result_.progress;
    progress.virtual_time += outcome.virtual_time;
    progress.cpu_time += cpu_time;
    progress.steps += outcome.steps;
    progress.packets += outcome.network.sent;
    progress.faults += outcome.faults;
    if (outcome.stopped) {
      result_.stopped = true;
      return;
    }
    ++progress.done;
    if (!outcome.violation) return;
    ++progress.failed;
    result_.failures.push_back({seed, *outcome.violation, outcome.trace_hash});
  }

  const Campaign& campaign_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_;
  std::uint32_t working_ = 0;
  CampaignResult result_;
};

}  // namespace

CampaignResult run_campaign(const Campaign& campaign) {
  return Runner(campaign).run();
}

}  // namespace hyperscale::sim
