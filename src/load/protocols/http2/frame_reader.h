// FrameReader: cuts what a peer sends into frames, however it was cut into reads.
//
// Sans-IO, single-threaded. A frame that lies whole in the input is handed out in place. Of a frame that is cut, the
// part that came is kept, at most kFrameHeadBytes + kFrameBytesMax bytes; DATA and frames of unknown types are not kept
// but handed out in pieces as they come. A frame above kFrameBytesMax is told when its head is known, and nothing is
// read after it.
#pragma once

#include "load/protocols/http2/frame.h"

namespace hyperscale::load::http2 {

class FrameReader {
 public:
  struct Piece {
    FrameHead head;
    ByteView bytes;  // of the payload; valid until the next call and as long as the input
    bool begins = false;
    bool ends = false;
  };
  enum class Step : std::uint8_t { kMore, kPiece, kTooLarge };

  // Takes the next piece from the front of `input`. kMore: the input is used up. kTooLarge: only piece.head is set.
  Step next(ByteView& input, Piece& piece);

  std::size_t kept_bytes() const { return kept_used_ ? 0 : kept_.size(); }

 private:
  bool fill(ByteView& input, std::size_t wanted);
  Step next_kept(ByteView& input, Piece& piece);
  Step begin_in_pieces(ByteView& input, Piece& piece);

  FrameHead head_;  // of the frame that is handed out in pieces
  std::uint32_t left_ = 0;
  std::vector<std::uint8_t> kept_;
  bool kept_used_ = false;  // kept_ was handed out
};

}  // namespace hyperscale::load::http2
