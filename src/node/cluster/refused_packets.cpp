#include "node/cluster/refused_packets.h"

#include <array>
#include <cerrno>
#include <cstdint>

#include <linux/errqueue.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace hyperscale::node {
namespace {

using boost::asio::ip::udp;

constexpr std::size_t kControlBytes = 512;

// Linux maps ICMP and ICMPv6 "port unreachable" to ECONNREFUSED; other errors do not concern a process.
bool is_refusal(msghdr& message) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    const bool is_error = (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_RECVERR) ||
                          (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_RECVERR);
    if (!is_error) continue;
    const auto* error = reinterpret_cast<const sock_extended_err*>(CMSG_DATA(part));
    const bool from_network = error->ee_origin == SO_EE_ORIGIN_ICMP || error->ee_origin == SO_EE_ORIGIN_ICMP6;
    if (from_network && error->ee_errno == ECONNREFUSED) return true;
  }
  return false;
}

}  // namespace

void report_refusals(int socket, bool v6) {
  const int on = 1;
  ::setsockopt(socket, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_RECVERR : IP_RECVERR, &on, sizeof(on));
}

std::vector<udp::endpoint> take_refusals(int socket) {
  std::vector<udp::endpoint> peers;
  for (int i = 0; i < kRefusalsPerTurn; ++i) {
    udp::endpoint peer;
    alignas(cmsghdr) std::array<std::uint8_t, kControlBytes> control{};
    msghdr message{};
    message.msg_name = peer.data();
    message.msg_namelen = static_cast<socklen_t>(peer.capacity());
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    if (::recvmsg(socket, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) break;
    if (message.msg_namelen == 0 || !is_refusal(message)) continue;
    peer.resize(message.msg_namelen);
    peers.push_back(peer);
  }
  return peers;
}

}  // namespace hyperscale::node
