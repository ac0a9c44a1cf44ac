// The A and AAAA records of several hosts at once, over one channel and within its deadline.
//
// Blocking; the thread of the channel. IP literals are returned unchanged; /etc/hosts takes precedence.
#pragma once

#include "node/executors/dns_channel.h"
#include "plan/plan.h"

#include <span>
#include <string>
#include <vector>

namespace hyperscale::node {

struct AddressAnswer {
  int ares_status = ARES_SUCCESS;
  std::vector<std::string> addresses;  // unique, in the order of RFC 6724; may be empty
};

// One answer per host, in the order of `hosts`.
std::vector<AddressAnswer> query_addresses(DnsChannel& channel, std::span<const std::string> hosts,
                                           plan::AddressFamily family);

}  // namespace hyperscale::node
