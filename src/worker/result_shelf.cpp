#include "worker/result_shelf.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::worker {

bool ResultShelf::reserve() {
  if (kept_.size() + reserved_ >= results_max_ || bytes_ >= bytes_max_) return false;
  ++reserved_;
  return true;
}

void ResultShelf::give_back() {
  CHECK(reserved_ > 0);
  --reserved_;
}

void ResultShelf::put(Kept kept) {
  CHECK(reserved_ > 0, "{} was not reserved", to_string(kept.state.attempt));
  --reserved_;
  bytes_ += kept.body.size();
  const wire::AttemptId attempt = kept.state.attempt;
  CHECK(kept_.emplace(attempt, std::move(kept)).second, "{} has a result", to_string(attempt));
}

const ResultShelf::Kept* ResultShelf::find(const wire::AttemptId& attempt) const {
  const auto found = kept_.find(attempt);
  return found == kept_.end() ? nullptr : &found->second;
}

wire::BytesPart ResultShelf::part(const wire::ResultFetch& fetch) const {
  wire::BytesPart part;
  part.offset = fetch.offset;
  const Kept* kept = find(fetch.attempt);
  if (kept == nullptr) {
    part.error = fmt::format("no result of {} is here", to_string(fetch.attempt));
    return part;
  }
  part.total = kept->body.size();
  if (fetch.offset > part.total) {
    part.error = fmt::format("offset {} of {} bytes", fetch.offset, part.total);
    return part;
  }
  part.known = true;
  part.bytes = kept->body.slice(fetch.offset, std::min<std::uint64_t>(part.total - fetch.offset, wire::kBlobPartBytes));
  return part;
}

bool ResultShelf::release(const wire::AttemptId& attempt) {
  const auto found = kept_.find(attempt);
  if (found == kept_.end()) return false;
  bytes_ -= found->second.body.size();
  kept_.erase(found);
  return true;
}

std::vector<wire::AttemptId> ResultShelf::end_job(const std::string& job) {
  std::vector<wire::AttemptId> dropped;
  for (auto it = kept_.lower_bound({.share = {.job = job}, .fence = {}});
       it != kept_.end() && it->first.share.job == job; ++it)
    dropped.push_back(it->first);
  for (const wire::AttemptId& attempt : dropped) release(attempt);
  return dropped;
}

}  // namespace hyperscale::worker
