// H2Session: HTTP/2 on one connection. nghttp2 is the protocol (sans-IO); this class moves its bytes and runs one
// coroutine per stream, so each request has its own handler, deadline and permit.
//
// One coroutine reads, one writes; nothing else touches the socket. An answer's body stays in its stream until the
// peer's window and the socket accept it, and of a feed one piece; pending bytes are bounded per connection, and an
// answer beyond that is replaced by a refusal. Time: a head that has begun must be complete within the read timeout,
// and the peer must read each piece of an answer within the write timeout, for any window size. Abuse: concurrent
// streams, head size, acknowledgements in the queue and resets without answers are all limited; a peer over a limit
// gets GOAWAY or is disconnected. Failure: an exception ends the connection; run() ends with it when nothing runs any
// more.
// Thread rule: the strand of the connection. Kept alive by its coroutines.
#pragma once

#include "runtime/http/byte_stream.h"
#include "runtime/http/exchange.h"
#include "runtime/http/request_pipeline.h"
#include "runtime/http/session.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
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
    // While bytes of the answer wait: when the next piece must have been taken, and where it ends.
    std::optional<std::chrono::steady_clock::time_point> take_by = std::nullopt;
    std::size_t piece_end = 0;
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
  void writer_ended(const std::exception_ptr& failure);
  void stream_failed(std::int32_t id, const std::exception_ptr& failure);
  void wake_writer() { writer_wake_.cancel(); }
  void limit_reading_time();

  Stream* find(std::int32_t id);
  void head_began(std::int32_t id);
  void take_header(Stream& stream, std::string_view name, std::string_view value);
  void head_complete(std::int32_t id, bool end_of_request);
  void start_admitted();
  void respond(std::int32_t id, Response response);
  std::size_t unsent_bytes() const;
  void expect_piece(Stream& stream);
  void watch_answers();
  void reset_stalled();
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
  asio::steady_timer answer_watch_;
  bool watching_answers_ = false;
  std::int32_t head_open_ = 0;  // the stream whose head has begun and is not complete; 0: none
  std::exception_ptr callback_failure_;
  std::uint64_t resets_ = 0;
  std::uint64_t answers_ = 0;  // complete ones
  bool goaway_submitted_ = false;
  bool reading_ended_ = false;
  bool writing_ended_ = false;
};

}  // namespace hyperscale::runtime
