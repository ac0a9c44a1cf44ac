// BodyFeed: the body of an answer that comes in pieces as time goes by, such as server-sent events. The server asks for
// the next piece only when the last one has left, so a slow peer holds up itself and nobody else.
//
// Thread rule: the strand of the connection. next() has one caller at a time. After stop() (the peer is gone, or the
// server closes) the wait in next() ends soon, and what it still gives is the last of it.
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
