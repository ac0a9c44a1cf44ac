#include "virtual_group.h"

#include "base/check.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::election {

namespace {

wire::NodeIdentity member(std::size_t index) {
  wire::NodeIdentity node;
  node.name = fmt::format("n{}", index);
  node.role = wire::NodeRole::kManager;
  node.datacenter = "east";
  node.address.ip[15] = static_cast<std::uint8_t>(index + 1);
  node.address.port = 7100;
  return node;
}

template <typename... Kinds>
struct Overload : Kinds... {
  using Kinds::operator()...;
};
template <typename... Kinds>
Overload(Kinds...) -> Overload<Kinds...>;

}  // namespace

VirtualGroup::VirtualGroup(const GroupPlan& plan)
    : plan_(plan), prng_(plan.seed), cut_(plan.size, std::vector<bool>(plan.size, false)) {
  loss_ = chance(0.5) ? prng_.unit() * 0.3 : 0.01;
  nodes_.resize(plan.size);
  for (std::size_t i = 0; i < plan.size; ++i) {
    nodes_[i].config.self = member(i);
    nodes_[i].config.group_size = plan.size;
    nodes_[i].config.mutations = plan.mutations;
    nodes_[i].config.priority = static_cast<std::uint32_t>(prng_.below(3));
    nodes_[i].reported_up.assign(plan.size, false);
    boot(i);
  }
  schedule(between(5s, 10s), Trouble{});
}

std::string VirtualGroup::run() {
  run_until(now_ + plan_.trouble);
  if (!violation_.empty()) return violation_;
  heal();
  const Timing timing;
  run_until(now_ + election_time_max(timing) * 100 / 95);
  if (violation_.empty()) check_calm();
  const auto before = leaderships();
  run_until(now_ + 30s);
  if (violation_.empty()) check_calm();
  if (violation_.empty() && leaderships() != before) violate("leadership changed without a fault");
  return violation_;
}

MonoTime VirtualGroup::local(const Node& node) const {
  const double passed = static_cast<double>((now_ - node.boot_true).count());
  return node.boot_local + Duration(static_cast<std::int64_t>(passed * node.rate));
}

// The true time at which the node's clock shows its next wake, and not before a pause ends.
MonoTime VirtualGroup::wake_of(const Node& node) const {
  if (!node.core || node.core->next_wake() == MonoTime::max()) return MonoTime::max();
  const double passed = static_cast<double>((node.core->next_wake() - node.boot_local).count());
  const MonoTime wake = node.boot_true + Duration(static_cast<std::int64_t>(passed / node.rate) + 1);
  return std::max({wake, node.paused_until, now_});
}

void VirtualGroup::schedule(Duration in, Item item) {
  items_.emplace(std::pair(now_ + in, next_item_++), std::move(item));
}

void VirtualGroup::run_until(MonoTime end) {
  for (std::size_t steps = 0; violation_.empty(); ++steps) {
    CHECK(steps < 5'000'000, "the group never rests");
    const auto sleeper = std::ranges::min_element(nodes_, {}, [&](const Node& node) { return wake_of(node); });
    const MonoTime wake = wake_of(*sleeper);
    const MonoTime item = items_.empty() ? MonoTime::max() : items_.begin()->first.first;
    if (std::min(wake, item) > end) break;
    now_ = std::max(now_, std::min(wake, item));
    if (wake <= item) {
      step(static_cast<std::size_t>(sleeper - nodes_.begin()), Election::Tick{});
    } else {
      const auto due = items_.extract(items_.begin());
      happen(due.mapped());
    }
    check();
  }
  now_ = std::max(now_, end);
}

void VirtualGroup::happen(const Item& item) {
  std::visit(Overload{[&](const Delivery& delivery) {
                        const Node& node = nodes_[delivery.to];
                        if (now_ < node.paused_until) return schedule(node.paused_until - now_, delivery);
                        step(delivery.to, Election::Received{nodes_[delivery.from].config.self, delivery.body});
                      },
                      [&](const Rejudge& judge) {
                        Node& node = nodes_[judge.at];
                        if (!node.core) return;
                        const bool wrong = !healed_ && chance(0.05);
                        const bool up = (nodes_[judge.about].core && !cut_[judge.about][judge.at]) != wrong;
                        if (wrong) schedule(5s, judge);
                        if (up == node.reported_up[judge.about]) return;
                        node.reported_up[judge.about] = up;
                        const wire::NodeIdentity& peer = nodes_[judge.about].config.self;
                        if (up) {
                          step(judge.at, Election::PeerUp{peer});
                        } else {
                          step(judge.at, Election::PeerDown{peer});
                        }
                      },
                      [&](const Restart& restart) { boot(restart.node); },
                      [&](const Trouble&) {
                        if (!healed_) make_trouble();
                      }},
             item);
}

void VirtualGroup::step(std::size_t index, const Election::Event& event) {
  Node& node = nodes_[index];
  if (!node.core) return;
  const wire::Term before = node.core->term();
  const Actions<Election::Action> actions = node.core->step(event, local(node));
  const wire::Term after = node.core->term();
  if (after < before) violate(fmt::format("{} fell from term {} to {}", node.config.self.name, before, after));
  if (after > before && std::holds_alternative<Election::Tick>(event)) {
    violate(fmt::format("{} raised its term without asking anybody", node.config.self.name));
  }
  carry_out(index, actions);
}

