// World: a virtual world of machines, a network between them and one true time. It runs processes, carries their
// packets, and applies faults: kill, pause, slow down, restart.
//
//   World world({.seed = 7}, specs, maker, observer);
//   world.start(0);
//   world.at(SimTime() + 5s, [&] { world.crash(0); });
//   world.run_until(SimTime() + 60s);
//
// Single-threaded; two worlds may run in two threads. The same seed, machines and orders give the same trace hash. A
// process that wakes itself endlessly at one instant is a violation, as is every report of an observer: the first one
// stops the world.
#pragma once

#include "sim/engine/event_queue.h"
#include "sim/engine/host.h"
#include "sim/engine/network.h"
#include "sim/engine/process.h"
#include "sim/engine/slot_pool.h"
#include "sim/engine/trace.h"
#include "sim/engine/world_observer.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

inline constexpr std::uint32_t kWakesAtOneInstantMax = 1'000;

struct WorldSetup {
  std::uint64_t seed = 0;
  NetworkSetup network;
  Duration restart_delay = 2s;  // delay before a process that exited is restarted
  bool machines_refuse = true;  // a machine without a process answers packets with a refusal; false: it is silent
};

class World {
 public:
  using Tap = std::function<void(const Packet& packet)>;

  World(const WorldSetup& setup, std::vector<HostSpec> specs, ProcessMaker& maker, WorldObserver& observer);
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  SimTime now() const { return now_; }
  // Stops early after a violation.
  void run_until(SimTime end);
  // REQUIRES: time >= now().
  void at(SimTime time, std::function<void()> call);
  void after(Duration delay, std::function<void()> call) { at(now_ + delay, std::move(call)); }

  // Starts a process if none runs. It is restarted if it exits.
  void start(HostId host);
  // kill -9: memory is lost, unsynced writes are in doubt, and no restart follows.
  void crash(HostId host);
  // SIGSTOP and SIGCONT: packets wait in the receive queue, deadlines pass.
  void pause(HostId host);
  void resume(HostId host);
  // Each call of the process takes this long from now on.
  void set_step_cost(HostId host, Duration min, Duration max);
  void set_clock_rate(HostId host, std::int32_t ppm);
  void jump_wall(HostId host, Duration by);
  // Takes effect at the next start.
  void install(HostId host, std::uint16_t minor_version);
  void order(HostId host, std::string_view what, std::int64_t value);
  // Injects a packet that no process sent.
  void inject(HostId from, HostId to, SharedBytes bytes);
  // A forged refusal with the sender address of `by`.
  void refuse(HostId by, HostId to);

  std::uint32_t size() const { return static_cast<std::uint32_t>(hosts_.size()); }
  const Host& host(HostId id) const { return hosts_[id]; }
  Disk& disk(HostId id) { return hosts_[id].disk; }
  Network& network() { return network_; }
  const Network& network() const { return network_; }
  std::optional<HostId> find(std::string_view name) const;
  // A generator that depends only on the world's seed and the name.
  Prng stream(std::string_view name) const { return root_.stream(name); }

  // Adds a line about one machine to the trace; always part of the hash.
  void record(Happening what, HostId host, std::uint64_t detail, std::string_view text);
  Trace& trace() { return trace_; }
  void set_tap(Tap tap) { tap_ = std::move(tap); }
  void report(std::string_view checker, std::string what);
  const std::optional<Violation>& violation() const { return violation_; }
  std::uint64_t steps() const { return steps_; }

 private:
  class StepContext;
  friend class StepContext;

  void run(const Event& event);
  void arrive(Packet packet);
  void deliver(Packet packet);
  void drain(HostId id);
  void fire_wake(HostId id);
  void arm_wake(HostId id);
  void schedule_drain(HostId id);
  template <typename Call>
  void step(HostId id, const Call& call);
  void end(HostId id, std::string_view reason);
  void send(HostId from, HostId to, SharedBytes bytes, SimTime at);
  void post(const Delivery& delivery, Packet packet);

  WorldSetup setup_;
  Prng root_;
  ProcessMaker& maker_;
  WorldObserver& observer_;
  std::vector<Host> hosts_;
  Network network_;
  Trace trace_;
  Tap tap_;

  SimTime now_;
  EventQueue queue_;
  SlotPool<Packet> packets_;
  SlotPool<std::function<void()>> calls_;
  std::optional<Violation> violation_;
  std::uint64_t steps_ = 0;
  SimTime last_wake_at_;
  std::uint32_t wakes_at_one_instant_ = 0;
};

}  // namespace hyperscale::sim
