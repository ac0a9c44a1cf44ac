// H1Parser: one HTTP/1.x request from bytes, with our limits and our strictness on top of Beast's parser. Sans-IO.
//
// Feed it the read buffer; it returns how many bytes it used and its state. It stops after the head (kHeadDone) so that
// the caller can refuse before a body is read; take_body() continues.
// Thread rule: one owner. After kMalformed, kHeadTooLarge or kBodyTooLarge the parser and its connection are finished.
#pragma once

#include "runtime/http/body_buffer.h"
#include "runtime/http/request_head.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace hyperscale::runtime {

class H1Parser {
 public:
  enum class Progress : std::uint8_t {
    kNeedMore,
    kHeadDone,  // the body, if any, waits for take_body()
    kDone,
    kMalformed,
    kHeadTooLarge,
    kBodyTooLarge,
  };
  struct Fed {
    std::size_t used;
    Progress progress;
  };

  explicit H1Parser(std::uint64_t head_bytes_max);
  ~H1Parser();

  Fed feed(std::string_view input);
  // The body of this request goes into `body`, which must outlive the parsing. REQUIRES: the head is done.
  void take_body(BodyBuffer& body);

  // REQUIRES: the head is done.
  RequestHead& head();
  bool done() const;  // nothing is left to read of this request
  bool keep_alive() const;
  // HTTP/1.0 has no chunks: a body without a length ends with the connection.
  bool takes_chunks() const;
  bool expects_continue() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hyperscale::runtime
