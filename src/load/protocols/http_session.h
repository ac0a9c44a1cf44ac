// HttpSession: one HTTP conversation on one open transport, HTTP/1.1 or HTTP/2. Sans-IO except for the transport it
// writes to.
//
// A session carries up to `capacity()` exchanges at once, each identified by a slot number that the caller chose. Every
// request passed to send_request() ends in exactly one on_response_complete, on_response_failed, on_unprocessed,
// on_unwritten or on_lost. When the session cannot accept another request (Connection: close, GOAWAY, stream ids used
// up) `usable()` turns false; requests in flight still end. on_session_over() comes once, after the last of them, when
// the caller has to close the transport.
#pragma once

#include "base/bytes.h"
#include "base/time.h"
#include "load/protocols/byte_counts.h"
#include "results/outcome.h"

#include <cstdint>
#include <string_view>

namespace hyperscale::load {

struct PreparedRequest;

struct ResponseHead {
  std::uint16_t status = 0;
  std::uint8_t http_major = 1;
  std::uint8_t http_minor = 1;
};

// Header fields that redirects, cookies and the decoding of bodies need: reported for every request.
constexpr bool always_told(std::string_view lower_name) {
  return lower_name == "location" || lower_name == "set-cookie" || lower_name == "content-encoding";
}

class SessionEvents {
 public:
  // First byte of the final answer (not of a 1xx). Once per exchange.
  virtual void on_first_byte(std::uint32_t slot) = 0;
  // Header fields of the final answer in order, names in lower case; without PreparedRequest::wants_headers only those
  // of always_told(). Then the head.
  virtual void on_header(std::uint32_t slot, std::string_view name, std::string_view value) = 0;
  virtual void on_head(std::uint32_t slot, const ResponseHead& head) = 0;
  // Body bytes after transfer decoding (not content decoding); only when PreparedRequest::wants_body or the status is a
  // failure.
  virtual void on_body(std::uint32_t slot, ByteView bytes) = 0;
  // `bytes` are those of the exchange itself: HTTP/1.1 messages, or HEADERS, CONTINUATION and DATA frames of its
  // stream. Of a request that was cut only written bytes count. Bytes of no exchange belong to the connection.
  virtual void on_response_complete(std::uint32_t slot, const ByteCounts& bytes) = 0;
  virtual void on_response_failed(std::uint32_t slot, results::Outcome outcome, std::string_view detail,
                                  const ByteCounts& bytes) = 0;
  // Bytes of an answer around the place where it breaks the protocol. Comes before on_response_failed().
  virtual void on_faulty_bytes(std::uint32_t /*slot*/, std::string_view /*bytes*/) {}
  // The peer declared that it will not process this request (it followed an answer with Connection: close, or a GOAWAY
  // or REFUSED_STREAM excluded it): it may be sent again. It was written, so that counts as `resent`.
  virtual void on_unprocessed(std::uint32_t slot, const ByteCounts& bytes) = 0;
  // The request was accepted and not a byte of it written: it goes to another connection and does not count as
  // `resent`.
  virtual void on_unwritten(std::uint32_t slot) { on_unprocessed(slot, {}); }
  // The connection, on which others had been answered, ended before a byte of this answer: most likely the peer closed
  // it while the request was in transit (RFC 9112, section 9.3.1). It may be sent again if its method is idempotent.
  virtual void on_lost(std::uint32_t slot, results::Outcome outcome, std::string_view detail, const ByteCounts& bytes) {
    on_response_failed(slot, outcome, detail, bytes);
  }
  virtual void on_session_over() = 0;

 protected:
  ~SessionEvents() = default;
};

class HttpSession {
 public:
  virtual ~HttpSession() = default;
  virtual std::uint32_t capacity() const = 0;  // requests that may be in flight at once, as of now
  virtual std::uint32_t in_flight() const = 0;
  virtual bool usable() const = 0;
  // REQUIRES: usable() && in_flight() < capacity(). flush() may write several requests in one send.
  virtual void send_request(std::uint32_t slot, const PreparedRequest& request) = 0;
  virtual void flush() = 0;
  // Of an exchange in flight, so far; zero for a slot without one.
  virtual ByteCounts bytes_of(std::uint32_t slot) const = 0;
  // All bytes written and read, including those of exchanges.
  virtual ByteCounts bytes() const = 0;
  // Abandons one exchange (timeout); on_response_failed is NOT called for it. HTTP/2 resets the stream; HTTP/1.1 cannot
  // continue afterwards: usable() turns false and the other written exchanges fail with `kCut`.
  virtual void abandon(std::uint32_t slot) = 0;
  // No further event, not even for requests in flight; the session is about to be destroyed. Allowed inside a callback.
  virtual void silence() = 0;

  // From the transport.
  virtual void on_bytes(ByteView bytes) = 0;
  virtual void on_sent() = 0;
  virtual void on_end() = 0;
  // The transport broke: everything in flight fails with this.
  virtual void on_broken(results::Outcome outcome, std::string_view detail) = 0;
};

}  // namespace hyperscale::load
