// VirtualUser: one user of the plan: its clients and its lanes. A lane is one sequence of iterations; a user has one
// for each exchange that it may have in flight on its connection (pipelining, streams), normally one.
//
// Plain state, owned by the executor that drives it. Single-threaded.
#pragma once

#include "load/client_set.h"
#include "load/loop/timer_queue.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace hyperscale::load {

struct LaneId {
  std::uint32_t user = 0;  // index within the executor
  std::uint32_t lane = 0;
};

class LaneEvents {
 public:
  virtual void lane_rested(LaneId lane) = 0;

 protected:
  ~LaneEvents() = default;
};

struct Lane {
  Lane(LaneEvents& events, LaneId id) : rest(&Lane::wake, this), owner(events), self(id) {}

  Timer rest;  // think time, or a pause after a failed connection
  LaneEvents& owner;
  LaneId self;
  std::uint64_t iteration = 0;  // number in the whole plan, if it selects rows
  std::uint64_t rounds = 0;     // iterations that this lane has begun
  std::uint32_t layer = 0;
  std::uint32_t pending = 0;     // steps of the running layer, then functions that read their answers
  std::uint16_t failures = 0;    // to connect, in a row
  bool busy = false;             // inside an iteration
  bool counted = false;          // the last exchange began after the warm-up
  bool gave_up = false;          // a request of this iteration could not be sent
  bool idled = false;            // a function of this iteration failed before it sent anything
  bool failed = false;           // a step of this iteration ended other than ok, or a function threw
  bool cut = false;              // the graceful stop was over before this iteration
  bool reading = false;          // the layer's steps are done, functions read their answers
  bool out_of_rows = false;      // no data for a further iteration
  std::vector<bool> unanswered;  // steps of this iteration without an answer; empty with a single layer

 private:
  static void wake(void* lane) {
    auto& self = *static_cast<Lane*>(lane);
    self.owner.lane_rested(self.self);
  }
};

// The lanes of a user, at stable addresses. A std::deque would cost half a kilobyte for the usual single lane.
class Lanes {
 public:
  Lanes(LaneEvents& events, std::uint32_t user, std::uint32_t count) : lanes_(std::allocator<Lane>().allocate(count)) {
    for (; size_ < count; ++size_) std::construct_at(lanes_ + size_, events, LaneId{user, size_});
  }
  ~Lanes() {
    std::destroy_n(lanes_, size_);
    std::allocator<Lane>().deallocate(lanes_, size_);
  }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  Lane* begin() { return lanes_; }
  Lane* end() { return lanes_ + size_; }
  Lane& front() { return *lanes_; }
  Lane& operator[](std::size_t at) { return lanes_[at]; }
  std::size_t size() const { return size_; }

 private:
  Lane* lanes_;
  std::uint32_t size_ = 0;
};

// One running step. A lane has as many of these as its widest layer has steps; they are the slots of its clients.
struct StepRun {
  MonoTime intended;  // when it should have started
  MonoTime begun;
  std::uint32_t step = 0;
  bool counted = false;      // it began after the warm-up
  bool open = false;         // it has not ended
  std::uint16_t series = 0;  // in which it is recorded
};

class VirtualUser {
 public:
  VirtualUser(HttpEnvironment& environment, ExchangeListener& listener, LaneEvents& lane_events, std::uint32_t index,
              std::uint32_t number, std::uint32_t lane_count, std::uint32_t lane_width, std::uint32_t streams,
              ProtocolMask protocols)
      : clients(environment, listener,
                {.user = index,
                 .number = number,
                 .slots = lane_count * lane_width,
                 .per_connection = lane_count,
                 .streams = streams},
                protocols),
        lanes(lane_events, index, lane_count),
        runs(std::size_t{lane_count} * lane_width),
        number_(number) {}

  ClientSet clients;
  Lanes lanes;
  std::vector<StepRun> runs;                        // by slot
  bool is_joining = false;                          // open loop: its first connection is being opened
  std::uint32_t number() const { return number_; }  // in the whole plan

 private:
  std::uint32_t number_;
};

}  // namespace hyperscale::load
