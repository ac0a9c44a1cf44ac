// Reads refused packets, ICMP "port unreachable", from the error queue of a UDP socket. These reports come from the
// network and may be forged.
//
// Functions over a socket that the caller owns; its thread rule holds. Without such reports, peers are still detected
// as dead by missing answers.
#pragma once

#include <vector>

#include <boost/asio/ip/udp.hpp>

namespace hyperscale::node {

// Enables reports. A pending report also fails the next send or receive with connection_refused, once.
void report_refusals(int socket, bool v6);

// Destinations of refused packets; at most kRefusalsPerTurn, the next call returns the rest.
inline constexpr int kRefusalsPerTurn = 64;
std::vector<boost::asio::ip::udp::endpoint> take_refusals(int socket);

}  // namespace hyperscale::node
