// The shell of a format of ours: four letters, a version, the content, CRC-32C of all that. Pure functions; any thread.
#pragma once

#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/endian.h"
#include "base/result.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace hyperscale {

struct Seal {
  std::string_view what;  // for messages: "result"
  std::array<char, 4> magic;
  std::uint8_t version;
  std::size_t bytes_max;  // of the whole
};
inline constexpr std::size_t kSealHeadBytes = 5;
inline constexpr std::size_t kSealCrcBytes = 4;

inline std::vector<std::uint8_t> begin_seal(const Seal& seal) {
  std::vector<std::uint8_t> bytes(seal.magic.begin(), seal.magic.end());
  bytes.push_back(seal.version);
  return bytes;
}

inline void end_seal(std::vector<std::uint8_t>& bytes) {
  const std::uint32_t crc = crc32c(bytes);
  bytes.resize(bytes.size() + kSealCrcBytes);
  store_le32(bytes.data() + bytes.size() - kSealCrcBytes, crc);
}

// The content, or kProtocol (kTooLarge when there are too many bytes).
inline Result<ByteView> open_seal(const Seal& seal, ByteView bytes) {
  const auto bad = [&](ErrorCode code, std::string_view why) {
    return fail(code, fmt::format("{} bytes: {}", seal.what, why));
  };
  if (bytes.size() > seal.bytes_max) {
    return bad(ErrorCode::kTooLarge, fmt::format("{} are more than {}", bytes.size(), seal.bytes_max));
  }
  if (bytes.size() < kSealHeadBytes + kSealCrcBytes) return bad(ErrorCode::kProtocol, "too short");
  if (!std::equal(seal.magic.begin(), seal.magic.end(), bytes.begin())) return bad(ErrorCode::kProtocol, "wrong magic");
  if (const int version = bytes[seal.magic.size()]; version != seal.version) {
    return bad(ErrorCode::kProtocol, fmt::format("version {}, this program reads {}", version, seal.version));
  }
  const ByteView covered = bytes.first(bytes.size() - kSealCrcBytes);
  if (load_le32(bytes.data() + covered.size()) != crc32c(covered)) return bad(ErrorCode::kProtocol, "wrong checksum");
  return covered.subspan(kSealHeadBytes);
}

}  // namespace hyperscale
