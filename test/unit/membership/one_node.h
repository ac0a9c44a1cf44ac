// OneNode: a Membership whose peers are played by the test: it says what they send, and sees what they would get.
#pragma once

#include "identities.h"
#include "membership/membership.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>
#include <vector>

namespace hyperscale::membership::test {

class OneNode {
 public:
  explicit OneNode(wire::NodeIdentity self, Config config, std::uint64_t last_incarnation = 0, std::uint64_t seed = 1)
      : core(std::move(config), std::move(self), wire::Incarnation(last_incarnation), seed) {
    feed(Membership::Start{});
  }
  explicit OneNode(wire::NodeIdentity self) : OneNode(self, Config::scaled_to(1s, self.role)) {}

  void feed(const Membership::Event& event) {
    for (Membership::Action& action : core.step(event, now)) log.push_back({now, std::move(action)});
  }

  // `gossip` rides on the message.
  void receive(const wire::NodeIdentity& from, wire::ClusterBody body, std::uint64_t incarnation = 1,
               std::vector<wire::MemberUpdate> gossip = {}) {
    wire::ClusterMessage message;
    message.sender = from;
    message.incarnation = wire::Incarnation(incarnation);
    message.body = std::move(body);
    message.gossip = std::move(gossip);
    feed(Membership::Received{.message = std::move(message), .from = from.address});
  }
  // The peer becomes a confirmed member.
  void meet(const wire::NodeIdentity& peer, std::uint64_t incarnation = 1) { receive(peer, wire::Join{}, incarnation); }
  void hear(const wire::NodeIdentity& from, wire::MemberUpdate update, std::uint64_t incarnation = 1) {
    receive(from, wire::Announce{.update = std::move(update)}, incarnation);
  }

  void advance(Duration time) {
    const MonoTime end = now + time;
    while (core.next_wake() <= end) {
      now = std::max(now, core.next_wake());
      feed(Membership::Tick{});
    }
    now = end;
  }

  // Advances while `world` sees each message as it is sent; it may answer with receive().
  void advance(Duration time, const std::function<void(const Membership::Send&)>& world) {
    const MonoTime end = now + time;
    std::size_t read = log.size();
    while (core.next_wake() <= end) {
      now = std::max(now, core.next_wake());
      feed(Membership::Tick{});
      for (; read < log.size(); ++read) {
        const Membership::Action action = log[read].action;  // the log grows meanwhile
        if (const auto* send = std::get_if<Membership::Send>(&action)) world(*send);
      }
    }
    now = end;
  }

  // A world in which those peers answer every probe at once, as living ones do.
  std::function<void(const Membership::Send&)> answering(std::vector<wire::NodeIdentity> living) {
    return [this, living = std::move(living)](const Membership::Send& send) {
      const auto* probe = std::get_if<wire::Probe>(&send.message.body);
      if (probe == nullptr) return;
      for (const wire::NodeIdentity& peer : living) {
        if (peer.address == send.to) receive(peer, wire::Ack{.sequence = probe->sequence, .rtt_us = 0});
      }
    };
  }

  template <typename Action>
  std::vector<Action> all() const {
    std::vector<Action> found;
    for (const Logged& logged : log) {
      if (const auto* action = std::get_if<Action>(&logged.action)) found.push_back(*action);
    }
    return found;
  }

  // Bodies of one kind that were sent to `to`.
  template <typename Body>
  std::vector<Body> sent(const wire::NodeIdentity& to) const {
    std::vector<Body> found;
    for (const auto& send : all<Membership::Send>()) {
      if (send.to != to.address) continue;
      if (const auto* body = std::get_if<Body>(&send.message.body)) found.push_back(*body);
    }
    return found;
  }
  template <typename Body>
  std::vector<Membership::Send> sends() const {
    std::vector<Membership::Send> found;
    for (auto& send : all<Membership::Send>()) {
      if (std::holds_alternative<Body>(send.message.body)) found.push_back(send);
    }
    return found;
  }

  MemberState state(const wire::NodeIdentity& peer) const { return core.state_of(peer.address).value(); }
  bool knows(const wire::NodeIdentity& peer) const { return core.state_of(peer.address).has_value(); }
  std::uint64_t incarnation_of(const wire::NodeIdentity& peer) const {
    return core.member(peer.address, now)->incarnation.value();
  }

  struct Logged {
    MonoTime time;
    Membership::Action action;
  };
  MonoTime now = MonoTime() + 1h;
  Membership core;
  std::vector<Logged> log;
};

}  // namespace hyperscale::membership::test
