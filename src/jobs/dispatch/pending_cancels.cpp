#include "jobs/dispatch/pending_cancels.h"

#include "reliability/retry_delay.h"

#include <algorithm>
#include <vector>

namespace hyperscale::jobs {

Actions<PendingCancels::Action> PendingCancels::step(const Event& event, MonoTime now) {
  Actions<Action> out;
  std::visit([&](const auto& kind) { handle(kind, now, out); }, event);
  return out;
}

std::optional<MonoTime> PendingCancels::wake_at() const {
  const auto first = std::ranges::min_element(cancels_, {}, [](const auto& each) { return each.second.due; });
  if (first == cancels_.end()) return std::nullopt;
  return first->second.due;
}

void PendingCancels::handle(const Begin& begin, MonoTime now, Actions<Action>& out) {
  if (cancels_.emplace(begin.share, Cancel{.due = now + kCancelAnswerTimeout}).second) {
    out.emplace_back(Send{begin.share});
  }
}

void PendingCancels::handle(const Answered& answer, MonoTime now, Actions<Action>& out) {
  const auto found = cancels_.find(answer.share);
  if (found == cancels_.end()) return;
  if (answer.success) return end(answer.share, true, out);
  Cancel& cancel = found->second;
  if (!cancel.sent) return;  // the answer to an older try
  out.emplace_back(Failed{answer.share, answer.error});
  if (cancel.tries == kCancelTriesMax) return end(answer.share, false, out);
  cancel.sent = false;
  cancel.due = now + reliability::retry_delay({}, cancel.tries - 1, {}, prng_);
}

void PendingCancels::handle(const WorkerDead& dead, MonoTime, Actions<Action>& out) {
  if (pending(dead.share)) end(dead.share, true, out);
}

void PendingCancels::handle(const Tick&, MonoTime now, Actions<Action>& out) {
  std::vector<wire::ShareId> unconfirmed;
  for (auto& [share, cancel] : cancels_) {
    if (now < cancel.due) continue;
    if (cancel.sent) out.emplace_back(Failed{share, "the worker did not answer"});
    if (cancel.tries == kCancelTriesMax) {
      unconfirmed.push_back(share);
      continue;
    }
    ++cancel.tries;
    cancel.sent = true;
    cancel.due = now + kCancelAnswerTimeout;
    out.emplace_back(Send{share});
  }
  for (const wire::ShareId& share : unconfirmed) end(share, false, out);
}

void PendingCancels::end(const wire::ShareId& share, bool confirmed, Actions<Action>& out) {
  out.emplace_back(Ended{share, confirmed});
  cancels_.erase(share);
}

}  // namespace hyperscale::jobs
