#include "realtime/tick_engine.h"

#include "base/check.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::realtime {

class TickEngine::Context final : public StepContext {
 public:
  Context(StagedFields& staged, std::uint64_t tick, double dt) : staged_(staged), tick_(tick), dt_(dt) {}

  std::uint64_t tick() const override { return tick_; }
  double dt() const override { return dt_; }
  std::span<const double> read(FieldId field) const override { return staged_.read(field); }
  std::span<const double> read_previous(FieldId field) const override { return staged_.read_previous(field); }
  std::span<double> write(FieldId field) override { return staged_.write(field, false); }
  std::span<double> update(FieldId field) override { return staged_.write(field, true); }
  std::span<std::uint64_t> write_block() override { return staged_.write_block(); }
  void parameters_changed() override { parameters_changed_ = true; }

  bool have_parameters_changed() const { return parameters_changed_; }

 private:
  StagedFields& staged_;
  std::uint64_t tick_;
  double dt_;
  bool parameters_changed_ = false;
};

namespace {

// Runs a handler of the user: an exception is a failure like any other.
template <typename Call>
Status guarded(Call call) {
  try {
    return call();
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInternal, error.what());
  } catch (...) {
    return fail(ErrorCode::kInternal, "an exception of unknown type");
  }
}

}  // namespace

TickEngine::TickEngine(const WorldConfig& config, std::uint64_t world_generation, FieldStore& store, Ingress& ingress,
                       PublishGate& gate, WorldMetrics& metrics)
    : config_(config),
      world_generation_(world_generation),
      store_(store),
      ingress_(ingress),
      gate_(gate),
      metrics_(metrics),
      staged_(config, store.records()),
      backoff_(config.backoff_config) {
  store_.prepare([this](FieldGeneration& generation) {
    generation.segment = Segment(staged_.segment_doubles());
    generation.block.resize(config_.block_words);
    metrics_.memory_bytes +=
        generation.segment.capacity() * sizeof(double) + generation.block.size() * sizeof(std::uint64_t);
  });
  metrics_.max_skew.store(max_skew());
}

std::uint64_t TickEngine::max_skew() const {
  return config_.mode == Mode::kLockstep ? config_.lockstep_skew : backoff_.max_skew();
}

TickOutcome TickEngine::tick() {
  const Epoch newest = store_.current();
  if (disabled_) return {TickOutcome::Kind::kDisabled, newest, {}};
  FieldGeneration& staging = store_.stage();
  const FieldGeneration* previous =
      newest == kNothingPublished ? nullptr : &store_.payload(*store_.ring().in_slot_of(newest));
  staged_.begin(staging, previous);
  Context context(staged_, newest + 1, 1 / config_.tick_rate_hz);
  ingress_.begin_batch(batch_);
  apply_commands(context);
  if (auto done = run_propagators(context); !done) return roll_back(std::move(done.error().context));
  if (!publish(context.have_parameters_changed())) return roll_back("the world is shutting down");
  rollbacks_ = 0;
  update_gauges();
  answer_batch(true);
  return {TickOutcome::Kind::kPublished, newest + 1, {}};
}

void TickEngine::apply_commands(Context& context) {
  judged_.clear();
  std::uint64_t stale = 0;
  for (const QueuedCommand& queued : batch_) {
    Judged judged{judge_command(queued.command, store_.current(), max_skew())};
    if (judged.outcome == CommandOutcome::kStale) ++stale;
    if (judged.outcome == CommandOutcome::kApplied) {
      const Status applied = config_.on_command
                                 ? guarded([&] { return config_.on_command(queued.command, context); })
                                 : Status(fail(ErrorCode::kInvalidArgument, "this world takes no commands"));
      if (!applied) judged = Judged{CommandOutcome::kUnsupported, applied.error().context};
    }
    judged_.push_back(std::move(judged));
  }
  metrics_.stale_rejections += stale;
  if (config_.mode == Mode::kRealtimeAsync) backoff_.update(batch_.size(), stale);
  metrics_.max_skew.store(max_skew());
}

Status TickEngine::run_propagators(Context& context) {
  for (const Propagator& propagator : config_.propagators) {
    const Status done = guarded([&] { return propagator.step(context); });
    if (!done) return fail(done.error().code, fmt::format("propagator {}: {}", propagator.name, done.error().context));
  }
  return {};
}

bool TickEngine::publish(bool parameters_changed) {
  staged_.fill();
  FieldGeneration& staging = store_.stage();
  staging.tick = store_.next_epoch();
  staging.world_generation = world_generation_;
  staging.parameter_version = parameter_version_ + (parameters_changed ? 1 : 0);
  const std::uint64_t version = staging.parameter_version;
  const bool ring_full = store_.current() >= store_.ring().capacity();
  if (!gate_.pass([this] { store_.publish(); })) return false;
  parameter_version_ = version;
  if (ring_full) ++metrics_.ring_eviction_events;
  staged_.commit(store_.current(), live_epochs());
  metrics_.published_at_ns.store(static_cast<std::uint64_t>(config_.clock().ns()));
  return true;
}

TickOutcome TickEngine::roll_back(std::string reason) {
  staged_.abandon();
  store_.abandon();
  ++metrics_.rollback_events;
  ++rollbacks_;
  if (rollbacks_ >= kRollbacksToDisable) {
    disabled_ = true;
    metrics_.tick_disabled.store(true);
    ++metrics_.tick_disabled_transitions;
    if (config_.log) {
      config_.log(LogLevel::kError,
                  fmt::format("ticks are disabled after {} rollbacks in a row: {}", rollbacks_, reason));
    }
  }
  answer_batch(false);
  if (disabled_)
    metrics_.tick_disabled_rejections +=
        ingress_.refuse(Ingress::Gate::kTickDisabled, {store_.current(), parameter_version_});
  reclaim();
  return {TickOutcome::Kind::kRolledBack, store_.current(), std::move(reason)};
}

void TickEngine::answer_batch(bool published) {
  const std::vector<QueuedCommand> answered = ingress_.end_batch();
  CHECK(answered.empty() || answered.size() == judged_.size(), "{} receipts for {} commands", answered.size(),
        judged_.size());
  for (std::size_t i = 0; i < answered.size(); ++i) {
    Judged& judged = judged_[i];
    const bool undone = !published && judged.outcome == CommandOutcome::kApplied;
    answer(answered[i], undone ? CommandOutcome::kTickRollback : judged.outcome, {store_.current(), parameter_version_},
           std::move(judged.reason));
  }
}

void TickEngine::reclaim() {
  if (store_.reclaim() > 0) staged_.collect(live_epochs());
  update_gauges();
}

void TickEngine::update_gauges() {
  metrics_.live_generations.store(store_.live());
  metrics_.quarantined_generations.store(store_.pending().size());
  metrics_.sparse_values_in_use.store(staged_.sparse_values_in_use());
  metrics_.consecutive_rollbacks.store(rollbacks_);
  metrics_.parameter_version.store(parameter_version_);
}

const std::vector<Epoch>& TickEngine::live_epochs() {
  live_.clear();
  for (const RingEntry& entry : store_.pending()) live_.push_back(entry.epoch);
  for (Epoch epoch = store_.current() + 1 - store_.in_ring(); epoch <= store_.current(); ++epoch)
    live_.push_back(epoch);
  std::ranges::sort(live_);
  return live_;
}

}  // namespace hyperscale::realtime
