// The tallies of one executor as they lie in shared memory: plain counters, one writer, any reader.
//
// The executor stores, its parent loads, both relaxed and 64 bits at a time: a reader sees each counter as it was at
// some recent moment, and after the executor's death all of them as they were last. Nothing is ever reset, so whoever
// wants the figures of a second subtracts two readings. Histogram buckets are the truth; sums and extremes may be one
// sample behind.
#pragma once

#include "base/histogram_buckets.h"
#include "results/run_result.h"

#include <atomic>
#include <cstdint>

namespace hyperscale::load {

inline constexpr std::uint64_t kTallyMagic = 0x31796c6c61547348;  // "HsTally1"
inline constexpr std::size_t kStatusesMax = 1000;

struct HistogramCells {
  std::uint64_t counts[histogram_buckets::kCount];
  std::uint64_t sum_ns;
  std::uint64_t min_ns_plus_1;  // zero: nothing yet
  std::uint64_t max_ns;
  std::uint64_t saturated;
};

struct FailureCell {
  std::uint64_t count;  // zero: unused. Stored last, so a counted failure is complete.
  std::uint64_t outcome_and_status;
  std::uint16_t message_size;
  std::uint16_t body_size;
  char message[results::kFailureMessageBytesMax];
  char body[results::kFailureBodyBytesMax];
};

struct StepCells {
  std::uint64_t outcomes[results::kOutcomeCount];
  std::uint64_t statuses[kStatusesMax];
  std::uint64_t bytes_sent;
  std::uint64_t bytes_received;
  std::uint64_t connections_opened;
  std::uint64_t tls_resumed;
  std::uint64_t redirects_followed;
  HistogramCells duration;
  HistogramCells service;
  HistogramCells connect;
  HistogramCells tls;
  HistogramCells first_byte;
  FailureCell failures[results::kFailuresMax];
  std::uint64_t failures_untold;  // of kinds that found no free cell
};

struct ExecutorCells {
  std::uint64_t magic;
  std::uint64_t steps;
  std::uint64_t iterations;
  std::uint64_t dropped;
  std::uint64_t warmup_requests;
  std::uint64_t vus_busy;
  std::uint64_t vus_max;
  std::uint64_t first_start_ns;  // monotonic; zero: nothing counted yet
  std::uint64_t last_end_ns;
  std::uint64_t arrivals;  // open loop: arrivals that were due so far, taken or dropped; closed: iterations done
  HistogramCells lag;
  // StepCells follow, `steps` of them.
};

constexpr std::size_t tally_bytes(std::size_t steps) {
  return sizeof(ExecutorCells) + steps * sizeof(StepCells);
}

// One writer: a load and a store, not a locked addition.
inline void bump(std::uint64_t& cell, std::uint64_t by = 1) {
  std::atomic_ref<std::uint64_t> shared(cell);
  shared.store(shared.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}
inline void put(std::uint64_t& cell, std::uint64_t value) {
  std::atomic_ref<std::uint64_t>(cell).store(value, std::memory_order_relaxed);
}
inline std::uint64_t look(const std::uint64_t& cell) {
  return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(cell)).load(std::memory_order_relaxed);
}

}  // namespace hyperscale::load
