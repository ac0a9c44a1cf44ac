// Host: one machine of the virtual world: its installed version, its disk and clock, the process if one runs, and the
// queue of that process. Plain state; World changes it.
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
  std::vector<std::string> labels;  // groups of machines, used as targets of faults
  std::uint32_t site = 0;           // machines of one site are near each other
};

struct Packet {
  HostId from = 0;
  HostId to = 0;
  SharedBytes bytes;
  bool is_refusal = false;  // no process listens on `from`
};

struct HostCounters {
  std::uint64_t steps = 0;
  std::uint64_t starts = 0;
  std::uint64_t crashes = 0;
  std::uint64_t dropped_down = 0;     // no process was listening
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
  bool wanted = false;    // a process should run here: it is restarted if it exits
  bool left = false;      // it left the cluster gracefully
  bool paused = false;

  // A slow process needs this long for each call; meanwhile, and while it is paused, packets wait.
  Duration step_cost_min{0};
  Duration step_cost_max{0};
  SimTime busy_until;
  std::deque<Packet> backlog;
  std::size_t backlog_bytes = 0;
  bool drain_scheduled = false;

  SimTime wake_at = SimTime::max();  // of the newest entry in the event queue
  std::uint32_t wake_generation = 0;
  // On its own clock: from when a wake-up is late: next_wake(), or the time of the request if that had passed.
  MonoTime wake_due = MonoTime::max();

  HostCounters counters;

  bool running() const { return process != nullptr; }
};

}  // namespace hyperscale::sim
