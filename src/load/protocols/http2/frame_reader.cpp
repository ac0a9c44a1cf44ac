#include "load/protocols/http2/frame_reader.h"

#include <algorithm>

namespace hyperscale::load::http2 {
namespace {

bool comes_in_pieces(FrameType type) {
  return type == FrameType::kData || type > FrameType::kContinuation;
}

}  // namespace

FrameReader::Step FrameReader::next(ByteView& input, Piece& piece) {
  if (left_ > 0) {
    if (input.empty()) return Step::kMore;
    const std::size_t count = std::min<std::size_t>(left_, input.size());
    left_ -= static_cast<std::uint32_t>(count);
    piece = {.head = head_, .bytes = input.first(count), .begins = false, .ends = left_ == 0};
    input = input.subspan(count);
    return Step::kPiece;
  }
  if (kept_used_) {
    kept_.clear();
    kept_used_ = false;
  }
  if (!kept_.empty() || input.size() < kFrameHeadBytes) return next_kept(input, piece);
  const FrameHead head = read_frame_head(input.data());
  if (head.length > kFrameBytesMax) {
    piece = {.head = head, .bytes = {}};
    return Step::kTooLarge;
  }
  if (comes_in_pieces(head.type)) {
    head_ = head;
    input = input.subspan(kFrameHeadBytes);
    return begin_in_pieces(input, piece);
  }
  if (input.size() - kFrameHeadBytes < head.length) return next_kept(input, piece);
  piece = {.head = head, .bytes = input.subspan(kFrameHeadBytes, head.length), .begins = true, .ends = true};
  input = input.subspan(kFrameHeadBytes + head.length);
  return Step::kPiece;
}

// Appends bytes of the input to kept_ until it holds `wanted` bytes.
bool FrameReader::fill(ByteView& input, std::size_t wanted) {
  const std::size_t count = std::min(wanted - std::min(wanted, kept_.size()), input.size());
  kept_.insert(kept_.end(), input.begin(), input.begin() + static_cast<std::ptrdiff_t>(count));
  input = input.subspan(count);
  return kept_.size() >= wanted;
}

FrameReader::Step FrameReader::next_kept(ByteView& input, Piece& piece) {
  if (!fill(input, kFrameHeadBytes)) return Step::kMore;
  const FrameHead head = read_frame_head(kept_.data());
  if (head.length > kFrameBytesMax) {
    piece = {.head = head, .bytes = {}};
    return Step::kTooLarge;
  }
  if (comes_in_pieces(head.type)) {
    kept_.clear();
    head_ = head;
    return begin_in_pieces(input, piece);
  }
  if (!fill(input, kFrameHeadBytes + head.length)) return Step::kMore;
  kept_used_ = true;
  piece = {.head = head, .bytes = ByteView(kept_).subspan(kFrameHeadBytes), .begins = true, .ends = true};
  return Step::kPiece;
}

FrameReader::Step FrameReader::begin_in_pieces(ByteView& input, Piece& piece) {
  const std::size_t count = std::min<std::size_t>(head_.length, input.size());
  left_ = head_.length - static_cast<std::uint32_t>(count);
  piece = {.head = head_, .bytes = input.first(count), .begins = true, .ends = left_ == 0};
  input = input.subspan(count);
  return Step::kPiece;
}

}  // namespace hyperscale::load::http2