void VirtualGroup::carry_out(std::size_t index, const Actions<Election::Action>& actions) {
  Node& node = nodes_[index];
  for (const Election::Action& action : actions) {
    if (!healed_ && chance(0.0005)) return crash(index);
    for (const char c : fmt::format("{} {} {}\n", now_.ns(), index, to_string(action))) {
      trace_hash_ = (trace_hash_ ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
    }
    if (const auto* persist = std::get_if<Election::Persist>(&action)) node.disk = persist->vote;
    if (const auto* won = std::get_if<Election::BecameLeader>(&action)) {
      const auto [known, fresh] = leader_of_term_.emplace(won->term, node.config.self.name);
      if (!fresh) violate(fmt::format("{} and {} won term {}", known->second, node.config.self.name, won->term));
    }
    if (const auto* send = std::get_if<Election::Send>(&action)) {
      node.said = std::max(node.said, node.core->term());
      for (std::size_t to = 0; to < nodes_.size(); ++to) {
        if (nodes_[to].config.self.name == send->to.name) transmit(index, to, send->body);
      }
    }
  }
}

void VirtualGroup::transmit(std::size_t from, std::size_t to, const wire::ClusterBody& body) {
  if (cut_[from][to] || chance(loss_)) return;
  const int copies = !healed_ && chance(0.1) ? 2 : 1;
  for (int i = 0; i < copies; ++i) {
    const Duration delay = !healed_ && chance(0.05) ? between(30ms, 4s) : between(1ms, 30ms);
    schedule(delay, Delivery{from, to, body});
  }
}

void VirtualGroup::boot(std::size_t index) {
  Node& node = nodes_[index];
  if (node.core) return;
  node.rate = 1 + plan_.drift * (chance(0.5) ? 1 : -1) * (chance(0.5) ? 1.0 : prng_.unit());
  node.boot_true = now_;
  node.boot_local = MonoTime() + between(1s, 5000s);
  node.config.seed = prng_.next();
  node.core.emplace(node.config, node.disk);
  std::fill(node.reported_up.begin(), node.reported_up.end(), false);
  if (node.core->term() < node.said) violate(fmt::format("{} forgot term {}", node.config.self.name, node.said));
  step(index, Election::Start{});
  step(index, Election::HealthChanged{node.health});
  report_all_later();
}

void VirtualGroup::crash(std::size_t index) {
  ++crashes_;
  nodes_[index].core.reset();
  nodes_[index].paused_until = MonoTime();
  schedule(between(10ms, 15s), Restart{index});
  report_all_later();
}

void VirtualGroup::report_all_later() {
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    for (std::size_t about = 0; about < nodes_.size(); ++about) {
      if (at != about) schedule(between(100ms, 3s), Rejudge{at, about});
    }
  }
}

void VirtualGroup::make_trouble() {
  const std::size_t victim = prng_.below(nodes_.size());
  switch (prng_.below(10)) {
    case 0:
    case 1:
    case 2:
      cut_somewhere();
      break;
    case 3:
      crash(victim);
      break;
    case 4:
      for (std::size_t i = 0; i < nodes_.size(); ++i) crash(i);
      break;
    case 5:
      nodes_[victim].paused_until = now_ + between(100ms, 12s);
      break;
    case 6:
      nodes_[victim].health = static_cast<std::uint8_t>(prng_.below(9));
      step(victim, Election::HealthChanged{nodes_[victim].health});
      break;
    case 7:
      step(victim, Election::DegradationChanged{static_cast<Degradation>(prng_.below(5))});
      break;
    case 8:  // a rolling restart
      step(victim, Election::Leave{});
      crash(victim);
      break;
    case 9:
      for (auto& row : cut_) std::fill(row.begin(), row.end(), false);
      report_all_later();
      break;
  }
  schedule(between(500ms, 15s), Trouble{});
}

void VirtualGroup::cut_somewhere() {
  std::vector<bool> side(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) side[i] = chance(0.5);
  const bool one_way = chance(0.3);
  for (std::size_t from = 0; from < nodes_.size(); ++from) {
    for (std::size_t to = 0; to < nodes_.size(); ++to) {
      cut_[from][to] = one_way ? side[from] && !side[to] : side[from] != side[to];
    }
  }
  report_all_later();
}

void VirtualGroup::heal() {
  healed_ = true;
  loss_ = 0;
  for (auto& row : cut_) std::fill(row.begin(), row.end(), false);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    boot(i);
    nodes_[i].paused_until = MonoTime();
    nodes_[i].health = 0;
    step(i, Election::HealthChanged{0});
    step(i, Election::DegradationChanged{Degradation::kNormal});
  }
  report_all_later();
}

void VirtualGroup::check() {
  const Node* leading = nullptr;
  for (const Node& node : nodes_) {
    if (!node.core || !node.core->leads(local(node))) continue;
    if (leading != nullptr) {
      return violate(fmt::format("{} leads term {} and {} leads term {}", leading->config.self.name,
                                 leading->core->term(), node.config.self.name, node.core->term()));
    }
    leading = &node;
    if (node.core->term() < lease_term_)
      violate(fmt::format("a lease of term {} after {}", node.core->term(), lease_term_));
    lease_term_ = std::max(lease_term_, node.core->term());
  }
}

void VirtualGroup::check_calm() {
  const auto leads = [&](const Node& node) { return node.core->leads(local(node)); };
  const auto leader = std::ranges::find_if(nodes_, leads);
  if (leader == nodes_.end()) return violate("nobody leads after everything healed");
  for (const Node& node : nodes_) {
    const auto& follows = node.core->leader();
    if (!follows || follows->name != leader->config.self.name) {
      return violate(fmt::format("{} does not follow {}", node.config.self.name, leader->config.self.name));
    }
  }
}

void VirtualGroup::violate(const std::string& what) {
  if (!violation_.empty()) return;
  violation_ = fmt::format("seed {}, {} nodes, at {} ms: {}", plan_.seed, plan_.size, now_.ms(), what);
}

}  // namespace hyperscale::election
