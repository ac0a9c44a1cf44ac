#include "manager/share_book.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hyperscale::manager {
namespace {

constexpr std::array<std::string_view, 13> kPhaseNames{
    "unplaced", "placed", "provisioning", "dispatching", "preparing", "ready", "starting",
    "running",  "final",  "fetched",      "losing",      "counted",   "over"};

}  // namespace

std::string_view name(SharePhase phase) {
  return kPhaseNames[static_cast<std::size_t>(phase)];
}

Share::Share(jobs::ShareNumber number, std::uint32_t first_slot, std::vector<JobCore> cores, MonoTime now)
    : number_(number),
      first_slot_(first_slot),
      cores_(std::move(cores)),
      created_(now),
      since_(now),
      waits_since_(now) {}

wire::Fence Share::known_fence() const {
  wire::Fence fence = attempt_ ? attempt_->fence : wire::Fence();
  if (phase_ == SharePhase::kOver) ++fence.attempt;
  return fence;
}

const Attempt* Share::find_attempt(const wire::Fence& fence) const {
  if (is_current(fence)) return &*attempt_;
  const auto former = std::ranges::find(former_, fence, &Attempt::fence);
  return former == former_.end() ? nullptr : &*former;
}

void Share::enter(SharePhase phase, MonoTime now) {
  CHECK(!ended(), "share {} goes from {} to {}", number_.share, name(phase_), name(phase));
  phase_ = phase;
  since_ = now;
}

void Share::place(std::string worker, MonoTime now) {
  CHECK(phase_ == SharePhase::kUnplaced && !excluded_.contains(worker), "share {} is {}, placed at {}", number_.share,
        name(phase_), worker);
  worker_ = std::move(worker);
  enter(SharePhase::kPlaced, now);
}

void Share::unplace(MonoTime now) {
  CHECK(phase_ == SharePhase::kPlaced, "share {} is {}", number_.share, name(phase_));
  worker_.clear();
  enter(SharePhase::kUnplaced, now);
}

void Share::set_digest(const wire::Sha256& digest) {
  CHECK(!digest_ || *digest_ == digest, "a retry of share {} has another content", number_.share);
  digest_ = digest;
}

const Attempt& Share::propose(wire::BootId boot, std::uint64_t epoch, MonoTime now) {
  CHECK(phase_ == SharePhase::kPlaced, "share {} is {}", number_.share, name(phase_));
  const wire::Fence fence{epoch, epoch == highest_.epoch ? highest_.attempt + 1 : 1};
  CHECK(fence > highest_, "fence {}.{} after {}.{}", fence.epoch, fence.attempt, highest_.epoch, highest_.attempt);
  highest_ = fence;
  if (attempt_) former_.push_back(*attempt_);
  attempt_ = Attempt{
      .fence = fence, .worker = worker_, .boot = boot, .from_elapsed = from_elapsed_, .counted_to = from_elapsed_};
  final_.reset();
  enter(SharePhase::kProvisioning, now);
  return *attempt_;
}

void Share::provisioned(const wire::Fence& fence, MonoTime now) {
  CHECK(phase_ == SharePhase::kProvisioning && is_current(fence), "share {} is {}", number_.share, name(phase_));
  enter(SharePhase::kDispatching, now);
}

void Share::accepted(MonoTime now) {
  if (phase_ != SharePhase::kDispatching) return;
  waits_since_ = MonoTime::max();
  enter(SharePhase::kPreparing, now);
}

void Share::ready(MonoTime now) {
  accepted(now);
  if (phase_ == SharePhase::kPreparing) enter(SharePhase::kReady, now);
}

void Share::starting(MonoTime now) {
  CHECK(phase_ == SharePhase::kReady, "share {} starts, it is {}", number_.share, name(phase_));
  attempt_->started = true;
  enter(SharePhase::kStarting, now);
}

void Share::running(MonoTime now) {
  if (!with_worker() || phase_ == SharePhase::kRunning) return;
  accepted(now);
  attempt_->started = true;
  enter(SharePhase::kRunning, now);
}

