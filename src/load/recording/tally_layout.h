// The layout of one executor's tallies in shared memory: plain counters, one writer, any number of readers.
//
// The executor stores, its parent loads, both relaxed and 64 bits at a time: a reader sees each counter as it was at
// some recent moment, and after the executor's death its last value. Nothing is ever reset: the figures of a second are
// the difference of two readings. Histogram buckets are authoritative; sums and extremes may be one sample behind.
//
// After the executor's own cells come those of the plan's steps, those of series that a script names at run time, the
// labels of the latter, then checks and metrics. TallyShape holds the number of each; both sides know it beforehand.
// Memory for all these, tally_reserved_bytes(), is reserved from the start. Behind it, on pages of their own, are the
// exact counts of all histograms; memory for one is reserved when its first value comes. If that fails, its values go
// to one overflow histogram that all share. A reader loads the counts of a histogram only when its `place` is set:
// touching a hole would make the kernel allocate the page, or kill the reader.
#pragma once

#include "base/histogram/display_buckets.h"
#include "results/run_result.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace hyperscale::load {

inline constexpr std::uint64_t kTallyMagic = 0x36796c6c61547348;  // "HsTally6"
inline constexpr std::size_t kStatusesMax = 1000;
inline constexpr std::size_t kSeriesLabelBytesMax = 128;
inline constexpr std::size_t kSeriesTagsBytesMax = 256;

struct TallyShape {
  std::size_t steps = 0;
  std::size_t checks = 0;
  std::size_t metrics = 0;
  std::size_t named = 0;         // one of them collects samples that get no series of their own
  bool named_are_parts = false;  // they are the requests of the plan's only step, one series each
};

// Where the exact counts of a histogram are.
enum class Place : std::uint64_t { kNone = 0, kOwn = 1, kOverflow = 2 };

struct HistogramCells {
  std::uint64_t place;  // Place; stored after the memory was reserved
  std::uint64_t sum_ns;
  std::uint64_t min_ns_plus_1;  // zero: no value yet
  std::uint64_t max_ns;
  std::uint64_t saturated;
};

struct HistogramCounts {
  std::uint64_t counts[histogram_buckets::kCount];
};

// Few enough buckets to read at every redraw of a screen.
struct DisplayCells {
  std::uint64_t counts[kDisplayBuckets];
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
  std::uint64_t resent;
  DisplayCells display;   // of duration, however it ended
  HistogramCells ok;      // duration of exchanges that ended ok
  HistogramCells not_ok;  // duration of all others: errors, and redirects that were followed
  HistogramCells service;
  HistogramCells connect;
  HistogramCells tls;
  HistogramCells first_byte;
  FailureCell failures[results::kFailuresMax];  // for further kinds only the outcomes are counted
};

// The name of a named series. Complete before ExecutorCells::named_used counts it, and never changed.
struct SeriesLabel {
  std::uint64_t hash;  // of both texts; the writer's
  std::uint16_t label_size;
  std::uint16_t tags_size;
  std::uint32_t by_path;  // 1: no name was given, the label is method and path
  char label[kSeriesLabelBytesMax];
  char tags[kSeriesTagsBytesMax];  // name and value of each, both followed by a zero byte
};

struct CheckCells {
  std::uint64_t passed;
  std::uint64_t failed;
  std::uint64_t example_size;  // zero: none. Stored last, so an example is complete.
  char example[results::kCheckExampleBytesMax];
};

struct MetricCells {
  std::uint64_t count;
  std::uint64_t nonzero;
  std::uint64_t sum;  // this and the next three: bits of a double
  std::uint64_t min;
  std::uint64_t max;
  std::uint64_t last;
  std::uint64_t last_at_ns;  // monotonic
  HistogramCells values;     // as results::trend_bucket() places them
};

struct ExecutorCells {
  std::uint64_t magic;
  std::uint64_t steps;
  std::uint64_t iterations;         // that have ended
  std::uint64_t iterations_failed;  // of these
  std::uint64_t iterations_cut;     // of the failed ones
  std::uint64_t dropped;
  std::uint64_t warmup_requests;
  std::uint64_t vus_busy;
  std::uint64_t vus_max;
  std::uint64_t first_start_ns;  // monotonic; zero: nothing counted yet
  std::uint64_t last_end_ns;
  std::uint64_t arrivals;  // open loop: arrivals that were due so far, taken or dropped; closed: iterations done
  std::uint64_t http1_connections;
  std::uint64_t http2_connections;
  std::uint64_t frames_sent;  // bytes of connections that belong to no exchange
  std::uint64_t frames_received;
  std::uint64_t named_used;
  std::uint64_t alive_ns;    // monotonic; when the loop of an executor with a script last ran its timer
  std::uint64_t overflowed;  // values in the overflow histogram
  std::uint64_t waiting;     // open loop: arrivals that are due and have not begun
  std::uint64_t overdue;     // of those, the ones that have waited for longer than kOverdue
  std::uint64_t idle_s;      // open loop: seconds in which arrivals were due and nothing began or ended
  std::uint64_t late;        // datagrams that came when their exchange had timed out
  std::uint64_t rounds;      // iterations begun by the user with the most of them
  std::uint64_t unsampled;   // requests without a sample of their own: redirects within a scripted call
  HistogramCells lag;
  DisplayCells lag_display;
};

// Exact counts are page-aligned, so that memory for one can be reserved without touching its neighbours.
inline constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t on_page(std::size_t bytes) {
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}
inline constexpr std::size_t kCountsBytes = on_page(sizeof(HistogramCounts));

// Numbers of histograms: the lag, the phases of each step, the values of each metric.
enum class Phase : std::uint8_t { kOk, kNotOk, kService, kConnect, kTls, kFirstByte };
inline constexpr std::size_t kPhases = 6;
inline constexpr std::size_t kLagHistogram = 0;
constexpr std::size_t step_histogram(std::size_t step, Phase phase) {
  return 1 + step * kPhases + static_cast<std::size_t>(phase);
}
constexpr std::size_t metric_histogram(const TallyShape& shape, std::size_t metric) {
  return 1 + (shape.steps + shape.named) * kPhases + metric;
}

// Where the cells of a shape begin.
struct TallyOffsets {
  std::size_t steps, labels, checks, metrics, overflow, counts, end;
};
constexpr TallyOffsets tally_offsets(const TallyShape& shape) {
  TallyOffsets at{};
  at.steps = sizeof(ExecutorCells);
  at.labels = at.steps + (shape.steps + shape.named) * sizeof(StepCells);
  at.checks = at.labels + shape.named * sizeof(SeriesLabel);
  at.metrics = at.checks + shape.checks * sizeof(CheckCells);
  at.overflow = on_page(at.metrics + shape.metrics * sizeof(MetricCells));
  at.counts = at.overflow + kCountsBytes;
  at.end = at.counts + metric_histogram(shape, shape.metrics) * kCountsBytes;
  return at;
}
constexpr std::size_t tally_bytes(const TallyShape& shape) {
  return tally_offsets(shape).end;
}
constexpr std::size_t tally_reserved_bytes(const TallyShape& shape) {
  return tally_offsets(shape).counts;
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

inline void put_real(std::uint64_t& cell, double value) {
  put(cell, std::bit_cast<std::uint64_t>(value));
}
inline double look_real(const std::uint64_t& cell) {
  return std::bit_cast<double>(look(cell));
}

}  // namespace hyperscale::load
