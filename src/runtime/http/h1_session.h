// H1Session: HTTP/1.1 (and 1.0) on one connection. Requests are answered one after the other, in order; a pipelined
// request waits in the read buffer, which is bounded, and beyond that in the peer.
//
// Thread rule: the strand of the connection.
#pragma once

#include "runtime/http/byte_stream.h"
#include "runtime/http/exchange.h"
#include "runtime/http/h1_parser.h"
#include "runtime/http/request_pipeline.h"
#include "runtime/http/session.h"

#include <memory>
#include <optional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

class H1Session final : public Session {
 public:
  // `buffer` may already hold the first bytes of the peer.
  H1Session(std::shared_ptr<RequestPipeline> pipeline, asio::any_io_executor strand, ByteStream& stream,
            ReadBuffer& buffer, const Peer& peer);

  // Returns when the connection is closed.
  asio::awaitable<void> run();
  void begin_close() override;
  void cancel() override;

 private:
  enum class Next : std::uint8_t { kServe, kClose, kCloseAfterLinger };

  asio::awaitable<Next> serve_one();
  asio::awaitable<std::optional<Next>> read_head(H1Parser& parser);
  asio::awaitable<std::optional<Response>> read_body(H1Parser& parser);
  asio::awaitable<Response> run_handler();
  asio::awaitable<Next> respond(const Response& response, bool keep_alive, bool with_body);
  asio::awaitable<Next> respond_in_pieces(const Response& response, bool keep_alive, bool chunked);
  asio::awaitable<Next> reject(int status, std::string_view message, std::string_view reason);
  asio::awaitable<bool> skip_body(H1Parser& parser);
  asio::awaitable<IoEnd> read_more();
  H1Parser::Progress feed(H1Parser& parser);

  std::shared_ptr<RequestPipeline> pipeline_;
  std::shared_ptr<const HttpLimits> limits_;
  asio::any_io_executor strand_;
  ByteStream& stream_;
  ReadBuffer& buffer_;
  const Peer& peer_;
  std::shared_ptr<Exchange> exchange_;  // of the request being answered
  std::shared_ptr<BodyFeed> feed_;      // of the answer being sent
  bool first_request_ = true;
  bool idle_ = false;  // waiting for the first byte of a request
  bool closing_ = false;
};

}  // namespace hyperscale::runtime
