#include "apps/hyperscale/stream/stream_tail.h"

#include "base/bytes.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

using stream::SampleFollower;

// Longest time until a new stream is found, independent of the lease time.
constexpr Duration kLookEveryMax = 1s;
constexpr Duration kLookEveryMin = 1ms;
constexpr int kLooksPerLease = 3;

void add(stream::Missed& sum, const stream::Missed& one) {
  sum.samples += one.samples;
  sum.drops_gap += one.drops_gap;
  sum.drops_late += one.drops_late;
}

}  // namespace

Status StreamTail::look() {
  const auto answer = setup_.ask(stream::kAnnounceMethod, {});
  if (!answer) return fail(answer.error());
  const auto announced = stream::decode_announcement(as_bytes(*answer));
  if (!announced) return fail(announced.error());
  if (setup_.only && std::ranges::find(announced->streams, *setup_.only, &stream::AnnouncedStream::stream) ==
                         announced->streams.end()) {
    return fail(ErrorCode::kNotFound, fmt::format("the run has no stream {}", *setup_.only));
  }
  look_every_ = kLookEveryMax;
  for (const stream::AnnouncedStream& one : announced->streams) {
    if (setup_.only && one.stream != *setup_.only) continue;
    const auto known = followed_.find(one.stream);
    if (known != followed_.end()) {
      keep(one.stream, known->second);
    } else if (one.has_regions) {
      attach(one.stream);
    }
  }
  return {};
}

Result<stream::GrantMessage> StreamTail::ask_for_grant(std::string_view method, const stream::StreamRequest& request) {
  const auto answer = setup_.ask(method, request);
  auto grant = answer ? stream::decode_grant(as_bytes(*answer)) : fail(answer.error());
  if (grant) look_every_ = std::max(kLookEveryMin, std::min(look_every_, grant->lease_left / kLooksPerLease));
  return grant;
}

void StreamTail::attach(std::uint32_t number) {
  const auto grant = ask_for_grant(stream::kAttachMethod, {.stream = number});
  // Its producer may have ended meanwhile; the next look() retries.
  if (!grant) return;
  Followed& followed = followed_[number];
  followed.lease = grant->lease;
  map(number, followed, *grant);
}

void StreamTail::keep(std::uint32_t number, Followed& followed) {
  const auto grant =
      ask_for_grant(stream::kKeepaliveMethod, {.stream = number, .lease = followed.lease, .mapped = followed.epoch});
  if (!grant) {
    // The lease has ended: its epoch must not be read any longer.
    forget(followed);
    followed_.erase(number);
    return;
  }
  const bool is_new = grant->epoch != followed.epoch || !followed.subscription;
  if (is_new && grant->has_regions) map(number, followed, *grant);
}

// Drops unread samples of the old epoch.
void StreamTail::map(std::uint32_t number, Followed& followed, const stream::GrantMessage& grant) {
  const bool from_start = setup_.from_start || followed.mapped_before;
  forget(followed);
  followed.epoch = grant.epoch;
  auto opened =
      stream::Subscription::open(setup_.base, grant.folder, stream::StreamNumber(number), stream::Epoch(grant.epoch),
                                 from_start ? SampleFollower::From::kOldest : SampleFollower::From::kNewest);
  if (opened) {
    followed.subscription = std::move(*opened);
    followed.mapped_before = true;
  } else if (std::exchange(followed.complained, grant.epoch) != grant.epoch) {
    setup_.complain(fmt::format("stream {}: {}", number, opened.error().context));
  }
}

void StreamTail::forget(Followed& followed) {
  if (followed.subscription) add(missed_, followed.subscription->missed());
  followed.subscription.reset();
}

bool StreamTail::nothing_can_be_read() const {
  return !followed_.empty() &&
         std::ranges::none_of(followed_, [](const auto& one) { return one.second.subscription.has_value(); });
}

void StreamTail::leave() {
  for (const auto& [number, followed] : followed_)
    (void)setup_.ask(stream::kDetachMethod, {.stream = number, .lease = followed.lease});
}

stream::Missed StreamTail::missed() const {
  stream::Missed sum = missed_;
  for (const auto& [number, followed] : followed_) {
    if (followed.subscription) add(sum, followed.subscription->missed());
  }
  return sum;
}

}  // namespace hyperscale::app
