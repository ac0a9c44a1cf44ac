// StateHistory: the transitions of one state machine, in order, with their times and reasons.
//
// Thread rule: one owner. Bounded: past `changes_max` the oldest change is dropped and counted. A reason keeps its
// first kStateReasonBytesMax bytes. Times are those of the machine's own node and never leave it.
#pragma once

#include "base/duration_text.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {

inline constexpr std::size_t kStateReasonBytesMax = 256;

// Its first kStateReasonBytesMax bytes, without a character that is cut in the middle.
std::string bounded_reason(std::string_view reason);

template <typename State>
struct StateChange {
  State from{};
  State to{};
  MonoTime at;
  std::string reason;
};

template <typename State>
class StateHistory {
 public:
  explicit StateHistory(std::size_t changes_max) : changes_max_(changes_max) {}

  void add(State from, State to, std::string_view reason, MonoTime now) {
    if (changes_.empty() && dropped_ == 0) began_ = now;
    if (changes_.size() == changes_max_) {
      changes_.pop_front();
      ++dropped_;
    }
    changes_.push_back({.from = from, .to = to, .at = now, .reason = bounded_reason(reason)});
  }

  const std::deque<StateChange<State>>& changes() const { return changes_; }
  std::uint64_t dropped() const { return dropped_; }

  // A line per change: "5.250: RUNNING → FAILED (worker w3 died)", in seconds since the first change (WFSM-4).
  std::string text() const {
    std::string lines = dropped_ == 0 ? "" : fmt::format("({} older changes were dropped)\n", dropped_);
    for (const auto& change : changes_) {
      const double since = seconds(change.at - began_);
      lines += fmt::format("{:.3f}: {} → {} ({})\n", since, name(change.from), name(change.to), change.reason);
    }
    return lines;
  }

 private:
  std::size_t changes_max_;
  std::deque<StateChange<State>> changes_;
  MonoTime began_;
  std::uint64_t dropped_ = 0;
};

}  // namespace hyperscale::jobs
