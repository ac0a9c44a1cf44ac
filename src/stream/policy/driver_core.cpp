#include "stream/policy/driver_core.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::stream {

Actions<DriverCore::Action> DriverCore::step(const Event& event, MonoTime now) {
  Out out;
  std::visit([&](const auto& one) { handle(one, now, out); }, event);
  return out;
}

void DriverCore::handle(const Started& event, MonoTime now, Out& out) {
  announced_ = collected_ = now;
  for (const FoundStream& found : event.on_disk) streams_[found.stream] = {.current = found.highest};
  if (policies_.epoch_gc_on_startup) collect_all(out);
}

void DriverCore::refuse(std::uint64_t correlation, ResponseCode code, std::string text, Out& out) {
  ++counters_.attaches_refused;
  out.emplace_back(Answer{.correlation = correlation, .code = code, .text = std::move(text)});
}

void DriverCore::handle(const AttachAsked& event, MonoTime now, Out& out) {
  if (stopped_) return refuse(event.correlation, ResponseCode::kRejected, "the driver is stopping", out);
  if (event.layout_version != kLayoutVersion)
    return refuse(event.correlation, ResponseCode::kUnsupported,
                  fmt::format("layout version {}; this driver has {}", event.layout_version, kLayoutVersion), out);
  if (event.client.id == ClientId())
    return refuse(event.correlation, ResponseCode::kRejected, "the process of the client cannot be seen from here",
                  out);
  if (event.role == Role::kConsumer) return attach_consumer(event, now, out);
  attach_producer(event, out);
}

void DriverCore::attach_consumer(const AttachAsked& asked, MonoTime now, Out& out) {
  const auto stream = streams_.find(asked.stream);
  if (stream == streams_.end() || !stream->second.has_regions)
    return refuse(asked.correlation, ResponseCode::kInvalidParams,
                  fmt::format("stream {} has no producer", asked.stream), out);
  grant(asked, now, out);
}

void DriverCore::attach_producer(const AttachAsked& asked, Out& out) {
  if (Status fits = asked.layout.check(); !fits)
    return refuse(asked.correlation, ResponseCode::kInvalidParams, fits.error().context, out);
  if (leases_.producer_of(asked.stream) != nullptr || pending_.contains(asked.stream))
    return refuse(asked.correlation, ResponseCode::kRejected, fmt::format("stream {} has a producer", asked.stream),
                  out);
  const StreamState& state = streams_[asked.stream];
  const Epoch epoch = state.vacant ? state.current : next_of(state.current);
  if (epoch > kEpochMax)
    return refuse(asked.correlation, ResponseCode::kInternalError,
                  fmt::format("no epoch of stream {} can come after {}", asked.stream, kEpochMax), out);
  pending_[asked.stream] = {.asked = asked, .epoch = epoch};
  out.emplace_back(Provision{asked.stream, epoch, asked.client, asked.layout});
}

void DriverCore::handle(const Provisioned& event, MonoTime now, Out& out) {
  const auto found = pending_.find(event.stream);
  if (found == pending_.end()) return;
  Pending& pending = found->second;
  const bool may_collect = policies_.epoch_gc_enabled && !pending.retried;
  if (event.how == Provisioned::How::kNoRoom && may_collect) {
    pending.retried = true;
    pending.scans_left = streams_.size();
    return collect_all(out);
  }
  const bool may_skip = pending.skipped < kEpochsSkippedMax && event.epoch < kEpochMax;
  if (event.how == Provisioned::How::kTaken && may_skip) {
    ++pending.skipped;
    pending.epoch = next_of(event.epoch);
    out.emplace_back(Provision{event.stream, pending.epoch, pending.asked.client, pending.asked.layout});
    return;
  }
  const AttachAsked asked = pending.asked;
  pending_.erase(found);
  if (event.how != Provisioned::How::kDone)
    return refuse(asked.correlation, ResponseCode::kInternalError, event.why, out);
  streams_[event.stream] = {.current = event.epoch, .has_regions = true};
  grant(asked, now, out);
  if (leases_.producer_of(event.stream) == nullptr) {
    out.emplace_back(Disown{event.stream, event.epoch});
    streams_[event.stream] = {.current = next_of(event.epoch), .vacant = true};
  }
  announce(event.stream, out);
  collect(event.stream, out);
}

void DriverCore::grant(const AttachAsked& asked, MonoTime now, Out& out) {
  const StreamState& state = streams_[asked.stream];
  const auto lease = leases_.grant(asked.stream, asked.role, asked.client.id, state.current, now);
  if (!lease) return refuse(asked.correlation, ResponseCode::kRejected, lease.error().context, out);
  ++counters_.leases_granted;
  out.emplace_back(Answer{.correlation = asked.correlation,
                          .lease = lease->id,
                          .expires = lease->expires,
                          .stream = asked.stream,
                          .epoch = state.current,
                          .has_regions = state.has_regions,
                          .text = {}});
}

