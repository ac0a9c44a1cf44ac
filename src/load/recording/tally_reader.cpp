#include "load/recording/tally_reader.h"

#include "load/recording/series_key.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

constexpr std::uint16_t kLastStatus = kStatusesMax - 1;

// More than one executor can count in a century; a thousand of them, with two parts each, still fit into a
// histogram together.
constexpr std::uint64_t kCountMost = kHistogramCountMax >> 11;

// A cell of a count. Its writer may have been broken.
std::uint64_t counted(const std::uint64_t& cell) {
  return std::min(look(cell), kCountMost);
}

// A cell of a time since some start.
std::int64_t nanoseconds(const std::uint64_t& cell) {
  return static_cast<std::int64_t>(look(cell) & INT64_MAX);
}

// Cells of a histogram whose writer may have been broken.
class Counts {
 public:
  void add(std::size_t bucket, const std::uint64_t& cell) {
    const std::uint64_t count = std::min(look(cell), kCountMost - sum_);
    if (count == 0) return;
    cells_.push_back({.bucket = static_cast<std::uint32_t>(bucket), .count = count});
    sum_ += count;
  }
  SparseHistogram with(const SparseHistogram::Totals& totals) && {
    return SparseHistogram::from_parts(std::move(cells_), totals);
  }

 private:
  std::vector<SparseHistogram::Cell> cells_;
  std::uint64_t sum_ = 0;
};

Counts exact_counts(const HistogramCounts& cells) {
  Counts counts;
  for (std::size_t i = 0; i < histogram_buckets::kCount; ++i) counts.add(i, cells.counts[i]);
  return counts;
}

// Without the exact counts: no value is made smaller than it was.
Counts coarse_counts(const DisplayCells& cells) {
  Counts counts;
  for (std::size_t i = 0; i < kDisplayBuckets; ++i) counts.add(last_exact_bucket(i), cells.counts[i]);
  return counts;
}

std::vector<results::Failure> read_failures(const StepCells& cells) {
  std::vector<results::Failure> failures;
  for (const FailureCell& cell : cells.failures) {
    const std::uint64_t count =
        std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(cell.count)).load(std::memory_order_acquire);
    if (count == 0) break;
    results::Failure failure;
    const std::uint64_t outcome = std::min<std::uint64_t>(cell.outcome_and_status >> 16, results::kOutcomeCount - 1);
    failure.outcome = static_cast<results::Outcome>(outcome);
    failure.status = std::min(static_cast<std::uint16_t>(cell.outcome_and_status), kLastStatus);
    failure.message.assign(cell.message, std::min<std::size_t>(cell.message_size, sizeof cell.message));
    failure.body_start.assign(cell.body, std::min<std::size_t>(cell.body_size, sizeof cell.body));
    failure.count = count;
    failures.push_back(std::move(failure));
  }
  return failures;
}

Place place_of(const HistogramCells& cells) {
  auto& place = const_cast<std::uint64_t&>(cells.place);
  return static_cast<Place>(std::atomic_ref<std::uint64_t>(place).load(std::memory_order_acquire));
}

SparseHistogram::Totals totals_of(const HistogramCells& cells) {
  const auto bounded_time = [](std::uint64_t ns) {
    return Duration(static_cast<std::int64_t>(std::min(ns, std::uint64_t{INT64_MAX})));
  };
  const std::uint64_t smallest = look(cells.min_ns_plus_1);
  return {.sum_ns = look(cells.sum_ns),
          .min = bounded_time(smallest == 0 ? 0 : smallest - 1),
          .max = bounded_time(look(cells.max_ns)),
          .saturated = look(cells.saturated)};
}

bool never_used(const StepCells& cells) {
  return std::ranges::all_of(cells.outcomes, [](const std::uint64_t& cell) { return look(cell) == 0; });
}

results::CheckResult read_check(const CheckCells& cells, const std::string& name) {
  const std::uint64_t size =
      std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(cells.example_size)).load(std::memory_order_acquire);
  return {.name = name,
          .passed = look(cells.passed),
          .failed = look(cells.failed),
          .example = {cells.example, std::min<std::size_t>(size, sizeof cells.example)}};
}

