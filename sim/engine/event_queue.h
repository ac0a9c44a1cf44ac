// EventQueue: future events of the virtual world, ordered by true time and then by the order of insertion, so that a
// run does not depend on how a heap breaks ties.
//
// Single-threaded. Entries are never removed early: to cancel one, its owner compares `generation` when it fires. Holds
// at most kEventsMax entries; a world that exceeds this feeds itself, and fails a CHECK.
#pragma once

#include "sim/engine/sim_time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::sim {

inline constexpr std::size_t kEventsMax = 50'000'000;

enum class EventKind : std::uint8_t {
  kPacket,  // payload: slot of the packet
  kWake,    // a process's own deadline; generation: of the host's timer
  kDrain,   // a busy process is free again; generation: of the host's process
  kCall,    // payload: slot of a function: faults, injectors, checks
};

struct Event {
  SimTime at;
  std::uint64_t order = 0;
  HostId host = 0;
  std::uint32_t payload = 0;
  std::uint32_t generation = 0;
  EventKind kind = EventKind::kCall;
};

class EventQueue {
 public:
  void push(SimTime at, EventKind kind, HostId host, std::uint32_t payload, std::uint32_t generation);
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  // REQUIRES: not empty.
  SimTime next_at() const { return heap_.front().at; }
  Event pop();

 private:
  std::vector<Event> heap_;
  std::uint64_t next_order_ = 0;
};

}  // namespace hyperscale::sim
