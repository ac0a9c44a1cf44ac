// Http2Session: nghttp2's server session, its settings and the callbacks that turn frames into calls of
// Http2Connection. Single-threaded; made and used by Http2Connection only.
#pragma once

#include "target/http2_stream.h"

#include <cstdint>
#include <memory>

#include <nghttp2/nghttp2.h>

namespace hyperscale::target {

class Http2Session {
 public:
  explicit Http2Session(Http2Connection& owner);

  nghttp2_session* get() const { return session_.get(); }
  // Queues the answer; the body is read from the stream as the peer's window allows.
  void submit_answer(const Http2Stream& stream, bool with_body);
  void submit_reset(const Http2Stream& stream);
  // Refuses streams after those that were already opened.
  void submit_goaway();

 private:
  struct Deleter {
    void operator()(nghttp2_session* session) const { nghttp2_session_del(session); }
  };
  std::unique_ptr<nghttp2_session, Deleter> session_;
};

}  // namespace hyperscale::target
