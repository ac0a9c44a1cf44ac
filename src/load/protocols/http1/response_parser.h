// ResponseParser: parses HTTP/1.1 (and 1.0) responses from any split of the input; complete lines are not copied.
//
// Sans-IO, single-threaded, no allocation but for a line that is split over several reads (bounded by kHeadBytesMax).
// RFC 9112: status line, fields, Content-Length, Transfer-Encoding: chunked, close-delimited bodies, 1xx before the
// final answer, no body after HEAD, 1xx, 204, 304 and a successful CONNECT. Framing that two readers could understand
// differently (both lengths, several different lengths, a bare CR, spaces before the colon) is an error, not a guess.
//
// Where the RFC leaves a choice:
// - LF alone ends a status line and a field line (section 2.2 allows it, and the next line begins at the same byte for
//   every reader). Around chunks it does not: there the RFC has CRLF only, and readers that disagree would see
//   different ends of the body.
// - One empty line before a status line is skipped: old servers send an extra CRLF after a body. Two are an error.
// - Control characters other than HTAB are errors in the head, in trailers and in chunk lines; obs-text is accepted.
// - A line is judged when it is complete, a status line also by its first seven bytes. So neither the verdict nor its
//   text depends on how the input was cut.
// - A line that begins with white space continues the field before it (obs-fold), as section 5.2 asks of user agents;
//   before the first field it is an error.
// - Lengths of an answer that has no body (HEAD, 1xx, 204, 304) are ignored, also when they contradict each other
//   (section 6.3, rule 1).
// - 101 is an error unless the request asked for another protocol (RFC 9110, section 7.8).
// - Transfer-Encoding in an HTTP/1.0 answer is obeyed, and the connection is not used again (section 6.1).
//
// Use: start(kind) before each expected response; then consume() until it returns kComplete. Bytes that consume() did
// not use belong to the next response (pipelining).
#pragma once

#include "base/bytes.h"
#include "load/protocols/http1/framing_fields.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::load {

struct FieldLine;
class KnownHeads;

inline constexpr std::size_t kHeadBytesMax = 64 << 10;
inline constexpr std::size_t kChunkLineBytesMax = 4 << 10;  // size and extensions
inline constexpr std::size_t kTrailerBytesMax = 64 << 10;

// Receives the parts of a response while it is parsed. All views are valid during the call only.
class ResponseVisitor {
 public:
  virtual void on_field(std::string_view name,
                        std::string_view value) = 0;  // name as sent; of the final head and trailers
  virtual void on_body(ByteView bytes) = 0;

 protected:
  ~ResponseVisitor() = default;
};

enum class Switching : std::uint8_t { kRefused, kAsked /* the request has an Upgrade field */ };
enum class Expect : std::uint8_t { kBody, kNoBody /* HEAD */, kTunnel /* CONNECT */ };

class ResponseParser {
 public:
  enum class State : std::uint8_t {
    kMore,      // give more bytes
    kComplete,  // the response ends after `consumed` bytes
    kError,     // see error(); the connection cannot be used any more
  };
  struct Progress {
    State state;
    std::size_t consumed;
  };

  // `visitor` may be null: then fields and body are only counted. With `known`, which outlives the response, a known
  // head is not parsed again: its fields are not reported. REQUIRES: with `known`, the visitor calls head_is_needed()
  // in on_field() for a field that it needs of every such answer.
  void start(Expect expect, ResponseVisitor* visitor, Switching switching = Switching::kRefused,
             KnownHeads* known = nullptr);
  // From inside on_field: the current head is not remembered, so its fields are reported every time.
  void head_is_needed() { head_ = {}; }
  Progress consume(ByteView bytes);
  // The peer has closed: completes a close-delimited body, is an error otherwise.
  State finish();

  bool begun()
      const;  // a byte of the final response has been seen (1xx do not count); known with its first status digit
  bool head_complete() const { return head_complete_; }
  std::uint16_t status() const {
    return final_ ? status_ : 0;
  }  // 0 until the status line of the final response is whole
  std::uint8_t minor_version() const { return minor_version_; }
  bool keep_alive() const { return keep_alive_; }  // after kComplete: whether the connection may be used again
  std::uint64_t body_bytes() const { return body_bytes_; }
  std::string_view error() const { return error_; }  // "two different Content-Length fields"
  // After kError: bytes around the fault. `input` is the last argument of consume().
  std::string faulty_bytes(ByteView input, std::size_t bytes_max) const;

 private:
  enum class Stage : std::uint8_t {
    kStatusLine,
    kFields,
    kBodyOfLength,
    kBodyToClose,
    kChunkLine,
    kChunkData,
    kChunkCr,
    kChunkLf,
    kTrailers,
    kComplete,  // the stages from here on read nothing
    kFailed,
    kIdle,
  };
  // Lines that share one limit: a head, a line before a chunk, a trailer section.
  struct Section;
  static const Section kHead;
  static const Section kChunk;
  static const Section kTrailer;

  void step(std::string_view& rest);
  void read_status_line(std::string_view& rest);
  void read_fields(std::string_view& rest);
  void read_trailers(std::string_view& rest);
  bool take_fields(std::string_view& rest, const Section& section);
  bool settle_held_line(std::string_view& rest, const Section& section);
  void report_field(const FieldLine& field);
  void read_chunk_line(std::string_view& rest);
  void read_chunk_end(std::string_view& rest);
  void read_counted(std::string_view& rest, Stage next);
  void deliver(std::string_view& rest, std::size_t count);

  bool take_line(std::string_view& rest, const Section& section);
  bool take_unusual_line(std::string_view& rest, const Section& section);
  bool take_split_line(std::string_view& rest, const Section& section);
  bool accept_line(const char* fault, std::size_t size_bytes, const Section& section);
  void begin_head();
  bool recognise_head(std::string_view& rest);
  void remember_head(std::string_view rest);
  void end_head();
  bool is_bodiless() const;
  Stage stage_of_body() const;
  void fail(const char* error);

  std::string_view line_;  // the line of take_line(), in the input or in collected_
  ResponseVisitor* visitor_ = nullptr;
  KnownHeads* known_ = nullptr;
  std::string_view head_;          // the input from the start of a head to remember; empty: it is not remembered
  std::string_view date_;          // the value of its Date field
  std::size_t section_bytes_ = 0;  // of the section's lines so far
  std::uint64_t remaining_ = 0;    // of the body or the chunk
  std::uint64_t body_bytes_ = 0;
  FramingFields framing_;
  Stage stage_ = Stage::kIdle;
  Expect expect_ = Expect::kBody;
  Switching switching_ = Switching::kRefused;
  bool line_ends_in_crlf_ = false;
  bool empty_line_skipped_ = false;
  bool final_ = false;  // the status line of the final response has been read
  bool head_complete_ = false;
  bool keep_alive_ = false;
  std::uint8_t minor_version_ = 0;
  std::uint16_t status_ = 0;
  std::size_t fault_at_ = 0;  // in the last input
  std::string collected_;     // a line of which only a part has arrived; at most a section's limit
  std::string held_;          // a field line that the next line may continue; same limit
  std::string_view error_;
};

}  // namespace hyperscale::load
