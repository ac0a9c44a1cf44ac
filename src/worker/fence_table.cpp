#include "worker/fence_table.h"

#include "base/check.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::worker {
namespace {

using wire::Refusal;

constexpr std::uint32_t kLastAttempt = std::numeric_limits<std::uint32_t>::max();

bool reaches(const std::optional<std::uint64_t>& through, std::uint64_t epoch) {
  return through && epoch <= *through;
}

void raise_through(std::optional<std::uint64_t>& through, std::uint64_t epoch) {
  through = std::max(through.value_or(0), epoch);
}

}  // namespace

void FenceTable::promise(wire::Term term) {
  term_ = std::max(term_, term);
}

Refusal FenceTable::check_sender(wire::BootId boot, wire::Term term) {
  if (boot != boot_) return Refusal::kOtherBoot;
  if (term < term_) return Refusal::kOldTerm;
  term_ = term;
  return Refusal::kNone;
}

FenceTable::Verdict FenceTable::judge(const wire::AttemptId& attempt, const wire::Sha256& digest) const {
  const auto share = shares_.find(attempt.share);
  const wire::Fence known = newest(attempt.share);
  if (attempt.fence == wire::Fence{}) return {Refusal::kOldFence, "it has no fence", known, false, nullptr};
  if (attempt.fence < known)
    return {Refusal::kOldFence, fmt::format("fence {} is known", to_string(known)), known, false, nullptr};
  if (attempt.fence == known && share != shares_.end()) {
    if (share->second.digest != digest)
      return {Refusal::kOtherContent, fmt::format("fence {} has other content", to_string(known)), known, false,
              nullptr};
    const auto& answer = share->second.answer;
    return {Refusal::kNone, {}, known, true, answer ? &*answer : nullptr};
  }
  if (is_blocked(attempt)) {
    const wire::Fence last{attempt.fence.epoch, kLastAttempt};
    return {Refusal::kOldFence, "it was cancelled", last, false, nullptr};
  }
  if (const auto job = jobs_.find(attempt.share.job); job != jobs_.end() && attempt.fence.epoch < job->second.epoch) {
    return {Refusal::kOldFence, fmt::format("the job is led under epoch {}", job->second.epoch),
            wire::Fence{job->second.epoch, 0}, false, nullptr};
  }
  return {Refusal::kNone, {}, known, false, nullptr};
}

// A teardown runs after a cancelled workflow too.
bool FenceTable::is_blocked(const wire::AttemptId& attempt) const {
  const auto share = shares_.find(attempt.share);
  if (share != shares_.end() && reaches(share->second.blocked_through, attempt.fence.epoch)) return true;
  if (attempt.share.part == wire::SharePart::kTeardown) return false;
  const auto job = jobs_.find(attempt.share.job);
  return job != jobs_.end() && reaches(job->second.blocked_through, attempt.fence.epoch);
}

bool FenceTable::admit(const wire::AttemptId& attempt, const wire::Sha256& digest, MonoTime now) {
  if (!shares_.contains(attempt.share) && !make_room(now)) return false;
  Share& share = shares_[attempt.share];
  CHECK(share.fence < attempt.fence, "share {} from fence {} to {}", to_string(attempt.share), to_string(share.fence),
        to_string(attempt.fence));
  share = {.fence = attempt.fence, .digest = digest, .blocked_through = share.blocked_through};
  Job& job = jobs_[attempt.share.job];
  job.seen_at = now;
  if (attempt.fence.epoch > job.epoch) {
    job.epoch = attempt.fence.epoch;
    job.context_version = 0;
  }
  return true;
}

bool FenceTable::admit_layer(const wire::AttemptId& attempt, std::uint32_t context_version) {
  Job& job = jobs_[attempt.share.job];
  if (attempt.fence.epoch < job.epoch || context_version < job.context_version) return false;
  job.context_version = context_version;
  return true;
}

FenceTable::Share* FenceTable::newest_of(const wire::AttemptId& attempt) {
  const auto share = shares_.find(attempt.share);
  return share != shares_.end() && share->second.fence == attempt.fence ? &share->second : nullptr;
}

