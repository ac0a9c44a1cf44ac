// ChannelRegistry: every channel of a node with its kind, capacity and overflow policy, in one table that the node
// exports (queue_depth, queue_dropped_total), shows on its status page, and that a test compares with docs/channels.md.
// Thread rule: add() while the node is put together; sampling from any thread afterwards.
#pragma once

#include "concurrent/bounded_queue.h"
#include "concurrent/ranked_mutex.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::runtime {

class Metrics;

struct ChannelInfo {
  std::string name;
  std::string kind;  // "queue", "fan-out", "last value"
  std::size_t capacity = 0;
  std::string
      when_full;  // "reject new", "drop oldest", "coalesce to newest", "oldest lost to slow receiver", "overwritten"
  std::function<std::size_t()> depth;      // may be empty
  std::function<std::uint64_t()> dropped;  // may be empty
};

class ChannelRegistry {
 public:
  void add(ChannelInfo info);

  template <typename T>
  void add_queue(std::string name, const concurrent::BoundedQueue<T>& queue) {
    add({std::move(name), "queue", queue.capacity(), overflow_text(queue.overflow()), [&queue] { return queue.size(); },
         [&queue] { return queue.counts().dropped; }});
  }

  const std::vector<ChannelInfo>& channels() const { return channels_; }
  // Brings queue_depth and queue_dropped_total up to date.
  void sample(Metrics& metrics);
  // The table of docs/channels.md.
  std::string markdown() const;

 private:
  static std::string overflow_text(concurrent::Overflow overflow);

  std::vector<ChannelInfo> channels_;
  concurrent::RankedMutex mutex_{concurrent::LockRank::kCounters};
  std::vector<std::uint64_t> dropped_reported_;
};

}  // namespace hyperscale::runtime
