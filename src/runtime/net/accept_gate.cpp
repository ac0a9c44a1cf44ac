#include "runtime/net/accept_gate.h"

#include <algorithm>

namespace hyperscale::runtime {
namespace {

constexpr std::size_t kAddressesMax = 4096;

double burst_of(const AcceptLimits& limits) {
  return std::max<double>(limits.burst_per_ip, 1);
}

}  // namespace

AcceptGate::AcceptGate(const AcceptLimits& limits)
    : rate_(limits.rate_per_ip), burst_(burst_of(limits)), per_ip_(rate_, burst_, kAddressesMax) {}

std::optional<std::string_view> AcceptGate::refusal(std::string_view ip, std::size_t open, const AcceptLimits& limits,
                                                    MonoTime now) {
  if (rate_ != limits.rate_per_ip || burst_ != burst_of(limits)) *this = AcceptGate(limits);
  if (!per_ip_.allow(ip, now)) return "accept_rate";
  if (open >= limits.max_conns) return "max_conns";
  return std::nullopt;
}

}  // namespace hyperscale::runtime
