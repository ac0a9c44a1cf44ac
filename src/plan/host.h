// Hosts of URLs: classifies and checks names, IPv4 addresses and IPv6 addresses, without a resolver. Pure functions;
// any thread.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace hyperscale::plan {

// RFC 4291 2.2, without brackets and without a zone: "::1", "2001:db8::192.0.2.1".
bool is_ipv6_address(std::string_view text);
// Four numbers from 0 to 255 without leading zeros.
bool is_ipv4_address(std::string_view text);

// The host of a URL in lower case and without brackets. `text` is as written, brackets included. A name has labels of
// letters, digits, "-" and "_"; one whose last label is a number must be an IPv4 address. A name beyond ASCII, in
// UTF-8, becomes the ASCII that is looked up (idna.h).
Result<std::string> parse_host(std::string_view text);

}  // namespace hyperscale::plan
