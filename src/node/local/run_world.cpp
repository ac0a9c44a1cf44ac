#include "node/local/run_world.h"

#include "base/check.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <span>
#include <utility>

namespace hyperscale::node {
namespace {

using realtime::FieldId;

// A row per step, a column per executor (or one for all). What an executor has by itself is in the first row.
constexpr FieldId kOutcomes = 0;
constexpr FieldId kSums = 1;
constexpr FieldId kDurations = 2;
constexpr FieldId kRate = 3;
constexpr FieldId kUsers = 4;
constexpr FieldId kLag = 5;
constexpr std::size_t kSumsParts = 3;  // bytes sent, bytes received, nanoseconds of durations
// Busy, iterations, those that failed, dropped, connections of HTTP/1.1, connections of HTTP/2, overdue.
constexpr std::size_t kUsersParts = 7;
constexpr std::size_t kBuckets = load::kDisplayBuckets;
constexpr Duration kRateSpan = 1s;
constexpr std::size_t kMomentsKept = 4;

std::vector<realtime::FieldDef> fields() {
  const auto parts = [](std::size_t count) { return static_cast<std::uint32_t>(count); };
  return {{.name = "outcomes", .components = parts(results::kOutcomeCount)},
          {.name = "sums", .components = parts(kSumsParts)},
          {.name = "durations", .components = parts(kBuckets)},
          {.name = "rate", .components = 1},
          {.name = "users", .components = parts(kUsersParts)},
          {.name = "lag", .components = parts(kBuckets)}};
}

std::uint32_t columns_of(const RunWorldSetup& setup) {
  const std::uint64_t cells = std::uint64_t{setup.steps} * setup.executors;
  return cells <= kRunCellsMax ? std::max(setup.executors, 1U) : 1;
}

double tick_rate_of(const RunWorldSetup& setup, std::uint32_t cells) {
  if (cells <= kRunCellsMax) return setup.tick_rate_hz;
  return std::max(kRunTickRateMin, setup.tick_rate_hz * kRunCellsMax / cells);
}

// Sums of what processes wrote that may have been broken.
std::uint64_t count_of(double value) {
  constexpr double kMost = 0x1p63;
  return static_cast<std::uint64_t>(std::min(value, kMost));
}

std::uint32_t users_of(double value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count_of(value), UINT32_MAX));
}

}  // namespace

// What the world reads, and what it remembers to tell a rate. read() from any thread, the rest on the engine's.
class RunWorld::Tallies {
 public:
  Tallies(std::uint32_t steps, std::uint32_t columns) : steps_(steps), columns_(columns) {}

  void read(std::vector<TallySource> sources) {
    const std::lock_guard lock(mutex_);
    sources_ = std::move(sources);
  }

  Status fold(realtime::StepContext& step) {
    const auto outcomes = step.write(kOutcomes), sums = step.write(kSums), durations = step.write(kDurations);
    const auto users = step.write(kUsers), lag = step.write(kLag);
    for (const auto& field : {outcomes, sums, durations, users, lag}) std::ranges::fill(field, 0.0);
    {
      const std::lock_guard lock(mutex_);
      for (const TallySource& source : sources_) {
        const std::size_t column = columns_ == 1 ? 0 : source.executor;
        if (column >= columns_) continue;
        for (std::uint32_t i = 0; i < source.steps && source.first_step + i < steps_; ++i) {
          const std::size_t cell = std::size_t{source.first_step + i} * columns_ + column;
          const load::StepReading reading = source.reader.step_reading(i);
          for (std::size_t k = 0; k < results::kOutcomeCount; ++k)
            outcomes[cell * results::kOutcomeCount + k] += static_cast<double>(reading.outcomes[k]);
          sums[cell * kSumsParts] += static_cast<double>(reading.bytes_sent);
          sums[cell * kSumsParts + 1] += static_cast<double>(reading.bytes_received);
          sums[cell * kSumsParts + 2] += static_cast<double>(reading.duration_sum_ns);
          for (std::size_t k = 0; k < kBuckets; ++k)
            durations[cell * kBuckets + k] += static_cast<double>(reading.durations[k]);
        }
        const load::ExecutorReading own = source.reader.executor_reading();
        if (source.alive) users[column * kUsersParts] += own.vus_busy;
        users[column * kUsersParts + 1] += static_cast<double>(own.iterations);
        users[column * kUsersParts + 2] += static_cast<double>(own.iterations_failed);
        users[column * kUsersParts + 3] += static_cast<double>(own.dropped);
        users[column * kUsersParts + 4] += static_cast<double>(own.http.http1);
        users[column * kUsersParts + 5] += static_cast<double>(own.http.http2);
        users[column * kUsersParts + 6] += static_cast<double>(own.overdue);
        for (std::size_t k = 0; k < kBuckets; ++k) lag[column * kBuckets + k] += static_cast<double>(own.lag[k]);
      }
    }
    tell_rates(outcomes, step.write(kRate));
    return {};
  }

 private:
  struct Past {
    MonoTime at;
    std::vector<double> requests;  // per cell
  };

