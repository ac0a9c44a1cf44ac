// What must hold for every input of the HTTP/1.1 response parser. A violation fails a CHECK, so the fuzzers and the
// unit tests share it.
//
// Input: byte 0 seeds the splits and bounds them (every 40th value: byte by byte), byte 1 chooses what is expected
// (modulo 3), the rest is what the peer sends before it closes.
#pragma once

#include "base/bytes.h"
#include "base/check.h"
#include "base/prng.h"
#include "load/protocols/http1/known_heads.h"
#include "load/protocols/http1/response_parser.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hyperscale::load::fuzz {

inline constexpr std::size_t kControlBytes = 2;

inline Expect expect_of(std::uint8_t byte) {
  return static_cast<Expect>(byte % 3);
}

// All that is told about one response.
struct Reading {
  bool accepted = false;
  std::uint16_t status = 0;
  std::uint8_t minor_version = 0;
  bool keep_alive = false;
  bool begun = false;
  bool head_complete = false;
  std::uint64_t body_bytes = 0;
  std::size_t consumed = 0;  // of an accepted response
  bool ended_by_close = false;
  std::string fields;  // "name: value\n" each
  std::string body;
  std::string error;

  bool operator==(const Reading&) const = default;
};

class Recorder final : public ResponseVisitor {
 public:
  explicit Recorder(Reading& reading) : reading_(reading) {}
  void on_field(std::string_view name, std::string_view value) override {
    CHECK(!name.empty());
    reading_.fields.append(name).append(": ").append(value).append("\n");
  }
  void on_body(ByteView bytes) override {
    CHECK(!bytes.empty());
    reading_.body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

 private:
  Reading& reading_;
};

// Hands out the pieces of a stream. Each is copied to the end of one buffer and overwritten by the next: a sanitizer
// sees a read beyond a piece, and a view that was kept for too long shows other bytes.
class Pieces {
 public:
  static constexpr std::size_t kLongest = 40;

  explicit Pieces(ByteView stream) : rest_(stream) {}
  bool empty() const { return rest_.empty(); }
  ByteView next(std::size_t count) {
    count = std::min(count, rest_.size());
    std::fill(buffer_.begin(), buffer_.end(), std::uint8_t{'#'});
    std::copy_n(rest_.begin(), count, buffer_.end() - static_cast<std::ptrdiff_t>(count));
    rest_ = rest_.subspan(count);
    return ByteView(buffer_).last(count);
  }

 private:
  ByteView rest_;
  std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(kLongest);
};

// Reads one response of which `next_piece` gives the next piece, empty at the end of the stream.
template <typename NextPiece>
Reading read_pieces(Expect expect, NextPiece next_piece, KnownHeads* known = nullptr) {
  Reading reading;
  Recorder recorder(reading);
  ResponseParser parser;
  parser.start(expect, &recorder, Switching::kRefused, known);
  auto state = ResponseParser::State::kMore;
  std::size_t at = 0;
  while (state == ResponseParser::State::kMore) {
    const ByteView piece = next_piece();
    if (piece.empty()) break;
    const auto progress = parser.consume(piece);
    state = progress.state;
    CHECK(progress.consumed <= piece.size());
    CHECK(state != ResponseParser::State::kMore || progress.consumed == piece.size());
    CHECK(parser.body_bytes() == reading.body.size());
    at += progress.consumed;
  }
  if (state == ResponseParser::State::kMore) {
    state = parser.finish();
    reading.ended_by_close = true;
  }
  CHECK(state != ResponseParser::State::kMore);
  CHECK((state == ResponseParser::State::kError) == !parser.error().empty());
  reading.accepted = state == ResponseParser::State::kComplete;
  reading.status = parser.status();
  reading.minor_version = parser.minor_version();
  reading.keep_alive = parser.keep_alive();
  reading.begun = parser.begun();
  reading.head_complete = parser.head_complete();
  reading.body_bytes = parser.body_bytes();
  reading.consumed = reading.accepted ? at : 0;
  reading.error = parser.error();
  return reading;
}

inline Reading read_whole(ByteView stream, Expect expect, KnownHeads* known = nullptr) {
  return read_pieces(expect, [&] { return std::exchange(stream, {}); }, known);
}

// In pieces of 1 to `longest` bytes.
inline Reading read_split(ByteView stream, Expect expect, Prng& splits, std::uint64_t longest) {
  Pieces pieces(stream);
  return read_pieces(expect, [&] { return pieces.next(1 + splits.below(longest)); });
}

inline void check_same(const Reading& whole, const Reading& split) {
  CHECK(whole.accepted == split.accepted && whole.error == split.error, "\"{}\" whole, \"{}\" split", whole.error,
        split.error);
  // A failed status line may have told a part of itself; that is no promise.
  Reading comparable = split;
  if (!whole.accepted) comparable.begun = whole.begun;
  CHECK(whole == comparable, "status {} whole, {} split; {} and {} bytes consumed", whole.status, split.status,
        whole.consumed, split.consumed);
}

inline void check_meaning(const Reading& reading, ByteView stream) {
  CHECK(reading.consumed <= stream.size());
  CHECK(reading.body.size() == reading.body_bytes && reading.body.size() <= stream.size());
  if (!reading.accepted) return;
  CHECK(reading.begun && reading.head_complete);
  CHECK(reading.status >= 200 && reading.status <= 999, "status {}", reading.status);
  CHECK(!reading.ended_by_close || (!reading.keep_alive && reading.consumed == stream.size()));
}

// Without a visitor everything is the same but that nothing is told.
inline void check_without_visitor(const Reading& reading, ByteView stream, Expect expect) {
  ResponseParser parser;
  parser.start(expect, nullptr);
  const auto progress = parser.consume(stream);
  auto state = progress.state;
  if (state == ResponseParser::State::kMore) state = parser.finish();
  CHECK((state == ResponseParser::State::kComplete) == reading.accepted);
  CHECK(parser.error() == reading.error && parser.status() == reading.status &&
        parser.body_bytes() == reading.body_bytes);
  CHECK(parser.keep_alive() == reading.keep_alive);
  if (reading.accepted) CHECK(progress.consumed == reading.consumed);
}

// A head that is recognised says what it said when it was read, to every kind of request; only its fields are not told.
inline void check_known_heads(const Reading& whole, ByteView stream, Expect expect) {
  KnownHeads known;
  const Reading first = read_whole(stream, expect, &known);
  CHECK(first == whole);
  Reading again = read_whole(stream, expect, &known);
  again.fields = whole.fields;
  CHECK(again == whole, "status {} read, {} recognised; \"{}\" and \"{}\"", whole.status, again.status, whole.error,
        again.error);
  const Expect other = expect == Expect::kBody ? Expect::kNoBody : Expect::kBody;
  const Reading read = read_whole(stream, other);
  Reading recognised = read_whole(stream, other, &known);
  recognised.fields = read.fields;
  CHECK(recognised == read);
}

inline void check_response_parser(ByteView input) {
  if (input.size() < kControlBytes) return;
  const Expect expect = expect_of(input[1]);
  const ByteView stream = input.subspan(kControlBytes);
  const Reading whole = read_whole(stream, expect);
  check_meaning(whole, stream);
  check_without_visitor(whole, stream, expect);
  check_known_heads(whole, stream, expect);
  Prng splits(input[0]);
  check_same(whole, read_split(stream, expect, splits, 1 + input[0] % Pieces::kLongest));
}

}  // namespace hyperscale::load::fuzz
