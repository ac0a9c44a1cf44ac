// Campaign: runs many seeds, one after the other on each of a number of threads, until all are done, one fails or the
// user stops it. Seeds are independent, so the order in which they end does not matter.
//
// run_campaign() blocks its caller and reports progress about five times a second. Failures are sorted by seed.
#pragma once

#include "sim/run/simulation.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/system.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace hyperscale::sim {

struct SeedRange {
  std::uint64_t first = 1;
  std::uint64_t last = 1;

  std::uint64_t count() const { return last - first + 1; }
};

struct FailedSeed {
  std::uint64_t seed = 0;
  Violation violation;
  std::uint64_t trace_hash = 0;
};

struct CampaignProgress {
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::uint64_t steps = 0;
  std::uint64_t packets = 0;
  std::uint64_t faults = 0;
  Duration virtual_time{0};
  Duration real_time{0};  // wall time
  Duration cpu_time{0};   // of the simulating threads
};

struct Campaign {
  SeedRange seeds;
  std::function<Scenario(std::uint64_t seed)> scenario;
  SystemMaker maker;
  std::uint32_t jobs = 1;
  bool twice = true;
  bool keep_going = false;  // continue after a failure
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const CampaignProgress&)> progress = nullptr;
  // Called in the thread that starts a seed.
  std::function<void(std::uint64_t seed)> begins = nullptr;
};

struct CampaignResult {
  CampaignProgress progress;
  std::vector<FailedSeed> failures;
  bool stopped = false;
};

CampaignResult run_campaign(const Campaign& campaign);

}  // namespace hyperscale::sim
