// ReplayGuard: accepts each message once (SEC-4). A message id is a snowflake: the time inside must lie in a sliding
// window around now, and no id of one source passes twice.
//
// `source` is the sender's address inside the opened message. The source address of the packet must not be used: an
// attacker who replays a packet can forge it.
//
// Thread rule: one thread at a time. Memory is bounded by ReplayConfig. Evicting an id raises a floor below which every
// id counts as stale, so overflow refuses late messages and never accepts a repeated one.
#pragma once

#include "base/snowflake.h"
#include "base/time.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace hyperscale::wire {

struct ReplayConfig {
  Duration back = 60s;
  Duration ahead = 5s;
  std::size_t ids_per_source_max = 4096;
  std::size_t ids_max = std::size_t{1} << 20;
  std::size_t sources_max = 16384;
};

enum class ReplayVerdict : std::uint8_t {
  kFresh,
  kDuplicate,
  kStale,  // before the window, or below the floor
  kAhead,  // beyond the window: the sender's clock is wrong
};
std::string_view name(ReplayVerdict verdict);

class ReplayGuard {
 public:
  // Ids made before `not_before` are stale: an empty guard does not know what its predecessor accepted.
  explicit ReplayGuard(ReplayConfig config = {}, WallTime not_before = {});

  // kFresh also remembers the id.
  ReplayVerdict check(const NodeAddress& source, SnowflakeId id, WallTime now);

  std::size_t remembered_ids() const { return ids_; }
  std::size_t sources() const { return sources_.size(); }
  // Ids evicted before they left the window.
  std::uint64_t forgotten() const { return forgotten_; }

 private:
  struct Source {
    std::deque<SnowflakeId> seen;  // ascending
    SnowflakeId floor;             // ids up to this one are stale
    WallTime last_heard;
  };

  static SnowflakeId last_id_before(WallTime time);
  Source& add_source(const NodeAddress& address, WallTime now);
  void heard_from(const NodeAddress& address, Source& source, WallTime now);
  void expire(Source& source, WallTime now);
  void forget_oldest_id(Source& source);
  void forget_silent_sources(WallTime now);
  void forget_quietest_source();

  ReplayConfig config_;
  SnowflakeId floor_of_strangers_;  // initial floor of unknown and evicted sources
  std::map<NodeAddress, Source> sources_;
  std::set<std::pair<WallTime, NodeAddress>> by_last_heard_;
  std::size_t ids_ = 0;
  std::uint64_t forgotten_ = 0;
};

}  // namespace hyperscale::wire
