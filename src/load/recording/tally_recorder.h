// TallyRecorder: folds samples into the executor's tallies in shared memory (tally_layout.h), and publishes each one
// for the readers of the stream.
//
// Single-threaded, the executor's loop. No call allocates, blocks or fails. The first value of a histogram reserves its
// memory, once; if that fails, its values go to the overflow histogram and are counted there.
#pragma once

#include "load/recording/tally_layout.h"
#include "plan/plan.h"
#include "results/outcome.h"
#include "stream/sample_publisher.h"
#include "stream/sample_sink.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace hyperscale::load {

class SeriesKey;

enum class IterationEnd : std::uint8_t { kOk, kFailed, kCut };

class TallyRecorder final : public stream::SampleSink {
 public:
  // Reserves memory for a part of the tallies; false when no memory is left.
  using Reserve = std::function<bool(std::size_t offset, std::size_t bytes)>;

  // `memory` is zeroed and at least tally_bytes(shape) long. Without `reserve` all of it is usable. `publisher`, if
  // any, outlives the recorder.
  TallyRecorder(void* memory, const TallyShape& shape, Reserve reserve = {},
                stream::SamplePublisher* publisher = nullptr);

  void record(const stream::Sample& sample) override;
  // Adds an example of a recorded failure; the first distinct ones are kept.
  void failure(std::uint16_t step, results::Outcome outcome, std::uint16_t status, std::string_view message,
               std::string_view body_start);
  // The first failure with a message is kept as the example.
  void check(std::size_t index, bool passed, std::string_view message = {});
  // A value that is not finite is ignored, one beyond results::kMetricValueMax is clamped to it.
  void metric(std::size_t index, double value);
  // The series of that label and those tags, to be used as Sample::step; added if it does not exist. Texts are cut to
  // their limits, a tag that does not fit is left out. When all series are in use, returns results::kOtherSeries.
  // REQUIRES: the shape has named series.
  std::uint16_t series(std::string_view label, std::span<const plan::Tag> tags);
  // The same for calls without a name. These get at most half of the series, so that paths with numbers in them leave
  // room for names.
  std::uint16_t series_by_path(std::string_view method, std::string_view path, std::span<const plan::Tag> tags);
  // True if the named series are the URLs of the plan's only step.
  bool has_url_rows() const { return url_rows_; }
  void connections_opened(std::uint16_t step, std::uint64_t count) { bump(step_[step].connections_opened, count); }
  void tls_resumed(std::uint16_t step, std::uint64_t count) { bump(step_[step].tls_resumed, count); }
  void redirect_followed(std::uint16_t step) { bump(step_[step].redirects_followed); }
  void resent(std::uint16_t step, std::uint64_t times) { bump(step_[step].resent, times); }
  // Counts open connections by HTTP version, including those of the warm-up.
  void http_spoken(std::uint8_t http_major) {
    bump(http_major == 2 ? executor_.http2_connections : executor_.http1_connections);
  }
  void connection_frames(std::uint64_t bytes_sent, std::uint64_t bytes_received) {
    bump(executor_.frames_sent, bytes_sent);
    bump(executor_.frames_received, bytes_received);
  }
  // Of a call that has no sample of its own.
  void bytes(std::uint16_t step, std::uint64_t sent, std::uint64_t received) {
    bump(step_[step].bytes_sent, sent);
    bump(step_[step].bytes_received, received);
  }
  // Redirects of a call whose exchanges are one sample: they count as requests and are not checked against an
  // expectation. REQUIRES: status < kStatusesMax.
  void redirected(std::uint16_t step, std::size_t status, std::uint64_t count) {
    bump(step_[step].statuses[status], count);
    bump(step_[step].redirects_followed, count);
    bump(step_[step].outcomes[static_cast<std::size_t>(results::Outcome::kRedirected)], count);
    bump(executor_.unsampled, count);
  }
  void iteration_done(IterationEnd end) {
    if (end != IterationEnd::kOk) bump(executor_.iterations_failed);
    if (end == IterationEnd::kCut) bump(executor_.iterations_cut);
    bump(executor_.iterations);
  }
  void dropped(std::uint64_t count) { bump(executor_.dropped, count); }
  void warmup_requests(std::uint64_t count) { bump(executor_.warmup_requests, count); }
  void lag(Duration late);
  void arrivals(std::uint64_t count) { put(executor_.arrivals, count); }
  void waiting(std::uint64_t all, std::uint64_t overdue) {
    put(executor_.waiting, all);
    put(executor_.overdue, overdue);
  }
  void idle_seconds(std::uint64_t count) { bump(executor_.idle_s, count); }
  void late_datagrams(std::uint64_t count) { bump(executor_.late, count); }
  void rounds(std::uint64_t count) { put(executor_.rounds, count); }
  void alive(MonoTime now) { put(executor_.alive_ns, static_cast<std::uint64_t>(now.ns())); }
  void users_busy(std::uint32_t count);
  void span(MonoTime start, MonoTime end);
  MonoTime last_end() const { return MonoTime::from_ns(static_cast<std::int64_t>(look(executor_.last_end_ns))); }

 private:
  std::uint16_t place_of(const SeriesKey& key, bool may_add);
  std::uint16_t add_series(const SeriesKey& key);
  std::size_t record_into(HistogramCells& cells, std::size_t number, Duration value);
  HistogramCounts& counts_of(HistogramCells& cells, std::size_t number);
  HistogramCounts& find_place(HistogramCells& cells, std::size_t number);

  ExecutorCells& executor_;
  const std::size_t steps_;  // of the plan
  const bool url_rows_;
  std::span<StepCells> step_;  // and the named ones after them
  std::span<SeriesLabel> label_;
  std::size_t paths_used_ = 0;           // labels that are paths
  std::optional<std::uint16_t> others_;  // the series for samples that get no other
  std::span<CheckCells> check_;
  std::span<MetricCells> metric_;
  const std::size_t metric_histograms_;  // number of the first
  std::byte* const counts_;
  const std::size_t counts_at_;
  HistogramCounts& overflow_;
  const Reserve reserve_;
  stream::SamplePublisher* const publisher_;
};

}  // namespace hyperscale::load
