#include "realtime/observe/egress_pool.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::realtime {

EgressPool::EgressPool(const WorldConfig& config, FieldStore& store, CoarseClock& clock, const Observer& observer,
                       WorkThreads& threads, WorldMetrics& metrics)
    : config_(config),
      store_(store),
      clock_(clock),
      observer_(observer),
      threads_(threads),
      metrics_(metrics),
      workers_(config.mode == Mode::kLockstep ? 0 : config.epoch_config.workers()),
      queue_(config.mode == Mode::kLockstep ? 1 : workers_ * kQueuedPerWorker),
      seats_(config.readers()) {}

Status EgressPool::start(const std::shared_ptr<void>& keep_alive) {
  for (std::size_t seat = 0; seat < workers_; ++seat) {
    if (auto started = seat_worker(seat, keep_alive); !started) return started;
  }
  return {};
}

Status EgressPool::seat_worker(std::size_t seat, const std::shared_ptr<void>& keep_alive) {
  {
    const std::lock_guard lock(seats_[seat].mutex);
    seats_[seat].taken = true;
    seats_[seat].replaced = false;
  }
  store_.workers()[seat].clear_cancel();
  auto started = threads_.start(fmt::format("murk-egress-{}", seat), keep_alive, [this, seat] { work(seat); });
  if (!started) {
    const std::lock_guard lock(seats_[seat].mutex);
    seats_[seat].taken = false;
  }
  return started;
}

RequestQueue::Pushed EgressPool::submit(std::shared_ptr<ObsRequest> request) {
  return queue_.push(std::move(request));
}

void EgressPool::work(std::size_t seat) {
  while (const auto request = queue_.pop()) {
    serve(seat, request);
    if (leaves(seat)) return;
  }
}

void EgressPool::serve(std::size_t seat, const std::shared_ptr<ObsRequest>& request) {
  clock_.refresh(config_.clock());
  WorkerRecord<>& record = store_.workers()[seat];
  {
    const std::lock_guard lock(seats_[seat].mutex);
    seats_[seat].in_hand = request;
    seats_[seat].first_sequence = record.sequence() + 1;
  }
  if (request->pending()) {
    request->answer(observer_.run(record, request->plan(), request->exact_tick(), request->values(), request->mask()));
  }
  const std::lock_guard lock(seats_[seat].mutex);
  seats_[seat].in_hand = nullptr;
}

bool EgressPool::leaves(std::size_t seat) {
  const std::lock_guard lock(seats_[seat].mutex);
  if (!seats_[seat].replaced) return false;
  seats_[seat].taken = false;
  return true;
}

void EgressPool::answer_stalled(std::size_t seat, std::uint64_t pin_sequence, ObsErrorKind kind) {
  const std::lock_guard lock(seats_[seat].mutex);
  const bool same_request = seats_[seat].in_hand && seats_[seat].first_sequence <= pin_sequence;
  if (same_request) seats_[seat].in_hand->answer_for_worker(kind);
}

void EgressPool::replace(std::size_t seat, const std::shared_ptr<void>& keep_alive) {
  {
    const std::lock_guard lock(seats_[seat].mutex);
    if (seats_[seat].replaced) return;
  }
  for (std::size_t other = 0; other < seats_.size(); ++other) {
    {
      const std::lock_guard lock(seats_[other].mutex);
      if (seats_[other].taken) continue;
    }
    if (!seat_worker(other, keep_alive)) return;
    const std::lock_guard lock(seats_[seat].mutex);
    seats_[seat].replaced = true;
    ++metrics_.worker_replacements;
    return;
  }
}

void EgressPool::close() {
  for (const auto& request : queue_.close()) request->answer_for_worker(ObsErrorKind::kShuttingDown);
}

}  // namespace hyperscale::realtime
