// AcceptGate: admission of new connections. Three limits: rate of new connections per address, open connections per
// address, and open connections in all.
//
// The rate is checked first, so that an address over its rate does not learn whether the listener is full. The limit
// per address is smaller than the total, so that one peer cannot exhaust a listener.
// Thread rule: one owner (the accept loop). Sans-IO: the time is passed in.
#pragma once

#include "base/time.h"
#include "runtime/policy/keyed_rate_limiter.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/ip/address.hpp>

namespace hyperscale::runtime {

struct AcceptLimits {
  std::size_t max_conns = 1024;
  std::size_t conns_per_ip = SIZE_MAX;
  double rate_per_ip = 500;  // connections per second
  double burst_per_ip = 1000;
};

struct OpenConnections {
  std::size_t all = 0;
  std::size_t of_ip = 0;
};

// Key of one address: an IPv4 address, also in IPv6-mapped form, or a /64 of IPv6, which a single host usually has.
std::string address_group(const boost::asio::ip::address& address);

class AcceptGate {
 public:
  explicit AcceptGate(const AcceptLimits& limits);

  // The reason of a refusal, as the metrics label; nothing when the connection is admitted. `limits` are those in force
  // now; a changed rate starts with full buckets.
  std::optional<std::string_view> refusal(std::string_view ip, OpenConnections open, const AcceptLimits& limits,
                                          MonoTime now);

 private:
  double rate_;
  double burst_;
  KeyedRateLimiter per_ip_;
};

}  // namespace hyperscale::runtime
