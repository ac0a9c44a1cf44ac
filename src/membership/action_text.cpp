#include "membership/membership.h"

#include <variant>

#include <fmt/format.h>

namespace hyperscale::membership {
namespace {

struct Words {
  std::string operator()(const Membership::Send& send) const {
    return fmt::format("send {} body={} incarnation={} gossip={}", wire::to_string(send.to), send.message.body.index(),
                       send.message.incarnation, send.message.gossip.size());
  }
  std::string operator()(const Membership::MemberUp& up) const {
    return fmt::format("up {}{}", up.member.name, up.recovered ? " recovered" : "");
  }
  std::string operator()(const Membership::MemberDown& down) const {
    return fmt::format("down {} incarnation={}{}{}", down.member.name, down.incarnation,
                       down.heard_by_gossip ? " by gossip" : "", down.left ? " left" : "");
  }
  std::string operator()(const Membership::StateReceived& received) const {
    return fmt::format("state of {}, {} bytes", received.from.name, received.state.size());
  }
  std::string operator()(const Membership::JobNodeDown& down) const {
    return fmt::format("down {} for job {}", down.member.name, down.job);
  }
  std::string operator()(const Membership::IncarnationChanged& changed) const {
    return fmt::format("incarnation {}", changed.incarnation);
  }
  std::string operator()(const Membership::Note& note) const {
    return fmt::format("{}: {}", note.warning ? "warning" : "note", note.text);
  }
  std::string operator()(const Membership::Left&) const { return "left"; }
};

}  // namespace

std::string to_string(const Membership::Action& action) {
  return std::visit(Words(), action);
}

}  // namespace hyperscale::membership
