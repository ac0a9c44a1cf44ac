// Share and ShareBook: the shares of one job, each with its attempts: where it runs, under which fence, and which of
// its time is counted.
//
//   unplaced -> placed -> provisioning -> dispatching -> preparing -> ready -> starting -> running -> final -> fetched
//       ^                     (open)           \____________\___________\________\___________\________/          |
//       |__________________________________________________ losing (open) <-- or over                           counted
//
// In the two phases marked open a decision about the share is on its way to the journal; until its outcome is known,
// nothing else is decided, and a final result has to wait. A share is dispatched only under a fence that is in the
// journal. Fences of a share rise, also from one leader to the next. Each instant of a share is counted from one
// attempt at most. A counted share, and one that is over, never changes. All of these are CHECKs.
//
// Values; time is passed in. One thread.
#pragma once

#include "base/time.h"
#include "jobs/journal/records.h"
#include "manager/placement.h"
#include "manager/worker_loss.h"
#include "wire/jobs/worker_reports.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::manager {

enum class SharePhase : std::uint8_t {
  kUnplaced,
  kPlaced,
  kProvisioning,
  kDispatching,
  kPreparing,
  kReady,
  kStarting,
  kRunning,
  kFinal,    // its final result is known, the body is with the worker
  kFetched,  // the body is here and is being merged
  kLosing,
  kCounted,  // it ended, and its figures are merged
  kOver,     // it ends without another attempt: failed, cancelled or given up
};
std::string_view name(SharePhase phase);

struct Attempt {
  wire::Fence fence;
  std::string worker;
  wire::BootId boot;
  Duration from_elapsed{};
  Duration counted_to{};      // last second whose figures are acknowledged
  bool dispatched = false;    // the question was asked
  bool started = false;       // it may have put load on the target
  bool cancel_asked = false;  // its worker was asked to stop it
  bool cancel_known = false;  // and has answered
  std::optional<MonoTime> cancel_since = {};
  MonoTime start_at = {};      // the moment that was ordered
  MonoTime fetch_after = {};   // its result is fetched from then on
  std::uint64_t sequence = 0;  // of the newest progress
  std::uint64_t requests = 0;  // last known count
  std::uint32_t last_event = 0;
};

class Share {
 public:
  Share(jobs::ShareNumber number, std::uint32_t first_slot, std::vector<JobCore> cores, MonoTime now);

  const jobs::ShareNumber& number() const { return number_; }
  std::uint32_t first_slot() const { return first_slot_; }
  const std::vector<JobCore>& cores() const { return cores_; }
  SharePhase phase() const { return phase_; }
  MonoTime since() const { return since_; }  // start of the phase
  MonoTime created() const { return created_; }
  // Since when it waits for a worker that takes it.
  MonoTime waits_since() const { return waits_since_; }
  bool decision_open() const { return phase_ == SharePhase::kProvisioning || phase_ == SharePhase::kLosing; }
  bool ended() const { return phase_ == SharePhase::kCounted || phase_ == SharePhase::kOver; }
  // A worker has been asked to run it, and has not reported its end.
  bool with_worker() const { return phase_ >= SharePhase::kDispatching && phase_ <= SharePhase::kRunning; }
  // REQUIRES: an attempt was proposed.
  const Attempt& attempt() const { return *attempt_; }
  Attempt& attempt() { return *attempt_; }
  bool has_attempt() const { return attempt_.has_value(); }
  const std::string& worker() const { return worker_; }  // where it is placed; empty: nowhere
  const std::set<std::string>& excluded() const { return excluded_; }
  std::uint32_t losses() const { return losses_; }
  const std::optional<wire::WorkflowFinalResult>& final_result() const { return final_; }
  const std::string& error() const { return error_; }
  const LossDecision& loss() const { return loss_; }  // REQUIRES: losing
  // The fence that counts; that of a share that is over is above all of its attempts, so that these stop.
  wire::Fence known_fence() const;
  // Where the attempt with this fence was; nullptr: there was none.
  const Attempt* find_attempt(const wire::Fence& fence) const;
  bool is_current(const wire::Fence& fence) const { return attempt_ && attempt_->fence == fence; }

  void place(std::string worker, MonoTime now);
  void unplace(MonoTime now);
  // The first content that is dispatched fixes the digest; a retry has the same.
  void set_digest(const wire::Sha256& digest);
  const wire::Sha256& digest() const { return *digest_; }
  // A new attempt at the placed worker, to be journalled.
  const Attempt& propose(wire::BootId boot, std::uint64_t epoch, MonoTime now);
  void provisioned(const wire::Fence& fence, MonoTime now);  // it is in the journal
  // Each of these is harmless where the attempt is further already.
  void accepted(MonoTime now);
  void ready(MonoTime now);
  void starting(MonoTime now);
  void running(MonoTime now);
  void finished(wire::WorkflowFinalResult result, MonoTime now);
  void fetched(MonoTime now);
  // REQUIRES: fetched, or finished without figures: they are those of steps.
  void counted(MonoTime now);

  // The attempt is to end, by this decision, which is to be journalled. `blames` its worker: it is excluded.
  void propose_end(const LossDecision& decision, bool blames, std::string why, MonoTime now);
  // It has ended, in the journal: the share waits for a worker again, or is over.
  void attempt_ended(MonoTime now);
  // REQUIRES: not decision_open().
  void close(std::string error, MonoTime now);

  // Fences of a former leader that a worker has told.
  void rise_above(const wire::Fence& fence);

 private:
  void enter(SharePhase phase, MonoTime now);
  void count(Duration from, Duration to);

  jobs::ShareNumber number_;
  std::uint32_t first_slot_ = 0;
  std::vector<JobCore> cores_;
  SharePhase phase_ = SharePhase::kUnplaced;
  MonoTime created_;
  MonoTime since_;
  MonoTime waits_since_;
  std::string worker_;
  std::optional<Attempt> attempt_;
  std::vector<Attempt> former_;  // that have ended; at most one per loss and refusal
  wire::Fence highest_;          // that was proposed or told
  std::optional<wire::Sha256> digest_;
  std::set<std::string> excluded_;
  std::uint32_t losses_ = 0;
  LossDecision loss_;
  bool loss_blames_ = false;
  Duration from_elapsed_{};  // of the next attempt
  Duration counted_to_{};    // of all attempts
  std::optional<wire::WorkflowFinalResult> final_;
  std::string error_;
};

class ShareBook {
 public:
  // REQUIRES: not there already.
  Share& add(Share share);
  Share* find(const jobs::ShareNumber& number);
  const Share* find(const jobs::ShareNumber& number) const;
  // Of one part of a workflow, by number.
  std::vector<Share*> of(std::uint32_t workflow, wire::SharePart part);
  std::vector<const Share*> of(std::uint32_t workflow, wire::SharePart part) const;
  auto begin() { return shares_.begin(); }
  auto end() { return shares_.end(); }
  auto begin() const { return shares_.begin(); }
  auto end() const { return shares_.end(); }
  std::size_t size() const { return shares_.size(); }

 private:
  std::map<jobs::ShareNumber, Share> shares_;
};

}  // namespace hyperscale::manager
