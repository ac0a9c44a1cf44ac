// The received request as JSON: the bodies of /echo, /headers and /cookie. Pure.
#pragma once

#include "target/request.h"

#include <string>

namespace hyperscale::target {

// {"method":"POST","target":"/echo","headers":{"host":"..."},"body":"..."}
void append_echo(std::string& out, const Request& request);
// {"headers":{...}}: names in lower case, the values of a repeated one joined by ", ".
void append_headers(std::string& out, const Request& request);
// {"cookies":{"name":"value"}}
void append_cookies(std::string& out, const Request& request);

}  // namespace hyperscale::target
