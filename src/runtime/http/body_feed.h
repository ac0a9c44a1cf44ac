// BodyFeed: a streamed response body, such as server-sent events. The server requests the next piece only when the last
// one is sent, so a slow peer delays only itself.
//
// Thread rule: the strand of the connection. next() has one caller at a time. After stop() (the peer disconnected, or
// the server closes) the wait in next() ends soon, and its piece is the last one.
#pragma once

#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

class BodyFeed {
 public:
  BodyFeed() = default;
  BodyFeed(const BodyFeed&) = delete;
  BodyFeed& operator=(const BodyFeed&) = delete;
  virtual ~BodyFeed() = default;

  // The next piece, not empty; nothing at the end.
  virtual boost::asio::awaitable<std::optional<std::string>> next() = 0;
  virtual void stop() = 0;
};

}  // namespace hyperscale::runtime
