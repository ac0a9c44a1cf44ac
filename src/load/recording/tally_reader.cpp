#include "load/recording/tally_reader.h"

#include <algorithm>

namespace hyperscale::load {
namespace {

LatencyHistogram read(const HistogramCells& cells) {
  std::vector<std::uint64_t> counts(histogram_buckets::kCount);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = look(cells.counts[i]);
  const std::uint64_t smallest = look(cells.min_ns_plus_1);
  return LatencyHistogram::from_parts(
      counts,
      {.sum_ns = look(cells.sum_ns),
       .min = Duration(static_cast<std::int64_t>(smallest == 0 ? 0 : std::min(smallest - 1, std::uint64_t{INT64_MAX}))),
       .max = Duration(static_cast<std::int64_t>(std::min(look(cells.max_ns), std::uint64_t{INT64_MAX}))),
       .saturated = look(cells.saturated)});
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
    failure.status = static_cast<std::uint16_t>(cell.outcome_and_status);
    failure.message.assign(cell.message, std::min<std::size_t>(cell.message_size, sizeof cell.message));
    failure.body_start.assign(cell.body, std::min<std::size_t>(cell.body_size, sizeof cell.body));
    failure.count = count;
    failures.push_back(std::move(failure));
  }
  return failures;
}

results::StepResult read_step(const StepCells& cells, const std::string& name) {
  results::StepResult out;
  out.name = name;
  out.series = {.duration = read(cells.duration),
                .service = read(cells.service),
                .connect = read(cells.connect),
                .tls = read(cells.tls),
                .first_byte = read(cells.first_byte)};
  for (std::size_t i = 0; i < results::kOutcomeCount; ++i) out.counts.outcomes[i] = look(cells.outcomes[i]);
  for (std::size_t status = 0; status < kStatusesMax; ++status) {
    const std::uint64_t count = look(cells.statuses[status]);
    if (count > 0) out.counts.statuses[static_cast<std::uint16_t>(status)] = count;
  }
  out.counts.bytes_sent = look(cells.bytes_sent);
  out.counts.bytes_received = look(cells.bytes_received);
  out.counts.connections_opened = look(cells.connections_opened);
  out.counts.tls_resumed = look(cells.tls_resumed);
  out.counts.redirects_followed = look(cells.redirects_followed);
  out.failures = read_failures(cells);
  return out;
}

}  // namespace

const StepCells& TallyReader::step(std::size_t index) const {
  return reinterpret_cast<const StepCells*>(static_cast<const std::byte*>(memory_) + sizeof(ExecutorCells))[index];
}

LiveReading& LiveReading::operator+=(const LiveReading& other) {
  requests += other.requests;
  errors += other.errors;
  bytes_received += other.bytes_received;
  iterations += other.iterations;
  dropped += other.dropped;
  vus_busy += other.vus_busy;
  // A sum too large for a histogram would take a fleet centuries.
  (void)duration.merge(other.duration);
  return *this;
}

LiveReading TallyReader::live() const {
  LiveReading out;
  for (std::size_t i = 0; i < steps_; ++i) {
    const StepCells& cells = step(i);
    for (std::size_t outcome = 0; outcome < results::kOutcomeCount; ++outcome) {
      const std::uint64_t count = look(cells.outcomes[outcome]);
      out.requests += count;
      if (results::is_error(static_cast<results::Outcome>(outcome))) out.errors += count;
    }
    out.bytes_received += look(cells.bytes_received);
    (void)out.duration.merge(read(cells.duration));
  }
  out.iterations = look(executor().iterations);
  out.dropped = look(executor().dropped);
  out.vus_busy = static_cast<std::uint32_t>(look(executor().vus_busy));
  return out;
}

results::RunResult TallyReader::share(const std::vector<std::string>& names) const {
  results::RunResult out;
  for (std::size_t i = 0; i < steps_; ++i) out.steps.push_back(read_step(step(i), names[i]));
  out.iterations = look(executor().iterations);
  out.dropped = look(executor().dropped);
  out.warmup_requests = look(executor().warmup_requests);
  out.vus_max = static_cast<std::uint32_t>(look(executor().vus_max));
  out.lag = read(executor().lag);
  out.elapsed = last_end() - first_start();
  return out;
}

std::uint64_t TallyReader::arrivals() const {
  return look(executor().arrivals);
}

MonoTime TallyReader::first_start() const {
  return MonoTime::from_ns(static_cast<std::int64_t>(look(executor().first_start_ns)));
}

MonoTime TallyReader::last_end() const {
  return MonoTime::from_ns(static_cast<std::int64_t>(look(executor().last_end_ns)));
}

}  // namespace hyperscale::load
