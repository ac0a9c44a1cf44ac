// Answer: the behaviour that a route selects, as a value. Both protocols implement it.
//
// An Answer is reused: clear() keeps the memory of its strings, so that an answer to a small request allocates nothing.
#pragma once

#include "base/time.h"
#include "target/filler.h"
#include "target/stall.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::target {

enum class Ending : std::uint8_t {
  kNormal,
  kHalf,     // half of the declared body, then the end
  kReset,    // no answer: RST (HTTP/2: RST_STREAM)
  kNever,    // no answer and no end
  kGarbage,  // bytes that are not HTTP
};

inline constexpr std::string_view kTextType = "text/plain";
inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kGarbageBytes = "\x01\x02 this is not HTTP \xff\xfe\r\n\r\n";

struct ExtraField {
  std::string_view name;  // lower case, outlives the answer
  std::string value;
};

struct Answer {
  std::uint16_t status = 200;
  std::string_view content_type = kTextType;  // outlives the answer
  std::vector<ExtraField> extra;
  std::string body;
  std::uint64_t filler_bytes = 0;  // size of a body of filler, if `body` is empty
  std::uint64_t chunk_bytes = 0;   // HTTP/1.1: chunked, in pieces of this size; 0: Content-Length
  Duration drip_every{};           // the body goes out in groups of kDripBytes, one per interval
  Duration delay{};
  std::optional<Stall> stall;
  bool close = false;  // the connection ends after this answer
  Ending ending = Ending::kNormal;

  void clear() {
    status = 200;
    content_type = kTextType;
    extra.clear();
    body.clear();
    filler_bytes = chunk_bytes = 0;
    drip_every = delay = {};
    stall.reset();
    close = false;
    ending = Ending::kNormal;
  }

  bool may_have_body() const { return status != 204 && status != 304; }
  std::uint64_t body_bytes() const { return body.empty() ? filler_bytes : body.size(); }
  // How many bytes of the body are sent.
  std::uint64_t sent_body_bytes() const { return ending == Ending::kHalf ? body_bytes() / 2 : body_bytes(); }
  void append_body(std::string& out, std::uint64_t at, std::size_t count) const {
    if (body.empty()) {
      append_filler(out, at, count);
    } else {
      out.append(body, at, count);
    }
  }
};

}  // namespace hyperscale::target
