// The line before each chunk: its size in hexadecimal digits and extensions (RFC 9112, section 7.1). Private to this
// folder.
#pragma once

#include <cstdint>
#include <string_view>

namespace hyperscale::load {

struct ChunkLine {
  std::uint64_t size_bytes;
  const char* fault;  // null when the line is valid
};

// Extensions are ignored. REQUIRES: no control character but HTAB in `line`.
ChunkLine parse_chunk_line(std::string_view line);

}  // namespace hyperscale::load
