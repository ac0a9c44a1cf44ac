// The status line (RFC 9112, section 4). Private to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hyperscale::load {

struct StatusLine {
  std::uint16_t status;
  std::uint8_t minor_version;
  const char* fault;  // null when the line is valid
};

inline constexpr const char* kNotHttp1 = "not an HTTP/1.x status line";

inline constexpr std::size_t kStatusLinePrefixBytes = 7;  // "HTTP/1."

// Whether `start`, a line or its beginning, may become an HTTP/1.x status line or an empty line. Detects a peer of
// another protocol by its first bytes, because it may never send an LF.
bool may_be_status_line(std::string_view start);

// REQUIRES: may_be_status_line(line), no control character but HTAB in it, not empty.
StatusLine parse_status_line(std::string_view line);

}  // namespace hyperscale::load
