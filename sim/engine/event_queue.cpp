#include "sim/engine/event_queue.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::sim {
namespace {

struct Later {
  bool operator()(const Event& a, const Event& b) const { return a.at != b.at ? a.at > b.at : a.order > b.order; }
};

}  // namespace

void EventQueue::push(SimTime at, EventKind kind, HostId host, std::uint32_t payload, std::uint32_t generation) {
  CHECK(heap_.size() < kEventsMax, "{} events wait: something in this world feeds itself", heap_.size());
  heap_.push_back({at, next_order_++, host, payload, generation, kind});
  std::ranges::push_heap(heap_, Later());
}

Event EventQueue::pop() {
  CHECK(!heap_.empty(), "nothing is scheduled");
  std::ranges::pop_heap(heap_, Later());
  const Event event = heap_.back();
  heap_.pop_back();
  return event;
}

}  // namespace hyperscale::sim
