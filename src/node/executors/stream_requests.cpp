#include "node/executors/stream_requests.h"

#include "stream/stream_messages.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using stream::Driver;

std::vector<std::uint8_t> announcement_of(const Driver& driver) {
  stream::Announcement out;
  for (const stream::StreamReport& report : driver.streams()) {
    if (out.streams.size() == stream::kAnnouncedMax) break;
    out.streams.push_back({report.stream.value(), report.current.value(), report.has_regions});
  }
  const MonoTime now = driver.now();
  for (const stream::Lease& lease : driver.leases()) {
    if (out.leases.size() == stream::kAnnouncedMax) break;
    out.leases.push_back({.lease = lease.id.value(),
                          .stream = lease.stream.value(),
                          .is_producer = lease.role == stream::Role::kProducer,
                          .client = lease.client.value(),
                          .mapped = lease.mapped.value(),
                          .left = std::max(lease.expires - now, Duration::zero())});
  }
  const stream::DriverCounters& counters = driver.counters();
  out.epoch_gc_runs = counters.epoch_gc_runs;
  out.epoch_gc_removed = counters.epoch_gc_removed;
  out.epoch_gc_skipped.assign(counters.epoch_gc_skipped.begin(), counters.epoch_gc_skipped.end());
  out.epochs_on_disk = counters.epochs_on_disk;
  return encode(out);
}

Result<std::vector<std::uint8_t>> message_of(const Result<stream::ConsumerGrant>& grant) {
  if (!grant) return fail(grant.error());
  return encode(stream::GrantMessage{.lease = grant->lease.value(),
                                     .epoch = grant->epoch.value(),
                                     .has_regions = grant->has_regions,
                                     .lease_left = std::max(grant->lease_left, Duration::zero()),
                                     .folder = grant->folder});
}

}  // namespace

Result<std::vector<std::uint8_t>> answer_stream_request(Driver& driver, std::string_view method, ByteView body,
                                                        pid_t peer) {
  if (method == stream::kAnnounceMethod) return announcement_of(driver);
  const auto request = stream::decode_request(body);
  if (!request) return fail(request.error());
  const auto pid = static_cast<std::uint64_t>(peer);
  const stream::LeaseId lease(request->lease);
  if (method == stream::kAttachMethod) {
    if (request->layout_version != stream::kLayoutVersion)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("layout version {}; this run has {}", request->layout_version, stream::kLayoutVersion));
    return message_of(driver.attach_consumer(stream::StreamNumber(request->stream), pid));
  }
  if (method == stream::kKeepaliveMethod)
    return message_of(driver.keep_alive(lease, pid, stream::Epoch(request->mapped)));
  if (method == stream::kDetachMethod) {
    if (Status ended = driver.detach(lease, pid); !ended) return fail(ended.error());
    return std::vector<std::uint8_t>();
  }
  return fail(ErrorCode::kNotFound, "streams answer to attach, keepalive, detach and announce");
}

}  // namespace hyperscale::node
