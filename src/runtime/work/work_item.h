// WorkItem: one job in the work queue, with its pending answer.
//
// The answer of an item is set exactly once: by the worker that ran it, or by its destructor when it is dropped (a
// worker crashed, a queue was destroyed), as BrokenPipe, which is retryable.
#pragma once

#include "base/result.h"
#include "runtime/channel/one_shot.h"
#include "runtime/http/cancel_token.h"
#include "runtime/work/job.h"

#include <memory>
#include <utility>

namespace hyperscale::runtime {

using WorkAnswer = OneShot<Result<SharedBytes>>;

class WorkItem {
 public:
  WorkItem(Job item_job, MonoTime item_deadline, CancelToken item_cancel, std::shared_ptr<WorkAnswer> item_answer)
      : job(std::move(item_job)),
        deadline(item_deadline),
        cancel(std::move(item_cancel)),
        answer_(std::move(item_answer)) {}
  WorkItem(WorkItem&&) noexcept = default;
  WorkItem& operator=(WorkItem&&) = delete;
  ~WorkItem() {
    if (answer_) answer_->set(fail(ErrorCode::kBrokenPipe, "the worker ended before it answered"));
  }

  void answer(Result<SharedBytes> result) { answer_->set(std::move(result)); }

  Job job;
  MonoTime deadline;
  CancelToken cancel;

 private:
  std::shared_ptr<WorkAnswer> answer_;
};

}  // namespace hyperscale::runtime
