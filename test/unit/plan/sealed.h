// The end of a sealed format for bytes that a test has written by hand, so that the checks behind the checksum are the
// ones that are tried.
#pragma once

#include "base/crc32c.h"
#include "base/endian.h"

#include <cstdint>
#include <vector>

namespace hyperscale::plan {

using Bytes = std::vector<std::uint8_t>;

inline Bytes seal(Bytes bytes) {
  const std::uint32_t crc = crc32c(bytes);
  bytes.resize(bytes.size() + 4);
  store_le32(bytes.data() + bytes.size() - 4, crc);
  return bytes;
}

}  // namespace hyperscale::plan
