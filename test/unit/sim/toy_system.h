// A small cluster for the tests of the simulator: everybody tells everybody once a second that it is there, calls dead
// whom it has not heard for four seconds, and believes that the first living gate leads. Good enough to be wrong about
// under every fault.
#pragma once

#include "sim/checkers/observation.h"
#include "sim/engine/process.h"
#include "sim/engine/world.h"
#include "sim/run/scale.h"
#include "sim/scenario/system.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::sim::test {

struct ToyOptions {
  bool draws_from_the_heap = false;  // depends on where memory lies: not the same twice
  bool spins = false;
};

class ToySystem;

class ToyNode final : public Process {
 public:
  ToyNode(ToySystem& system, const ProcessBirth& birth) : system_(system), birth_(birth), prng_(birth.seed) {}
  ~ToyNode() override;

  void start(ProcessContext& context) override;
  void datagram(ProcessContext& context, HostId from, const SharedBytes& bytes) override;
  void refused(ProcessContext&, HostId by) override { refusals.push_back(by); }
  void wake(ProcessContext& context, Duration late) override;
  void order(ProcessContext& context, std::string_view what, std::int64_t value) override;
  MonoTime next_wake() const override { return next_; }

  bool sees(HostId other, MonoTime now) const;

  std::uint64_t starts_on_disk = 0;
  std::vector<std::string> received;
  std::vector<Duration> lateness;
  std::vector<std::string> orders;
  std::vector<HostId> refusals;

 private:
  ToySystem& system_;
  ProcessBirth birth_;
  Prng prng_;
  MonoTime next_;
  std::map<HostId, MonoTime> heard_;
};

class ToySystem final : public ScaleSystem {
 public:
  explicit ToySystem(ToyOptions toy = {}) : options(toy) {}

  std::unique_ptr<Process> make(const ProcessBirth& birth) override;
  void after_step(HostId host) override { ++steps[host]; }
  void sent(HostId, HostId, const SharedBytes&) override { ++packets; }
  void ended(HostId host) override { ++ends[host]; }
  void attach(World& world) override { world_ = &world; }
  void configure(HostId, std::string_view what, std::int64_t) override { configured.emplace_back(what); }
  std::optional<HostId> leader_of(const std::vector<HostId>& hosts) const override;
  std::optional<std::string> unmet(const Expectation& expectation, const std::vector<HostId>& targets) override;
  std::vector<SimTime> deaths_told(HostId) const override { return {}; }
  std::size_t watchers(HostId) const override { return 0; }

  ToyNode* node(HostId host) const {
    const auto found = nodes.find(host);
    return found == nodes.end() ? nullptr : found->second;
  }

  ToyOptions options;
  std::map<HostId, ToyNode*> nodes;
  std::map<HostId, int> steps;
  std::map<HostId, int> ends;
  std::vector<std::string> configured;
  std::uint64_t packets = 0;
  World* world_ = nullptr;
};

// A toy cluster of some gates, running.
struct ToyWorld {
  explicit ToyWorld(std::uint32_t gates, std::uint64_t seed = 1, NetworkSetup network = {}, ToyOptions toy = {});
  void run(Duration time) { world.run_until(world.now() + time); }
  ToyNode& node(HostId host) const { return *system.node(host); }

  ToySystem system;
  World world;
};

}  // namespace hyperscale::sim::test
