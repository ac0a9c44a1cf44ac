// What the kernel was told about packets that found nobody listening: ICMP "port unreachable", read from the error
// queue of a UDP socket. It comes from the network and may be forged.
//
// Functions over a socket that the caller owns; its thread rule holds. On a system that does not report them there are
// none, and peers are found dead by their silence.
#pragma once

#include <vector>

#include <boost/asio/ip/udp.hpp>

namespace hyperscale::node {

// From now on; a pending report also fails the next send or receive with connection_refused, once.
void report_refusals(int socket, bool v6);

// Where the refused packets were sent to; at most kRefusalsPerTurn, the rest comes with the next call.
inline constexpr int kRefusalsPerTurn = 64;
std::vector<boost::asio::ip::udp::endpoint> take_refusals(int socket);

}  // namespace hyperscale::node
