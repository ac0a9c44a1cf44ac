// Payloads of frames, compressed (deflate, RFC 1951), with the limits of SEC-6. docs/formats/wire.md has the byte
// table.
//
// Pure functions; any thread. The compressed form contains the size of its content, so a reader checks size and ratio
// before it allocates, and inflates no byte beyond that size. Where content compresses better than the ratio allows,
// the writer pads, so everything within the size limits can be sent.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "wire/limits.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::wire {

struct CompressionLimits {
  std::size_t packed_bytes_max = kCompressedBytesMax;
  std::size_t plain_bytes_max = kDecompressedBytesMax;
  std::size_t ratio_max = kDecompressionRatioMax;
};

// Fails with kTooLarge.
Result<std::vector<std::uint8_t>> compress(ByteView plain, const CompressionLimits& limits = {});
// Fails with kTooLarge, or with kProtocol for bytes that compress() cannot produce.
Result<SharedBytes> decompress(ByteView packed, const CompressionLimits& limits = {});

}  // namespace hyperscale::wire
