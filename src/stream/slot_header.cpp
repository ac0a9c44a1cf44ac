#include "stream/slot_header.h"

namespace hyperscale::stream {
namespace {

constexpr std::size_t kValuesAt = 8;
constexpr std::size_t kPayloadSlotAt = 12;
constexpr std::size_t kFramePoolAt = 16;
constexpr std::size_t kTimestampAt = 22;
constexpr std::size_t kFirstSampleAt = 40;
constexpr std::size_t kHeaderLengthAt = 60;
constexpr std::size_t kMessageAt = 64;
constexpr std::size_t kTensorAt = 72;
constexpr std::size_t kDimensionsAt = kTensorAt + 11;
constexpr std::uint32_t kHeaderLength = 192;
constexpr std::array<std::uint16_t, 4> kMessage = {184, 52, 900, 1};  // block length, template, schema, version
constexpr std::uint16_t kBytesType = 13;
constexpr std::uint16_t kRowMajor = 1;

using Bytes = std::array<std::uint8_t, kFrameHeaderWords * kWordBytes>;

}  // namespace

FrameHeaderWords to_words(const FrameHeader& header) {
  Bytes bytes{};
  store_le32(bytes.data() + kValuesAt, header.values_bytes);
  store_le32(bytes.data() + kPayloadSlotAt, header.payload_slot);
  store_le16(bytes.data() + kFramePoolAt, kPoolNumber);
  store_le64(bytes.data() + kTimestampAt, header.timestamp_ns);
  store_le64(bytes.data() + kFirstSampleAt, header.first_sample);
  store_le32(bytes.data() + kHeaderLengthAt, kHeaderLength);
  FrameHeaderWords words{};
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

FrameHeader from_words(const FrameHeaderWords& words) {
  Bytes bytes{};
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return {.values_bytes = load_le32(bytes.data() + kValuesAt),
          .payload_slot = load_le32(bytes.data() + kPayloadSlotAt),
          .timestamp_ns = load_le64(bytes.data() + kTimestampAt),
          .first_sample = load_le64(bytes.data() + kFirstSampleAt)};
}

void prepare_slot(std::byte* slot, std::uint32_t stride_bytes) {
  auto* bytes = reinterpret_cast<std::uint8_t*>(slot);
  store_le32(bytes + kHeaderLengthAt, kHeaderLength);
  for (std::size_t i = 0; i < kMessage.size(); ++i) store_le16(bytes + kMessageAt + i * 2, kMessage[i]);
  store_le16(bytes + kTensorAt, kBytesType);
  store_le16(bytes + kTensorAt + 2, kRowMajor);
  bytes[kTensorAt + 4] = 1;  // dimensions
  store_le32(bytes + kDimensionsAt, stride_bytes);
}

}  // namespace hyperscale::stream
