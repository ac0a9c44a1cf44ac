#include "runtime/channel/channel_registry.h"

#include "base/check.h"
#include "runtime/metrics/metrics.h"

#include <fmt/format.h>

namespace hyperscale::runtime {

void ChannelRegistry::add(ChannelInfo info) {
  channels_.push_back(std::move(info));
  dropped_reported_.push_back(0);
}

void ChannelRegistry::sample(Metrics& metrics) {
  const concurrent::RankedLock lock(mutex_);
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const ChannelInfo& channel = channels_[i];
    if (channel.depth) metrics.set(Gauge::kQueueDepth, channel.name, static_cast<double>(channel.depth()));
    if (!channel.dropped) continue;
    const std::uint64_t dropped = channel.dropped();
    metrics.add(Counter::kQueueDropped, channel.name, static_cast<double>(dropped - dropped_reported_[i]));
    dropped_reported_[i] = dropped;
  }
}

std::string ChannelRegistry::markdown() const {
  std::string text = "| channel | kind | capacity | when full |\n|---|---|---|---|\n";
  for (const ChannelInfo& channel : channels_) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", channel.name, channel.kind, channel.capacity, channel.when_full);
  }
  return text;
}

std::string ChannelRegistry::overflow_text(concurrent::Overflow overflow) {
  switch (overflow) {
    case concurrent::Overflow::kReject:
      return "reject new";
    case concurrent::Overflow::kDropOldest:
      return "drop oldest";
    case concurrent::Overflow::kCoalesce:
      return "coalesce to newest";
  }
  UNREACHABLE("overflow {}", static_cast<int>(overflow));
}

}  // namespace hyperscale::runtime
