#include "runtime/http/accept_gate.h"

#include <algorithm>

namespace hyperscale::runtime {
namespace {

constexpr std::size_t kAddressesMax = 4096;

double burst_of(const HttpLimits& limits) {
  return std::max<double>(limits.accept_burst_per_ip, 1);
}

}  // namespace

AcceptGate::AcceptGate(const HttpLimits& limits)
    : rate_(limits.accept_rate_per_ip), burst_(burst_of(limits)), per_ip_(rate_, burst_, kAddressesMax) {}

std::optional<std::string_view> AcceptGate::refusal(std::string_view ip, std::size_t open, const HttpLimits& limits,
                                                    MonoTime now) {
  if (rate_ != limits.accept_rate_per_ip || burst_ != burst_of(limits)) *this = AcceptGate(limits);
  if (!per_ip_.allow(ip, now)) return "accept_rate";
  if (open >= limits.max_conns) return "max_conns";
  return std::nullopt;
}

}  // namespace hyperscale::runtime
