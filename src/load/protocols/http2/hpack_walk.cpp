#include "load/protocols/http2/hpack_walk.h"

#include "load/protocols/http2/hpack_static_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hyperscale::load::http2 {
namespace {

// Reads an integer with a prefix of `prefix` bits (RFC 7541, section 5.1) from the front of `rest`.
std::optional<std::size_t> take_integer(ByteView& rest, unsigned prefix) {
  if (rest.empty()) return std::nullopt;
  const std::size_t most = (std::size_t{1} << prefix) - 1;
  std::size_t value = rest[0] & most;
  rest = rest.subspan(1);
  if (value < most) return value;
  for (unsigned shift = 0; shift <= 28; shift += 7) {
    if (rest.empty()) return std::nullopt;
    const std::uint8_t byte = rest[0];
    rest = rest.subspan(1);
    value += std::size_t{byte & 0x7fu} << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

bool skip_string(ByteView& rest) {
  const auto size = take_integer(rest, 7);
  if (!size || *size > rest.size()) return false;
  rest = rest.subspan(*size);
  return true;
}

}  // namespace

HpackWalk walk_hpack(ByteView block) {
  HpackWalk walk;
  while (!block.empty()) {
    const std::uint8_t first = block[0];
    const bool indexed = (first & 0x80) != 0;
    const bool added = !indexed && (first & 0x40) != 0;
    const bool resizes = !indexed && !added && (first & 0x20) != 0;
    const auto number = take_integer(block, indexed ? 7 : added ? 6 : resizes ? 5 : 4);
    if (!number) return walk;
    walk.resizes |= resizes;
    if (resizes) continue;
    walk.refers |= *number > kStaticTable.size();
    walk.added += added ? 1 : 0;
    if (indexed) continue;
    if (*number == 0 && !skip_string(block)) return walk;  // the name
    if (!skip_string(block)) return walk;
  }
  walk.intact = true;
  return walk;
}

}  // namespace hyperscale::load::http2
