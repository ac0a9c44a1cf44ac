// JobRecord: the state of a job at its manager, with its history, and the transitions that are legal (JOB-STATE-1,
// EXEC-SM-1).
//
//   submitted -> classifying -> provisioning -> queued -> dispatching -> running -> completing -> completed, partial
//        \___________\______________\______________\___________\___________\____________\-> failed
//                                                                    running ----------------> timeout
//                       any that is not terminal -> cancelling ----------------------------> cancelled
//
// A terminal state is final: entering another one is a bug (CHECK), and so is a transition that is not drawn. A job is
// partial when some of its workflows completed. Plain value; time is passed in. One thread.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::manager {

enum class JobState : std::uint8_t {
  kSubmitted,
  kClassifying,
  kProvisioning,
  kQueued,
  kDispatching,
  kRunning,
  kCompleting,
  kCancelling,
  kCompleted,
  kPartial,
  kFailed,
  kCancelled,
  kTimeout,
};
inline constexpr std::size_t kJobStates = 13;

std::string_view name(JobState state);  // in capitals, as on the wire: "QUEUED"
bool is_terminal(JobState state);
bool may_follow(JobState from, JobState to);

// Why a job does not go on at the moment, since when, and when it stops waiting.
struct Waiting {
  std::string reason;
  MonoTime since;
  MonoTime until = MonoTime::max();
  bool operator==(const Waiting&) const = default;
};

class JobRecord {
 public:
  struct Entry {
    JobState state = JobState::kSubmitted;
    MonoTime at;
    std::string reason;
  };

  explicit JobRecord(MonoTime now) : history_{{JobState::kSubmitted, now, {}}} {}

  // REQUIRES: may_follow(state(), to).
  void enter(JobState to, MonoTime now, std::string reason = {});

  JobState state() const { return history_.back().state; }
  MonoTime since() const { return history_.back().at; }
  bool over() const { return is_terminal(state()); }
  const std::vector<Entry>& history() const { return history_; }  // at most kJobStates: no state comes twice
  // Reason of the last transition that has one: why it failed or was cancelled.
  const std::string& reason() const;

  // The start of waiting for the same reason is kept.
  void waits(std::string reason, MonoTime now, MonoTime until = MonoTime::max());
  void goes_on() { waiting_.reset(); }
  const std::optional<Waiting>& waiting() const { return waiting_; }

 private:
  std::vector<Entry> history_;
  std::optional<Waiting> waiting_;
};

}  // namespace hyperscale::manager
