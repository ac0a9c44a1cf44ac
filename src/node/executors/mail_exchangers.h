// The mail exchangers of a domain: its MX records (RFC 5321 5.1, RFC 7505).
//
// Blocking; the thread of the channel.
#pragma once

#include "base/result.h"
#include "node/executors/dns_channel.h"
#include "node/executors/mail_exchanger.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hyperscale::node {

// Of more than this, those with the lowest preference numbers are kept.
inline constexpr std::size_t kMailExchangersMax = 16;

// Lowest preference first; equal ones stay in the order of the answer, which name servers rotate. Empty when the domain
// has no MX record or the name is unknown: the caller then uses its own addresses. A null MX is kNotFound; a failed MX
// query is an error too, because the host itself may not accept the mail (RFC 5321 5.1).
Result<std::vector<MailExchanger>> mail_exchangers(DnsChannel& channel, const std::string& domain);

}  // namespace hyperscale::node
