// BoundedQueue against a model that is slow and obvious: random operations, the same answers and the same counts.
#include "concurrent/bounded_queue.h"

#include <deque>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::concurrent {
namespace {

class ModelQueue {
 public:
  ModelQueue(std::size_t capacity, Overflow overflow, std::size_t slack)
      : capacity_(capacity), overflow_(overflow), slack_(slack) {}

  PushResult try_push(int item) {
    if (closed) return PushResult::kClosed;
    PushResult result = PushResult::kPushed;
    if (items.size() >= capacity_) {
      if (overflow_ == Overflow::kReject) {
        ++counts.rejected;
        return PushResult::kFull;
      }
      result = PushResult::kReplacedOldest;
      if (overflow_ == Overflow::kDropOldest) {
        items.pop_front();
        ++counts.dropped;
      } else {
        counts.coalesced += items.size();
        items.clear();
      }
    }
    items.push_back(item);
    ++counts.pushed;
    return result;
  }

  std::optional<int> try_pop() {
    if (items.empty()) return std::nullopt;
    while (overflow_ == Overflow::kCoalesce && items.size() > 1) {
      items.pop_front();
      ++counts.coalesced;
    }
    const int item = items.front();
    items.pop_front();
    ++counts.popped;
    return item;
  }

  bool requeue(int item) {
    if (items.size() == capacity_ + slack_) return false;
    items.push_front(item);
    ++counts.requeued;
    return true;
  }

  std::deque<int> items;
  QueueCounts counts;
  bool closed = false;

 private:
  std::size_t capacity_;
  Overflow overflow_;
  std::size_t slack_;
};

enum class Step { kPush, kPop, kRequeue, kClose };

struct Queues {
  Queues(std::size_t capacity, Overflow overflow, std::size_t slack)
      : queue(capacity, overflow, slack), model(capacity, overflow, slack) {}

  void run(Step step, int item) {
    switch (step) {
      case Step::kPush:
        RC_ASSERT(queue.try_push(int{item}) == model.try_push(item));
        break;
      case Step::kPop:
        RC_ASSERT(queue.try_pop() == model.try_pop());
        break;
      case Step::kRequeue:
        RC_ASSERT(queue.requeue(int{item}) == model.requeue(item));
        break;
      case Step::kClose:
        queue.close();
        model.closed = true;
        break;
    }
    RC_ASSERT(queue.size() == model.items.size());
    RC_ASSERT(queue.counts() == model.counts);
    RC_ASSERT((queue.drained() == (model.closed && model.items.empty())));
  }

  BoundedQueue<int> queue;
  ModelQueue model;
};

rc::Gen<Step> any_step() {
  return rc::gen::weightedElement<Step>({{12, Step::kPush}, {8, Step::kPop}, {3, Step::kRequeue}, {1, Step::kClose}});
}

void behaves_as_the_model(Overflow overflow) {
  EXPECT_TRUE(rc::check("the queue answers as the model does", [overflow] {
    const auto capacity = *rc::gen::inRange<std::size_t>(1, 9);
    const auto slack = *rc::gen::inRange<std::size_t>(0, 3);
    Queues queues(capacity, overflow, slack);
    int item = 0;
    for (Step step : *rc::gen::container<std::vector<Step>>(any_step())) {
      queues.run(step, ++item);
      RC_ASSERT(queues.queue.size() <= capacity + slack);
      const QueueCounts counts = queues.queue.counts();
      RC_ASSERT(counts.pushed + counts.requeued ==
                counts.popped + counts.dropped + counts.coalesced + queues.queue.size());
    }
  }));
}

// proves: NODE-TEST-1
// proves part: NODE-INV-3 (the channels that a node registers; not that there are no others)
// proves part: NODE-CH-6 (work rejects, telemetry drops its oldest; the log drops its oldest lines too)
TEST(BoundedQueueProperty, RejectBehavesAsTheModel) {
  behaves_as_the_model(Overflow::kReject);
}

// proves: NODE-TEST-1
// proves part: NODE-INV-3 (the channels that a node registers; not that there are no others)
TEST(BoundedQueueProperty, DropOldestBehavesAsTheModel) {
  behaves_as_the_model(Overflow::kDropOldest);
}

// proves: NODE-TEST-1
// proves part: NODE-INV-3 (the channels that a node registers; not that there are no others)
TEST(BoundedQueueProperty, CoalesceBehavesAsTheModel) {
  behaves_as_the_model(Overflow::kCoalesce);
}

}  // namespace
}  // namespace hyperscale::concurrent
