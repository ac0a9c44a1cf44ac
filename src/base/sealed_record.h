// A record as bytes in its shell (sealed_bytes.h), by one description of its fields (field_bytes.h) for both ways:
//
//   constexpr auto kDescribe = [](auto& fields, auto& record) { fields.text("name", record.name, kNameBytesMax); };
//   seal_record(kSeal, record, kDescribe);
//   open_record<Record>(kSeal, bytes, kDescribe);
//
// Pure functions; any thread. Sealing fails with kInvalidArgument and the first field beyond its limit, opening as
// open_seal() does and with kProtocol for bytes that no seal_record() could have written.
#pragma once

#include "base/field_bytes.h"
#include "base/sealed_bytes.h"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace hyperscale {

// The whole may be more than the seal's limit: what to say then is the caller's to know.
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
