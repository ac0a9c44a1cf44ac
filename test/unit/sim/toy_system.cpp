#include "toy_system.h"

#include "base/endian.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hyperscale::sim::test {
namespace {

constexpr Duration kBeat = 1s;
constexpr Duration kSilence = 4s;

}  // namespace

ToyNode::~ToyNode() {
  if (system_.nodes[birth_.host] == this) system_.nodes.erase(birth_.host);
}

void ToyNode::start(ProcessContext& context) {
  const auto record = context.read("starts");
  if (record && record->size() == 8) starts_on_disk = load_le64(record->data());
  ++starts_on_disk;
  std::array<std::uint8_t, 8> bytes{};
  store_le64(bytes.data(), starts_on_disk);
  if (!context.write("starts", bytes)) return context.exit("the disk is full", false);
  if (!context.sync()) return;
  next_ = context.mono() + prng_.between(0s, kBeat);
}

void ToyNode::datagram(ProcessContext& context, HostId from, const SharedBytes& bytes) {
  received.emplace_back(bytes.text());
  if (from < kStrangerFirst && bytes.text().starts_with("beat")) heard_[from] = context.mono();
}

void ToyNode::wake(ProcessContext& context, Duration late) {
  lateness.push_back(late);
  if (system_.options.spins) return;
  next_ = context.mono() + kBeat;
  std::string text = fmt::format("beat {} of {} at {}", starts_on_disk, birth_.host, context.wall().ms());
  if (system_.options.draws_from_the_heap) {
    const auto here = std::make_unique<int>(0);
    text += fmt::format(" {}", static_cast<const void*>(here.get()));
  }
  for (HostId to = 0; to < system_.world_->size(); ++to) {
    if (to != birth_.host) context.send(to, SharedBytes::copy_of(text));
  }
}

void ToyNode::order(ProcessContext& context, std::string_view what, std::int64_t) {
  orders.emplace_back(what);
  if (what == "leave") context.exit("leaves", true);
}

bool ToyNode::sees(HostId other, MonoTime now) const {
  const auto found = heard_.find(other);
  return found != heard_.end() && now - found->second < kSilence;
}

std::unique_ptr<Process> ToySystem::make(const ProcessBirth& birth) {
  auto made = std::make_unique<ToyNode>(*this, birth);
  nodes[birth.host] = made.get();
  return made;
}

std::optional<HostId> ToySystem::leader_of(const std::vector<HostId>& hosts) const {
  const auto running = [&](HostId host) { return nodes.contains(host); };
  const auto found = std::ranges::find_if(hosts, running);
  return found == hosts.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::string> ToySystem::unmet(const Expectation& expectation, const std::vector<HostId>& targets) {
  const bool dead = expectation.kind == ExpectKind::kKnownDead;
  for (const auto& [observer, seen_by] : nodes) {
    for (HostId other = 0; other < world_->size(); ++other) {
      if (other == observer) continue;
      const bool wanted = dead ? std::ranges::find(targets, other) != targets.end() : nodes.contains(other);
      if (wanted && seen_by->sees(other, world_->host(observer).clock.mono(world_->now())) == dead) {
        return fmt::format("{} is wrong about {}", observer, other);
      }
    }
  }
  return std::nullopt;
}

ToyWorld::ToyWorld(std::uint32_t gates, std::uint64_t seed, NetworkSetup network, ToyOptions toy)
    : system(toy),
      world({.seed = seed, .network = network},
            hosts_of({.gates = gates, .datacenters = 0, .managers = 0, .workers = 0}), system, system) {
  system.attach(world);
  for (HostId id = 0; id < world.size(); ++id) world.start(id);
}

}  // namespace hyperscale::sim::test
