#include "load/protocols/http1/chunk_line.h"

#include "load/protocols/http1/line_scan.h"

#include <cstddef>

namespace hyperscale::load {
namespace {

// -1 if `c` is not a hexadecimal digit.
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const int from_a = (static_cast<std::uint8_t>(c) | 0x20) - 'a';
  return from_a >= 0 && from_a < 6 ? from_a + 10 : -1;
}

}  // namespace

ChunkLine parse_chunk_line(std::string_view line) {
  std::uint64_t size = 0;
  std::size_t at = 0;
  for (; at < line.size() && hex_value(line[at]) >= 0; ++at) {
    if (size >> 60 != 0) return {0, "a chunk size above 64 bits"};
    size = size << 4 | static_cast<std::uint64_t>(hex_value(line[at]));
  }
  if (at == 0) return {0, "a chunk size that is not a hexadecimal number"};
  if (at == line.size()) return {size, nullptr};
  // White space is allowed before the semicolon of an extension only.
  const std::size_t next = line.find_first_not_of(" \t", at);
  if (next == std::string_view::npos || line[next] != ';') return {0, "a chunk size that is not a hexadecimal number"};
  return {size, nullptr};
}

}  // namespace hyperscale::load