double bounded(double value, double most) {
  return std::isfinite(value) ? std::clamp(value, -most, most) + 0.0 : 0;
}

template <typename Item>
Item item_or_none(const std::vector<Item>& items, std::size_t index) {
  return index < items.size() ? items[index] : Item();
}

}  // namespace

template <typename Cells>
const Cells& TallyReader::cells_at(std::size_t offset, std::size_t index) const {
  return reinterpret_cast<const Cells*>(static_cast<const std::byte*>(memory_) + offset)[index];
}

const StepCells& TallyReader::step(std::size_t index) const {
  return cells_at<StepCells>(tally_offsets(shape_).steps, index);
}

SparseHistogram TallyReader::read(const HistogramCells& cells, std::size_t number, const DisplayCells* display) const {
  const Place where = place_of(cells);
  Counts counts;
  if (where == Place::kOwn) {
    counts = exact_counts(cells_at<HistogramCounts>(tally_offsets(shape_).counts + number * kCountsBytes, 0));
  } else if (where == Place::kOverflow && display != nullptr) {
    counts = coarse_counts(*display);
  } else {
    return {};
  }
  return std::move(counts).with(totals_of(cells));
}

// Without memory for the exact counts of either part both come from the display, whose sums are still exact.
SparseHistogram TallyReader::read_durations(std::size_t index) const {
  const StepCells& cells = step(index);
  if (place_of(cells.ok) == Place::kOverflow || place_of(cells.not_ok) == Place::kOverflow) {
    const SparseHistogram::Totals good = totals_of(cells.ok), rest = totals_of(cells.not_ok);
    const bool both = look(cells.ok.min_ns_plus_1) != 0 && look(cells.not_ok.min_ns_plus_1) != 0;
    return coarse_counts(cells.display)
        .with({.sum_ns = good.sum_ns + rest.sum_ns,
               .min = both ? std::min(good.min, rest.min) : std::max(good.min, rest.min),
               .max = std::max(good.max, rest.max),
               .saturated = std::min(good.saturated, kCountMost) + std::min(rest.saturated, kCountMost)});
  }
  SparseHistogram all = read(cells.ok, step_histogram(index, Phase::kOk));
  // There is room for both: see kCountMost.
  if (place_of(cells.not_ok) != Place::kNone) (void)all.merge(read(cells.not_ok, step_histogram(index, Phase::kNotOk)));
  return all;
}

results::StepResult TallyReader::read_step(std::size_t index) const {
  const StepCells& cells = step(index);
  const auto number = [index](Phase phase) { return step_histogram(index, phase); };
  results::StepResult out;
  if (!never_used(cells)) {
    out.series = {.duration = read_durations(index),
                  .ok = read(cells.ok, number(Phase::kOk)),
                  .service = read(cells.service, number(Phase::kService)),
                  .connect = read(cells.connect, number(Phase::kConnect)),
                  .tls = read(cells.tls, number(Phase::kTls)),
                  .first_byte = read(cells.first_byte, number(Phase::kFirstByte))};
  }
  for (std::size_t i = 0; i < results::kOutcomeCount; ++i) out.counts.outcomes[i] = counted(cells.outcomes[i]);
  for (std::size_t status = 0; status < kStatusesMax; ++status) {
    const std::uint64_t count = look(cells.statuses[status]);
    if (count > 0) out.counts.statuses[static_cast<std::uint16_t>(status)] = count;
  }
  out.counts.bytes_sent = look(cells.bytes_sent);
  out.counts.bytes_received = look(cells.bytes_received);
  out.counts.connections_opened = look(cells.connections_opened);
  out.counts.tls_resumed = look(cells.tls_resumed);
  out.counts.redirects_followed = look(cells.redirects_followed);
  out.counts.resent = look(cells.resent);
  out.failures = read_failures(cells);
  return out;
}

