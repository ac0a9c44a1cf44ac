// HttpVersions: number of connections of a run per HTTP version. Plain values; any thread.
#pragma once

#include <cstdint>
#include <string>

namespace hyperscale::results {

struct HttpVersions {
  std::uint64_t http1 = 0;  // connections
  std::uint64_t http2 = 0;

  bool operator==(const HttpVersions&) const = default;
};

void add(HttpVersions& to, const HttpVersions& more);

// "HTTP/2", "HTTP/1.1 and HTTP/2"; empty without connections. `scheme` is "HTTP" or "HTTPS".
std::string spoken_text(const HttpVersions& versions, const std::string& scheme = "HTTP");

}  // namespace hyperscale::results
