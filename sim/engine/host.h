// Host: one machine of the virtual world: what is installed on it, its disk and clock, the process if one runs, and
// what waits for that process. Plain state; World moves it.
#pragma once

#include "base/prng.h"
#include "sim/engine/clock_skew.h"
#include "sim/engine/disk.h"
#include "sim/engine/process.h"
#include "sim/engine/sim_time.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::sim {

struct HostSpec {
  std::string name;                 // unique
  std::vector<std::string> labels;  // groups of machines that faults can be aimed at
  std::uint32_t site = 0;           // machines of one site are near each other
};

struct Packet {
  HostId from = 0;
  HostId to = 0;
  SharedBytes bytes;
  bool is_refusal = false;  // nobody listens on `from`
};

struct HostCounters {
  std::uint64_t steps = 0;
  std::uint64_t starts = 0;
  std::uint64_t crashes = 0;
  std::uint64_t dropped_down = 0;     // nobody was listening
  std::uint64_t dropped_backlog = 0;  // the receive queue was full
};

struct Host {
  Host(HostSpec described, const Prng& root)
      : spec(std::move(described)), prng(root.stream("host " + spec.name)), disk(root.stream("disk " + spec.name)) {}

  HostSpec spec;
  Prng prng;
  Disk disk;
  HostClock clock;
  std::uint16_t minor_version = 0;

  std::unique_ptr<Process> process;
  std::uint32_t run = 0;  // of the process, counted from 1
  SimTime changed_at;     // when the process started or ended
  bool wanted = false;    // an operator wants a process here: it is restarted when it dies by itself
  bool left = false;      // it ended on purpose
  bool paused = false;

  // A slow process needs this long for each call; while it does, and while it is paused, packets wait.
  Duration step_cost_min{0};
  Duration step_cost_max{0};
  SimTime busy_until;
  std::deque<Packet> backlog;
  std::size_t backlog_bytes = 0;
  bool drain_scheduled = false;

  SimTime wake_at = SimTime::max();  // of the newest entry in the event queue
  std::uint32_t wake_generation = 0;
  // By its own clock: what it waits for since when it asked. A wish for a time that has passed is no lag.
  MonoTime wake_due = MonoTime::max();

  HostCounters counters;

  bool running() const { return process != nullptr; }
};

}  // namespace hyperscale::sim
