// Frame: the unit of the framed transport, and how one is written. docs/formats/frame.md is the byte table.
//
// Everything here is a pure function or a value; any thread may use it. Frames are read by FrameDecoder. A frame larger
// than kMaxFrameBytesCeiling, or a code that does not fit the type, is a bug of the sender (CHECK).
#pragma once

#include "base/bytes.h"
#include "base/error.h"
#include "wire/limits.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hyperscale::wire {

enum class FrameType : std::uint8_t {
  kRequest = 1,   // payload: see request_payload.h
  kResponse = 2,  // payload: the answer; correlation is that of the request
  kError = 3,     // payload: a message in UTF-8; code is the number of the ErrorCode
  kPing = 4,      // payload: anything; the peer answers with a pong that carries the same
  kPong = 5,
  kGoAway = 6,  // the sender accepts no new requests; those in flight are still answered
};

std::string_view name(FrameType type);
std::optional<FrameType> frame_type_from_number(std::uint8_t number);
// An error frame has the code of its error; every other frame has code 0.
bool code_fits(FrameType type, std::uint16_t code);

struct Frame {
  FrameType type = FrameType::kRequest;
  std::uint16_t code = 0;
  std::uint64_t correlation = 0;
  SharedBytes payload;
};

Frame error_frame(std::uint64_t correlation, const Error& error);
// The error of an error frame; an unknown number becomes kInternal. REQUIRES: frame.type == kError.
Error error_of(const Frame& frame);

using FrameHeader = std::array<std::uint8_t, kFrameHeaderBytes>;

// The header alone, for a scatter write of header and payload without copying the payload.
FrameHeader encode_header(const Frame& frame);
std::vector<std::uint8_t> encode_frame(const Frame& frame);

}  // namespace hyperscale::wire
