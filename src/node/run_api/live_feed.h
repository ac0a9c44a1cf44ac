// LiveFeed: the moments of a run as server-sent events: one at once, then one per interval. A slow reader gets fewer
// events, always with the newest moment; a comment in the next event counts the missed ones.
//
//   event: moment            event: end
//   id: 1234 (the tick)      data: {...}    (the last one, when the run is over)
//   data: {...}
//
// Thread rule: the strand of the connection, which also calls the source.
#pragma once

#include "base/time.h"
#include "live/live_line.h"
#include "runtime/http/body_feed.h"

#include <chrono>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::node {

namespace asio = boost::asio;

inline constexpr Duration kFeedIntervalDefault = 1s;
inline constexpr Duration kFeedIntervalMin = 50ms;
inline constexpr Duration kFeedIntervalMax = 60s;

class LiveFeed final : public runtime::BodyFeed {
 public:
  // REQUIRES: an interval within the limits above.
  LiveFeed(const asio::any_io_executor& executor, live::LiveSource source, Duration interval);

  asio::awaitable<std::optional<std::string>> next() override;
  void stop() override;

 private:
  asio::steady_timer timer_;
  live::LiveSource source_;
  const Duration interval_;
  std::optional<std::chrono::steady_clock::time_point> due_;  // time of the next event; empty before the first
  bool stopped_ = false;
  bool ended_ = false;
};

}  // namespace hyperscale::node
