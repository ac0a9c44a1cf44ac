#include "load/recording/tally_recorder.h"

#include "base/check.h"
#include "load/loop/event_loop.h"
#include "load/recording/series_key.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace hyperscale::load {
namespace {

std::uint64_t kind_of(results::Outcome outcome, std::uint16_t status) {
  return (static_cast<std::uint64_t>(outcome) << 16) | status;
}

}  // namespace

TallyRecorder::TallyRecorder(void* memory, const TallyShape& shape, Reserve reserve, stream::SamplePublisher* publisher)
    : executor_(*static_cast<ExecutorCells*>(memory)),
      steps_(shape.steps),
      url_rows_(shape.named_are_parts),
      metric_histograms_(metric_histogram(shape, 0)),
      counts_(static_cast<std::byte*>(memory) + tally_offsets(shape).counts),
      counts_at_(tally_offsets(shape).counts),
      overflow_(*reinterpret_cast<HistogramCounts*>(static_cast<std::byte*>(memory) + tally_offsets(shape).overflow)),
      reserve_(std::move(reserve)),
      publisher_(publisher) {
  CHECK(shape.steps + shape.named <= UINT16_MAX, "{} steps and {} named", shape.steps, shape.named);
  const TallyOffsets at = tally_offsets(shape);
  auto* bytes = static_cast<std::byte*>(memory);
  step_ = {reinterpret_cast<StepCells*>(bytes + at.steps), shape.steps + shape.named};
  label_ = {reinterpret_cast<SeriesLabel*>(bytes + at.labels), shape.named};
  check_ = {reinterpret_cast<CheckCells*>(bytes + at.checks), shape.checks};
  metric_ = {reinterpret_cast<MetricCells*>(bytes + at.metrics), shape.metrics};
  put(executor_.steps, shape.steps);
  put(executor_.magic, kTallyMagic);
}

HistogramCounts& TallyRecorder::counts_of(HistogramCells& cells, std::size_t number) {
  if (look(cells.place) != static_cast<std::uint64_t>(Place::kOwn)) [[unlikely]]
    return find_place(cells, number);
  return *reinterpret_cast<HistogramCounts*>(counts_ + number * kCountsBytes);
}

HistogramCounts& TallyRecorder::find_place(HistogramCells& cells, std::size_t number) {
  const std::size_t offset = number * kCountsBytes;
  const bool refused = look(cells.place) == static_cast<std::uint64_t>(Place::kOverflow);
  const bool there = !refused && (!reserve_ || reserve_(counts_at_ + offset, kCountsBytes));
  const auto place = static_cast<std::uint64_t>(there ? Place::kOwn : Place::kOverflow);
  std::atomic_ref<std::uint64_t>(cells.place).store(place, std::memory_order_release);
  if (there) return *reinterpret_cast<HistogramCounts*>(counts_ + offset);
  bump(executor_.overflowed);
  return overflow_;
}

// Returns the bucket.
inline std::size_t TallyRecorder::record_into(HistogramCells& cells, std::size_t number, Duration value) {
  value = std::max(value, Duration::zero());
  const auto ns = static_cast<std::uint64_t>(value.count());
  bump(cells.sum_ns, ns);
  if (const std::uint64_t smallest = look(cells.min_ns_plus_1); smallest == 0 || ns + 1 < smallest)
    put(cells.min_ns_plus_1, ns + 1);
  if (ns > look(cells.max_ns)) put(cells.max_ns, ns);
  if (value > kHistogramMax) [[unlikely]]
    bump(cells.saturated);
  const std::size_t bucket = histogram_buckets::index_of(value);
  bump(counts_of(cells, number).counts[bucket]);
  return bucket;
}

void TallyRecorder::record(const stream::Sample& sample) {
  StepCells& cells = step_[sample.step];
  const std::size_t first = step_histogram(sample.step, Phase::kOk);
  const auto number = [first](Phase phase) { return first + static_cast<std::size_t>(phase); };
  // ok and not ok are recorded apart; together they are all samples, so neither is recorded twice.
  const bool ok = sample.outcome == static_cast<std::uint8_t>(results::Outcome::kOk);
  const std::size_t bucket = ok ? record_into(cells.ok, number(Phase::kOk), sample.duration)
                                : record_into(cells.not_ok, number(Phase::kNotOk), sample.duration);
  bump(cells.display.counts[display_bucket(bucket)]);
  if (sample.service != stream::kNoPhase) record_into(cells.service, number(Phase::kService), sample.service);
  if (sample.first_byte != stream::kNoPhase)
    record_into(cells.first_byte, number(Phase::kFirstByte), sample.first_byte);
  if (sample.connect != stream::kNoPhase) record_into(cells.connect, number(Phase::kConnect), sample.connect);
  if (sample.tls != stream::kNoPhase) record_into(cells.tls, number(Phase::kTls), sample.tls);
  bump(cells.bytes_sent, sample.bytes_sent);
  bump(cells.bytes_received, sample.bytes_received);
  if (sample.status > 0) bump(cells.statuses[std::min<std::size_t>(sample.status, kStatusesMax - 1)]);
  bump(cells.outcomes[sample.outcome]);
  if (publisher_ != nullptr) publisher_->publish(sample);
}

