// Makes PreparedRequests: from a plan's request, with cookies, after a redirect. Pure functions; any thread.
#pragma once

#include "base/result.h"
#include "load/protocols/prepared_request.h"

#include <cstdint>
#include <string>

namespace hyperscale::load {

// Fails with kInvalidArgument on a URL, method or header that cannot be sent.
Result<PreparedRequest> prepare_request(const plan::Request& request, const RequestShape& shape);
// The same request with a Cookie header, for one exchange.
PreparedRequest with_cookies(const PreparedRequest& request, const std::string& cookies);

// The same request to the target of a redirect; 301, 302 and 303 turn a POST into a GET (RFC 9110 15.4), and
// Authorization is not sent to another host. Fails when the location cannot be parsed.
Result<PreparedRequest> redirected_request(const PreparedRequest& request, std::uint16_t status,
                                           const std::string& location);

}  // namespace hyperscale::load
