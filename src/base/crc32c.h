// CRC-32C (Castagnoli), the checksum of every format in this project. It detects corruption, not attacks.
//
//   crc32c(whole) == crc32c(second_part, crc32c(first_part))
//
// Pure functions, safe on any thread. crc32c() uses the processor's own instruction (SSE 4.2) where the processor has
// it and a table elsewhere; both give the same value, and both are declared here so that a test can compare them.
#pragma once

#include "base/bytes.h"

#include <cstdint>

namespace hyperscale {

// `seed` is the checksum of the bytes before these; 0 at the start.
std::uint32_t crc32c(ByteView bytes, std::uint32_t seed = 0);

std::uint32_t crc32c_table(ByteView bytes, std::uint32_t seed = 0);
bool crc32c_hardware_available();
// REQUIRES: crc32c_hardware_available().
std::uint32_t crc32c_hardware(ByteView bytes, std::uint32_t seed = 0);

}  // namespace hyperscale