void FenceTable::store(const wire::WorkflowDispatchAck& answer) {
  if (Share* share = newest_of(answer.attempt)) share->answer = answer;
}

void FenceTable::raise_epoch(const std::string& job, std::uint64_t epoch) {
  const auto known = jobs_.find(job);
  if (known == jobs_.end() || epoch <= known->second.epoch) return;
  known->second.epoch = epoch;
  known->second.context_version = 0;
}

void FenceTable::block(const wire::WorkflowCancelRequest& request, MonoTime now) {
  if (request.shares.empty()) {
    if (!jobs_.contains(request.job) && !make_room(now)) return;
    Job& job = jobs_[request.job];
    job.seen_at = now;
    raise_through(job.blocked_through, request.epoch);
    return;
  }
  for (const wire::ShareId& id : request.shares) {
    if (id.job != request.job) continue;
    const bool is_new = !shares_.contains(id);
    if (is_new && !make_room(now)) return;
    Share& share = shares_[id];
    if (is_new) share.over_at = now;
    raise_through(share.blocked_through, request.epoch);
  }
}

void FenceTable::mark_stopped(const wire::AttemptId& attempt, bool is_cancel) {
  Share* share = newest_of(attempt);
  if (share == nullptr) return;
  share->stopped = true;
  share->cancelled = share->cancelled || is_cancel;
}

template <typename Visit>
void FenceTable::each_of(const wire::WorkflowCancelRequest& request, Visit visit) const {
  for (const wire::ShareId& id : request.shares)
    if (const auto share = shares_.find(id); share != shares_.end() && id.job == request.job) visit(share->second);
  if (!request.shares.empty()) return;
  for (auto it = shares_.lower_bound({.job = request.job}); it != shares_.end() && it->first.job == request.job; ++it)
    visit(it->second);
}

std::uint32_t FenceTable::stopped_count(const wire::WorkflowCancelRequest& request) const {
  std::uint32_t count = 0;
  each_of(request, [&](const Share& share) { count += share.stopped && share.fence.epoch <= request.epoch ? 1 : 0; });
  return count;
}

void FenceTable::bury(const wire::AttemptId& attempt, MonoTime now) {
  if (Share* share = newest_of(attempt)) share->over_at = now;
}

wire::Fence FenceTable::newest(const wire::ShareId& share) const {
  const auto known = shares_.find(share);
  return known == shares_.end() ? wire::Fence{} : known->second.fence;
}

std::vector<wire::Tombstone> FenceTable::tombstones(const std::string& job) const {
  std::vector<std::pair<MonoTime, wire::Tombstone>> found;
  for (auto it = job.empty() ? shares_.begin() : shares_.lower_bound({.job = job}); it != shares_.end(); ++it) {
    const auto& [id, share] = *it;
    if (!job.empty() && id.job != job) break;
    const bool ran = share.answer && share.answer->accepted;
    if (!share.cancelled && !(ran && share.over_at)) continue;
    found.push_back({share.over_at.value_or(MonoTime::max()), {{id, share.fence}, share.cancelled}});
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second.attempt < b.second.attempt;
  });
  found.resize(std::min(found.size(), wire::kTombstonesPerAnswerMax));
  std::vector<wire::Tombstone> out;
  out.reserve(found.size());
  for (auto& each : found) out.push_back(std::move(each.second));
  return out;
}

// Room for one more share and one more job.
bool FenceTable::make_room(MonoTime now) {
  if (shares_.size() < shares_max_ && jobs_.size() < shares_max_) return true;
  std::erase_if(shares_,
                [&](const auto& each) { return each.second.over_at && now - *each.second.over_at >= kTombstoneKept; });
  std::erase_if(jobs_, [&](const auto& each) {
    const auto first = shares_.lower_bound({.job = each.first});
    const bool has_shares = first != shares_.end() && first->first.job == each.first;
    return !has_shares && now - each.second.seen_at >= kTombstoneKept;
  });
  return shares_.size() < shares_max_ && jobs_.size() < shares_max_;
}

}  // namespace hyperscale::worker
