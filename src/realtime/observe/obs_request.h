// ObsRequest: one observation in the pool, and its one answer.
//
// The worker fills buffers that belong to the request; the caller copies from them only if the worker's answer came
// first. One compare-and-swap claims the answer: worker, stall detector, shutdown or the caller's timeout, the first
// wins. A late worker writes into memory that is not read; the request lives as long as one of them holds it.
#pragma once

#include "realtime/observe/obs_plan.h"
#include "realtime/observe/observation.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace hyperscale::realtime {

class ObsRequest {
 public:
  ObsRequest(ObsPlan plan, std::optional<std::uint64_t> exact_tick)
      : plan_(std::move(plan)), exact_tick_(exact_tick), values_(plan_.size()), mask_(plan_.size()) {}

  const ObsPlan& plan() const { return plan_; }
  std::optional<std::uint64_t> exact_tick() const { return exact_tick_; }
  // Owned by the worker until it answers; by the caller if the worker's answer won.
  std::vector<double>& values() { return values_; }
  std::vector<std::uint8_t>& mask() { return mask_; }

  bool pending() const { return state_.load(std::memory_order_acquire) == State::kPending; }

  // The worker's answer. False if the request was already answered.
  bool answer(const ObsResult& result) {
    result_ = result;
    return claim(State::kAnswered);
  }
  // Answers for the worker: it stalls, it was cancelled, or it will never get the request.
  bool answer_for_worker(ObsErrorKind kind) { return claim(state_for(kind)); }

  // Waits for the answer up to `patience`; then the caller claims the answer as stalled.
  ObsResult wait(std::chrono::nanoseconds patience, std::uint64_t latest_tick) {
    {
      std::unique_lock lock(mutex_);
      answered_.wait_for(lock, patience, [this] { return !pending(); });
    }
    claim(State::kStalled);
    const State state = state_.load(std::memory_order_acquire);
    if (state == State::kAnswered) return result_;
    return tl::unexpected(ObsError{kind_of(state), latest_tick, exact_tick_, 0});
  }

 private:
  enum class State : std::uint8_t { kPending, kAnswered, kStalled, kCancelled, kShuttingDown };

  static State state_for(ObsErrorKind kind) {
    if (kind == ObsErrorKind::kWorkerStalled) return State::kStalled;
    return kind == ObsErrorKind::kShuttingDown ? State::kShuttingDown : State::kCancelled;
  }
  static ObsErrorKind kind_of(State state) {
    if (state == State::kStalled) return ObsErrorKind::kWorkerStalled;
    return state == State::kShuttingDown ? ObsErrorKind::kShuttingDown : ObsErrorKind::kWorkerCancelled;
  }
  bool claim(State state) {
    State expected = State::kPending;
    if (!state_.compare_exchange_strong(expected, state, std::memory_order_acq_rel)) return false;
    const std::lock_guard lock(mutex_);
    answered_.notify_all();
    return true;
  }

  const ObsPlan plan_;
  const std::optional<std::uint64_t> exact_tick_;
  std::vector<double> values_;
  std::vector<std::uint8_t> mask_;
  ObsResult result_;
  std::atomic<State> state_{State::kPending};
  std::mutex mutex_;
  std::condition_variable answered_;
};

}  // namespace hyperscale::realtime
