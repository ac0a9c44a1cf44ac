#include "wire/compression.h"

#include "base/check.h"
#include "base/endian.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

namespace hyperscale::wire {
namespace {

constexpr std::uint8_t kStored = 0;
constexpr std::uint8_t kDeflated = 1;
constexpr std::size_t kStoredHeadBytes = 1;
constexpr std::size_t kDeflatedHeadBytes = 1 + 4;
// Below this a header and a Huffman table cost more than they save.
constexpr std::size_t kDeflateFromBytes = 128;
constexpr int kRawWindowBits = -15;  // zlib: no wrapper; the seal around it checks the bytes
constexpr int kMemoryLevel = 8;
// A node shares its machine with what it tests: speed before size.
constexpr int kLevel = Z_BEST_SPEED;

tl::unexpected<Error> too_large(std::string_view what, std::size_t bytes, std::size_t most) {
  return fail(ErrorCode::kTooLarge, fmt::format("{} of {} bytes, at most {}", what, bytes, most));
}
tl::unexpected<Error> malformed(std::string_view why) {
  return fail(ErrorCode::kProtocol, fmt::format("compressed payload: {}", why));
}

class Deflater {
 public:
  Deflater() { CHECK(deflateInit2(&z_, kLevel, Z_DEFLATED, kRawWindowBits, kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK); }
  ~Deflater() { deflateEnd(&z_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  std::size_t bound(std::size_t plain_bytes) { return deflateBound(&z_, plain_bytes); }

  // Appends to `out` and returns true, or false when more than `room` bytes would be needed.
  bool run(ByteView plain, std::vector<std::uint8_t>& out, std::size_t room) {
    const std::size_t at = out.size();
    out.resize(at + std::min(room, bound(plain.size())));
    z_.next_in = const_cast<Bytef*>(plain.data());  // zlib does not write to its input
    z_.avail_in = static_cast<uInt>(plain.size());
    z_.next_out = out.data() + at;
    z_.avail_out = static_cast<uInt>(out.size() - at);
    const bool done = deflate(&z_, Z_FINISH) == Z_STREAM_END;
    out.resize(at + z_.total_out);
    return done;
  }

 private:
  z_stream z_{};
};

class Inflater {
 public:
  Inflater() { CHECK(inflateInit2(&z_, kRawWindowBits) == Z_OK); }
  ~Inflater() { inflateEnd(&z_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Whether the stream ends exactly when `plain` is full. `rest` is what follows the stream.
  bool run(ByteView stream, std::vector<std::uint8_t>& plain, ByteView& rest) {
    std::uint8_t none = 0;  // zlib wants a place even for nothing
    z_.next_in = const_cast<Bytef*>(stream.data());
    z_.avail_in = static_cast<uInt>(stream.size());
    z_.next_out = plain.empty() ? &none : plain.data();
    z_.avail_out = static_cast<uInt>(plain.size());
    if (inflate(&z_, Z_FINISH) != Z_STREAM_END || z_.total_out != plain.size()) return false;
    rest = stream.last(z_.avail_in);
    return true;
  }

 private:
  z_stream z_{};
};

Result<std::vector<std::uint8_t>> stored(ByteView plain, const CompressionLimits& limits) {
  if (kStoredHeadBytes + plain.size() > limits.packed_bytes_max) {
    return too_large("a compressed payload", kStoredHeadBytes + plain.size(), limits.packed_bytes_max);
  }
  std::vector<std::uint8_t> packed;
  packed.reserve(kStoredHeadBytes + plain.size());
  packed.push_back(kStored);
  packed.insert(packed.end(), plain.begin(), plain.end());
  return packed;
}

Result<SharedBytes> inflated(ByteView packed, const CompressionLimits& limits) {
  if (packed.size() < kDeflatedHeadBytes) return malformed("too short");
  const std::size_t plain_bytes = load_be32(packed.data() + 1);
  if (plain_bytes > limits.plain_bytes_max) return too_large("a payload", plain_bytes, limits.plain_bytes_max);
  if (plain_bytes > packed.size() * limits.ratio_max) {
    return fail(ErrorCode::kTooLarge, fmt::format("a payload grows from {} to {} bytes, at most {} times is allowed",
                                                  packed.size(), plain_bytes, limits.ratio_max));
  }
  std::vector<std::uint8_t> plain(plain_bytes);
  ByteView padding;
  if (!Inflater().run(packed.subspan(kDeflatedHeadBytes), plain, padding)) {
    return malformed("not what its header says");
  }
  if (std::ranges::any_of(padding, [](std::uint8_t byte) { return byte != 0; })) return malformed("followed by bytes");
  return SharedBytes::adopt(std::move(plain));
}

}  // namespace

Result<std::vector<std::uint8_t>> compress(ByteView plain, const CompressionLimits& limits) {
  if (plain.size() > limits.plain_bytes_max) return too_large("a payload", plain.size(), limits.plain_bytes_max);
  if (plain.size() < kDeflateFromBytes || limits.packed_bytes_max < kDeflatedHeadBytes) return stored(plain, limits);
  std::vector<std::uint8_t> packed(kDeflatedHeadBytes);
  packed[0] = kDeflated;
  store_be32(packed.data() + 1, static_cast<std::uint32_t>(plain.size()));
  const bool done = Deflater().run(plain, packed, limits.packed_bytes_max - kDeflatedHeadBytes);
  if (!done || packed.size() >= kStoredHeadBytes + plain.size()) return stored(plain, limits);
  const std::size_t least = (plain.size() + limits.ratio_max - 1) / limits.ratio_max;
  if (least > limits.packed_bytes_max) return too_large("a compressed payload", least, limits.packed_bytes_max);
  if (packed.size() < least) packed.resize(least);
  return packed;
}

Result<SharedBytes> decompress(ByteView packed, const CompressionLimits& limits) {
  if (packed.size() > limits.packed_bytes_max) {
    return too_large("a compressed payload", packed.size(), limits.packed_bytes_max);
  }
  if (packed.empty()) return malformed("empty");
  if (packed[0] == kDeflated) return inflated(packed, limits);
  if (packed[0] != kStored) return malformed("of an unknown form");
  const ByteView plain = packed.subspan(kStoredHeadBytes);
  if (plain.size() > limits.plain_bytes_max) return too_large("a payload", plain.size(), limits.plain_bytes_max);
  return SharedBytes::copy_of(plain);
}

}  // namespace hyperscale::wire
