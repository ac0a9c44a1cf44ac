// The version in front of embedded state, by which a receiver drops late and repeated states (SWIM-EMBED-3). A version
// is the sender's incarnation and a count of its changes: it rises also across restarts.
//
// Pure functions; any thread.
#pragma once

#include "base/bytes.h"
#include "base/endian.h"
#include "wire/cluster_message.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace hyperscale::cluster {

inline constexpr std::size_t kStateVersionBytes = 8;
inline constexpr std::size_t kOwnStateBytesMax = wire::kEmbeddedStateBytesMax - kStateVersionBytes;

inline std::uint64_t state_version(wire::Incarnation incarnation, std::uint32_t changes) {
  return incarnation.value() << 32 | changes;
}

inline SharedBytes with_version(std::uint64_t version, ByteView state) {
  std::vector<std::uint8_t> bytes(kStateVersionBytes);
  store_le64(bytes.data(), version);
  bytes.insert(bytes.end(), state.begin(), state.end());
  return SharedBytes::adopt(std::move(bytes));
}

struct VersionedBytes {
  std::uint64_t version = 0;
  SharedBytes state;
};

// Nothing for bytes that are too short to have a version.
inline std::optional<VersionedBytes> split_version(const SharedBytes& bytes) {
  if (bytes.size() < kStateVersionBytes) return std::nullopt;
  return VersionedBytes{load_le64(bytes.data()), bytes.slice(kStateVersionBytes, bytes.size() - kStateVersionBytes)};
}

}  // namespace hyperscale::cluster
