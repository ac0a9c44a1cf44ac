// Encoding of a response head. Pure functions.
#pragma once

#include "runtime/http/http_message.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::runtime {

// Whether an answer of this status has a body at all (RFC 9110: 1xx, 204 and 304 have none).
bool status_has_body(int status);

// The fields to send for both versions: content-type, content-length (a feed has none), and the handler's own, without
// those that HTTP forbids (control characters, which would let a value forge further fields) and those that belong to
// the server.
std::vector<Header> wire_headers(const Response& response);

// Status line and fields of HTTP/1.1, up to and with the empty line.
std::string h1_response_head(const Response& response, bool keep_alive, bool chunked = false);

}  // namespace hyperscale::runtime