results::MetricResult TallyReader::read_metric(std::size_t index, const MetricName& name) const {
  // More than any sum of values has, and in millionths still well within 128 bits.
  constexpr double kSumMax = 1e30;
  constexpr double kMillion = 1e6;
  const auto& cells = cells_at<MetricCells>(tally_offsets(shape_).metrics, index);
  results::MetricResult out;
  out.name = name.name;
  out.kind = name.kind;
  out.of_run = name.of_run;
  out.count = look(cells.count);
  if (out.count == 0) return out;
  out.nonzero = std::min(look(cells.nonzero), out.count);
  out.sum_millionths = static_cast<__int128>(std::round(bounded(look_real(cells.sum), kSumMax) * kMillion));
  out.min = bounded(look_real(cells.min), results::kMetricValueMax);
  out.max = std::max(out.min, bounded(look_real(cells.max), results::kMetricValueMax));
  out.last = bounded(look_real(cells.last), results::kMetricValueMax);
  out.last_at = Duration(static_cast<std::int64_t>(std::min(look(cells.last_at_ns), std::uint64_t{INT64_MAX})));
  if (out.kind == results::MetricKind::kTrend) out.values = read(cells.values, metric_histogram(shape_, index));
  return out;
}

std::size_t TallyReader::named_used() const {
  auto& used = const_cast<std::uint64_t&>(executor().named_used);
  return std::min<std::size_t>(std::atomic_ref<std::uint64_t>(used).load(std::memory_order_acquire), shape_.named);
}

results::WindowTotals TallyReader::live() const {
  results::WindowTotals out;
  for (std::size_t i = 0, end = shape_.steps + named_used(); i < end; ++i) {
    const StepCells& cells = step(i);
    if (never_used(cells)) continue;
    for (std::size_t outcome = 0; outcome < results::kOutcomeCount; ++outcome) {
      const std::uint64_t count = counted(cells.outcomes[outcome]);
      out.requests += count;
      if (results::is_error(static_cast<results::Outcome>(outcome))) out.errors += count;
    }
    out.bytes_received += look(cells.bytes_received);
    (void)out.durations.merge(read_durations(i));
  }
  out.dropped = look(executor().dropped);
  out.users = static_cast<std::uint32_t>(look(executor().vus_busy));
  return out;
}

void TallyReader::add_step(results::StepMoment& to, std::size_t index) const {
  const StepCells& cells = step(index);
  if (never_used(cells)) return;
  results::StepMoment own;
  for (std::size_t i = 0; i < own.outcomes.size(); ++i) own.outcomes[i] = counted(cells.outcomes[i]);
  own.bytes_sent = look(cells.bytes_sent);
  own.bytes_received = look(cells.bytes_received);
  own.duration_sum_ns = look(cells.ok.sum_ns) + look(cells.not_ok.sum_ns);
  const std::uint64_t good = look(cells.ok.min_ns_plus_1), rest = look(cells.not_ok.min_ns_plus_1);
  own.duration_min_ns_plus_1 = good == 0 || (rest != 0 && rest < good) ? rest : good;
  own.duration_max_ns = std::max(look(cells.ok.max_ns), look(cells.not_ok.max_ns));
  for (std::size_t i = 0; i < own.durations.size(); ++i) own.durations[i] = counted(cells.display.counts[i]);
  to += own;
}

results::StepMoment TallyReader::step_reading(std::size_t index) const {
  results::StepMoment out;
  if (index < shape_.steps) add_step(out, index);
  if (index >= shape_.steps || shape_.named_are_parts) {
    for (std::size_t i = 0, used = named_used(); i < used; ++i) add_step(out, shape_.steps + i);
  }
  return out;
}

results::ShareMoment TallyReader::executor_reading() const {
  const results::HttpVersions spoken = http();
  results::ShareMoment out{.users = std::min<std::uint64_t>(look(executor().vus_busy), UINT32_MAX),
                           .iterations = look(executor().iterations),
                           .iterations_failed = look(executor().iterations_failed),
                           .dropped = look(executor().dropped),
                           .overdue = look(executor().overdue),
                           .http1 = spoken.http1,
                           .http2 = spoken.http2,
                           .activity = counted(executor().iterations) + counted(executor().arrivals) +
                                       counted(executor().rounds) + look(executor().alive_ns)};
  for (std::size_t i = 0; i < out.lag.size(); ++i) out.lag[i] = counted(executor().lag_display.counts[i]);
  return out;
}

