// The end of a sealed format for bytes that a test has written by hand, so that the checks behind the checksum are the
// ones that are tried.
#pragma once

#include "base/crc32c.h"
#include "base/endian.h"
#include "base/prng.h"

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

// Every beginning of a record, with a checksum that is right: the checks behind it are the ones that are tried.
template <typename Visit>
void each_cut(Bytes record, const Visit& visit) {
  record.resize(record.size() - 4);
  for (std::size_t size = 0; size < record.size(); ++size)
    visit(seal(Bytes(record.begin(), record.begin() + static_cast<std::ptrdiff_t>(size))));
}

// The same with one byte of the record changed, twenty times.
template <typename Visit>
void each_change(Bytes record, std::uint64_t seed, const Visit& visit) {
  record.resize(record.size() - 4);
  Prng prng(seed);
  for (int i = 0; i < 20; ++i) {
    Bytes changed = record;
    changed[prng.below(changed.size())] = static_cast<std::uint8_t>(prng.next());
    visit(seal(changed));
  }
}

}  // namespace hyperscale::plan