  void tell_rates(std::span<const double> outcomes, std::span<double> rates) {
    Past now{realtime::monotonic_now(), std::vector<double>(rates.size())};
    for (std::size_t cell = 0; cell < rates.size(); ++cell)
      for (std::size_t k = 0; k < results::kOutcomeCount; ++k)
        now.requests[cell] += outcomes[cell * results::kOutcomeCount + k];
    while (past_.size() > 1 && now.at - past_[1].at >= kRateSpan) past_.pop_front();
    const Past& before = past_.empty() ? now : past_.front();
    const double seconds = static_cast<double>((now.at - before.at).count()) / 1e9;
    for (std::size_t cell = 0; cell < rates.size(); ++cell)
      rates[cell] = seconds > 0 ? std::max(0.0, now.requests[cell] - before.requests[cell]) / seconds : 0;
    past_.push_back(std::move(now));
  }

  const std::uint32_t steps_;
  const std::uint32_t columns_;
  std::mutex mutex_;
  std::vector<TallySource> sources_;
  std::deque<Past> past_;  // about the last second
};

RunWorld::RunWorld(const RunWorldSetup& setup)
    : steps_(std::max(setup.steps, 1U)),
      columns_(columns_of(setup)),
      tallies_(std::make_shared<Tallies>(steps_, columns_)) {}

RunWorld::~RunWorld() = default;

Result<std::unique_ptr<RunWorld>> RunWorld::make(const RunWorldSetup& setup) {
  std::unique_ptr<RunWorld> run(new RunWorld(setup));
  realtime::WorldConfig config;
  config.grid = {.rows = run->steps_, .columns = run->columns_};
  config.fields = fields();
  config.tick_rate_hz = tick_rate_of(setup, run->steps_ * run->columns_);
  config.propagators = {
      {.name = "tallies",
       .writes = {{kOutcomes}, {kSums}, {kDurations}, {kRate}, {kUsers}, {kLag}},
       .step = [tallies = run->tallies_](realtime::StepContext& step) { return tallies->fold(step); }}};
  // What a command does is done where the executors are, when its receipt has come.
  config.on_command = [](const realtime::Command&, realtime::StepContext&) { return Status(); };
  config.epoch_config.ring_capacity = kMomentsKept;
  config.epoch_config.worker_count = realtime::kWorkersLeast;
  auto world = realtime::World::make(std::move(config));
  if (!world) return fail(world.error());
  run->world_ = std::move(*world);
  const auto first_row = realtime::Region::rectangle({0, 0}, {0, run->columns_ - 1});
  auto plan = run->world_->compile({{.field = kOutcomes},
                                    {.field = kSums},
                                    {.field = kDurations},
                                    {.field = kRate},
                                    {.field = kUsers, .region = first_row},
                                    {.field = kLag, .region = first_row}});
  if (!plan) return fail(plan.error());
  run->plan_ = std::move(*plan);
  return run;
}

void RunWorld::read(std::vector<TallySource> sources) {
  tallies_->read(std::move(sources));
}

Result<live::RunMoment> RunWorld::observe() {
  std::vector<double> values(plan_->size());
  std::vector<std::uint8_t> mask(plan_->size());
  const realtime::ObsResult meta = world_->observe(*plan_, values, mask);
  if (!meta) return fail(meta.error().as_error());
  live::RunMoment moment;
  moment.tick = meta->tick;
  moment.steps.resize(steps_);
  moment.executors.resize(columns_);
  const double* next = values.data();
  const auto for_each_cell = [&](const auto& take) {
    for (std::uint32_t cell = 0; cell < steps_ * columns_; ++cell) take(moment.steps[cell / columns_]);
  };
  for_each_cell([&](live::StepMoment& step) {
    for (std::uint64_t& count : step.outcomes) count += count_of(*next++);
  });
  for_each_cell([&](live::StepMoment& step) {
    step.bytes_sent += count_of(*next++);
    step.bytes_received += count_of(*next++);
    step.duration_sum_ns += count_of(*next++);
  });
  for_each_cell([&](live::StepMoment& step) {
    for (std::uint64_t& count : step.durations) count += count_of(*next++);
  });
  for_each_cell([&](live::StepMoment& step) { step.rate_per_s += *next++; });
  for (load::ExecutorReading& executor : moment.executors) {
    executor.vus_busy = users_of(*next++);
    executor.iterations = count_of(*next++);
    executor.iterations_failed = count_of(*next++);
    executor.dropped = count_of(*next++);
    executor.http.http1 = count_of(*next++);
    executor.http.http2 = count_of(*next++);
    executor.overdue = count_of(*next++);
  }
  for (load::ExecutorReading& executor : moment.executors)
    for (std::uint64_t& count : executor.lag) count = count_of(*next++);
  CHECK(next == values.data() + values.size(), "the plan has {} values", values.size());
  return moment;
}

void RunWorld::submit(const plan::LoadRequest& request, realtime::ReceiptCallback receipt) {
  world_->submit({.name = "load", .text = encode(request), .basis_tick = request.basis_tick}, std::move(receipt));
}

// A receipt comes after the tick that its command was part of.
void RunWorld::after_a_tick(std::function<void()> done) {
  world_->submit({.name = "settle"}, [done = std::move(done)](const realtime::Receipt&) { done(); });
}

}  // namespace hyperscale::node
