// What must hold for every input of the frame decoder. A violation fails a CHECK, so the fuzzer and the unit tests
// share it.
//
// Input: byte 0 seeds the splits; bit 0 of byte 1 chooses a small limit and bit 1 asks for checksums to be made right,
// so that a mutated frame gets past that check; the rest is the stream.
#pragma once

#include "base/bytes.h"
#include "base/check.h"
#include "base/crc32c.h"
#include "base/endian.h"
#include "base/prng.h"
#include "wire/frame_decoder.h"
#include "wire/request_payload.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace hyperscale::wire::fuzz {

inline constexpr std::size_t kControlBytes = 2;
inline constexpr std::uint8_t kSmallLimitBit = 1;
inline constexpr std::uint8_t kFixChecksumsBit = 2;
inline constexpr std::size_t kSmallLimitBytes = 64;
inline constexpr std::size_t kLongestPiece = 40;

struct Outcome {
  std::vector<Frame> frames;
  std::optional<Error> error;  // of the stream, or of its end
};

inline Outcome decode(ByteView stream, FrameLimits limits, Prng* splits) {
  Outcome outcome;
  FrameDecoder decoder(limits);
  while (!stream.empty()) {
    const std::size_t count =
        splits ? std::min<std::size_t>(stream.size(), 1 + splits->below(kLongestPiece)) : stream.size();
    CHECK(decoder.feed(stream.first(count)).has_value());
    stream = stream.subspan(count);
    for (;;) {
      auto frame = decoder.next();
      CHECK(decoder.capacity_bytes() <= limits.max_frame_bytes - kFrameLengthMin);
      CHECK(decoder.buffered_bytes() <= kLengthFieldBytes + limits.max_frame_bytes);
      if (!frame) {
        CHECK(decoder.capacity_bytes() == 0 && decoder.buffered_bytes() == 0);
        outcome.error = frame.error();
        return outcome;
      }
      if (!*frame) break;
      outcome.frames.push_back(std::move(**frame));
    }
  }
  if (Status end = decoder.finish(); !end) outcome.error = end.error();
  return outcome;
}

inline void check_same(const Outcome& whole, const Outcome& split) {
  CHECK(whole.frames.size() == split.frames.size(), "{} and {} frames", whole.frames.size(), split.frames.size());
  for (std::size_t i = 0; i < whole.frames.size(); ++i) {
    CHECK(encode_frame(whole.frames[i]) == encode_frame(split.frames[i]), "frame {} differs", i);
  }
  CHECK(whole.error.has_value() == split.error.has_value());
  if (whole.error) CHECK(whole.error->to_string() == split.error->to_string());
}

// What was decoded is what was sent, byte for byte; and the decoder stopped only for a reason.
inline void check_reencodes(const Outcome& outcome, ByteView stream) {
  std::size_t at = 0;
  for (const Frame& frame : outcome.frames) {
    const std::vector<std::uint8_t> bytes = encode_frame(frame);
    CHECK(at + bytes.size() <= stream.size() && std::equal(bytes.begin(), bytes.end(), stream.begin() + at));
    at += bytes.size();
    if (frame.type != FrameType::kRequest) continue;
    if (const auto request = parse_request(frame.payload)) {
      CHECK(encode_request(request->method_name(), request->body.view())->text() == frame.payload.text());
    }
  }
  CHECK((at == stream.size()) == !outcome.error.has_value());
}

inline void fix_checksums(std::vector<std::uint8_t>& stream) {
  for (std::size_t at = 0; stream.size() - at >= kFrameHeaderBytes;) {
    const std::size_t length = load_be32(stream.data() + at);
    if (length < kFrameLengthMin || length > stream.size() - at - kLengthFieldBytes) return;
    const ByteView frame = ByteView(stream).subspan(at, kLengthFieldBytes + length);
    const std::uint32_t before = crc32c(frame.subspan(kLengthFieldBytes, 12));
    store_be32(stream.data() + at + 16, crc32c(frame.subspan(kFrameHeaderBytes), before));
    at += frame.size();
  }
}

inline void check_frame_decoder(ByteView input) {
  if (input.size() < kControlBytes) return;
  const FrameLimits limits{.max_frame_bytes = input[1] & kSmallLimitBit ? kSmallLimitBytes : kMaxFrameBytesDefault};
  std::vector<std::uint8_t> stream(input.begin() + kControlBytes, input.end());
  if (input[1] & kFixChecksumsBit) fix_checksums(stream);
  Prng splits(input[0]);
  const Outcome whole = decode(stream, limits, nullptr);
  check_same(whole, decode(stream, limits, &splits));
  check_reencodes(whole, stream);
}

}  // namespace hyperscale::wire::fuzz
