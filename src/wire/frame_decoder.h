// FrameDecoder: bytes as they arrive in, whole frames out; no I/O.
//
//   decoder.feed(chunk);
//   for (;;) { auto frame = decoder.next(); if (!frame) close(frame.error()); if (!*frame) break; handle(**frame); }
//
// - How the bytes are split makes no difference to frames or errors.
// - Each header field is checked as soon as its bytes arrive, the length first: a frame that announces more than
//   max_frame_bytes fails with kTooLarge before anything is allocated for it. All other errors are kProtocol.
// - The first error is final: every later next() and feed() returns it again, and nothing stays buffered.
// - Memory: the decoder holds one unfinished frame and no more. A chunk is not copied; payload bytes are copied once,
//   from the chunk into the buffer that becomes Frame::payload. That buffer is reserved, not touched, before its bytes
//   arrive.
//
// Thread rule: one owner.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "wire/frame.h"
#include "wire/limits.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hyperscale::wire {

struct FrameLimits {
  std::size_t max_frame_bytes = kMaxFrameBytesDefault;
};

class FrameDecoder {
 public:
  // REQUIRES: kFrameLengthMin <= max_frame_bytes <= kMaxFrameBytesCeiling.
  explicit FrameDecoder(FrameLimits limits = {});

  // Hands over the next chunk of the stream. The chunk must stay valid until next() has returned nothing or an error.
  // REQUIRES: the previous chunk is used up. Fails only if an earlier error was final.
  Status feed(ByteView chunk);
  // The next whole frame, nothing when the chunk is used up, or the final error.
  Result<std::optional<Frame>> next();
  // For the end of the stream: fails with kProtocol if it ends inside a frame.
  Status finish() const;

  // Bytes of the unfinished frame that the decoder holds, and bytes that it has reserved for the payload.
  std::size_t buffered_bytes() const { return header_size_ + payload_.size(); }
  std::size_t capacity_bytes() const { return payload_.capacity(); }
  bool failed() const { return failure_.has_value(); }

 private:
  Status read_header();
  Status check_header(std::size_t before);
  void read_payload();
  Result<std::optional<Frame>> finish_frame();
  tl::unexpected<Error> give_up(Error error);
  std::size_t payload_bytes() const;

  FrameLimits limits_;
  ByteView chunk_;
  FrameHeader header_{};
  std::size_t header_size_ = 0;
  std::vector<std::uint8_t> payload_;
  std::optional<Error> failure_;
};

}  // namespace hyperscale::wire
