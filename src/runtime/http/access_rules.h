// AccessRules: which requests a listener answers at all, and which may use the routes that need the token.
//
// Loopback is not trusted: every web page open on the machine and every reverse proxy on it connects from there. So
// every request, on any route, must name this listener (Host) and must not come from a page of another origin (Origin,
// Sec-Fetch-Site); one that changes something carries JSON or no body, which a form of another origin cannot send. A
// route with `admin` also needs `Authorization: Bearer TOKEN`, over a connection that others cannot read: TLS or
// loopback. Headers of proxies (Forwarded, X-Forwarded-*) are ignored.
//
// Pure functions; any thread, once the rules are set. Tokens are compared in a time that does not depend on them.
#pragma once

#include "runtime/http/http_message.h"
#include "runtime/secret/secret.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::runtime {

struct AccessRules {
  SecretHandle token = nullptr;         // null: the routes that need it are refused
  std::vector<std::string> hosts = {};  // names that Host may carry besides addresses and localhost; any case
  bool tls = false;                     // of the listener
};

struct AccessRefusal {
  std::string_view reason;  // label of `requests_refused_total`
  Response response;
};

// For every request, before its route is looked up: 421 for another host, 403 for another origin.
std::optional<AccessRefusal> refusal_of_sender(const Request& request, const AccessRules& rules);
// For routes that need the token: 403 where it would travel in clear text, 401 without the right one.
std::optional<AccessRefusal> refusal_of_token(const Request& request, const AccessRules& rules);
// For methods other than GET and HEAD: 415 unless the body is JSON or there is none.
std::optional<AccessRefusal> refusal_of_media(const Request& request, bool has_body);

// "127.0.0.1:80", "[::1]", "localhost:7070", or a name of `hosts` with or without a port.
bool host_is_ours(std::string_view host, const std::vector<std::string>& hosts);

}  // namespace hyperscale::runtime
