#include "wire/frame.h"

#include "base/check.h"
#include "base/crc32c.h"
#include "base/endian.h"
#include "wire/frame_layout.h"

namespace hyperscale::wire {

std::string_view name(FrameType type) {
  switch (type) {
    case FrameType::kRequest:
      return "request";
    case FrameType::kResponse:
      return "response";
    case FrameType::kError:
      return "error";
    case FrameType::kPing:
      return "ping";
    case FrameType::kPong:
      return "pong";
    case FrameType::kGoAway:
      return "go-away";
  }
  UNREACHABLE("frame type {}", static_cast<int>(type));
}

std::optional<FrameType> frame_type_from_number(std::uint8_t number) {
  if (number < static_cast<std::uint8_t>(FrameType::kRequest) || number > static_cast<std::uint8_t>(FrameType::kGoAway))
    return std::nullopt;
  return static_cast<FrameType>(number);
}

bool code_fits(FrameType type, std::uint16_t code) {
  return (type == FrameType::kError) == (code != 0);
}

Frame error_frame(std::uint64_t correlation, const Error& error) {
  return {.type = FrameType::kError,
          .code = static_cast<std::uint16_t>(error.code),
          .correlation = correlation,
          .payload = SharedBytes::copy_of(error.context)};
}

Error error_of(const Frame& frame) {
  CHECK(frame.type == FrameType::kError, "a frame of type {}", name(frame.type));
  return {error_code_from_number(frame.code).value_or(ErrorCode::kInternal), std::string(frame.payload.text())};
}

FrameHeader encode_header(const Frame& frame) {
  CHECK(frame.payload.size() <= kMaxFrameBytesCeiling - kFrameLengthMin, "a payload of {} bytes", frame.payload.size());
  CHECK(code_fits(frame.type, frame.code), "code {} in a frame of type {}", frame.code, name(frame.type));
  FrameHeader header{};
  store_be32(header.data() + layout::kLengthAt, static_cast<std::uint32_t>(kFrameLengthMin + frame.payload.size()));
  header[layout::kVersionAt] = kFrameVersion;
  header[layout::kTypeAt] = static_cast<std::uint8_t>(frame.type);
  store_be16(header.data() + layout::kCodeAt, frame.code);
  store_be64(header.data() + layout::kCorrelationAt, frame.correlation);
  store_be32(header.data() + layout::kChecksumAt, layout::checksum(header, frame.payload.view()));
  return header;
}

std::vector<std::uint8_t> encode_frame(const Frame& frame) {
  const FrameHeader header = encode_header(frame);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(header.size() + frame.payload.size());
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), frame.payload.view().begin(), frame.payload.view().end());
  return bytes;
}

}  // namespace hyperscale::wire
