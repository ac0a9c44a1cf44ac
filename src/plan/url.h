// Url: a parsed http or https URL, checked and ready for connecting (RFC 3986).
//
// As with other tools of the command line, the scheme may be left out: "example.com:8080/x" means http://, and
// ":8080/x" means http://localhost:8080/x. A host name may go beyond ASCII and becomes punycode. The fragment is cut,
// because it is never sent. Path and query stay as written: dot segments are not removed and escapes are not decoded.
//
// Pure functions; any thread. Invalid text is kInvalidArgument with one sentence that states the error.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::plan {

struct Url {
  std::string scheme;     // "http" or "https"; of a raw one "tcp", "tls" or "udp"
  std::string user_info;  // before the "@", still percent-encoded; may be empty
  std::string host;       // lower case, no brackets
  std::uint16_t port = 0;
  bool port_given = false;
  std::string target;  // path and query, at least "/"; of a raw one empty

  bool secure() const { return scheme == "https" || scheme == "tls"; }
  // host[:port] as in a Host header: brackets around IPv6, the port left out when it is the scheme's own.
  std::string authority() const;
  // The absolute URL, without user_info.
  std::string text() const;
  bool operator==(const Url&) const = default;
};

Result<Url> parse_url(std::string_view text);
// tcp://host:port, tls://host:port or udp://host:port. The port is required, and nothing may follow it.
Result<Url> parse_raw_url(std::string_view text);
bool is_raw_url(std::string_view text);
// An HTTP or a raw URL, by its scheme.
Result<Url> parse_target_url(std::string_view text);

// Resolves a redirect (RFC 3986 5.2): an absolute URL, or one relative to `base` by scheme, path or query. Dot segments
// are removed, and because servers send them, blanks and bytes beyond ASCII become escapes. user_info is kept only if
// the authority is that of `base`.
Result<Url> resolve_reference(const Url& base, std::string_view location);

}  // namespace hyperscale::plan