void Share::finished(wire::WorkflowFinalResult result, MonoTime now) {
  CHECK(with_worker() && is_current(result.attempt.fence), "share {} has a result, it is {}", number_.share,
        name(phase_));
  accepted(now);
  final_ = std::move(result);
  enter(SharePhase::kFinal, now);
}

void Share::fetched(MonoTime now) {
  CHECK(phase_ == SharePhase::kFinal, "share {} is {}", number_.share, name(phase_));
  enter(SharePhase::kFetched, now);
}

void Share::counted(MonoTime now) {
  const bool has_body = number_.part == wire::SharePart::kSteps && final_ && final_->bytes > 0;
  CHECK(phase_ == (has_body ? SharePhase::kFetched : SharePhase::kFinal), "share {} is {}", number_.share,
        name(phase_));
  count(attempt_->from_elapsed, Duration::max());
  enter(SharePhase::kCounted, now);
}

// The end of an attempt is decided once, and only where no other decision about the share is open.
void Share::propose_end(const LossDecision& decision, bool blames, std::string why, MonoTime now) {
  CHECK(phase_ >= SharePhase::kDispatching && phase_ <= SharePhase::kFinal, "share {} is lost, it is {}", number_.share,
        name(phase_));
  loss_ = decision;
  loss_blames_ = blames;
  error_ = std::move(why);
  enter(SharePhase::kLosing, now);
}

void Share::attempt_ended(MonoTime now) {
  CHECK(phase_ == SharePhase::kLosing, "share {} is {}", number_.share, name(phase_));
  if (loss_.counted_to > attempt_->from_elapsed) count(attempt_->from_elapsed, loss_.counted_to);
  if (loss_blames_) {
    excluded_.insert(attempt_->worker);
    ++losses_;
  }
  final_.reset();
  worker_.clear();
  if (!loss_.again) return enter(SharePhase::kOver, now);
  error_.clear();
  from_elapsed_ = loss_.from_elapsed;
  if (waits_since_ == MonoTime::max()) waits_since_ = now;
  enter(SharePhase::kUnplaced, now);
}

void Share::close(std::string error, MonoTime now) {
  CHECK(!decision_open(), "share {} is {}", number_.share, name(phase_));
  error_ = std::move(error);
  enter(SharePhase::kOver, now);
}

void Share::rise_above(const wire::Fence& fence) {
  highest_ = std::max(highest_, fence);
}

void Share::count(Duration from, Duration to) {
  CHECK(from >= counted_to_ && to > from, "share {} counts from {} ns, it has counted to {} ns", number_.share,
        from.count(), counted_to_.count());
  counted_to_ = to;
}

Share& ShareBook::add(Share share) {
  const jobs::ShareNumber number = share.number();
  const auto added = shares_.emplace(number, std::move(share));
  CHECK(added.second, "share {} of workflow {} is there already", number.share, number.workflow);
  return added.first->second;
}

Share* ShareBook::find(const jobs::ShareNumber& number) {
  const auto found = shares_.find(number);
  return found == shares_.end() ? nullptr : &found->second;
}

const Share* ShareBook::find(const jobs::ShareNumber& number) const {
  const auto found = shares_.find(number);
  return found == shares_.end() ? nullptr : &found->second;
}

std::vector<Share*> ShareBook::of(std::uint32_t workflow, wire::SharePart part) {
  std::vector<Share*> found;
  for (auto each = shares_.lower_bound({workflow, part, 0}); each != shares_.end(); ++each) {
    if (each->first.workflow != workflow || each->first.part != part) break;
    found.push_back(&each->second);
  }
  return found;
}

std::vector<const Share*> ShareBook::of(std::uint32_t workflow, wire::SharePart part) const {
  std::vector<const Share*> found;
  for (auto each = shares_.lower_bound({workflow, part, 0}); each != shares_.end(); ++each) {
    if (each->first.workflow != workflow || each->first.part != part) break;
    found.push_back(&each->second);
  }
  return found;
}

}  // namespace hyperscale::manager
