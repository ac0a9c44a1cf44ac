// StreamTail: a consumer of the streams of one run. It attaches to streams that have a producer, renews its leases,
// maps the granted epochs and reads their samples.
//
// One thread; look() blocks for answers. When a lease ends, its epoch is unmapped and the next look() attaches again.
// An epoch that cannot be mapped is reported once and retried at each look(), which keeps its lease.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "stream/stream_messages.h"
#include "stream/subscription.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hyperscale::app {

class StreamTail {
 public:
  struct Setup {
    // Sends a request to the driver of the run and returns its answer.
    std::function<Result<std::string>(std::string_view method, const stream::StreamRequest& request)> ask;
    std::function<void(const std::string& sentence)> complain;
    std::string base;
    std::optional<std::uint32_t> only;  // empty: all streams
    bool from_start = false;            // begin with the oldest samples in the ring
  };
  explicit StreamTail(Setup setup) : setup_(std::move(setup)) {}

  // Attaches to new streams and renews the leases of the others. Fails if the run does not answer or has no stream
  // `only`.
  Status look();
  // True if it has leases, but none of their epochs could be mapped.
  bool nothing_can_be_read() const;
  // Longest time until the next look() in which no lease expires.
  Duration look_every() const { return look_every_; }

  // Calls take(stream, const Sample&) for each sample of at most one frame per stream; false when there was none.
  template <typename Take>
  bool read(const Take& take) {
    bool any = false;
    for (auto& [number, followed] : followed_) {
      if (!followed.subscription) continue;
      any |= followed.subscription->samples().poll([&](const stream::Sample& sample) { take(number, sample); });
    }
    return any;
  }

  void leave();
  stream::Missed missed() const;

 private:
  struct Followed {
    std::uint64_t lease = 0;
    std::uint64_t epoch = 0;       // last granted, mapped or not
    std::uint64_t complained = 0;  // epoch of the last complaint
    bool mapped_before = false;
    std::optional<stream::Subscription> subscription;
  };

  Result<stream::GrantMessage> ask_for_grant(std::string_view method, const stream::StreamRequest& request);
  void attach(std::uint32_t number);
  void keep(std::uint32_t number, Followed& followed);
  void map(std::uint32_t number, Followed& followed, const stream::GrantMessage& grant);
  void forget(Followed& followed);

  const Setup setup_;
  std::map<std::uint32_t, Followed> followed_;
  stream::Missed missed_;  // by closed subscriptions
  Duration look_every_{};
};

}  // namespace hyperscale::app
