// RequestParser: parses HTTP/1.1 (and 1.0) requests from any split of the input. A request that arrives in one piece is
// not copied, and nothing is allocated for it.
//
// Sans-IO, single-threaded. RFC 9112, strictly: framing that two readers could understand differently (two lengths, a
// bare LF, spaces before the colon, folded lines) is refused. Lines are judged in the order in which they arrive, so
// the verdict does not depend on the split.
//
// Use: call consume() until it returns kComplete, read request(), and pass the rest of the input to consume() again:
// that starts the next request. After kError the connection cannot be used any more; error_status() and error() are the
// answer for the peer.
#pragma once

#include "target/limits.h"
#include "target/request.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::target {

class RequestParser {
 public:
  enum class State : std::uint8_t { kMore, kComplete, kError };
  struct Progress {
    State state;
    std::size_t consumed;
  };
  // Whether the body of a request is needed, by its target; other bodies are only counted.
  using KeepsBody = bool (*)(std::string_view target);
  explicit RequestParser(KeepsBody keeps_body) : keeps_body_(keeps_body) {}

  Progress consume(std::string_view bytes);

  // After kComplete. Valid until the next consume(), and as long as the bytes of the last one.
  Request request();
  std::uint64_t body_bytes() const { return body_bytes_; }
  bool keep_alive() const { return keep_alive_; }
  int minor_version() const { return minor_version_; }

  // True once per request with "Expect: 100-continue".
  bool take_wants_continue();
  bool between_requests() const { return phase_ == Phase::kDone || (phase_ == Phase::kHead && buffer_.empty()); }

  std::uint16_t error_status() const { return error_status_; }  // 400, 413 or 431
  std::string_view error() const { return error_; }

 private:
  enum class Phase : std::uint8_t { kHead, kFixedBody, kChunkSize, kChunkData, kChunkEnd, kTrailers, kDone, kFailed };
  struct Place {
    std::uint32_t at = 0;
    std::uint32_t size = 0;
  };
  struct FieldPlace {
    Place name;
    Place value;
  };

  void start_next();
  void refuse(std::uint16_t status, std::string_view why);
  std::size_t read_head(std::string_view bytes);
  void take_line(std::string_view head, std::size_t begin, std::size_t line_feed);
  void take_request_line(std::size_t begin, std::string_view line);
  void take_field(std::size_t begin, std::string_view line);
  void take_framing_field(std::string_view name, std::string_view value);
  void take_content_length(std::string_view value);
  void finish_head();
  std::size_t read_body(std::string_view bytes);
  std::size_t read_fixed_body(std::string_view bytes);
  std::size_t read_chunk_data(std::string_view bytes);
  std::size_t read_body_line(std::string_view bytes);
  void take_body_line();
  void take_chunk_size();
  void add_body(std::string_view bytes);
  void keep_head();
  std::string_view text(Place place) const { return {base_ + place.at, place.size}; }

  KeepsBody keeps_body_;
  Phase phase_ = Phase::kHead;

  // The head is parsed in place: in the caller's bytes, or in buffer_ if it came in pieces.
  const char* base_ = nullptr;
  std::string buffer_;
  std::size_t line_at_ = 0;
  std::size_t scanned_ = 0;
  std::size_t head_bytes_ = 0;
  Place method_;
  Place target_;
  std::vector<FieldPlace> places_;
  std::vector<Field> fields_;

  int minor_version_ = 1;
  bool keep_alive_ = true;
  bool connection_close_ = false;
  bool connection_keep_alive_ = false;
  bool has_host_ = false;
  bool has_length_ = false;
  bool chunked_ = false;
  bool wants_continue_ = false;

  bool keep_body_ = false;
  bool body_cut_ = false;
  std::uint64_t length_left_ = 0;  // of the body, or of the current chunk
  std::uint64_t body_bytes_ = 0;
  std::size_t trailer_bytes_ = 0;
  std::string_view whole_body_;  // points into the caller's bytes
  std::string body_;
  std::string line_;  // the start of an incomplete line of the chunk framing

  std::uint16_t error_status_ = 0;
  std::string_view error_;
};

}  // namespace hyperscale::target
