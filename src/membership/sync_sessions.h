// SyncSessions: transfers of this node's table to peers, and their progress. A table is sent page by page over several
// turns to avoid a burst.
//
// Thread rule: one owner. Bounded by `sessions_max`; a request past it is refused, and the peer retries elsewhere.
#pragma once

#include "wire/node_identity.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace hyperscale::membership {

class SyncSessions {
 public:
  explicit SyncSessions(std::size_t sessions_max) : sessions_max_(sessions_max) {}

  struct Session {
    wire::NodeAddress asker;
    std::optional<wire::NodeAddress> sent_until;  // none before the first page
  };

  bool open(const wire::NodeAddress& asker) {  // a running transfer continues
    if (std::any_of(sessions_.begin(), sessions_.end(), [&](const Session& s) { return s.asker == asker; }))
      return true;
    if (sessions_.size() >= sessions_max_) return false;
    sessions_.push_back({asker, std::nullopt});
    return true;
  }

  bool empty() const { return sessions_.empty(); }
  Session& front() { return sessions_.front(); }
  void finish_front() { sessions_.erase(sessions_.begin()); }
  // The next asker gets its page before this one gets another.
  void rotate() { std::rotate(sessions_.begin(), sessions_.begin() + 1, sessions_.end()); }

 private:
  std::size_t sessions_max_;
  std::vector<Session> sessions_;
};

}  // namespace hyperscale::membership