std::vector<std::string> TallyReader::series_names(const TallyNames& names) const {
  const std::size_t used = named_used();
  std::vector<std::string> out;
  out.reserve(shape_.steps + used);
  for (std::size_t i = 0; i < shape_.steps; ++i) out.push_back(item_or_none(names.steps, i));
  for (std::size_t i = 0; i < used; ++i)
    out.push_back(label_of(cells_at<SeriesLabel>(tally_offsets(shape_).labels, i)));
  return out;
}

std::uint64_t TallyReader::samples() const {
  const std::uint64_t unsampled = look(executor().unsampled), requests = live().requests;
  return requests - std::min(requests, unsampled);
}

std::vector<results::StepResult> TallyReader::steps(const TallyNames& names) const {
  std::vector<results::StepResult> out;
  for (std::size_t i = 0; i < shape_.steps; ++i) {
    out.push_back(read_step(i));
    out.back().name = item_or_none(names.steps, i);
    for (const plan::Tag& tag : item_or_none(names.step_tags, i)) out.back().tags[tag.name] = tag.value;
  }
  for (std::size_t i = 0, used = named_used(); i < used; ++i) {
    const auto& label = cells_at<SeriesLabel>(tally_offsets(shape_).labels, i);
    out.push_back(read_step(shape_.steps + i));
    out.back().name = label_of(label);
    out.back().tags = tags_of(label);
    out.back().named = true;
    out.back().by_path = label.by_path != 0;
  }
  results::settle_named_series(out);
  return out;
}

results::Recorded TallyReader::share(const TallyNames& names) const {
  results::Recorded out;
  out.steps = steps(names);
  const TallyOffsets at = tally_offsets(shape_);
  for (std::size_t i = 0; i < shape_.checks; ++i)
    out.checks.push_back(read_check(cells_at<CheckCells>(at.checks, i), item_or_none(names.checks, i)));
  for (std::size_t i = 0; i < shape_.metrics; ++i)
    out.metrics.push_back(read_metric(i, item_or_none(names.metrics, i)));
  out.http = http();
  out.connection_frames = {.bytes_sent = look(executor().frames_sent),
                           .bytes_received = look(executor().frames_received)};
  out.iterations = look(executor().iterations);
  // The writer may have died between two of its stores.
  out.iterations_failed = std::min(look(executor().iterations_failed), out.iterations);
  out.iterations_cut = std::min(look(executor().iterations_cut), out.iterations_failed);
  out.dropped = counted(executor().dropped) + counted(executor().overdue);
  out.idle_seconds = counted(executor().idle_s);
  out.late = counted(executor().late);
  out.warmup_requests = look(executor().warmup_requests);
  out.vus_max = static_cast<std::uint32_t>(look(executor().vus_max));
  out.lag = read(executor().lag, kLagHistogram, &executor().lag_display);
  out.elapsed = std::max(last_end() - first_start(), Duration::zero());
  if (const std::uint64_t values = overflowed(); values > 0)
    out.warnings.push_back(
        fmt::format("shared memory was full: {} values are missing from the times of phases, and the "
                    "times of some steps, or the generator's lag, are rounded up by up to an eighth",
                    values));
  return out;
}

results::HttpVersions TallyReader::http() const {
  return {.http1 = look(executor().http1_connections), .http2 = look(executor().http2_connections)};
}

std::uint64_t TallyReader::arrivals() const {
  return look(executor().arrivals);
}

std::uint64_t TallyReader::waiting_in_time() const {
  const std::uint64_t waiting = counted(executor().waiting);
  return waiting - std::min(waiting, counted(executor().overdue));
}

std::uint64_t TallyReader::rounds() const {
  return look(executor().rounds);
}

MonoTime TallyReader::alive() const {
  return MonoTime::from_ns(nanoseconds(executor().alive_ns));
}

MonoTime TallyReader::first_start() const {
  return MonoTime::from_ns(nanoseconds(executor().first_start_ns));
}

MonoTime TallyReader::last_end() const {
  return MonoTime::from_ns(nanoseconds(executor().last_end_ns));
}

}  // namespace hyperscale::load
