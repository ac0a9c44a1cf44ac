// StreamTail: a consumer of the streams of one run. It attaches to those that have a producer, keeps its leases, maps
// the epochs that it is told and reads their samples.
//
// One thread; look() blocks for answers. A lease that has ended is given up with what it gave, and asked for again. An
// epoch that cannot be mapped is told once and tried again at each look; its lease is kept meanwhile.
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
    // Carries a request to the driver of the run, and its answer back.
    std::function<Result<std::string>(std::string_view method, const stream::StreamRequest& request)> ask;
    std::function<void(const std::string& sentence)> complain;
    std::string base;
    std::optional<std::uint32_t> only;  // none: all streams
    bool from_start = false;            // with what the ring still has, instead of with what comes
  };
  explicit StreamTail(Setup setup) : setup_(std::move(setup)) {}

  // Attaches to streams that are new, and keeps the leases of the others. Fails when the run does not answer or has no
  // stream that is meant.
  Status look();
  // It has leases, and no epoch of any of them could be mapped.
  bool nothing_can_be_read() const;
  // How long the next look may wait, so that no lease ends in between.
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
    std::uint64_t epoch = 0;       // that was granted last, mapped or not
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
  stream::Missed missed_;  // by subscriptions that are gone
  Duration look_every_{};
};

}  // namespace hyperscale::app
