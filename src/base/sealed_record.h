// The envelope of a byte format: four letters, a version, the content, CRC-32C of all of it; and a record in that
// envelope, by one description of its fields (field_bytes.h) for both directions:
//
//   constexpr auto kDescribe = [](auto& fields, auto& record) { fields.text("name", record.name, kNameBytesMax); };
//   seal_record(kSeal, record, kDescribe);
//   open_record<Record>(kSeal, bytes, kDescribe);
//
// Pure functions; any thread. Sealing fails with kInvalidArgument and the first field beyond its limit, opening as
// open_seal() does and with kProtocol for bytes that seal_record() cannot produce.
#pragma once

#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/endian.h"
#include "base/field_bytes.h"
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

// The whole may exceed the seal's limit: the caller reports that.
template <typename Record, typename Describe>
Result<std::vector<std::uint8_t>> seal_record(const Seal& seal, const Record& record, const Describe& describe) {
  std::vector<std::uint8_t> bytes = begin_seal(seal);
  FieldWriter writer(bytes);
  describe(writer, record);
  if (writer.failed()) return fail(writer.status().error());
  end_seal(bytes);
  return bytes;
}

template <typename Record, typename Describe>
Result<Record> open_record(const Seal& seal, ByteView bytes, const Describe& describe) {
  const Result<ByteView> content = open_seal(seal, bytes);
  if (!content) return fail(content.error());
  FieldReader reader(*content);
  Record record;
  describe(reader, record);
  reader.end();
  if (reader.failed())
    return fail(reader.status().error().code, fmt::format("{} bytes: {}", seal.what, reader.status().error().context));
  return record;
}

}  // namespace hyperscale
