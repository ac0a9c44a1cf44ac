// FenceTable: which orders a worker refuses because a newer one is known. It decides three things:
//   - the sender: another boot id than ours, or a lower term than the highest that this worker has heard or promised;
//   - the attempt: a fence below the newest of its share, an epoch below the newest of its job, a cancelled share or
//   job;
//   - repeats: an equal fence with the same digest gets the stored answer, also one that refused (decision 3). A
//     refused fence is spent: the leader may have placed the share elsewhere by the time the dispatch is repeated.
//
// Thread rule: one owner. Invariant (CHECK): the fence of a share only rises. Bounded by shares_max shares and as many
// jobs: beyond it those that have been over for kTombstoneKept are forgotten, and if there are none admit() is false.
#pragma once

#include "base/time.h"
#include "wire/jobs/dispatch.h"
#include "wire/jobs/worker_reports.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::worker {

inline constexpr std::size_t kFencedSharesMax = 65'536;
inline constexpr Duration kTombstoneKept = 1h;

class FenceTable {
 public:
  explicit FenceTable(wire::BootId boot, std::size_t shares_max = kFencedSharesMax)
      : boot_(boot), shares_max_(shares_max) {}

  wire::BootId boot() const { return boot_; }
  wire::Term term() const { return term_; }
  // Orders of lower terms are refused from now on.
  void promise(wire::Term term);
  // kOtherBoot or kOldTerm; otherwise kNone, and the term is promised.
  wire::Refusal check_sender(wire::BootId boot, wire::Term term);

  struct Verdict {
    wire::Refusal refusal = wire::Refusal::kNone;
    std::string why;
    wire::Fence known;
    bool repeated = false;                              // known with this digest
    const wire::WorkflowDispatchAck* answer = nullptr;  // of the repeated one; null: not answered yet
  };
  Verdict judge(const wire::AttemptId& attempt, const wire::Sha256& digest) const;

  // Raises the fence of the share. False, and nothing is changed: too many shares in the last hour.
  // REQUIRES: judge() neither refused it nor found it repeated.
  bool admit(const wire::AttemptId& attempt, const wire::Sha256& digest, MonoTime now);
  // False: the layer is older than one that was dispatched under this epoch or a later one (EXEC-DISP-3).
  bool admit_layer(const wire::AttemptId& attempt, std::uint32_t context_version);
  // For repeats. An answer to another fence than the newest of the share is dropped: nothing can repeat it.
  void store(const wire::WorkflowDispatchAck& answer);
  // Of a leader that acts: dispatches of lower epochs are refused from now on. No effect on an unknown job.
  void raise_epoch(const std::string& job, std::uint64_t epoch);

  // Refuses dispatches of these shares, or of the whole job except its teardown, up to this epoch.
  void block(const wire::WorkflowCancelRequest& request, MonoTime now);
  // The attempt was stopped by request; `is_cancel` is kept as Tombstone::cancelled_by_request.
  void mark_stopped(const wire::AttemptId& attempt, bool is_cancel);
  // How many newest attempts of these shares, or of the job, were stopped by request.
  std::uint32_t stopped_count(const wire::WorkflowCancelRequest& request) const;
  // The attempt is over and its result released; it may be forgotten after kTombstoneKept.
  void bury(const wire::AttemptId& attempt, MonoTime now);

  wire::Fence newest(const wire::ShareId& share) const;
  // Of one job, or of all if it is empty; the latest kTombstonesPerAnswerMax.
  std::vector<wire::Tombstone> tombstones(const std::string& job) const;
  std::size_t shares() const { return shares_.size(); }

 private:
  struct Share {
    wire::Fence fence;  // zero: only blocked so far
    wire::Sha256 digest{};
    std::optional<wire::WorkflowDispatchAck> answer = {};
    std::optional<std::uint64_t> blocked_through = {};  // epoch
    bool stopped = false;
    bool cancelled = false;
    std::optional<MonoTime> over_at = {};
  };
  struct Job {
    std::uint64_t epoch = 0;
    std::uint32_t context_version = 0;             // under that epoch
    std::optional<std::uint64_t> blocked_through;  // epoch
    MonoTime seen_at;
  };

  Share* newest_of(const wire::AttemptId& attempt);
  bool is_blocked(const wire::AttemptId& attempt) const;
  bool make_room(MonoTime now);
  template <typename Visit>
  void each_of(const wire::WorkflowCancelRequest& request, Visit visit) const;

  const wire::BootId boot_;
  const std::size_t shares_max_;
  wire::Term term_;
  std::map<wire::ShareId, Share> shares_;
  std::map<std::string, Job> jobs_;
};

}  // namespace hyperscale::worker
