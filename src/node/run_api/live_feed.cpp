#include "node/run_api/live_feed.h"

#include "runtime/http/await_token.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {

LiveFeed::LiveFeed(const asio::any_io_executor& executor, live::LiveSource source, Duration interval)
    : timer_(executor), source_(std::move(source)), interval_(interval) {}

asio::awaitable<std::optional<std::string>> LiveFeed::next() {
  if (ended_) co_return std::nullopt;
  std::int64_t missed = 0;
  const auto now = std::chrono::steady_clock::now();
  if (!due_) {
    due_ = now;
  } else if (now >= *due_ + interval_) {
    missed = (now - *due_) / interval_;
    *due_ += missed * interval_;
  }
  if (!stopped_ && *due_ > now) {
    timer_.expires_at(*due_);
    co_await timer_.async_wait(runtime::kAwait);
  }
  *due_ += interval_;
  const live::LiveLine line = source_();
  ended_ = stopped_ || line.last;
  co_return fmt::format("event: {}\nid: {}\n{}data: {}\n\n", ended_ ? "end" : "moment", line.tick,
                        missed > 0 ? fmt::format(": {} missed\n", missed) : "", line.json);
}

void LiveFeed::stop() {
  stopped_ = true;
  timer_.cancel();
}

}  // namespace hyperscale::node
