// H2Session: HTTP/2 on one connection. nghttp2 is the protocol (sans-IO); this class moves its bytes and runs one
// coroutine per stream, so each request has its own handler, deadline and permit.
//
// One coroutine reads, one writes; nothing else touches the socket. What waits to be sent is bounded by the number of
// streams: an answer's body stays in its stream until the peer's window and the socket take it, and of a feed one
// piece. Abuse: streams at once, head size, acknowledgements in the queue and resets without answers are all limited; a
// peer over a limit gets GOAWAY or is cut off. Thread rule: the strand of the connection. Kept alive by its coroutines.
#pragma once

#include "runtime/http/byte_stream.h"
#include "runtime/http/exchange.h"
#include "runtime/http/request_pipeline.h"
#include "runtime/http/session.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::runtime {

class H2Session final : public Session, public std::enable_shared_from_this<H2Session> {
 public:
  H2Session(std::shared_ptr<RequestPipeline> pipeline, asio::any_io_executor strand, ByteStream& stream,
            ReadBuffer& buffer, const Peer& peer);
  ~H2Session() override;

  // Returns when the connection is closed.
  asio::awaitable<void> run();
  void begin_close() override;
  void cancel() override;

 private:
  struct Stream {
    RequestHead head;
    std::uint64_t head_bytes = 0;
    std::shared_ptr<Exchange> exchange;  // null until the head is complete, and for a refused request
    Response response;
    std::size_t sent = 0;
    bool request_ended = false;
    bool answered = false;
    bool head_request = false;
    // Of an answer with a feed: `response.body` is its newest piece.
    bool feed_ended = false;
    std::shared_ptr<asio::steady_timer> piece_sent = nullptr;
  };
  struct Nghttp2;  // the session and its callbacks
  friend struct Nghttp2;

  asio::awaitable<void> read_loop();
  static asio::awaitable<void> write_loop(std::shared_ptr<H2Session> self);
  static asio::awaitable<void> serve_stream(std::shared_ptr<H2Session> self, std::int32_t id,
                                            std::shared_ptr<Exchange> exchange);
  asio::awaitable<void> send_feed(std::int32_t id, std::shared_ptr<BodyFeed> feed);
  bool receive(std::string_view bytes);
  bool gather_output();
  void wake_writer() { writer_wake_.cancel(); }
  void limit_idle_time();

  Stream* find(std::int32_t id);
  void head_complete(std::int32_t id, bool end_of_request);
  void start_admitted();
  void respond(std::int32_t id, Response response);
  void stream_closed(std::int32_t id);
  void stop_feeds();
  void count_reset();

  std::shared_ptr<RequestPipeline> pipeline_;
  std::shared_ptr<const HttpLimits> limits_;
  asio::any_io_executor strand_;
  ByteStream& stream_;
  ReadBuffer& buffer_;
  const Peer& peer_;
  std::unique_ptr<Nghttp2> nghttp2_;
  std::map<std::int32_t, Stream> streams_;
  std::vector<std::int32_t> admitted_;  // streams whose coroutine starts once nghttp2 has returned
  std::string output_;                  // one batch on its way to the socket
  asio::steady_timer writer_wake_;
  asio::steady_timer writer_ended_;
  std::uint64_t resets_ = 0;
  std::uint64_t answers_ = 0;  // complete ones
  bool goaway_submitted_ = false;
  bool reading_ended_ = false;
  bool writing_ended_ = false;
};

}  // namespace hyperscale::runtime