void TallyRecorder::failure(std::uint16_t step, results::Outcome outcome, std::uint16_t status,
                            std::string_view message, std::string_view body_start) {
  message = message.substr(0, results::kFailureMessageBytesMax);
  body_start = body_start.substr(0, results::kFailureBodyBytesMax);
  StepCells& cells = step_[step];
  const std::uint64_t kind = kind_of(outcome, status);
  for (FailureCell& cell : cells.failures) {
    if (cell.count != 0) {
      const bool same = cell.outcome_and_status == kind && std::string_view(cell.message, cell.message_size) == message;
      if (!same) continue;
      return bump(cell.count);
    }
    cell.outcome_and_status = kind;
    cell.message_size = static_cast<std::uint16_t>(message.size());
    cell.body_size = static_cast<std::uint16_t>(body_start.size());
    message.copy(cell.message, message.size());
    body_start.copy(cell.body, body_start.size());
    std::atomic_ref<std::uint64_t>(cell.count).store(1, std::memory_order_release);
    return;
  }
}

void TallyRecorder::check(std::size_t index, bool passed, std::string_view message) {
  CheckCells& cells = check_[index];
  if (passed) return bump(cells.passed);
  bump(cells.failed);
  if (message.empty() || look(cells.example_size) != 0) return;
  const std::size_t size = message.copy(cells.example, sizeof cells.example);
  std::atomic_ref<std::uint64_t>(cells.example_size).store(size, std::memory_order_release);
}

void TallyRecorder::metric(std::size_t index, double value) {
  if (!std::isfinite(value)) return;
  // Turns -0 into 0, which would be a second form of the same number.
  value = std::clamp(value, -results::kMetricValueMax, results::kMetricValueMax) + 0.0;
  MetricCells& cells = metric_[index];
  const bool first = look(cells.count) == 0;
  record_into(cells.values, metric_histograms_ + index, results::trend_bucket(value));
  put_real(cells.sum, look_real(cells.sum) + value);
  if (first || value < look_real(cells.min)) put_real(cells.min, value);
  if (first || value > look_real(cells.max)) put_real(cells.max, value);
  put_real(cells.last, value);
  put(cells.last_at_ns, static_cast<std::uint64_t>(EventLoop::now().ns()));
  if (value != 0) bump(cells.nonzero);
  bump(cells.count);
}

std::uint16_t TallyRecorder::series(std::string_view label, std::span<const plan::Tag> tags) {
  return place_of(SeriesKey(label, tags), true);
}

std::uint16_t TallyRecorder::series_by_path(std::string_view method, std::string_view path,
                                            std::span<const plan::Tag> tags) {
  std::array<char, kSeriesLabelBytesMax> text;
  std::size_t size = method.copy(text.data(), text.size() - 1);
  text[size++] = ' ';
  size += path.copy(text.data() + size, text.size() - size);
  return place_of(SeriesKey({text.data(), size}, tags, true), paths_used_ < label_.size() / 2);
}

// The last free series is kept for samples that get no other.
std::uint16_t TallyRecorder::place_of(const SeriesKey& key, bool may_add) {
  CHECK(!label_.empty(), "a series without room for any");
  const std::size_t used = look(executor_.named_used);
  for (std::size_t i = 0; i < used; ++i) {
    if (key.is(label_[i])) return static_cast<std::uint16_t>(steps_ + i);
  }
  if (may_add && used + (others_ ? 0 : 1) < label_.size()) {
    if (key.is_by_path()) ++paths_used_;
    return add_series(key);
  }
  if (!others_) others_ = add_series(SeriesKey(results::kOtherSeries, {}));
  return *others_;
}

std::uint16_t TallyRecorder::add_series(const SeriesKey& key) {
  const std::size_t used = look(executor_.named_used);
  key.write(label_[used]);
  std::atomic_ref<std::uint64_t>(executor_.named_used).store(used + 1, std::memory_order_release);
  return static_cast<std::uint16_t>(steps_ + used);
}

void TallyRecorder::lag(Duration late) {
  bump(executor_.lag_display.counts[display_bucket(record_into(executor_.lag, kLagHistogram, late))]);
}

void TallyRecorder::users_busy(std::uint32_t count) {
  put(executor_.vus_busy, count);
  if (count > look(executor_.vus_max)) put(executor_.vus_max, count);
}

void TallyRecorder::span(MonoTime start, MonoTime end) {
  if (look(executor_.first_start_ns) == 0) put(executor_.first_start_ns, static_cast<std::uint64_t>(start.ns()));
  put(executor_.last_end_ns, static_cast<std::uint64_t>(end.ns()));
}

}  // namespace hyperscale::load
