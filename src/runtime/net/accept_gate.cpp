#include "runtime/net/accept_gate.h"

#include <algorithm>

namespace hyperscale::runtime {
namespace {

constexpr std::size_t kAddressesMax = 4096;

double burst_of(const AcceptLimits& limits) {
  return std::max<double>(limits.burst_per_ip, 1);
}

}  // namespace

std::string address_group(const boost::asio::ip::address& address) {
  namespace ip = boost::asio::ip;
  if (address.is_v4()) return address.to_string();
  const ip::address_v6 v6 = address.to_v6();
  if (v6.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, v6).to_string();
  ip::address_v6::bytes_type bytes = v6.to_bytes();
  std::fill(bytes.begin() + bytes.size() / 2, bytes.end(), 0);
  return ip::address_v6(bytes).to_string() + "/64";
}

AcceptGate::AcceptGate(const AcceptLimits& limits)
    : rate_(limits.rate_per_ip), burst_(burst_of(limits)), per_ip_(rate_, burst_, kAddressesMax) {}

std::optional<std::string_view> AcceptGate::refusal(std::string_view ip, OpenConnections open,
                                                    const AcceptLimits& limits, MonoTime now) {
  if (rate_ != limits.rate_per_ip || burst_ != burst_of(limits)) *this = AcceptGate(limits);
  if (!per_ip_.allow(ip, now)) return "accept_rate";
  if (open.of_ip >= limits.conns_per_ip) return "conns_per_ip";
  if (open.all >= limits.max_conns) return "max_conns";
  return std::nullopt;
}

}  // namespace hyperscale::runtime