void DriverCore::handle(const KeptAlive& event, MonoTime now, Out& out) {
  const std::vector<Lease> all = leases_.all();
  const auto held = std::ranges::find(all, event.lease, &Lease::id);
  if (held != all.end() && event.mapped > streams_[held->stream].current)
    return refuse(event.correlation, ResponseCode::kInvalidParams,
                  fmt::format("epoch {} does not exist yet", event.mapped), out);
  const auto lease = leases_.keep_alive(event.lease, event.client, event.mapped, now);
  if (!lease) return refuse(event.correlation, ResponseCode::kRejected, lease.error().context, out);
  const StreamState& state = streams_[lease->stream];
  out.emplace_back(Answer{.correlation = event.correlation,
                          .lease = lease->id,
                          .expires = lease->expires,
                          .stream = lease->stream,
                          .epoch = state.current,
                          .has_regions = state.has_regions,
                          .text = {}});
}

void DriverCore::handle(const DetachAsked& event, MonoTime, Out& out) {
  const auto lease = leases_.end(event.lease, event.client);
  if (!lease)
    return refuse(event.correlation, ResponseCode::kRejected, fmt::format("lease {} has ended", event.lease), out);
  out.emplace_back(Answer{.correlation = event.correlation, .lease = lease->id, .stream = lease->stream, .text = {}});
  ended(*lease, LeaseEnd::kDetached, out);
}

void DriverCore::handle(const HandedOver& event, MonoTime, Out& out) {
  const auto lease = leases_.hand_over(event.lease, event.from, event.to.id);
  if (lease && lease->role == Role::kProducer)
    out.emplace_back(Own{lease->stream, streams_[lease->stream].current, event.to});
}

void DriverCore::handle(const ClientGone& event, MonoTime, Out& out) {
  for (const Lease& lease : leases_.end_all_of(event.client)) ended(lease, LeaseEnd::kRevoked, out);
}

void DriverCore::handle(const RevokeAsked& event, MonoTime, Out& out) {
  const Lease* producer = leases_.producer_of(event.stream);
  if (producer == nullptr) return;
  if (const auto lease = leases_.end(producer->id, producer->client)) ended(*lease, LeaseEnd::kRevoked, out);
}

void DriverCore::ended(const Lease& lease, LeaseEnd how, Out& out) {
  ++counters_.leases_ended[static_cast<std::size_t>(how)];
  if (lease.role == Role::kConsumer) {
    out.emplace_back(LeaseEnded{lease, how});
    return collect(lease.stream, out);
  }
  StreamState& state = streams_[lease.stream];
  out.emplace_back(Disown{lease.stream, state.current});
  state = {.current = next_of(state.current), .has_regions = false, .vacant = true};
  out.emplace_back(LeaseEnded{lease, how});
  announce(lease.stream, out);
  collect(lease.stream, out);
}

void DriverCore::announce(StreamNumber stream, Out& out) {
  const StreamState& state = streams_[stream];
  ++counters_.announces;
  out.emplace_back(Announce{stream, state.current, state.has_regions});
}

void DriverCore::collect(StreamNumber stream, Out& out) {
  if (policies_.epoch_gc_enabled && !stopped_) out.emplace_back(Scan{stream});
}

void DriverCore::collect_all(Out& out) {
  for (const auto& [stream, state] : streams_) collect(stream, out);
}

DriverCore::Pending* DriverCore::short_of_space() {
  for (auto& [stream, pending] : pending_) {
    if (pending.scans_left > 0) return &pending;
  }
  return nullptr;
}

void DriverCore::handle(const Scanned& event, MonoTime now, Out& out) {
  Pending* waiting = short_of_space();
  const auto verdicts = judge_epochs({.found = event.found,
                                      .current = streams_[event.stream].current,
                                      .lowest_leased = leases_.lowest_referenced(event.stream),
                                      .keep = policies_.epoch_gc_keep,
                                      .min_age = policies_.min_age(),
                                      .short_of_space = waiting != nullptr},
                                     now);
  ++counters_.epoch_gc_runs;
  std::uint64_t left = 0;
  for (const GcVerdict& verdict : verdicts) {
    if (verdict.kept) {
      ++left;
      ++counters_.epoch_gc_skipped[static_cast<std::size_t>(*verdict.kept)];
    } else {
      ++counters_.epoch_gc_removed;
      out.emplace_back(Remove{event.stream, verdict.epoch});
    }
  }
  on_disk_[event.stream] = left;
  counters_.epochs_on_disk = 0;
  for (const auto& [stream, count] : on_disk_) counters_.epochs_on_disk += count;
  if (waiting == nullptr || --waiting->scans_left > 0) return;
  const AttachAsked& asked = waiting->asked;
  out.emplace_back(Provision{asked.stream, waiting->epoch, asked.client, asked.layout});
}

void DriverCore::handle(const Ticked&, MonoTime now, Out& out) {
  for (const Lease& lease : leases_.expire(now)) ended(lease, LeaseEnd::kExpired, out);
  if (now - announced_ >= policies_.announce_period()) {
    announced_ = now;
    for (const auto& [stream, state] : streams_) {
      if (!state.has_regions) continue;
      out.emplace_back(Refresh{stream, state.current});
      announce(stream, out);
    }
  }
  if (now - collected_ < policies_.min_age()) return;
  collected_ = now;
  collect_all(out);
}

void DriverCore::handle(const StopAsked&, MonoTime, Out& out) {
  if (std::exchange(stopped_, true)) return;
  for (const Lease& lease : leases_.end_all()) ended(lease, LeaseEnd::kRevoked, out);
  if (policies_.cleanup_shm_on_exit) out.emplace_back(RemoveNamespace{});
}

}  // namespace hyperscale::stream
