// FrameReader: splits the bytes of a peer into frames, from any split of the input.
//
// Sans-IO, single-threaded. A frame that is complete in the input is returned in place. Of an incomplete frame the
// received part is kept, at most kFrameHeadBytes + kFrameBytesMax bytes; DATA and frames of unknown types are not kept
// but returned in pieces as they come. A frame above kFrameBytesMax is reported when its head is known, and nothing is
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

  // Reads the next piece from the front of `input`. kMore: the input is used up. kTooLarge: only piece.head is set.
  Step next(ByteView& input, Piece& piece);

  std::size_t kept_bytes() const { return kept_used_ ? 0 : kept_.size(); }

 private:
  bool fill(ByteView& input, std::size_t wanted);
  Step next_kept(ByteView& input, Piece& piece);
  Step begin_in_pieces(ByteView& input, Piece& piece);

  FrameHead head_;  // of the frame that is returned in pieces
  std::uint32_t left_ = 0;
  std::vector<std::uint8_t> kept_;
  bool kept_used_ = false;  // kept_ was returned
};

}  // namespace hyperscale::load::http2
