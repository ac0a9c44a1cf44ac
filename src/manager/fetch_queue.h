// FetchQueue: final results that wait to be fetched from their workers, and those being fetched and merged: eight at a
// time, because a decoded result takes megabytes and a thousand of them may end in one second. First come, first
// served.
//
// Pure; one thread. Bounded by the attempts that are with workers.
#pragma once

#include "base/check.h"
#include "wire/jobs/attempt.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <set>

namespace hyperscale::manager {

inline constexpr std::size_t kFetchesMax = 8;

class FetchQueue {
 public:
  // REQUIRES: it neither waits nor is in flight.
  void add(const wire::AttemptId& attempt) {
    CHECK(!has(attempt), "a result is fetched twice");
    waiting_.push_back(attempt);
  }
  // The next one to fetch; it is in flight until done().
  std::optional<wire::AttemptId> next() {
    if (waiting_.empty() || in_flight_.size() >= kFetchesMax) return std::nullopt;
    wire::AttemptId attempt = waiting_.front();
    waiting_.pop_front();
    in_flight_.insert(attempt);
    return attempt;
  }
  // It is merged, or could not be fetched. False if it was not in flight.
  bool done(const wire::AttemptId& attempt) { return in_flight_.erase(attempt) > 0; }
  // Drops one that waits.
  void drop(const wire::AttemptId& attempt) { std::erase(waiting_, attempt); }

  bool is_in_flight(const wire::AttemptId& attempt) const { return in_flight_.contains(attempt); }
  bool has(const wire::AttemptId& attempt) const {
    return is_in_flight(attempt) || std::ranges::find(waiting_, attempt) != waiting_.end();
  }
  std::size_t waiting() const { return waiting_.size(); }
  std::size_t in_flight() const { return in_flight_.size(); }

 private:
  std::deque<wire::AttemptId> waiting_;
  std::set<wire::AttemptId> in_flight_;
};

}  // namespace hyperscale::manager
