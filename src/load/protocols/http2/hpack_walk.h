// How a header block uses HPACK's table, found by walking over it without decoding (RFC 7541, section 6). Private to
// this folder.
#pragma once

#include "base/bytes.h"

#include <cstddef>

namespace hyperscale::load::http2 {

struct HpackWalk {
  bool intact = false;    // the walk reached the end; the other members are valid only then
  bool refers = false;    // to entries of the dynamic table
  bool resizes = false;   // sets the table's size
  std::size_t added = 0;  // fields that go into the table
};

HpackWalk walk_hpack(ByteView block);

}  // namespace hyperscale::load::http2
