#include "wire/frame_decoder.h"

#include "base/check.h"
#include "base/endian.h"
#include "wire/frame_layout.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

// Whether the field that ends at `end` became complete when the header grew from `before` to `now` bytes.
bool completed(std::size_t end, std::size_t before, std::size_t now) {
  return before < end && end <= now;
}

}  // namespace

FrameDecoder::FrameDecoder(FrameLimits limits) : limits_(limits) {
  CHECK(limits.max_frame_bytes >= kFrameLengthMin && limits.max_frame_bytes <= kMaxFrameBytesCeiling,
        "max_frame_bytes {}", limits.max_frame_bytes);
}

Status FrameDecoder::feed(ByteView chunk) {
  if (failure_) return fail(*failure_);
  CHECK(chunk_.empty(), "{} bytes of the previous chunk are unread", chunk_.size());
  chunk_ = chunk;
  return {};
}

Result<std::optional<Frame>> FrameDecoder::next() {
  if (failure_) return fail(*failure_);
  if (header_size_ < kFrameHeaderBytes) {
    if (Status header = read_header(); !header) return give_up(std::move(header.error()));
    if (header_size_ < kFrameHeaderBytes) return std::nullopt;
  }
  read_payload();
  if (payload_.size() < payload_bytes()) return std::nullopt;
  return finish_frame();
}

Status FrameDecoder::finish() const {
  if (failure_) return fail(*failure_);
  if (buffered_bytes() == 0 && chunk_.empty()) return {};
  return fail(ErrorCode::kProtocol, fmt::format("the stream ended {} bytes into a frame", buffered_bytes()));
}

Status FrameDecoder::read_header() {
  const std::size_t before = header_size_;
  const std::size_t count = std::min(kFrameHeaderBytes - header_size_, chunk_.size());
  std::copy_n(chunk_.begin(), count, header_.begin() + static_cast<std::ptrdiff_t>(before));
  chunk_ = chunk_.subspan(count);
  header_size_ += count;
  return check_header(before);
}

// Fields are judged in the order in which their bytes arrive, so the first error is the same however the bytes are
// split.
Status FrameDecoder::check_header(std::size_t before) {
  if (completed(layout::kVersionAt, before, header_size_)) {
    const std::size_t length = load_be32(header_.data() + layout::kLengthAt);
    if (length > limits_.max_frame_bytes) {
      return fail(ErrorCode::kTooLarge,
                  fmt::format("a frame of {} bytes; at most {} are accepted", length, limits_.max_frame_bytes));
    }
    if (length < kFrameLengthMin) {
      return fail(ErrorCode::kProtocol, fmt::format("a frame length of {}; at least {}", length, kFrameLengthMin));
    }
  }
  const std::uint8_t type = header_[layout::kTypeAt];
  if (completed(layout::kTypeAt, before, header_size_) && header_[layout::kVersionAt] != kFrameVersion) {
    return fail(ErrorCode::kProtocol,
                fmt::format("frame version {}, not {}", header_[layout::kVersionAt], kFrameVersion));
  }
  if (completed(layout::kCodeAt, before, header_size_) && !frame_type_from_number(type)) {
    return fail(ErrorCode::kProtocol, fmt::format("unknown frame type {}", type));
  }
  if (completed(layout::kCorrelationAt, before, header_size_)) {
    const std::uint16_t code = load_be16(header_.data() + layout::kCodeAt);
    if (!code_fits(static_cast<FrameType>(type), code)) {
      return fail(ErrorCode::kProtocol,
                  fmt::format("code {} in a frame of type {}", code, name(static_cast<FrameType>(type))));
    }
  }
  return {};
}

void FrameDecoder::read_payload() {
  const std::size_t missing = payload_bytes() - payload_.size();
  const std::size_t count = std::min(missing, chunk_.size());
  if (count == 0) return;
  payload_.reserve(payload_bytes());
  payload_.insert(payload_.end(), chunk_.begin(), chunk_.begin() + static_cast<std::ptrdiff_t>(count));
  chunk_ = chunk_.subspan(count);
}

Result<std::optional<Frame>> FrameDecoder::finish_frame() {
  const std::uint32_t announced = load_be32(header_.data() + layout::kChecksumAt);
  const std::uint32_t computed = layout::checksum(header_, payload_);
  if (announced != computed) {
    return give_up({ErrorCode::kProtocol, fmt::format("frame checksum {:08x}, computed {:08x}", announced, computed)});
  }
  Frame frame{.type = static_cast<FrameType>(header_[layout::kTypeAt]),
              .code = load_be16(header_.data() + layout::kCodeAt),
              .correlation = load_be64(header_.data() + layout::kCorrelationAt),
              .payload = {}};
  if (!payload_.empty()) frame.payload = SharedBytes::adopt(std::exchange(payload_, {}));
  header_size_ = 0;
  return frame;
}

tl::unexpected<Error> FrameDecoder::give_up(Error error) {
  chunk_ = {};
  header_size_ = 0;
  payload_ = std::vector<std::uint8_t>();  // unlike `= {}`, this gives the memory back
  failure_ = error;
  return fail(std::move(error));
}

std::size_t FrameDecoder::payload_bytes() const {
  return load_be32(header_.data() + layout::kLengthAt) - kFrameLengthMin;
}

}  // namespace hyperscale::wire
